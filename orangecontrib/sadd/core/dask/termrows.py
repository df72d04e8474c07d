"""The rows of a fit of SADD Tables, in partitions."""

import numpy as np
from dask.base import compute
from dask.delayed import delayed

from orangecontrib.sadd.core.additive.knots import curve_axes, pair_axes
from orangecontrib.sadd.core.additive.termrows import TrainingRows
from orangecontrib.sadd.core.dask.codedrows import PartitionedSums
from orangecontrib.sadd.core.dask.partitions import draw_rows
from orangecontrib.sadd.core.dask.passes import persist_parts
from orangecontrib.sadd.core.dask.shorttables import short_tables

__all__ = ["PartitionedTrainingRows"]


class PartitionedTrainingRows:
    """
    Rows in partitions, with the methods of `TrainingRows`.

    Axes are those of the short table of each column, which are exact if it has at most
    `grid_size` distinct values.

    Parameters
    ----------
    parts : list of Delayed
        `TrainingRows` of each partition; they are kept on their workers.
    cut_points, categories
        As for `TrainingRows`.
    """

    def __init__(self, parts, cut_points, categories):
        self._parts = persist_parts(parts)
        self._curve_axes, self._pair_axes = [], []
        for feature, grid, table in short_tables(
                self._of_columns, list(range(len(categories))), 1):
            # The last column is that of missing values
            weights = np.asarray(table.sum(axis=0), dtype=np.float64)[:len(grid)]
            column, own = (grid[:, None], weights), [categories[feature]]
            self._curve_axes += curve_axes(*column, [cut_points[feature]], own)
            self._pair_axes += pair_axes(*column, own)

    def _of_columns(self, features, *task):
        return [delayed(_of_columns)(part, features, *task) for part in self._parts]

    def curve_axes(self):
        """Return the axis of each feature."""
        return self._curve_axes

    def pair_axes(self, features):
        """Return the axes of features in pairs."""
        return [self._pair_axes[feature] for feature in features]

    def mass(self):
        """Return the weight of the targets of each class."""
        return sum(self._of_parts(TrainingRows.mass))

    def placed(self, places, *arguments):
        """Return the rows with a target, placed on their workers."""
        places = delayed(places, traverse=False)
        return PartitionedSums([delayed(TrainingRows.placed)(part, places, *arguments)
                                for part in self._parts])

    def summaries(self, places, table):
        """Return sums over rows for entries and terms."""
        found = self._of_parts(
            TrainingRows.summaries, delayed(places, traverse=False), table)
        rows, sizes = zip(*found, strict=True)
        return sum(rows), sum(sizes)

    def sample(self, most, random_state):
        """Return rows with a target in memory, of at most `most`."""
        chosen = draw_rows(self._of_parts(_n_used), most, random_state)
        found, = compute([delayed(_take)(part, rows) for part, rows in zip(
            self._parts, chosen, strict=True)])
        *arrays, cut_points, categories = zip(*found, strict=True)
        return TrainingRows(
            *map(np.concatenate, arrays), cut_points[0], categories[0])

    def _of_parts(self, function, *arguments):
        return compute([delayed(function)(part, *arguments) for part in self._parts])[0]


def _of_columns(rows, features, function, *arguments):
    """Apply a function to columns, classes of 0, and weights."""
    used = rows.weights > 0
    columns = np.ascontiguousarray(rows.X[used][:, features].T)
    return function(columns, np.zeros(columns.shape[1], dtype=np.intc),
                    rows.weights[used], *arguments)


def _n_used(rows):
    return int(rows.used.sum())


def _take(rows, chosen):
    return rows.take(np.flatnonzero(rows.used)[chosen])
