"""scikit-learn's tests of KBinsDiscretizer, with equal width and equal frequency."""

import numpy as np

from orangecontrib.sadd.core import EqualFrequencyDiscretizer, EqualWidthDiscretizer
from tests.peers.peertests import (
    Disagreement,
    functions,
    load,
    test_listed,  # noqa: F401
)

# Ours cut half-way between two values, a row in the middle is in the lower interval
CUTS = "equal frequency cuts between values, not at quantiles"
ONE_NUMBER = "n_bins is one number, for all features"
ALL_ROWS = "all rows are read, so there is no subsample"
SILENT = "a feature with fewer intervals than n_bins is no reason to warn"

DISAGREEMENTS = [
    Disagreement("*", "there is no discretization by k-means", strategy="kmeans"),
    Disagreement("test_fit_transform", CUTS, strategy="quantile",
                 sample_weight=[None, [1, 1, 2, 1], [1, 1, 1, 1]]),
    # Of scikit-learn 1.5
    Disagreement("test_fit_transform", CUTS, strategy="quantile",
                 expected=[[[0] * 4, [0] * 4, [1] * 4, [1] * 4]]),
    Disagreement("test_kbinsdiscretizer_wrong_strategy_with_weights",
                 "equal width takes weights, which do not matter"),
    Disagreement("test_KBD_inverse_transform_Xt_deprecation",
                 "X never had another name"),
    Disagreement("test_invalid_n_bins_array", ONE_NUMBER),
    Disagreement("test_fit_transform_n_bins_array", ONE_NUMBER,
                 strategy=["uniform", "quantile"]),
    Disagreement("test_encode_options", ONE_NUMBER),
    Disagreement("test_kbinsdiscretizer_effect_sample_weight", CUTS),
    Disagreement("test_same_min_max", SILENT, strategy=["uniform", "quantile"]),
    Disagreement("test_numeric_stability", CUTS),
    Disagreement("test_nonuniform_strategies", CUTS, strategy="quantile"),
    Disagreement("test_inverse_transform", CUTS, strategy="quantile"),
    Disagreement("test_overwrite", CUTS),
    Disagreement("test_redundant_bins", SILENT, strategy="quantile"),
    Disagreement("test_percentile_numeric_stability", SILENT),
    Disagreement("test_consistent_dtype", "intervals are of the type float64",
                 out_dtype=np.float32),
    Disagreement("test_consistent_dtype", "intervals are of the type float64",
                 in_dtype=np.float32, out_dtype=None),
    Disagreement("test_32_equal_64", "there is no dtype to choose"),
    Disagreement("test_kbinsdiscretizer_subsample_default", ALL_ROWS),
    Disagreement("test_kbinsdiscretizer_subsample", ALL_ROWS,
                 strategy=["uniform", "quantile"]),
    Disagreement("test_kbinsdiscrtizer_get_feature_names_out",
                 "one-hot columns have the names of intervals",
                 encode=["onehot", "onehot-dense"]),
    Disagreement("test_invalid_quantile_method_with_sample_weight",
                 "there are no methods of quantiles to choose"),
]


class BinEdges:
    """What KBinsDiscretizer calls its findings."""

    @property
    def n_bins_(self):
        return self.n_intervals_

    @property
    def bin_edges_(self):
        edges = np.empty(len(self.cut_points_), dtype=object)
        for feature, cuts in enumerate(self.cut_points_):
            low, high = self.ranges_[feature]
            edges[feature] = np.array([low, *cuts, high])
        return edges


class Uniform(BinEdges, EqualWidthDiscretizer):
    pass


class Quantile(BinEdges, EqualFrequencyDiscretizer):
    pass


def bins(n_bins=5, *, encode="onehot", strategy="quantile", quantile_method=None,
         dtype=None, subsample=None, random_state=None):
    if dtype not in (None, np.float64):
        raise ValueError("There are no other types.")
    return {"uniform": Uniform, "quantile": Quantile}[strategy](
        n_bins, encode=encode.removesuffix("-dense"), sparse_output=encode == "onehot")


globals().update(functions(load(
    "sklearn.preprocessing.tests.test_discretization",
    sklearn__preprocessing__KBinsDiscretizer=bins)))
