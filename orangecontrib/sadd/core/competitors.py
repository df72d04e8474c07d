"""The discretizers that SADD is compared with, as scikit-learn transformers."""

from numbers import Integral, Real

from sklearn.utils._param_validation import Interval

from orangecontrib.sadd.core.discretizer_base import (
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
from orangecontrib.sadd.core.types import CategoricalFeatures

__all__ = [
    "CACCDiscretizer", "CAIMDiscretizer", "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer", "EqualWidthDiscretizer", "FFDDiscretizer",
    "PKIDDiscretizer",
]


class CAIMDiscretizer(Discretizer):
    """
    Class-attribute interdependence maximization, CAIM.

    Adds the cut that raises the criterion most, as long as it rises, and until there
    are at least as many intervals as classes.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

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

    def __init__(self, *, categorical_features: CategoricalFeatures = None) -> None:
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return caim_cuts(values, counts)


class CACCDiscretizer(Discretizer):
    """
    Class-attribute contingency coefficient, CACC.

    Proceeds like CAIM, with a criterion derived from chi-square.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

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

    def __init__(self, *, categorical_features: CategoricalFeatures = None) -> None:
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return cacc_cuts(values, counts)


class ChiMergeDiscretizer(Discretizer):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Parameters
    ----------
    alpha : float
        Significance level; intervals stay apart if chi-square is at least the
        1 - alpha quantile.
    max_intervals : int, optional
        Goes on merging as long as there are more intervals than this.
    categorical_features : mask, indices, names, or "from_dtype", optional

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

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "max_intervals": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, alpha: float = 0.05, max_intervals: int | None = None, *,
                 categorical_features: CategoricalFeatures = None) -> None:
        self.alpha = alpha
        self.max_intervals = max_intervals
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return chimerge_cuts(values, counts, self.alpha, self.max_intervals)


class EqualWidthDiscretizer(UnsupervisedDiscretizer):
    """
    Intervals of equal width.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [8]]).cut_points_
    [array([2., 4., 6.])]
    """

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "n_bins": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_bins: int = 10, *,
                 categorical_features: CategoricalFeatures = None) -> None:
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return equal_width_cuts(values, self.n_bins)

    def _distinct_of(self, columns, column):
        return columns.finite_range[column], None  # all that matters


class EqualFrequencyDiscretizer(UnsupervisedDiscretizer):
    """
    Intervals of equal frequency, as nearly as ties allow.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualFrequencyDiscretizer(n_bins=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    _parameter_constraints = EqualWidthDiscretizer._parameter_constraints

    def __init__(self, n_bins: int = 10, *,
                 categorical_features: CategoricalFeatures = None) -> None:
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return equal_frequency_cuts(values, counts.sum(axis=0), self.n_bins)


class PKIDDiscretizer(UnsupervisedDiscretizer):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

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

    def __init__(self, *, categorical_features: CategoricalFeatures = None) -> None:
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return proportional_cuts(values, counts.sum(axis=0))


class FFDDiscretizer(UnsupervisedDiscretizer):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Parameters
    ----------
    frequency : int
    categorical_features : mask, indices, names, or "from_dtype", optional

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

    _parameter_constraints = {
        **Discretizer._parameter_constraints,
        "frequency": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, frequency: int = 30, *,
                 categorical_features: CategoricalFeatures = None) -> None:
        self.frequency = frequency
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return fixed_frequency_cuts(values, counts.sum(axis=0), self.frequency)
