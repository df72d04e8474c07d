"""Names of intervals, and encodings of `transform`: codes, names, or one-hot.

This is the one place where names of intervals are made. Orange's variables format their
numbers and times. Without a variable, a number has as many digits as in Orange by
default.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy.sparse import csr_matrix, issparse

from orangecontrib.sadd.core.types import Floats, Matrix
from orangecontrib.sadd.core.validation import as_pandas

__all__ = ["MISSING", "SINGLE_VALUE", "as_labels", "as_one_hot", "codes_of",
           "cut_names", "interval_names", "middles", "number_names"]

#: The interval of missing values, and of a variable that is not cut; as Orange's
MISSING = "missing"
SINGLE_VALUE = "single_value"

Names = Sequence[Sequence[str]]


def interval_names(points: Sequence[float],
                   candidates: Iterable[Sequence[str]] | None = None
                   ) -> tuple[str, ...]:
    """
    Name the intervals between cut points.

    Parameters
    ----------
    points : sequence of float
        Cut points, increasing.
    candidates : iterable, optional
        Names of the cuts, from short ones to long ones; the first ones that are all
        different are taken.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> interval_names([0.5, 2])
    ('< 0.5', '0.5 - 2', '≥ 2')
    >>> interval_names([])
    ('single_value',)
    """
    if not len(points):
        return (SINGLE_VALUE,)
    names = cut_names(points, candidates)
    return (f"< {names[0]}",
            *(f"{low} - {high}" for low, high in zip(names[:-1], names[1:],
                                                     strict=True)),
            f"≥ {names[-1]}")


def cut_names(points: Sequence[float],
              candidates: Iterable[Sequence[str]] | None = None) -> list[str]:
    """
    Name cut points as `interval_names` does; no two have the same name.

    Examples
    --------
    >>> cut_names([0.5, 2])
    ['0.5', '2']
    """
    for names in number_names(points) if candidates is None else candidates:
        if len(set(names)) == len(names) and "?" not in names:
            return list(names)
    return [repr(float(point)) for point in points]


def number_names(points: Sequence[float], text: Callable[[float], str] | None = None
                 ) -> Iterator[list[str]]:
    """Yield names of cuts, from short to long ones; `text` formats a number."""
    yield [_without_zeros((text or _general)(point)) for point in points]
    for digits in range(6, 18):
        yield [f"{point:.{digits}f}" for point in points]


def _general(point):
    return f"{point:g}" if math.isfinite(point) else "?"


def _without_zeros(name):
    if "." in name and "e" not in name:
        return name.rstrip("0").rstrip(".")
    return name


def as_labels(codes: Floats, names: Names, container: str, columns: Iterable[str],
              index: Any = None) -> Any:
    """
    Return the names of intervals in the place of codes.

    Parameters
    ----------
    codes : ndarray of float64, shape (n_rows, n_features)
    names : sequence of sequence of str
        Names of the intervals of each feature.
    container : {"default", "pandas", "polars"}
        Of strings; or a data frame of categories, which are in order.
    columns : iterable of str
        Names of features, for a data frame.
    index : pandas.Index, optional
        Of the rows, for a data frame of pandas.

    Returns
    -------
    ndarray of object, or a data frame
        NaN, or null, where a code is NaN.

    Examples
    --------
    >>> as_labels(np.array([[1.], [np.nan]]), [("low", "high")], "default", ["x"])
    array([['high'],
           [nan]], dtype=object)
    """
    if container == "pandas":
        return pd.DataFrame({
            feature: pd.Categorical.from_codes(
                np.nan_to_num(column, nan=-1).astype(int), list(own), ordered=True)
            for feature, (column, own) in enumerate(
                zip(codes.T, names, strict=True))}, index=index)
    labels = np.empty(codes.shape, dtype=object)
    for feature, own in enumerate(names):
        column = codes[:, feature]
        known = np.array([*own, None if container == "polars" else np.nan],
                         dtype=object)
        labels[:, feature] = known[
            np.where(np.isnan(column), len(own), column).astype(int)]
    if container != "polars":
        return labels
    import polars as pl

    return pl.DataFrame([
        pl.Series(name, column.tolist(), pl.Enum(list(own)))
        for name, column, own in zip(columns, labels.T, names, strict=True)])


def as_one_hot(codes: Floats, names: Names, sparse: bool) -> Matrix:
    """
    Return a column of ones and zeros for each interval of each feature.

    If a code is NaN, all columns of the feature are zero.

    Examples
    --------
    >>> as_one_hot(np.array([[1.], [np.nan]]), [("low", "high")], sparse=False)
    array([[0., 1.],
           [0., 0.]])
    """
    widths = np.array([len(own) for own in names])
    starts = np.cumsum(widths) - widths
    known = ~np.isnan(codes)
    columns = (codes + starts)[known].astype(np.intp)
    ends = np.append(0, np.cumsum(known.sum(axis=1)))
    found = csr_matrix((np.ones(len(columns)), columns, ends),
                       shape=(len(codes), int(widths.sum())))
    return found if sparse else found.toarray()


def codes_of(encoded: Any, names: Names, encode: str) -> Floats:
    """
    Return the codes of results of `as_labels` and `as_one_hot`, or codes unchanged.

    Parameters
    ----------
    encoded : array_like, sparse matrix or data frame
    names : sequence of sequence of str
    encode : {"ordinal", "interval", "onehot"}

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)
        NaN where there is no interval.
    """
    width = sum(map(len, names)) if encode == "onehot" else len(names)
    cells: Any = encoded if issparse(encoded) else np.asarray(as_pandas(encoded))
    if cells.ndim != 2 or cells.shape[1] != width:
        raise ValueError(f"X has the shape {cells.shape}, but the result of "
                         f"transform has {width} columns.")
    codes = np.full((cells.shape[0], len(names)), np.nan)
    if encode == "onehot":
        cells = cells.toarray() if issparse(cells) else cells.astype(np.float64)
        ends = np.cumsum([len(own) for own in names])
        for feature, (own, end) in enumerate(zip(names, ends, strict=True)):
            block = cells[:, end - len(own):end]
            if own:  # none if all values are missing
                codes[:, feature] = np.where(
                    block.any(axis=1), block.argmax(axis=1), np.nan)
    elif encode == "interval":
        for feature, own in enumerate(names):
            known = {name: code for code, name in enumerate(own)}
            codes[:, feature] = [
                known.get(name, np.nan) if isinstance(name, str) else np.nan
                for name in cells[:, feature].tolist()]
    else:
        codes = cells.astype(np.float64)
        wrong = (codes < 0) | (codes >= [len(own) for own in names]) \
            | (codes != np.floor(codes))
        codes[wrong] = np.nan
    return codes


def middles(cuts: Floats, low: float, high: float) -> Floats:
    """
    Return the middle of each interval; outer intervals end at the range of `fit`.

    If the middle is not a number inside the interval, the result is the number at or
    below a cut.

    Examples
    --------
    >>> middles(np.array([1., 2, 4]), 0, 10)
    array([0.5, 1.5, 3. , 7. ])
    >>> middles(np.zeros(0), 0, 10)
    array([5.])
    """
    if np.isnan(low):  # there is no finite value
        low = high = cuts[0] if len(cuts) else np.nan
    ends = np.concatenate(([low], cuts, [high]))
    values = ends[:-1] / 2 + ends[1:] / 2
    if not len(cuts):
        return values
    outside = np.append(values[:-1] >= cuts, False)
    outside[1:] |= values[1:] < cuts
    with np.errstate(over="ignore"):
        below = np.nextafter(cuts[0], -np.inf)
    return np.where(outside, np.append(below, cuts), values)
