"""The rivals of SADD and MDLP as scikit-learn transformers.

CAIM, CACC and ChiMerge look at the class; EW, EF, PKID and FFD do not.
"""

from collections.abc import Callable
from numbers import Integral, Real

from sklearn.utils._param_validation import Interval

from orangecontrib.sadd.core.discretizer_base import (
    LIMITS,
    Discretizer,
    UnsupervisedDiscretizer,
)
from orangecontrib.sadd.core.methods.bins import (
    equal_frequency_cuts,
    equal_width_cuts,
    fixed_frequency_cuts,
    proportional_cuts,
)
from orangecontrib.sadd.core.methods.chimerge import chimerge_cuts
from orangecontrib.sadd.core.methods.interdependence import cacc_cuts, caim_cuts
from orangecontrib.sadd.core.splitting.questions import FiniteRange
from orangecontrib.sadd.core.types import (
    CategoricalFeatures,
    Encoding,
    Floats,
    Missing,
)

__all__ = [
    "CACCDiscretizer", "CAIMDiscretizer", "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer", "EqualWidthDiscretizer", "FFDDiscretizer",
    "PKIDDiscretizer",
]


class _InterdependenceDiscretizer(Discretizer):
    """CAIM and CACC, which differ in their criterion only."""

    _cuts: Callable[..., Floats]

    _parameter_constraints = {**Discretizer._parameter_constraints, **LIMITS}

    def __init__(self, *, categorical_features: CategoricalFeatures = None,
                 min_samples: float | None = None, max_intervals: int | None = None,
                 missing: Missing = "ignore", encode: Encoding = "ordinal",
                 sparse_output: bool = True, n_jobs: int | None = None) -> None:
        super().__init__(
            categorical_features=categorical_features, missing=missing, encode=encode,
            sparse_output=sparse_output, n_jobs=n_jobs)
        self.min_samples = min_samples
        self.max_intervals = max_intervals

    def _column_cuts(self, values, counts):
        return self._cuts(values, counts, self.min_samples, self.max_intervals)


class CAIMDiscretizer(_InterdependenceDiscretizer):
    """
    Class-attribute interdependence maximization, CAIM.

    Adds the cut that raises the criterion most, as long as it rises, and until there
    are at least as many intervals as classes.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional
    min_samples : int, float or None
        As for `MDLPDiscretizer`.
    max_intervals : int or None
        No cuts are added once there are this many intervals, even if there are more
        classes.
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Kurgan, L. A., Cios, K. J. (2004). CAIM discretization algorithm. IEEE Transactions
    on Knowledge and Data Engineering 16(2), 145-153.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CAIMDiscretizer().fit(X, y).cut_points_[0]
    array([5.55, 6.25])
    """

    short_name = "CAIM"

    _cuts = staticmethod(caim_cuts)


class CACCDiscretizer(_InterdependenceDiscretizer):
    """
    Class-attribute contingency coefficient, CACC.

    Proceeds like CAIM, with a criterion derived from chi-square.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional
    min_samples, max_intervals, missing, encode, sparse_output, n_jobs
        As for `CAIMDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Tsai, C.-J., Lee, C.-I., Yang, W.-P. (2008). A discretization algorithm based on
    class-attribute contingency coefficient. Information Sciences 178(3), 714-731.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CACCDiscretizer().fit(X, y).cut_points_[0]
    array([5.45, 6.15])
    """

    short_name = "CACC"

    _cuts = staticmethod(cacc_cuts)


class ChiMergeDiscretizer(Discretizer):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Parameters
    ----------
    alpha : float
        Significance level; intervals stay apart if chi-square is at least the
        1 - alpha quantile.
    max_intervals : int, optional
        Intervals are merged until there are no more than this.
    categorical_features : mask, indices, names, or "from_dtype", optional
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Kerber, R. (1992). ChiMerge: Discretization of numeric attributes. AAAI, 123-128.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ChiMergeDiscretizer(max_intervals=3).fit(X, y).n_intervals_
    array([3, 3, 3, 3])
    """

    short_name = "ChiMerge"

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "max_intervals": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, alpha: float = 0.05, max_intervals: int | None = None, *,
                 categorical_features: CategoricalFeatures = None,
                 missing: Missing = "ignore", encode: Encoding = "ordinal",
                 sparse_output: bool = True, n_jobs: int | None = None) -> None:
        super().__init__(
            categorical_features=categorical_features, missing=missing, encode=encode,
            sparse_output=sparse_output, n_jobs=n_jobs)
        self.alpha = alpha
        self.max_intervals = max_intervals

    def _column_cuts(self, values, counts):
        return chimerge_cuts(values, counts, self.alpha, self.max_intervals)


class _BinDiscretizer(UnsupervisedDiscretizer):
    """EW and EF, which have a number of intervals."""

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "n_bins": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_bins: int = 10, *,
                 categorical_features: CategoricalFeatures = None,
                 missing: Missing = "ignore", encode: Encoding = "ordinal",
                 sparse_output: bool = True, n_jobs: int | None = None) -> None:
        super().__init__(
            categorical_features=categorical_features, missing=missing, encode=encode,
            sparse_output=sparse_output, n_jobs=n_jobs)
        self.n_bins = n_bins


class EqualWidthDiscretizer(_BinDiscretizer):
    """
    Intervals of equal width.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [8]]).cut_points_
    [array([2., 4., 6.])]
    """

    short_name = "EW"

    def _column_cuts(self, values, counts):
        return equal_width_cuts(values, self.n_bins)

    def _values(self):
        return (yield FiniteRange()), None  # all that matters


class EqualFrequencyDiscretizer(_BinDiscretizer):
    """
    Intervals of equal frequency, or as near to it as ties allow.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualFrequencyDiscretizer(n_bins=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    short_name = "EF"

    def _column_cuts(self, values, counts):
        return equal_frequency_cuts(values, counts.sum(axis=0), self.n_bins)


class PKIDDiscretizer(UnsupervisedDiscretizer):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    References
    ----------
    Yang, Y., Webb, G. I. (2001). Proportional k-interval discretization for naive-Bayes
    classifiers. ECML, 564-575.

    Examples
    --------
    >>> PKIDDiscretizer().fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    short_name = "PKID"

    def _column_cuts(self, values, counts):
        return proportional_cuts(values, counts.sum(axis=0))


class FFDDiscretizer(UnsupervisedDiscretizer):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Parameters
    ----------
    frequency : int
    categorical_features : mask, indices, names, or "from_dtype", optional
    missing, encode, sparse_output, n_jobs
        As for `MDLPDiscretizer`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    References
    ----------
    Yang, Y., Webb, G. I. (2009). Discretization for naive-Bayes learning: managing
    discretization bias and variance. Machine Learning 74(1), 39-74.

    Examples
    --------
    >>> FFDDiscretizer(frequency=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    short_name = "FFD"

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "frequency": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, frequency: int = 30, *,
                 categorical_features: CategoricalFeatures = None,
                 missing: Missing = "ignore", encode: Encoding = "ordinal",
                 sparse_output: bool = True, n_jobs: int | None = None) -> None:
        super().__init__(
            categorical_features=categorical_features, missing=missing, encode=encode,
            sparse_output=sparse_output, n_jobs=n_jobs)
        self.frequency = frequency

    def _column_cuts(self, values, counts):
        return fixed_frequency_cuts(values, counts.sum(axis=0), self.frequency)
