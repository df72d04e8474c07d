"""From cut points to Orange variables with named intervals."""

import math
import re
from collections.abc import Iterable, Sequence

import numpy as np
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable
from Orange.preprocess.discretize import Discretizer

from orangecontrib.sadd.core.arithmetic import assign_intervals
from orangecontrib.sadd.core.intervals import encoding
from orangecontrib.sadd.core.types import ArrayLike, Matrix
from orangecontrib.sadd.core.validation import dense

__all__ = ["IntervalDiscretizer", "cut_names", "discretized_variable",
           "interval_names", "name_cuts"]

DAY = 24 * 60 * 60


class IntervalDiscretizer(Discretizer):
    """
    Index of the interval of each value, also of sparse columns and of missing values.

    Orange's `Discretizer` puts all values that a sparse column does not store into the
    first interval. But 0 may belong to another interval. It puts missing values into
    the last one.

    Parameters
    ----------
    variable : ContinuousVariable
    points : list of float
    missing : bool
        Whether missing values have an interval of their own, the last one.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable
    >>> discretizer = IntervalDiscretizer(ContinuousVariable("x"), [-1.0, 1.0])
    >>> discretizer.transform(sp.csc_matrix([[0], [-3], [2]]))
    array([1., 0., 2.])
    >>> discretizer = IntervalDiscretizer(ContinuousVariable("x"), [1.0], missing=True)
    >>> discretizer.transform(np.array([0, np.nan, 2]))
    array([0., 2., 1.])
    """

    def __init__(self, variable: ContinuousVariable, points: list[float],
                 missing: bool = False) -> None:
        super().__init__(variable, points)
        self.missing = missing

    def transform(self, c: Matrix) -> Matrix:
        """Return the intervals, dense if 0 is not in the first."""
        if sp.issparse(c) and self.points and self.points[0] > 0:
            c = c.tocsc(copy=True)
            c.data = assign_intervals(c.data, self.points, self.missing)
            return c
        return assign_intervals(dense(c).ravel(), self.points, self.missing)

    # Orange requires that the class itself defines both
    def __eq__(self, other):
        return super().__eq__(other) and self.missing == other.missing

    def __hash__(self):
        return hash((super().__hash__(), self.missing))


def discretized_variable(
    var: ContinuousVariable, points: ArrayLike, names: Sequence[str] | None = None,
    missing: bool = False
) -> DiscreteVariable:
    """
    Return the categorical variable with the intervals between cut points.

    Unlike `Discretizer.create_discretized_var`, this does not round the cut points. Any
    two of them have different names. Intervals of time have names with date and time.

    Parameters
    ----------
    var : ContinuousVariable
    points : array_like of float
        Strictly increasing.
    names : sequence of str, optional
        Names of the intervals; by default those of `interval_names`, which depend on
        the number of decimals of the variable.
    missing : bool
        Whether missing values have a value of their own, "missing".

    Returns
    -------
    DiscreteVariable
        With the same name. It is equal to another if variables and cuts are equal.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable, TimeVariable
    >>> discretized_variable(ContinuousVariable("x"), [0.5, 2]).values
    ('< 0.5', '0.5 - 2', '≥ 2')
    >>> born = TimeVariable("born", have_date=True)
    >>> discretized_variable(born, [born.parse("2001-09-09")]).values
    ('< 2001-09-09', '≥ 2001-09-09')
    """
    # A list of floats, not an array: Discretizer.__eq__ compares them by ==
    cuts = np.asarray(points, dtype=np.float64).tolist()
    if not cuts and not missing:
        return Discretizer.create_discretized_var(var, cuts)
    if names is None:
        names = interval_names(var, cuts) + (encoding.MISSING,) * missing
    discretizer = IntervalDiscretizer(var, cuts, missing) if missing or var.sparse \
        else Discretizer(var, cuts)
    new_var = DiscreteVariable(
        var.name, names, compute_value=discretizer,
        # 0 is the value that a sparse column does not store
        sparse=var.sparse and bool(cuts) and cuts[0] > 0)
    new_var.source_variable = var
    new_var.attributes.update(
        (key, value) for key, value in var.attributes.items()
        if key not in ("colors", "palette"))  # of numbers
    return new_var


def interval_names(var: ContinuousVariable, points: Sequence[float]
                   ) -> tuple[str, ...]:
    """
    Name the intervals between cut points.

    Names are the same as Orange's, unless two cuts would have the same name. Cuts of a
    time variable are rounded up to days, or to seconds. "<" excludes the cut, so this
    is exact for times in whole days or seconds.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable
    >>> interval_names(ContinuousVariable("x", 1), [1, 1 + 1e-9])
    ('< 1.000000000', '1.000000000 - 1.000000001', '≥ 1.000000001')
    """
    return encoding.interval_names(points, name_cuts(var, points))


def cut_names(var: ContinuousVariable, points: Sequence[float]) -> list[str]:
    """
    Name cut points as in the names of intervals; no two have the same name.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable
    >>> cut_names(ContinuousVariable("x", 2), [1, 2.5])
    ['1', '2.5']
    """
    return encoding.cut_names(points, name_cuts(var, points))


def name_cuts(var: ContinuousVariable, points: Sequence[float]
              ) -> Iterable[Sequence[str]]:
    """Return names of cuts, from short to long ones; for `Cuts.formats`."""
    if var.is_time and (var.have_date or var.have_time):
        return _time_names(var, points)
    return encoding.number_names(points, var.str_val)


def _time_names(var, points):
    """Yield names of cuts, from coarse to fine ones."""
    if not var.have_time:
        yield [_time_name(var, point, DAY) for point in points]
        var = var.copy(compute_value=None)
        var.have_time = True
    names = [_time_name(var, point, 1) for point in points]
    for zeros in (r"(.*\d:\d\d):00", r"(.+) 00:00"):  # seconds, then time of day
        if all(re.fullmatch(zeros, name) for name in names):
            names = [re.fullmatch(zeros, name)[1] for name in names]
    yield names
    yield [_time_name(var, point) for point in points]


def _time_name(var, point, unit=None):
    """Name a time, rounded up to a unit; "?" beyond the calendar."""
    try:
        return var.str_val(point if unit is None else math.ceil(point / unit) * unit)
    except (OSError, OverflowError, ValueError):  # Orange itself may return "?" as well
        return "?"
