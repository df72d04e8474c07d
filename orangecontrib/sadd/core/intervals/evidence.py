"""Evidence of intervals about the class: counts, shares, weights of evidence.

With n_ic rows of class c in interval i, and "rest" for all other classes,

    woe_ic = ln(P(i | c) / P(i | rest)),  P(i | c) = n_ic / n_c,
    iv_ic = (P(i | c) - P(i | rest)) woe_ic,

The first is the weight of evidence (Good, 1950) in favour of c. The second is the
contribution of the interval to the information value of the variable. If an interval
lacks rows of c, or of the rest, the probabilities in its weight are smoothed as in
naive Bayes: (n_ic + 1 / v) / (n_c + 1) for v intervals. So the weight is finite, and
not 0 for the clearest intervals. Without rows of the interval, of c or of the rest
there is no evidence: 0. With two classes, figures of the second class are shown.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from orangecontrib.sadd.core.types import Floats

__all__ = ["interval_table", "is_monotonic", "shown_classes", "weight_of_evidence"]


def weight_of_evidence(counts: npt.NDArray[Any]) -> tuple[Floats, Floats]:
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
    >>> woe, iv = weight_of_evidence(np.array([[30, 10, 0], [10, 30, 0]]))
    >>> woe.round(3)
    array([[ 1.099, -1.099,  0.   ],
           [-1.099,  1.099,  0.   ]])
    >>> iv.sum(axis=1).round(3)
    array([1.099, 1.099])
    >>> weight_of_evidence(np.array([[9, 0], [0, 9]]))[0].round(2)
    array([[ 2.94, -2.94],
           [-2.94,  2.94]])
    """
    counts = np.asarray(counts, dtype=np.float64)
    rest = counts.sum(axis=0) - counts
    totals, rest_totals = (part.sum(axis=1, keepdims=True) for part in (counts, rest))
    smoothed, share = (counts == 0) | (rest == 0), 1 / max(counts.shape[1], 1)
    own, other = ((part + share * smoothed) / np.where(total > 0, total + smoothed, 1)
                  for part, total in ((counts, totals), (rest, rest_totals)))
    known = (counts.sum(axis=0) > 0) & (totals > 0) & (rest_totals > 0)
    woe = np.log(own / other, out=np.zeros_like(counts), where=known)
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


def shown_classes(n_classes: int) -> list[int]:
    """
    Return the classes about which figures are shown: the second of two, or all.

    Examples
    --------
    >>> shown_classes(2), shown_classes(3)
    ([1], [0, 1, 2])
    """
    return [1] if n_classes == 2 else list(range(n_classes))


def interval_table(cuts: Any) -> pd.DataFrame:
    """
    Return a data frame with a row for each interval of each feature.

    Parameters
    ----------
    cuts : Cuts
        With counts.

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
    >>> from orangecontrib.sadd.core import FFDDiscretizer
    >>> X, y = [[0.]] * 40 + [[2.]] * 40, ["bad"] * 10 + ["good"] * 60 + ["bad"] * 10
    >>> table = interval_table(FFDDiscretizer(frequency=40).fit(X, y).cuts_)
    >>> print(table[["interval", "rows", "share_bad", "woe"]].round(3).to_string())
      interval  rows  share_bad  woe
    0      < 1    40       0.25  0.0
    1      ≥ 1    40       0.25  0.0
    """
    labels = cuts.classes.tolist()
    parts = [_of_feature(cuts, feature, labels) for feature in range(len(cuts))]
    if not parts:
        parts = [_columns("", (), None, np.zeros((len(labels), 0)),
                          np.zeros(len(labels)), None, labels)]
    table = pd.DataFrame({key: np.concatenate([part[key] for part in parts])
                          for key in parts[0]})
    if "unlabelled" in table and not table["unlabelled"].any():
        del table["unlabelled"]
    return table


def _of_feature(cuts, feature, labels):
    names = cuts.names[feature]
    return _columns(
        cuts.feature_names[feature], names,
        cuts.cut_points[feature] if cuts.categories[feature] is None else None,
        cuts.counts[feature], cuts.missing_counts[feature],
        None if cuts.unlabelled is None else cuts.unlabelled[feature][:len(names)],
        labels)


def _columns(feature: str, names: Sequence[str], points: Floats | None, counts: Any,
             missing: Any, unlabelled: Any, labels: Sequence[Any]
             ) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a feature."""
    n_intervals, n_known = len(names), counts.shape[1]
    lower = upper = np.full(n_intervals, np.nan)
    if points is not None and n_known:
        ends = np.full(n_intervals - n_known, np.nan)
        lower = np.concatenate(([np.nan], points, ends))
        upper = np.concatenate((points, [np.nan], ends))
    known = counts
    if n_intervals > n_known:  # missing values are also an interval
        counts = np.column_stack((counts, missing))
    rows = counts.sum(axis=0)
    columns = {
        "variable": np.full(n_intervals, feature, dtype=object),
        "interval": np.array(names, dtype=object),
        "from": lower, "to": upper, "rows": rows}
    if unlabelled is not None:
        columns["rows"] = rows + unlabelled
        columns["unlabelled"] = unlabelled
    columns["missing"] = np.full(n_intervals, missing.sum())
    if len(labels) < 2:
        return columns
    shares = np.divide(
        counts, rows, out=np.full(counts.shape, np.nan), where=rows > 0)
    for name, of_class in (("rows", counts), ("share", shares)):
        columns.update((f"{name}_{label}", own)
                       for label, own in zip(labels, of_class, strict=True))
    woe, iv = weight_of_evidence(counts)
    monotonic = is_monotonic(known)
    for shown in shown_classes(len(labels)):
        suffix = "" if len(labels) == 2 else f"_{labels[shown]}"
        columns[f"woe{suffix}"] = woe[shown]
        columns[f"iv{suffix}"] = iv[shown]
        columns[f"total_iv{suffix}"] = np.full(n_intervals, iv[shown].sum())
        columns[f"monotonic{suffix}"] = np.full(n_intervals, monotonic[shown])
    return columns
