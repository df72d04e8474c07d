"""Axes of SADD Tables: where the tables of terms have entries, and places between them.

A numeric variable has its entries at *knots*, and the table is linear between them. A
categorical variable has an entry for each category. A place is the number of an entry,
plus the fraction of the way to the next one.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from orangecontrib.sadd.core.additive._places import place_values
from orangecontrib.sadd.core.additive.rowsums import BLOCK_VALUES
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["Axis", "Places", "in_parts"]


@dataclass(frozen=True, eq=False)
class Axis:
    """
    The places of a variable where a table has entries.

    Attributes
    ----------
    knots : ndarray of float64, shape (n_entries,), or None
        None for a categorical variable.
    slope : ndarray of float64, shape (n_entries,)
        Knots in standard deviations from the mean; 0 for a categorical variable.
    steps : ndarray of bool, shape (n_entries,)
        Knots where a ramp from the knot before ends.
    shares : ndarray of float64, shape (n_entries,)
        Share of each entry in the rows without missing values. A row between two knots
        is shared by them. So the mean of a table over the rows is ``shares @ table``.
    """

    knots: Floats | None
    slope: Floats
    steps: npt.NDArray[np.bool_]
    shares: Floats

    def __len__(self) -> int:
        return len(self.slope)


class Places:
    """
    The places of rows in the tables of all terms, which are joined into one.

    The first entry is 0, for missing values. Then come the entries of curves, that of
    the intercept, and those of pairs.

    Parameters
    ----------
    curves : sequence of Axis
        Of all features.
    pairs : sequence of pair of int
    pair_axes : dict of int to Axis
        Of features in pairs.

    Attributes
    ----------
    axes : list of tuple of Axis
        One of each feature, two of each pair.
    starts : ndarray of int, shape (n_terms,)
        The first entry of each term.
    intercept : int
        The entry of the intercept.
    size : int
        The number of entries.
    pairs : ndarray of int32, shape (n_pairs, 4)
        See `_places`.

    Examples
    --------
    >>> axis = Axis(np.array([0., 2, 4]), *np.zeros((3, 3)))
    >>> Places([axis])(np.array([[-1.], [3], [np.nan]]))[0].tolist()
    [[1.0], [2.5], [0.0]]
    """

    def __init__(self, curves: Sequence[Axis],
                 pairs: Sequence[tuple[int, int]] = (),
                 pair_axes: Mapping[int, Axis] | None = None) -> None:
        of_pairs = dict(sorted((pair_axes or {}).items()))
        self.axes = [*((axis,) for axis in curves), *(
            (of_pairs[first], of_pairs[second]) for first, second in pairs)]
        n_curves = len(curves)
        sizes = [math.prod(map(len, own)) for own in self.axes]
        starts = np.cumsum([1, *sizes[:n_curves], 1, *sizes[n_curves:]])
        self.intercept, self.size = int(starts[n_curves]), int(starts[-1])
        self.starts = np.delete(starts[:-1], n_curves)
        self._features = list(of_pairs)
        self.pairs = np.array([
            (self._features.index(first), self._features.index(second), start,
             len(of_pairs[second])) for (first, second), start in zip(
                 pairs, self.starts[n_curves:], strict=True)],
            dtype=np.int32).reshape(-1, 4)
        self._curves = _placing(curves, self.starts[:n_curves], 0)
        self._in_pairs = _placing(of_pairs.values(), np.zeros(len(of_pairs)), -1)

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """
        Return the places of the values of rows.

        Parameters
        ----------
        X : ndarray of float64, shape (n_rows, n_features)
            Numbers, or codes of categories; a code with a fraction is rounded down.

        Returns
        -------
        places : ndarray of float64, shape (n_rows, n_features)
        pair_places : ndarray of float64, shape (n_rows, n_features in pairs)
            On the axes of pairs, from 0; -1 for missing and new values.
        """
        return (_place(X, self._curves),
                _place(X[:, self._features], self._in_pairs) if self._features
                else np.empty((len(X), 0)))


# Older pickles of models hold objects of this name, which are not used
Placement = Places


def _placing(axes, offsets, missing):
    """Return the arguments of `place_values` for some axes."""
    flat = np.concatenate((*(
        np.zeros(len(axis)) if axis.knots is None else axis.knots for axis in axes),
        [0.]))
    starts = np.cumsum([0, *map(len, axes)])
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        slopes = 1 / np.diff(flat)
    # Between tiny or huge numbers a slope may overflow: they have a step
    slopes[~np.isfinite(slopes)] = 0
    slopes[starts[1:] - 1] = 0
    return (flat, slopes, starts.astype(np.int32),
            np.asarray(offsets, dtype=np.int32),
            np.array([axis.knots is not None for axis in axes], dtype=np.int32),
            missing)


def _place(X, arguments):
    n_axes = len(arguments[3])
    if X.shape[1] != n_axes:  # the page would read beyond its arrays
        raise ValueError(f"There are {n_axes} axes for {X.shape[1]} columns.")
    positions = np.empty(X.shape)

    def place(rows):
        place_values(np.ascontiguousarray(X[rows], dtype=np.float64), *arguments,
                     positions[rows])

    in_parts(place, X)
    return positions


def in_parts(function, X):
    """Return the results of a function of slices of rows, computed in threads."""
    step = 1 + BLOCK_VALUES // max(1, X.shape[1])
    parts = [slice(start, start + step) for start in range(0, max(1, len(X)), step)]
    return list((map_in_threads if len(parts) > 1 else map)(function, parts))
