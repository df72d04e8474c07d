"""Seven discretizers that cut each column by itself, as scikit-learn transformers.

CAIM, CACC and ChiMerge use the class. EW, EF, PKID and FFD do not use it.
"""

from dataclasses import KW_ONLY

from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import MDLPDiscretizer
from orangecontrib.sadd.core.methods.bins import (
    equal_frequency_cuts,
    equal_width_cuts,
    fixed_frequency_cuts,
    proportional_cuts,
)
from orangecontrib.sadd.core.methods.greedy import (
    cacc_cuts,
    caim_cuts,
    chimerge_cuts,
)
from orangecontrib.sadd.core.parameters import (
    estimator_class,
    parameter,
    real,
    same,
    whole,
)

__all__ = ["CACCDiscretizer", "CAIMDiscretizer", "ChiMergeDiscretizer",
           "EqualFrequencyDiscretizer", "EqualWidthDiscretizer", "FFDDiscretizer",
           "PKIDDiscretizer"]


@estimator_class
class _InterdependenceDiscretizer(Discretizer):
    """Base class of CAIM and CACC, which differ in their criterion only."""

    _: KW_ONLY
    min_samples: float | None = same(MDLPDiscretizer, "min_samples")
    max_intervals: int | None = parameter(
        None, [whole(), None], "int or None",
        "Maximum number of intervals, even if there are more classes.",
        title="Maximum intervals", lowest=1, highest=10 ** 6)

    def _column_cuts(self, cells):
        return self._cuts(cells, self.min_samples, self.max_intervals)


@estimator_class
class CAIMDiscretizer(_InterdependenceDiscretizer):
    """
    Class-attribute interdependence maximization, CAIM.

    Adds the cut that raises the criterion most, while the criterion rises or there are
    fewer intervals than classes.

    References
    ----------
    Kurgan, L. A., Cios, K. J. (2004). CAIM discretization algorithm. IEEE Transactions
    on Knowledge and Data Engineering 16(2), 145-153.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> CAIMDiscretizer().fit(*load_iris(return_X_y=True)).cut_points_[0]
    array([5.55, 6.25])
    """

    short_name = "CAIM"

    _cuts = staticmethod(caim_cuts)


@estimator_class
class CACCDiscretizer(_InterdependenceDiscretizer):
    """
    Class-attribute contingency coefficient, CACC.

    Proceeds like CAIM, with a criterion derived from chi-square.

    References
    ----------
    Tsai, C.-J., Lee, C.-I., Yang, W.-P. (2008). A discretization algorithm based on
    class-attribute contingency coefficient. Information Sciences 178(3), 714-731.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> CACCDiscretizer().fit(*load_iris(return_X_y=True)).cut_points_[0]
    array([5.45, 6.15])
    """

    short_name = "CACC"

    _cuts = staticmethod(cacc_cuts)


@estimator_class
class ChiMergeDiscretizer(Discretizer):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    References
    ----------
    Kerber, R. (1992). ChiMerge: Discretization of numeric attributes. AAAI, 123-128.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> ChiMergeDiscretizer(max_intervals=3).fit(
    ...     *load_iris(return_X_y=True)).n_intervals_
    array([3, 3, 3, 3])
    """

    significance: float = parameter(
        .05, [real(0, 1)], "float", "Significance level of chi-square.",
        "Intervals stay apart if chi-square is at least the 1 - significance quantile.",
        title="Significance level", lowest=.001, highest=.999)
    max_intervals: int | None = parameter(
        None, [whole(), None], "int or None",
        "Merge until there are no more intervals than this.",
        title="Maximum intervals", lowest=1, highest=10 ** 6)

    short_name = "ChiMerge"

    def _column_cuts(self, cells):
        return chimerge_cuts(cells, self.significance, self.max_intervals)


@estimator_class
class _BinDiscretizer(Discretizer):
    """Base class of EW and EF, which have a number of intervals."""

    requires_target = False

    n_bins: int = parameter(10, [whole()], "int", "Number of intervals.",
                            title="Intervals", lowest=1, highest=1000)


@estimator_class
class EqualWidthDiscretizer(_BinDiscretizer):
    """
    Intervals of equal width.

    Examples
    --------
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [8]]).cut_points_
    [array([2., 4., 6.])]
    """

    short_name = "EW"
    uses_order_only = False

    def _column_cuts(self, cells):
        return equal_width_cuts(cells.values, self.n_bins)


@estimator_class
class EqualFrequencyDiscretizer(_BinDiscretizer):
    """
    Intervals of equal frequency, or as near to it as ties allow.

    Examples
    --------
    >>> EqualFrequencyDiscretizer(n_bins=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    short_name = "EF"

    def _column_cuts(self, cells):
        return equal_frequency_cuts(cells.values, cells.rows, self.n_bins)


@estimator_class
class PKIDDiscretizer(Discretizer):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

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
    requires_target = False

    def _column_cuts(self, cells):
        return proportional_cuts(cells.values, cells.rows)


@estimator_class
class FFDDiscretizer(Discretizer):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    References
    ----------
    Yang, Y., Webb, G. I. (2009). Discretization for naive-Bayes learning: managing
    discretization bias and variance. Machine Learning 74(1), 39-74.

    Examples
    --------
    >>> FFDDiscretizer(frequency=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    frequency: int = parameter(
        30, [whole()], "int", "Number of rows in an interval.",
        title="Rows in an interval", lowest=1, highest=10 ** 6)

    short_name = "FFD"
    requires_target = False

    def _column_cuts(self, cells):
        return fixed_frequency_cuts(cells.values, cells.rows, self.frequency)
