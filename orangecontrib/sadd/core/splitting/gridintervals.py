"""Splitting of intervals of many columns at once, almost without looking at rows.

As in `longintervals`, thresholds divide rows into blocks, and only blocks that may
contain the best cut are searched row by row. As in `shortintervals`, the intervals of
all columns that are available are treated in the same few calls of numpy. This is for
columns of some thousands of rows, where neither the rows nor the calls cost little.

An interval is a slice of the sorted run of each class, hence known by two numbers for
each class. Where most of its rows would have to be searched, they are put in order
once, and `shortintervals` goes on.
"""

from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.cuts import cut_between, leaves_enough
from orangecontrib.sadd.core.splitting.criterion import minimal_gain, n_log_n, noise
from orangecontrib.sadd.core.splitting.decisions import (
    SLACK,
    can_be_cut,
    choose_cuts,
    decide,
)
from orangecontrib.sadd.core.splitting.longintervals import block_bounds
from orangecontrib.sadd.core.splitting.runs import finite_range, ranges
from orangecontrib.sadd.core.splitting.shortintervals import (
    Intervals,
    alternate,
    new_values,
)

__all__ = ["GridIntervals", "SortedColumns"]

# Rows between two thresholds; more where many classes make the thresholds costly
BLOCK = 32

# If a larger share of the rows of an interval may be next to the best cut, it is put in
# order, unless it has more rows than that
CROWDED = 1 / 3
MOST_ROWS = 2 ** 16

# Blocks with more rows, on average, are sorted one by one
LONG_BLOCK = 256


class SortedColumns:
    """
    Columns as sorted runs of classes, with thresholds and the counts below them.

    Parameters
    ----------
    columns : ndarray of float64, shape (n_columns, n_rows)
        Without missing values.
    groups : ClassGroups
        Without weights.
    """

    def __init__(self, columns, groups):
        grouped = columns.take(groups.order, axis=1)
        self.n_columns, self.n_rows = grouped.shape
        self.totals = groups.totals
        self.starts = groups.starts[:-1]
        slices = [slice(*ends) for ends in zip(
            groups.starts[:-1], groups.starts[1:], strict=True)]
        for of_class in slices:
            grouped[:, of_class].sort(axis=1)
        self.values = grouped.ravel()
        block = max(BLOCK, 4 * len(slices))
        thresholds = np.sort(grouped[:, block - 1::block], axis=1)
        counts = np.array([[column[of_class].searchsorted(own) for column, own
                            in zip(grouped, thresholds, strict=True)]
                           for of_class in slices]).reshape(len(slices), -1)
        # Rows below thresholds, over all columns: increases unless thresholds are equal
        below = counts.sum(axis=0)
        key = np.repeat(np.arange(self.n_columns) * self.n_rows, thresholds.shape[1])
        key += below
        useful = np.flatnonzero((np.diff(key, prepend=-1) > 0) & (below > 0))
        self.key, self.counts = key[useful], counts[:, useful]

    def finite_ranges(self):
        """Return the least and the largest finite value of each column."""
        return np.array([finite_range(np.split(column, self.starts[1:]))
                         for column in self.values.reshape(self.n_columns, -1)])

    def positions(self, column, counts):
        """Return where the rows begin that are not among `counts` of each class."""
        return (column * self.n_rows)[:, None] + self.starts + counts


@dataclass
class GridIntervals:
    """
    Intervals that wait to be split.

    Attributes
    ----------
    columns : SortedColumns
    base, totals : ndarray of int, shape (n_intervals, n_classes)
        Number of rows of each class below the interval, and in it.
    own : ndarray of int
        The column, among `columns`, of which the interval is a part.
    column, lower, upper
        As for `Intervals`.
    """

    columns: SortedColumns
    base: np.ndarray
    totals: np.ndarray
    own: np.ndarray
    column: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    labels = None

    def __len__(self):
        return len(self.own)

    @classmethod
    def of_columns(cls, columns, first):
        """Make an interval of each of `SortedColumns`, numbered from `first`."""
        own = np.arange(columns.n_columns)
        totals = np.tile(columns.totals, (len(own), 1))
        return cls(columns, np.zeros_like(totals), totals, own, first + own,
                   np.full(len(own), -np.inf), np.full(len(own), np.inf))

    def split_step(self, n0, terms, explain=False, least_rows=None, leaves=None):
        """
        Decide about each interval, and cut it if this is the decision.

        Parameters
        ----------
        n0, terms, explain, least_rows, leaves
            As for `shortintervals.split_step`.

        Returns
        -------
        splits : Splits or None
        parts : GridIntervals
            Parts of the intervals that were cut; they may be cut again.
        crowded : Intervals
            Intervals about which nothing was decided.
        """
        n_rows = self.totals.sum(axis=1)
        slack = SLACK * noise(n_rows)
        least = noise(n_rows) if explain else minimal_gain(self.totals, n0)
        owner, left = self._edges(n_rows)
        moved, bounds, gains = self._bounds(owner, left, n_rows, terms)
        p = left.sum(axis=0)
        if least_rows is not None:
            enough = np.broadcast_to(least_rows, n_rows.shape)[owner]
            gains[~leaves_enough(p, n_rows[owner], enough)] = -np.inf
            bounds[(p[1:] < enough[1:])
                   | (n_rows[owner][1:] - p[:-1] < enough[1:])] = -np.inf
        best = np.maximum(least - n_log_n(n_rows), np.maximum.reduceat(
            gains, np.searchsorted(owner, np.arange(len(self)))))
        blocks = np.flatnonzero(bounds >= (best - slack)[owner[:-1]])
        searched = np.bincount(
            owner[blocks], p[blocks + 1] - p[blocks], minlength=len(self))
        is_crowded = (searched > CROWDED * n_rows) & (n_rows <= MOST_ROWS)
        crowded = self.in_order(np.flatnonzero(is_crowded))
        blocks = blocks[~is_crowded[owner[blocks]]]
        if not len(blocks):
            return None, self._take([]), crowded

        owner, start = owner[blocks], left[:, blocks].T
        values, classes, before, starts = self._rows(
            owner, start, left[:, blocks + 1].T - start)
        block = np.repeat(np.arange(len(blocks)), np.diff(starts))
        of_row = owner[block]
        total = self.totals.ravel().take(of_row * self.totals.shape[1] + classes)
        gains = np.zeros(len(values))
        np.cumsum(terms.gains(before, None, total)[:-1], out=gains[1:])
        gains += (moved[blocks] - gains[starts[:-1]])[block]
        place = np.arange(len(values)) + (p[blocks] - starts[:-1])[block]
        gains -= terms(place) + terms(n_rows[of_row] - place)
        possible = np.append(True, values[1:] > values[:-1])
        possible[starts[:-1]] = True
        possible &= place > 0
        if least_rows is not None:
            possible &= leaves_enough(place, n_rows[of_row], np.broadcast_to(
                least_rows, n_rows.shape)[of_row])
        gains[~possible] = -np.inf
        np.maximum.at(best, owner, np.maximum.reduceat(gains, starts[:-1]))
        places = np.flatnonzero(gains >= (best - slack)[of_row])
        if not len(places):
            return None, self._take([]), crowded

        left = start[block[places]] + self._counts(
            classes, starts[block[places]], places)
        candidates = of_row[places]
        chosen = choose_cuts(candidates, self.totals[candidates], left)
        places, candidates, left = places[chosen], candidates[chosen], left[chosen]
        cuts = cut_between(self._largest(candidates, left), values[places])
        splits, accepted = decide(self, candidates, left, cuts, n0, leaves)
        return splits, self._divide(
            candidates[accepted], left[accepted], cuts[accepted]), crowded

    def _edges(self, n_rows):
        """
        Return the ends of intervals and blocks.

        Returns
        -------
        owner : ndarray of int, shape (n_edges,)
            The interval.
        left : ndarray of int, shape (n_classes, n_edges)
            Number of rows of each class in the interval to the left of the edge.
        """
        columns = self.columns
        below = self.own * columns.n_rows + self.base.sum(axis=1)
        start = np.searchsorted(columns.key, below, side="right")
        inner = np.searchsorted(columns.key, below + n_rows) - start
        owner = np.repeat(np.arange(len(self)), inner + 2)
        ends = np.cumsum(inner + 2)
        left = np.zeros((self.totals.shape[1], len(owner)), dtype=np.int64)
        left[:, ends - 1] = self.totals.T
        edges = ranges(ends - inner - 1, inner)
        left[:, edges] = columns.counts[:, ranges(start, inner)] \
            - self.base.T[:, owner[edges]]
        return owner, left

    def _bounds(self, owner, left, n_rows, terms):
        """Return what `BlockInterval._bounds` does, for all intervals at once."""
        totals = self.totals.T[:, owner]
        phi = terms(left)
        phi += terms(totals - left)
        phi -= terms(totals)
        moved = phi.sum(axis=0)
        p, rows = left.sum(axis=0), n_rows[owner]
        gains = moved - terms(p) - terms(rows - p)
        gains[(p == 0) | (p == rows)] = -np.inf
        bounds = block_bounds(phi, moved, left, p, rows[:-1])
        # From the last edge of an interval to the first one of the next is no block
        bounds[owner[1:] != owner[:-1]] = -np.inf
        return moved, bounds, gains

    def _rows(self, owner, start, sizes):
        """
        Return the rows of some blocks, each in increasing order of value.

        Parameters
        ----------
        owner : ndarray of int, shape (n_blocks,)
        start, sizes : ndarray of int, shape (n_blocks, n_classes)
            Rows of each class in the interval before the block, and in it.

        Returns
        -------
        values, classes, before, starts
            As for `Intervals`.
        """
        first = self.columns.positions(self.own[owner], self.base[owner] + start)
        values = self.columns.values.take(ranges(first.ravel(), sizes.ravel()))
        before = ranges(start.ravel(), sizes.ravel())
        classes = np.repeat(
            np.tile(np.arange(sizes.shape[1]), len(sizes)), sizes.ravel())
        lengths = sizes.sum(axis=1)
        starts = np.concatenate(([0], np.cumsum(lengths)))
        if len(values) > LONG_BLOCK * len(sizes):
            order = np.concatenate([
                begin + np.argsort(values[begin:end], kind="stable")
                for begin, end in zip(starts[:-1], starts[1:], strict=True)])
        else:
            block = np.repeat(np.arange(len(sizes), dtype=(
                np.int16 if len(sizes) < 2 ** 15 else np.int32)), lengths)
            order = np.argsort(values)
            order = order.take(np.argsort(block.take(order), kind="stable"))
        return values.take(order), classes.take(order), before.take(order), starts

    def _counts(self, classes, starts, places):
        """Count the classes from each start up to each place."""
        n_classes = self.totals.shape[1]
        lengths = places - starts
        cells = np.repeat(np.arange(len(places)) * n_classes, lengths)
        cells += classes.take(ranges(starts, lengths))
        return np.bincount(cells, minlength=len(places) * n_classes).reshape(
            -1, n_classes)

    def _largest(self, which, left):
        """Return the largest value to the left of cuts."""
        last = self.columns.positions(self.own[which], self.base[which] + left) - 1
        return np.where(left > 0, self.columns.values.take(last), -np.inf).max(axis=1)

    def _divide(self, which, left, cuts):
        """Cut intervals in two, and return the parts that may be cut again."""
        parts = GridIntervals(
            self.columns, alternate(self.base[which], self.base[which] + left),
            alternate(left, self.totals[which] - left), np.repeat(self.own[which], 2),
            np.repeat(self.column[which], 2), alternate(self.lower[which], cuts),
            alternate(cuts, self.upper[which]))
        return parts._take(np.flatnonzero(can_be_cut(parts.totals)))

    def _take(self, which):
        which = np.asarray(which, dtype=int)
        return GridIntervals(self.columns, self.base[which], self.totals[which],
                             self.own[which], self.column[which], self.lower[which],
                             self.upper[which])

    def in_order(self, which):
        """Return some of the intervals as `Intervals`."""
        totals = self.totals[which]
        values, classes, before, starts = self._rows(
            which, np.zeros_like(totals), totals)
        new = new_values(values)
        new[starts[:-1]] = False
        return Intervals(values, classes, before, None, new, starts, totals,
                         self.column[which], self.lower[which], self.upper[which])
