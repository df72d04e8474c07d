"""Thresholds that become denser where the best cut may be, and only there.

In memory it costs little to count below every 64th value. Where each threshold and
each count has to be sent, a search begins with few thresholds instead; if the blocks
that may contain the best cut hold many rows, these blocks are divided, and the others
are not. Any thresholds give the same cuts, since the bound holds for any block.

How many are worth their cost: near the best cut the gain falls with the square of the
distance, and the bound of a block exceeds the gain by something like its rows. Of n
rows and s thresholds about n / s rows then remain, more or less. If a threshold costs
as much as r rows, s of the order of sqrt(n / r) makes both cost the same.
"""

import numpy as np

from orangecontrib.sadd.core.splitting.longintervals import Grid
from orangecontrib.sadd.core.splitting.questions import Count, Sample

__all__ = ["AdaptiveGrid", "Refinement"]

# Thresholds for an interval of n rows: this times sqrt(n / r), within limits
DENSITY = 2
FEWEST, MOST = 64, 2 ** 14

# Rows that cost less than their thresholds, so many times, are fetched
WORTH_IT = 1.5

# If dividing blocks leaves more than this share of the rows, it takes more thresholds,
# so many times as many, unless these would cost as much as the rows
TOO_MANY, MORE = 0.7, 4

# Intervals of fewer rows are fetched in any case
FEW_ROWS = 2 ** 11

# Rows that an interval fetches at a time, for the sake of memory
ROWS_AT_ONCE = 2 ** 20


class AdaptiveGrid(Grid):
    """
    Thresholds that are asked for when they are needed.

    Parameters
    ----------
    thresholds : ndarray of float64
    counts : ndarray, shape (n_classes, n_thresholds)
    density : float
        Stored values per weight.
    cost : float
        A threshold costs as much as so many rows.
    """

    def __init__(self, thresholds, counts, density, cost):
        super().__init__(thresholds, counts, block=None)
        self.density = density
        self.cost = cost

    @classmethod
    def empty(cls, totals, size, cost):
        """Begin with the weights of classes and the number of stored values."""
        return cls(np.zeros(0), np.zeros((len(totals), 0), totals.dtype),
                   size / max(totals.sum(), 1e-300), cost)

    @property
    def few_rows(self):
        """Number of stored values that are fetched in any case."""
        return max(FEW_ROWS, WORTH_IT * FEWEST * self.cost)

    def size(self, interval):
        """About the number of stored values in an interval."""
        return interval.totals.sum() * self.density

    def refinement(self, interval):
        """Begin to divide the blocks of an interval."""
        return Refinement(self.size(interval), self.cost)

    def portion(self, weights):
        """Number of blocks, of the given weights, to be fetched at a time."""
        rows = np.cumsum(weights) * self.density
        return max(1, np.searchsorted(rows, ROWS_AT_ONCE, side="right"))


class Refinement:
    """
    Divides the blocks that may contain the best cut of one interval.

    Parameters
    ----------
    size : float
        About the number of stored values in the interval.
    cost : float
        As for `AdaptiveGrid`.
    """

    def __init__(self, size, cost):
        self.n_thresholds = np.clip(DENSITY * np.sqrt(size / cost), FEWEST, MOST)
        self.previous = np.inf

    def step(self, interval, lower, upper, weights):
        """
        Ask for thresholds within blocks.

        Parameters
        ----------
        interval : BlockInterval
        lower, upper, weights : ndarray
            Ends and weights of the blocks that may contain the best cut.

        Returns
        -------
        AdaptiveGrid or None
            None if the blocks are to be fetched as they are.
        """
        grid = interval.grid
        weight = weights.sum()
        rows = weight * grid.density
        if rows > TOO_MANY * self.previous:
            self.n_thresholds *= MORE
        if rows <= WORTH_IT * grid.cost * self.n_thresholds:
            return None
        self.previous = rows
        # Adjacent blocks can be asked for as one
        first = np.append(True, lower[1:] != upper[:-1])
        last = np.append(first[1:], True)
        found = yield Sample(lower[first], upper[last], weight / self.n_thresholds,
                             self.n_thresholds)
        inner = slice(interval.start, interval.end)
        known = grid.thresholds[inner]
        new = np.setdiff1d(found, known, assume_unique=True)
        new = new[new > interval.lower]
        if not len(new):
            return None
        counts = yield Count(new)
        places = np.searchsorted(known, new)
        return AdaptiveGrid(
            np.insert(known, places, new),
            np.insert(grid.counts[:, inner], places, counts, axis=1), grid.density,
            grid.cost)
