"""Evidence of intervals about the class: counts, shares, weights of evidence.

With n_ic rows of class c in interval i, and "rest" for all other classes,

    woe_ic = ln(P(i | c) / P(i | rest)),  P(i | c) = n_ic / n_c,
    iv_ic = (P(i | c) - P(i | rest)) woe_ic,

The first is the weight of evidence (Good, 1950) in favour of c. The second is the
contribution of the interval to the information value of the variable. With two classes,
figures of the first class are shown, as is usual in credit scoring. If an interval
lacks rows of c or of the rest, its weight is 0, as in optbinning.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["CountedIntervals", "interval_table", "weight_of_evidence"]


@dataclass(frozen=True, eq=False)
class CountedIntervals:
    """
    A variable, its intervals, and the rows in them.

    Attributes
    ----------
    name : str
    intervals : sequence of str
        Names, also of the interval of missing values, if any.
    cuts : sequence of float or None
        Cut points; None if the variable is categorical.
    counts : ndarray, shape (n_classes, n_intervals)
        Weight of each class in each interval, without missing values.
    missing : ndarray, shape (n_classes,)
        Weight of each class where the value is missing.
    unlabelled : ndarray, shape (n_intervals,), or None
        Weight of rows without a class.
    """

    name: str
    intervals: Sequence[str]
    cuts: Sequence[float] | npt.NDArray[Any] | None
    counts: npt.NDArray[Any]
    missing: npt.NDArray[Any]
    unlabelled: npt.NDArray[Any] | None = None


def weight_of_evidence(counts: npt.NDArray[Any]
                       ) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """
    Return the weight of evidence, and its contribution to the information value.

    Parameters
    ----------
    counts : ndarray, shape (n_classes, n_intervals)

    Returns
    -------
    woe, iv : ndarray, shape (n_classes, n_intervals)
        For each class against the rest.

    Examples
    --------
    >>> woe, iv = weight_of_evidence(np.array([[30, 10], [10, 30]]))
    >>> woe.round(3)
    array([[ 1.099, -1.099],
           [-1.099,  1.099]])
    >>> iv.sum(axis=1).round(3)
    array([1.099, 1.099])
    """
    counts = np.asarray(counts, dtype=np.float64)
    rest = counts.sum(axis=0) - counts
    own_total, rest_total = (
        part.sum(axis=1, keepdims=True) for part in (counts, rest))
    defined = (counts > 0) & (rest > 0)
    own = np.divide(counts, own_total, out=np.ones_like(counts), where=defined)
    other = np.divide(rest, rest_total, out=np.ones_like(counts), where=defined)
    woe = np.log(own / other)
    return woe, (own - other) * woe


def is_monotonic(counts: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    """Return whether the share of each class only rises, or only falls."""
    counts = np.asarray(counts, dtype=np.float64)
    totals = counts.sum(axis=0)
    counts, totals = counts[:, totals > 0], totals[totals > 0]
    # Compared without a division, so that equal shares are equal
    steps = counts[:, 1:] * totals[:-1] - counts[:, :-1] * totals[1:]
    steps[np.abs(steps) < 1e-9 * totals[:-1] * totals[1:]] = 0
    return (steps >= 0).all(axis=1) | (steps <= 0).all(axis=1)


def interval_table(variables: Iterable[CountedIntervals], classes: Sequence[Any]
                   ) -> pd.DataFrame:
    """
    Return a data frame with a row for each interval of each variable.

    Parameters
    ----------
    variables : iterable of CountedIntervals
    classes : sequence
        Labels; fewer than two if rows are counted without regard to them.

    Returns
    -------
    pandas.DataFrame
        Columns are `variable`, `interval`, its ends `from` and `to`, and the weight of
        its `rows`. `unlabelled`, if there are any, is the weight of unlabelled rows.
        `missing` is the weight of rows of the variable with a missing value. For each
        class c, `rows_c` and `share_c`, which is NaN without rows. Weight of evidence,
        `woe_c`; information value of the interval and of the variable, `iv_c` and
        `total_iv_c`; and whether the share of the class only rises or only falls with
        the variable, `monotonic_c`. With two classes, these four have no suffix: see
        the head of this module.

    Examples
    --------
    >>> table = interval_table([CountedIntervals(
    ...     "x", ("< 1", "≥ 1"), [1.], np.array([[30, 10], [10, 30]]), np.zeros(2))],
    ...     ["good", "bad"])
    >>> print(table[["interval", "rows", "share_bad", "woe"]].round(3).to_string())
      interval  rows  share_bad    woe
    0      < 1    40       0.25  1.099
    1      ≥ 1    40       0.75 -1.099
    """
    none = CountedIntervals(
        "", (), (), np.zeros((len(classes), 0)), np.zeros(len(classes)))
    table = pd.concat([_of_variable(variable, list(classes))
                       for variable in list(variables) or [none]], ignore_index=True)
    if "unlabelled" in table and not table["unlabelled"].any():
        del table["unlabelled"]
    return table


def _of_variable(variable, classes):
    counts, n_intervals = variable.counts, len(variable.intervals)
    n_known = counts.shape[1]
    lower = upper = np.full(n_intervals, np.nan)
    if variable.cuts is not None and n_known:
        ends = np.full(n_intervals - n_known, np.nan)
        lower = np.concatenate(([np.nan], variable.cuts, ends))
        upper = np.concatenate((variable.cuts, [np.nan], ends))
    if n_intervals > n_known:  # missing values are also an interval
        counts = np.column_stack((counts, variable.missing))
    rows = counts.sum(axis=0)
    columns = {
        "variable": [variable.name] * n_intervals, "interval": list(variable.intervals),
        "from": lower, "to": upper, "rows": rows}
    if variable.unlabelled is not None:
        columns["rows"] = rows + variable.unlabelled
        columns["unlabelled"] = variable.unlabelled
    columns["missing"] = [variable.missing.sum()] * n_intervals
    if len(classes) < 2:
        return pd.DataFrame(columns)
    shares = np.divide(
        counts, rows, out=np.full(counts.shape, np.nan), where=rows > 0)
    for name, of_class in (("rows", counts), ("share", shares)):
        columns.update((f"{name}_{label}", own)
                       for label, own in zip(classes, of_class, strict=True))
    shown = zip([""] if len(classes) == 2 else [f"_{label}" for label in classes],
                *weight_of_evidence(counts), is_monotonic(variable.counts),
                strict=False)
    for suffix, woe, iv, monotonic in shown:
        columns[f"woe{suffix}"] = woe
        columns[f"iv{suffix}"] = iv
        columns[f"total_iv{suffix}"] = [iv.sum()] * n_intervals
        columns[f"monotonic{suffix}"] = [bool(monotonic)] * n_intervals
    return pd.DataFrame(columns)
