"""The search for nearest rows, in an order that rounding does not change.

Of equally distant neighbours, those come first whose values are first in an arbitrary
but fixed order; see `project`.
"""

from typing import NamedTuple

import numpy as np
from sklearn.neighbors import NearestNeighbors

__all__ = ["BLOCK_CELLS", "Near", "find_nearest", "measure", "project"]

# Neighbours beyond k that are also found, because the search may confuse equal
# distances
SPARE = 4

# Distances are equal up to this relative error of rounding
EQUAL = 2.0 ** -40

# Distances by products of matrices have at most this error, relative to the squared
# lengths of both rows
UNCERTAIN = 1e-11

# Cells of arrays, and distances, that are computed at a time
BLOCK_CELLS = 2 ** 23
BLOCK_DISTANCES = 2 ** 27


class Near(NamedTuple):
    """
    Some rows and their nearest labelled rows.

    Attributes
    ----------
    rows : ndarray of int, shape (n_rows,)
        Their index among all rows of a search.
    points : ndarray of float64, shape (n_rows, n_coordinates), or None
        None if there are distances.
    nearest : ndarray of int, shape (n_rows, n_nearest)
        Indices of labelled rows, the nearest first.
    weights : ndarray of float64, shape (n_rows, n_nearest)
        Their weights, without those that are left out.
    distances : ndarray of float64, shape (n_rows, n_nearest), or None
        None if they are not yet computed without rounding errors.
    """

    rows: np.ndarray
    points: np.ndarray | None
    nearest: np.ndarray
    weights: np.ndarray
    distances: np.ndarray | None

    def take(self, chosen):
        """Return some of the rows."""
        return Near(*(None if array is None else array[chosen] for array in self))

    def within(self, k):
        """Return the nearest rows that cast k votes, and the votes before each."""
        # A row of weight w stands for w rows in the same place
        before = np.cumsum(self.weights, axis=1) - self.weights
        width = np.count_nonzero((before < k).any(axis=0))
        return Near(self.rows, self.points, *(
            None if array is None else array[:, :width] for array in self[2:])
            ), before[:, :width]


def find_nearest(points, weights, queries, k, own=None, *, n_more=0, width=1,
             callback=None):
    """
    Yield the nearest rows of queries, enough for k votes.

    Parameters
    ----------
    points : ndarray of float64, shape (n_rows, n_coordinates)
        Labelled rows in a fixed order.
    weights : ndarray of float64, shape (n_rows,)
    queries : ndarray of float64, shape (n_queries, n_coordinates)
    k : int
    own : ndarray of int, shape (n_queries,), optional
        The row that each query is. One row of its weight is left out.
    n_more : int
        The votes that are left out later.
    width : int
        Numbers that the caller needs for a query or a neighbour.
    callback : callable, optional
        Called with the fraction done.
    """
    n_points, votes = len(points), k + n_more
    search = NearestNeighbors(algorithm="brute").fit(points)
    # From the middle outwards, the search seldom replaces the nearest rows so far
    outwards = np.argsort(((points - points.mean(axis=0)) ** 2).sum(axis=1))
    faster = NearestNeighbors(algorithm="brute").fit(points[outwards])
    longest = np.einsum("ij,ij->i", points, points).max(initial=0)
    # The order of the nearest k does not matter if each has a vote
    any_order = own is None and k < n_points and np.all(weights == 1)
    n_nearest = k + 1 if any_order else min(
        votes + (own is not None) + SPARE, n_points)
    waiting = [(np.arange(len(queries)), n_nearest, any_order)] if len(queries) else []
    n_done = 0
    while waiting:
        rows, n_nearest, any_order = waiting.pop()
        step = _block_size(points.shape, n_nearest, any_order, width)
        if len(rows) > step:
            waiting.append((rows[step:], n_nearest, any_order))
            rows = rows[:step]
        block = queries[rows]
        if any_order:
            approximate, nearest = faster.kneighbors(block, n_nearest)
            nearest = outwards[nearest]
            unsure = _near_ties(approximate ** 2, k, longest + np.einsum(
                "ij,ij->i", block, block))
            near = Near(rows, block, nearest[:, :k], weights[nearest[:, :k]], None)
            if unsure.any():
                waiting.append((rows[unsure], min(k + SPARE, n_points), False))
                near = near.take(~unsure)
        else:
            nearest, distances = _in_order(
                points, block, search.kneighbors(block, n_nearest, False))
            their_weights = weights[nearest]
            if own is not None:
                their_weights = np.where(
                    nearest == own[rows, None], np.maximum(their_weights - 1, 0),
                    their_weights)
            near = Near(rows, None, nearest, their_weights, distances)
            # Rows with little weight need more neighbours
            enough = their_weights.sum(axis=1) >= votes
            if n_nearest < n_points and not enough.all():
                waiting.append((rows[~enough], min(2 * n_nearest, n_points), False))
                near = near.take(enough)
        yield near
        n_done += len(near.rows)
        if callback is not None:
            callback(n_done / len(queries))


def _block_size(shape, n_nearest, any_order, width):
    """Return the number of queries that are searched for at a time."""
    n_points, n_coordinates = shape
    width = max(n_nearest, width)
    if not any_order:
        # Of each row, its neighbours are left out in turn
        width = n_nearest * max(width, n_coordinates)
    return max(1, min(BLOCK_CELLS // width, BLOCK_DISTANCES // n_points, 2 ** 16))


def project(X):
    """Return a number for each row, by which equal rows are neighbours in order."""
    direction = np.random.RandomState(0).uniform(1, 2, X.shape[1])
    finite = np.nan_to_num(X, nan=0.5, posinf=1e9, neginf=-1e9)
    with np.errstate(over="ignore", invalid="ignore"):
        return np.einsum("ij,j->i", finite, direction)


def _near_ties(squares, k, size):
    """Return which rows have a neighbour, next to the k-th, that is as near as it."""
    gap = squares[:, k] - squares[:, k - 1]
    return gap <= UNCERTAIN * size + 4 * EQUAL * squares[:, k]


def measure(points, queries, nearest):
    """Return distances, rounded so that equal ones are equal."""
    squares = np.empty(nearest.shape)
    step = max(1, BLOCK_CELLS // max(1, nearest.shape[1] * points.shape[1]))
    for start in range(0, len(nearest), step):
        some = slice(start, start + step)
        squares[some] = ((points[nearest[some]] - queries[some, None]) ** 2).sum(axis=2)
    fraction, exponent = np.frexp(squares)
    return np.sqrt(np.ldexp(np.round(fraction / EQUAL) * EQUAL, exponent))


def _in_order(points, queries, nearest):
    """
    Put the nearest rows in order, and return their distances.

    The search computes distances as differences of large numbers. Of equal distances,
    the first in the order of rows is the nearest.
    """
    nearest = np.sort(nearest, axis=1)
    distances = measure(points, queries, nearest)
    order = np.argsort(distances, axis=1, kind="stable")
    return (np.take_along_axis(nearest, order, axis=1),
            np.take_along_axis(distances, order, axis=1))
