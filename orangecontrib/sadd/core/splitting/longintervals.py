"""Splitting of a long interval of which almost no row needs to be looked at.

Thresholds divide the rows into blocks. An upper bound on the gain of any cut inside
a block shows that most blocks cannot contain the best cut; only the others are
merged from their runs and searched row by row. The answer is exact.

The rows may be elsewhere: a search yields questions and is sent the answers, see
`questions`. In memory it costs little to count below every 64th value (`Grid`). Where
each threshold and each count has to be sent, a search begins with few thresholds; if
the blocks that may contain the best cut hold many rows, these blocks are divided, and
the others are not (`AdaptiveGrid`). Any thresholds give the same cuts, since the bound
holds for any block.

How many are worth their cost: near the best cut the gain falls with the square of the
distance, and the bound of a block exceeds the gain by something like its rows. Of n
rows and s thresholds about n / s rows then remain, more or less. If a threshold costs
as much as r rows, s of the order of sqrt(n / r) makes both cost the same.
"""

import numpy as np

from orangecontrib.sadd.core.cuts import leaves_enough
from orangecontrib.sadd.core.splitting.criterion import minimal_gain, n_log_n, noise
from orangecontrib.sadd.core.splitting.decisions import SLACK, choose_cuts
from orangecontrib.sadd.core.splitting.questions import (
    Adjacent,
    Blocks,
    Count,
    Sample,
)

__all__ = ["AdaptiveGrid", "BlockInterval", "Grid", "block_bounds"]

# Rows between two thresholds; more where many classes make the thresholds costly
BLOCK = 64

# If more blocks may contain the best cut, a few are searched before the others
BLOCKS_AT_FIRST = 100
FEW_BLOCKS = 16

# Thresholds for an interval of n rows: this times sqrt(n / r), within limits
DENSITY = 2
FEWEST, MOST = 64, 2 ** 14

# Rows are fetched if they cost less than this many times their thresholds
WORTH_IT = 1.5

# If dividing blocks leaves more than this share of the rows, it takes more thresholds,
# so many times as many, unless these would cost as much as the rows
TOO_MANY, MORE = 0.7, 4

# Intervals of fewer rows are fetched in any case
FEW_ROWS = 2 ** 11

# Rows that an interval fetches at a time, for the sake of memory
ROWS_AT_ONCE = 2 ** 20


class Grid:
    """
    Thresholds that divide a column into blocks, and the counts below them.

    Parameters
    ----------
    thresholds : ndarray of float64
        Values of the column, increasing.
    counts : ndarray, shape (n_classes, n_thresholds)
    block : int
        About the number of stored values between two thresholds.
    """

    density = 1  # stored values per weight, unless a subclass knows better

    def __init__(self, thresholds, counts, block):
        self.thresholds = thresholds
        self.counts = counts
        self.block = block

    @classmethod
    def of_runs(cls, runs):
        """Make the grid of a column in memory."""
        block = max(BLOCK, 4 * runs.n_classes)
        thresholds = runs.thresholds(block)
        return cls(thresholds, runs.count(thresholds), block)

    def size(self, interval):
        """About the number of stored values in an interval."""
        return (interval.end - interval.start) * self.block

    def refinement(self, interval):
        """Begin to divide blocks further; None if that does not pay."""
        return None

    def portion(self, weights):
        """Number of blocks, of the given weights, to be searched at a time."""
        return len(weights)


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


def block_bounds(phi, moved, left, p, rows):
    """
    Return an upper bound of N G - F(N) of all cuts in each block.

    phi_c(l) = F(l) + F(T_c - l) is convex, hence below its chord; -h(p) with
    h(p) = F(p) + F(N - p) is concave, hence below its tangent, here in the
    middle m of the block. Both are linear in the rows taken from the block, so
    each class contributes all of its rows or none.

    Parameters
    ----------
    phi, left : ndarray, shape (n_classes, n_edges)
        phi_c, and the weight of each class to the left of each edge of blocks.
    moved, p : ndarray, shape (n_edges,)
        Their sums over classes.
    rows : float or ndarray, shape (n_edges - 1,)
        N, of the interval that the block is in.
    """
    middle = (p[:-1] + p[1:]) / 2
    rest = rows - middle
    slope = np.log2(middle / rest)
    taken = np.diff(phi, axis=1)
    taken -= slope * np.diff(left, axis=1)
    bounds = moved[:-1] + np.maximum(taken, 0, out=taken).sum(axis=0)
    bounds += slope * (middle - p[:-1])
    bounds -= n_log_n(middle) + n_log_n(rest)
    return bounds


class BlockInterval:
    """
    Rows from `lower` up to, but without, `upper` of a column divided into blocks.

    Parameters
    ----------
    grid : Grid
    lower, upper : float
        NaN for `upper` stands above all values.
    base : ndarray, shape (n_classes,)
        Weight of each class below `lower`.
    totals : ndarray, shape (n_classes,)
        Weight of each class in the interval.
    terms : EntropyTerms
    """

    def __init__(self, grid, lower, upper, base, totals, terms):
        self.lower, self.upper = lower, upper
        self.base = base
        self.totals = totals
        self.terms = terms
        self._use(grid)

    def _use(self, grid):
        self.grid = grid
        # Thresholds with rows on both sides
        self.start = np.searchsorted(grid.thresholds, self.lower, side="right")
        self.end = np.searchsorted(grid.thresholds, self.upper)
        if self.start < self.end and not np.any(
                grid.counts[:, self.start] > self.base):
            self.start += 1

    @property
    def size(self):
        """About the number of stored values."""
        return self.grid.size(self)

    def best_cut(self, n0, explain=False, least_rows=0.):
        """
        Find the best cut: a generator that yields questions about the column.

        Parameters
        ----------
        n0 : float or None
            N0 of SADD; None for MDLP.
        explain : bool
            Also look for cuts that will be refused anyway.
        least_rows : float
            Weight that a cut has to leave on both sides.

        Returns
        -------
        below, above : float
            The values between which to cut.
        left : ndarray, shape (n_classes,)
            Weight of each class to the left; None if there is nothing to gain.
        """
        rows = self.totals.sum()
        slack = SLACK * noise(rows)
        least = noise(rows) if explain else minimal_gain(self.totals[None, :], n0)[0]
        refinement = self.grid.refinement(self)
        while True:
            inner = self.grid.thresholds[self.start:self.end]
            edges = np.concatenate(([self.lower], inner, [self.upper]))
            left = self._left()
            moved, bounds, gains = self._bounds(left)
            if least_rows:
                _forbid(bounds, gains, left.sum(axis=0), least_rows)
            best = max(least - n_log_n(rows), gains.max(initial=-np.inf))
            blocks = np.flatnonzero(bounds >= best - slack)
            weights = np.diff(left.sum(axis=0))
            if refinement is None or not len(blocks):
                break
            finer = yield from refinement.step(
                self, edges[blocks], edges[blocks + 1], weights[blocks])
            if finer is None:
                break
            self._use(finer)

        found = np.zeros((2, 0))
        # The most promising blocks raise the mark that the others have to reach
        if len(blocks) > BLOCKS_AT_FIRST:
            some = np.argpartition(-bounds[blocks], FEW_BLOCKS)[:FEW_BLOCKS]
        else:
            some = np.arange(self.grid.portion(weights[blocks]))
        while len(blocks):
            new = yield from self._scan(
                np.sort(blocks[some]), edges, left, moved, least_rows)
            best = max(best, new[0].max(initial=-np.inf))
            found = np.concatenate((found, new), axis=1)
            found = found[:, found[0] >= best - slack]
            blocks = np.delete(blocks, some)
            blocks = blocks[bounds[blocks] >= best - slack]
            some = np.arange(self.grid.portion(weights[blocks]))
        values = np.unique(found[1])
        if not len(values):
            return np.nan, np.nan, None
        counts, below, above = yield Adjacent(values)
        left = (counts - self.base[:, None]).T
        chosen, = choose_cuts(np.zeros(len(values), dtype=int),
                              np.tile(self.totals, (len(values), 1)), left)
        return below[chosen], above[chosen], left[chosen]

    def divide(self, value, left):
        """Return the parts below and from `value` on."""
        return (
            BlockInterval(self.grid, self.lower, value, self.base, left, self.terms),
            BlockInterval(self.grid, value, self.upper, self.base + left,
                          self.totals - left, self.terms))

    def rows(self):
        """Ask for the rows of the interval."""
        return Blocks(np.array([self.lower]), np.array([self.upper]), self.size)

    def _left(self):
        """Weight of each class left of the ends of the interval and its blocks."""
        return np.concatenate((
            np.zeros_like(self.base)[:, None],
            self.grid.counts[:, self.start:self.end] - self.base[:, None],
            self.totals[:, None]), axis=1)

    def _bounds(self, left):
        """
        Bound the gain of cuts between neighbouring columns of `left`.

        Returns
        -------
        moved : ndarray
            sum_c (phi_c(l) - phi_c(0)) at the edges of blocks.
        bounds : ndarray
            As from `block_bounds`.
        gains : ndarray
            N G - F(N) at the thresholds.
        """
        rows = self.totals.sum()
        phi = self.terms(left)
        phi += self.terms(self.totals[:, None] - left)
        phi -= phi[:, :1].copy()
        moved = phi.sum(axis=0)
        p = left.sum(axis=0)
        gains = (moved - self.terms(p) - self.terms(rows - p))[1:-1]
        return moved, block_bounds(phi, moved, left, p, rows), gains

    def _scan(self, blocks, edges, left, moved, least_rows):
        """N G - F(N) of all cuts at the beginning of and inside these blocks."""
        size = np.diff(left.sum(axis=0))[blocks].sum() * self.grid.density
        rows = yield Blocks(edges[blocks], edges[blocks + 1], size)
        first = rows.starts[:-1]
        block = np.repeat(np.arange(len(blocks)), np.diff(rows.starts))
        start = left.take(blocks, axis=1)
        sizes = left.take(blocks + 1, axis=1) - start
        # Weight of each class in the interval before a row: its rank among the rows
        # at hand, corrected for what lies between the blocks
        between = start - (np.cumsum(sizes, axis=1) - sizes)
        between = between.take(rows.classes * len(blocks) + block)
        gains = np.cumsum(self.terms.gains(
            rows.before + between, None if rows.unit else rows.after + between,
            self.totals.take(rows.classes)))

        def from_interval(cumulative, at_start):
            # Sum up to, but without, each row: from that up to its block
            cumulative = np.concatenate((cumulative[:1] * 0, cumulative[:-1]))
            return cumulative + (at_start - cumulative[first]).take(block)

        p = from_interval(rows.cumulative, start.sum(axis=0))
        gains = from_interval(gains, moved[blocks])
        new = np.concatenate(([True], rows.values[1:] > rows.values[:-1]))
        possible = new & (p > 0)
        if least_rows:
            possible &= leaves_enough(p, self.totals.sum(), least_rows)
        places = np.flatnonzero(possible)
        p = p.take(places)
        gains = gains.take(places) - self.terms(p) - self.terms(self.totals.sum() - p)
        return np.stack((gains, rows.values.take(places)))


def _forbid(bounds, gains, below, least_rows):
    """Rule out thresholds, and blocks, whose cuts leave too few rows."""
    rows = below[-1]
    gains[~leaves_enough(below[1:-1], rows, least_rows)] = -np.inf
    bounds[(below[1:] < least_rows) | (rows - below[:-1] < least_rows)] = -np.inf
