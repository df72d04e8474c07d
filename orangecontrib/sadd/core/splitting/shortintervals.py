"""Splitting of many short intervals at once, row by row.

The intervals of all columns that wait to be split form one long sequence of rows,
and each step of the splitter treats all of them in a few calls of numpy. This is what
makes wide data and deep splits cheap: there the overhead of calls rules, not the rows.

Throughout, gains are multiplied by the number of rows, N G, which is a sum of terms
F(n) = n log2 n. With T_c rows of class c in the interval, l_c of them and p in all to
the left of the cut,

    N G = sum_c (F(l_c) + F(T_c - l_c) - F(T_c)) - F(p) - F(N - p) + F(N).

The sum over c changes, from row to row, in the class of that row only: so it is a
cumulative sum along the rows, and costs the same for any number of classes.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from orangecontrib.sadd.core.cuts import cut_between, leaves_enough
from orangecontrib.sadd.core.splitting.criterion import minimal_gain, n_log_n, noise
from orangecontrib.sadd.core.splitting.decisions import (
    SLACK,
    can_be_cut,
    choose_cuts,
    decide,
)
from orangecontrib.sadd.core.splitting.runs import finite_range, ranges

__all__ = ["Intervals", "alternate", "split_step"]

# With fewer classes it does not matter that an interval may not have all of them
MANY_CLASSES = 64


@dataclass
class Intervals:
    """
    Intervals that wait to be split, one after another.

    Attributes
    ----------
    values, classes : ndarray
        Rows of the first interval in increasing order of value, of the second, ...
    before, after : ndarray
        Weight of the rows of the same class in the same interval up to this row,
        without and with it. `after` is None if each row weighs one.
    new : ndarray of bool
        The value differs from that of the previous row of the interval: a cut may be
        made before this row.
    starts : ndarray of int, shape (n_intervals + 1,)
        First row of each interval, and the number of rows.
    totals : ndarray, shape (n_intervals, n_classes)
        Weight of each class.
    column : ndarray of int
        The column of which the interval is a part.
    lower, upper : ndarray of float64
        Cuts at the ends of the interval, infinite at the ends of the column.
    labels : ndarray of int, shape (n_intervals, n_classes), or None
        Which classes the columns of `totals` stand for; None if for all of them.
    place : ndarray of int, shape (n_intervals, n_rows), optional
        If the intervals are columns without missing values, they have the same rows of
        each class. Then `classes` and `before` are stored once, by class, and this is
        where a row is found there; most columns are not cut, and do not need them.
    """

    values: np.ndarray
    classes: np.ndarray
    before: np.ndarray
    after: np.ndarray | None
    new: np.ndarray
    starts: np.ndarray
    totals: np.ndarray
    column: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    labels: np.ndarray | None = None
    place: np.ndarray | None = None

    def __len__(self):
        return len(self.column)

    @property
    def all_labels(self):
        """`labels`, even if they stand for all classes."""
        return np.tile(np.arange(self.totals.shape[1]), (len(self), 1)) \
            if self.labels is None else self.labels

    def classes_of(self, rows):
        """Return the classes of some rows."""
        if self.place is not None:
            rows = self.place.ravel().take(rows)
        return self.classes.take(rows)

    def before_of(self, rows):
        """Return `before` of some rows."""
        if self.place is not None:
            rows = self.place.ravel().take(rows)
        return self.before.take(rows)

    @classmethod
    def of_rows(cls, rows, totals, column, lower=-np.inf, upper=np.inf):
        """Make an interval of `Rows` that are a single block."""
        return cls(rows.values, rows.classes, rows.before,
                   None if rows.unit else rows.after, new_values(rows.values),
                   rows.starts, totals[None, :], np.array([column]), np.array([lower]),
                   np.array([upper]))

    @classmethod
    def of_columns(cls, columns, groups):
        """
        Make an interval of each of some columns.

        Parameters
        ----------
        columns : ndarray of float64, shape (n_columns, n_rows)
        groups : ClassGroups
            Without weights.
        """
        grouped = columns.take(groups.order, axis=1)
        for start, end in zip(groups.starts[:-1], groups.starts[1:], strict=True):
            grouped[:, start:end].sort(axis=1)
        # The sort that numpy calls stable merges runs that are sorted already
        place = np.argsort(grouped, axis=1, kind="stable")
        n_columns, n_rows = place.shape
        starts = np.arange(n_columns + 1) * n_rows
        values = grouped.take(place + starts[:-1, None])
        sizes = np.diff(groups.starts)
        classes = np.repeat(np.arange(groups.n_classes), sizes)
        before = np.arange(n_rows) - np.repeat(groups.starts[:-1], sizes)
        whole = cls(values.ravel(), classes, before, None,
                    new_values(values).ravel(), starts,
                    np.tile(sizes, (n_columns, 1)), np.arange(n_columns),
                    np.full(n_columns, -np.inf), np.full(n_columns, np.inf),
                    place=place)
        if np.isnan(values[:, -1:]).any():  # NaN is sorted to the end
            return whole._without_missing(np.isnan(values).sum(axis=1))
        return whole

    def _without_missing(self, n_missing):
        """Leave out the last rows of each column."""
        lengths = np.diff(self.starts) - n_missing
        rows = ranges(self.starts[:-1], lengths)
        owner = np.repeat(np.arange(len(self)), lengths)
        classes = self.classes_of(rows)
        totals = np.bincount(owner * self.totals.shape[1] + classes,
                             minlength=self.totals.size).reshape(self.totals.shape)
        return replace(
            self, values=self.values[rows], classes=classes,
            before=self.before_of(rows), new=self.new[rows],
            starts=np.concatenate(([0], np.cumsum(lengths))), totals=totals, place=None)

    def finite_ranges(self):
        """Return the least and the largest finite value of each interval, or NaN."""
        first, last = self.starts[:-1], self.starts[1:] - 1
        if np.all(first <= last):
            ends = np.stack((self.values[first], self.values[last]), axis=1)
            if np.isfinite(ends).all():
                return ends
        return np.array([finite_range([self.values[start:end]])
                         for start, end in pairwise(self.starts)])

    @classmethod
    def join(cls, parts):
        """Put intervals one after another."""
        if len(parts) == 1:
            return parts[0]
        parts = [part.in_order() for part in parts]

        def joined(name):
            return np.concatenate([getattr(part, name) for part in parts])

        ends = np.cumsum([part.starts[-1] for part in parts])
        starts = [part.starts[1:] + end - part.starts[-1]
                  for part, end in zip(parts, ends, strict=True)]
        # Compressed columns have weights, and may stand beside others
        after = [part.before + 1 if part.after is None else part.after
                 for part in parts]
        unit = all(part.after is None for part in parts)
        n_classes = max(part.totals.shape[1] for part in parts)

        def wide(table):
            n_more = n_classes - table.shape[1]
            return np.pad(table, ((0, 0), (0, n_more))) if n_more else table

        labels = None
        if any(part.labels is not None for part in parts):
            labels = np.concatenate([wide(part.all_labels) for part in parts])
        return cls(joined("values"), joined("classes"), joined("before"),
                   None if unit else np.concatenate(after), joined("new"),
                   np.concatenate([[0], *starts]),
                   np.concatenate([wide(part.totals) for part in parts]),
                   joined("column"), joined("lower"), joined("upper"), labels)

    def in_order(self):
        """Return the same intervals with `classes` and `before` in order of rows."""
        if self.place is None:
            return self
        return replace(self, classes=self.classes.take(self.place.ravel()),
                       before=self.before.take(self.place.ravel()), place=None)

    def take(self, order):
        """Return some of the intervals."""
        starts = self.starts[:-1][order]
        lengths = np.diff(self.starts)[order]
        rows = ranges(starts, lengths)
        return Intervals(
            self.values[rows], self.classes_of(rows), self.before_of(rows),
            None if self.after is None else self.after[rows], self.new[rows],
            np.concatenate(([0], np.cumsum(lengths))), self.totals[order],
            self.column[order], self.lower[order], self.upper[order],
            None if self.labels is None else self.labels[order])

    def compact(self):
        """
        Number classes anew within each interval, if most are absent from all of them.

        Otherwise intervals times classes is the square of the number of rows where
        every row is of a class of its own.
        """
        n_classes = self.totals.shape[1]
        present = self.totals > 0
        width = present.sum(axis=1).max(initial=0)
        if n_classes <= MANY_CLASSES or 2 * width > n_classes:
            return self
        ranks = np.cumsum(present, axis=1) - 1
        interval, klass = np.nonzero(present)
        totals = np.zeros((len(self), width), dtype=self.totals.dtype)
        totals[interval, ranks[interval, klass]] = self.totals[interval, klass]
        labels = np.zeros(totals.shape, dtype=np.int64)
        labels[interval, ranks[interval, klass]] = klass if self.labels is None \
            else self.labels[interval, klass]
        key = np.repeat(np.arange(len(self)) * n_classes, np.diff(self.starts))
        ordered = self.in_order()
        key += ordered.classes
        return replace(ordered, classes=ranks.ravel().take(key), totals=totals,
                       labels=labels)

    def divide(self, which, places, left, cuts):
        """
        Cut intervals in two, and return the parts that may be cut again.

        Parameters
        ----------
        which : ndarray of int
            Index of the intervals to be cut.
        places : ndarray of int
            First row to the right of each cut.
        left : ndarray, shape (n_cuts, n_classes)
            Weight of each class to the left of the cut.
        cuts : ndarray of float64

        Returns
        -------
        Intervals
        """
        totals = alternate(left, self.totals[which] - left)
        parts = np.flatnonzero(can_be_cut(totals))
        starts = alternate(self.starts[which], places)[parts]
        lengths = alternate(places, self.starts[which + 1])[parts] - starts
        rows = ranges(starts, lengths)
        classes = self.classes_of(rows)
        # To the right, the rows of the left part are not counted any more
        shift = alternate(np.zeros_like(left), left)[parts].ravel()
        key = np.repeat(np.arange(len(parts)) * left.shape[1], lengths)
        key += classes
        shift = shift.take(key)
        new = self.new[rows]
        starts = np.concatenate(([0], np.cumsum(lengths)))
        new[starts[:-1]] = False
        return Intervals(
            self.values[rows], classes, self.before_of(rows) - shift,
            None if self.after is None else self.after[rows] - shift, new, starts,
            totals[parts], np.repeat(self.column[which], 2)[parts],
            alternate(self.lower[which], cuts)[parts],
            alternate(cuts, self.upper[which])[parts],
            None if self.labels is None else np.repeat(
                self.labels[which], 2, axis=0)[parts])


def new_values(values):
    """Return which values are larger than those before them, along the last axis."""
    new = np.zeros(values.shape, dtype=bool)
    np.greater(values[..., 1:], values[..., :-1], out=new[..., 1:])
    return new


def alternate(first, second):
    """Return the first of both arrays, the second of both, and so on."""
    return np.stack((first, second), axis=1).reshape(-1, *first.shape[1:])


def split_step(intervals, n0, terms, explain=False, least_rows=None, leaves=None):
    """
    Decide about each interval, and cut it if this is the decision.

    Parameters
    ----------
    intervals : Intervals
    n0 : float or None
        N0 of SADD; None for MDLP.
    terms : EntropyTerms
    explain : bool
        Also look for cuts that will be refused anyway, to report them.
    least_rows : float or ndarray, optional
        Weight that a cut of each interval has to leave on both sides.
    leaves : LeafCounts, optional
        Gets the classes of the parts.

    Returns
    -------
    splits : Splits or None
        None if no interval can be cut.
    parts : Intervals or None
        The parts of the intervals that were cut; they may be cut again.
    """
    n_rows = intervals.totals.sum(axis=1)
    lengths = np.diff(intervals.starts)
    gains = _gains(intervals, lengths, n_rows, terms, least_rows)
    best = np.maximum.reduceat(gains, intervals.starts[:-1])
    constant = n_log_n(n_rows)
    least = noise(n_rows) if explain else minimal_gain(intervals.totals, n0)
    mark = np.where(best + constant > least, best - SLACK * noise(n_rows), np.inf)
    places = np.flatnonzero(gains >= np.repeat(mark, lengths))
    if not len(places):
        return None, None

    candidates = np.searchsorted(intervals.starts, places, side="right") - 1
    left = _left_counts(intervals, candidates, places)
    chosen = choose_cuts(candidates, intervals.totals[candidates], left)
    places, candidates, left = places[chosen], candidates[chosen], left[chosen]
    cuts = cut_between(intervals.values[places - 1], intervals.values[places])
    splits, accepted = decide(intervals, candidates, left, cuts, n0, leaves)
    if not len(accepted):
        return splits, None
    return splits, intervals.divide(candidates[accepted], places[accepted],
                                    left[accepted], cuts[accepted])


def _gains(intervals, lengths, n_rows, terms, least_rows):
    """Return N G - F(N) of a cut before each row; -inf where there is none."""
    # Done in place where possible: to get memory takes longer than to fill it
    if intervals.place is not None and least_rows is None:
        return _gains_of_columns(intervals, terms)
    intervals = intervals.in_order()
    n_intervals, n_classes = intervals.totals.shape
    key = np.repeat(np.arange(n_intervals) * n_classes, lengths)
    key += intervals.classes
    moved = terms.gains(
        intervals.before, intervals.after, intervals.totals.ravel().take(key))
    np.cumsum(moved, out=moved)
    if intervals.after is None:
        p = np.arange(len(key))
        p -= np.repeat(intervals.starts[:-1], lengths)
    else:
        weights = intervals.after - intervals.before
        p = np.cumsum(weights)
        p -= weights
        p -= np.repeat(p[intervals.starts[:-1]], lengths)
    gains = terms(p)
    allowed = intervals.new
    if least_rows is not None:
        allowed = allowed & leaves_enough(
            p, *(np.repeat(of_interval, lengths) for of_interval in (
                n_rows, np.broadcast_to(least_rows, n_rows.shape))))
    rest = np.repeat(n_rows, lengths)
    rest -= p
    gains += terms(rest)
    np.negative(gains, out=gains)
    # The sum over an interval is 0, so that it need not be restarted for the next
    gains[1:] += moved[:-1]
    np.putmask(gains, ~allowed, -np.inf)
    return gains


def _gains_of_columns(intervals, terms):
    """Return what `_gains` does, for columns with the same rows of each class."""
    moved = terms.gains(intervals.before, None,
                        intervals.totals[0].take(intervals.classes))
    moved = moved.take(intervals.place)
    n_rows = moved.shape[1]
    gains = np.empty(moved.shape)
    gains[:, 0] = 0
    np.cumsum(moved[:, :-1], axis=1, out=gains[:, 1:])
    p = np.arange(n_rows)
    gains -= terms(p) + terms(n_rows - p)
    gains = gains.ravel()
    np.putmask(gains, ~intervals.new, -np.inf)
    return gains


def _left_counts(intervals, owner, places):
    """Return the weight of each class to the left of places, in increasing order."""
    n_classes = intervals.totals.shape[1]
    same = np.zeros(len(places), dtype=bool)  # as the interval of the previous place
    np.equal(owner[1:], owner[:-1], out=same[1:])
    starts = intervals.starts[owner]
    starts[same] = places[:-1][same[1:]]
    lengths = places - starts
    rows = ranges(starts, lengths)
    weights = None
    if intervals.after is not None:
        weights = intervals.after[rows] - intervals.before[rows]
    part = np.repeat(np.arange(len(places)), lengths)
    counts = np.bincount(part * n_classes + intervals.classes_of(rows), weights,
                         minlength=len(places) * n_classes)
    counts = counts.reshape(len(places), n_classes)
    for place in np.flatnonzero(same):  # ties are few
        counts[place] += counts[place - 1]
    return counts.astype(intervals.totals.dtype, copy=False)
