"""Dask's form of columns: sorted in partitions, which answer questions together.

A round of questions goes to all partitions, or what they were merged into, is answered
by each, and the answers are united first on the workers, then here. What a fitted
estimator does with rows stays lazy (`apply_lazily`).
"""

from dataclasses import replace
from types import SimpleNamespace

import dask.array as da
import dask.dataframe as dd
import numpy as np
from dask.delayed import delayed
from scipy.sparse import csr_matrix, issparse

from orangecontrib.sadd.core.cluster.inputs import (
    check_present,
    open_pool,
    open_source,
    read_frame,
    whole_rows,
)
from orangecontrib.sadd.core.cluster.objective import RowsInPartitions, count_pool
from orangecontrib.sadd.core.cluster.reading import (
    Reader,
    learn_features,
    plain_text,
    survey_labels,
)
from orangecontrib.sadd.core.cluster.runner import Runner, limit
from orangecontrib.sadd.core.cluster.sortedparts import add_summaries, merge, sort
from orangecontrib.sadd.core.cuts import assign_intervals, contingency
from orangecontrib.sadd.core.labels import (
    UNLABELLED,
    LabelledRows,
    read_target,
    sample_rows,
)
from orangecontrib.sadd.core.splitting.questions import (
    Blocks,
    Count,
    Distinct,
    search_in_rounds,
)
from orangecontrib.sadd.core.threads import part_of

__all__ = ["DaskColumns", "apply_lazily"]

# Partitions are merged as long as they have no more rows than this together. A column
# is in memory while it is merged, three times.
MERGED_ROWS = 2 ** 22

# The share of sorting in the progress, and in sorting that of what precedes merging
SORTING_SHARE = 0.5
BEFORE_MERGING = 0.75


class DaskColumns:
    """
    Columns of all partitions, sorted where they are.

    Parameters
    ----------
    estimator, X, y, sample_weight, unlabelled_label, pool, labelled_only
        As for `orangecontrib.sadd.core.columns.open_columns`; a pool may also be
        a list of several.
    """

    def __init__(self, estimator, X, y=None, sample_weight=None, unlabelled_label=None,
                 pool=None, labelled_only=False):
        self.runner = Runner()
        estimator.traffic_ = self.runner.traffic
        self.own_source = open_source(X, y, sample_weight)
        self.source = self.own_source.followed_by(open_pool(pool, self.own_source))
        learn_features(self.runner, self.source, estimator)
        if not self.source.has_target and estimator.requires_target:
            read_target(estimator, None, 0)  # raises
        self._survey = survey_labels(self.runner, self.source, unlabelled_label)
        self.labels = self._survey.labels
        self.features = np.flatnonzero(~estimator.categorical_features_)
        self.reader = Reader(
            estimator, self.source.names, self.labels.classes, self.source.has_target,
            unlabelled_label, self._survey.labelled_weight if labelled_only
            else self._survey.total_weight, self._survey.weight_factor)
        self._labeller = None
        self._kept = None

    @property
    def weighted(self):
        return self.source.has_weight

    @property
    def n_rows(self):
        self._sort()
        return self._summary.n_rows

    def labelled_rows(self, most, random_state):
        used = self._survey.used
        wanted = [None] * len(self.source)
        n_rows = n_used = int(used.sum())
        if most is not None and n_used > most:
            n_rows = most
            chosen = sample_rows(n_used, n_rows, random_state)
            ends = np.cumsum(used)
            wanted = [rows - start for rows, start in zip(
                np.split(chosen, np.searchsorted(chosen, ends[:-1])), ends - used,
                strict=True)]
        self._check_size(n_rows)
        found = self.runner.ask(
            "sadd-labelled", _labelled_rows,
            [(index, *part) for index, part in enumerate(self.source.parts)
             if used[index]], self.reader, wanted, each=True, lazy=True)
        X, classes, weights = zip(*found, strict=True)
        return LabelledRows(np.concatenate(X), np.concatenate(classes),
                            np.concatenate(weights) if self.weighted else None)

    def _check_size(self, n_rows):
        most = limit("max-labelled")
        n_bytes = 8 * n_rows * (len(self.reader.estimator.categorical_features_) + 2)
        if n_bytes > most:
            raise ValueError(
                f"There are {n_rows:,} labelled rows. To label the unlabelled ones, "
                f"each worker would need all of them, {n_bytes / 1e6:,.0f} MB, and the "
                f"limit is {most / 1e6:,.0f} MB. Set max_labelled, to take a random "
                "sample of them, or raise the limit with "
                'dask.config.set({"sadd.max-labelled": ...}).')

    def label(self, labeller, min_confidence, callback):
        # Is sent to the rows when these are sorted
        self._labeller = labeller, min_confidence

    def _sort(self, callback=None):
        """Sort the columns of all partitions, once."""
        if self._kept is not None:
            return
        partitions = [(index, *part) for index, part in enumerate(self.source.parts)]
        parts = self.runner.keep(
            "sadd-sort", sort, partitions, self.reader, self._labeller,
            len(self.labels.classes),
            progress=part_of(callback, 0, BEFORE_MERGING))
        self._summary = add_summaries(self.runner.ask("sadd-totals", _summaries, parts))
        self._kept = self.runner.merge(
            "sadd-merge", merge, parts,
            self.runner.ask("sadd-sizes", _sizes, parts, each=True), MERGED_ROWS,
            part_of(callback, BEFORE_MERGING, 1))

    def search(self, start, callback):
        rest = self._sort_first(callback)
        sizes, n_classes = self._summary.sizes, len(self.labels.classes)
        results = [None] * len(sizes)

        def search(_, column):
            results[column] = yield from start()
            return ()

        search_in_rounds(
            [(SimpleNamespace(size=size), column)
             for column, size in enumerate(sizes)], search,
            self.answer,
            lambda column, question: question.numbers(n_classes, sizes[column]),
            limit("round-size"), rest)
        return results

    def split(self, splitter, callback):
        rest = self._sort_first(callback)
        n_places, n_classes = self.runner.n_places, len(self.labels.classes)
        # A threshold is found, and sent to all places, which reply with counts of two
        # bytes; in units of the bytes of a row
        cost = (8 + 8 * n_places + 2 * n_classes * n_places) / 8
        splitter.add_together(
            list(self._summary.totals), self._summary.sizes.tolist(), self.answer, cost,
            limit("round-size"), rest)

    def _sort_first(self, callback):
        """Sort, and return the callback for what remains."""
        self._sort(part_of(callback, 0, SORTING_SHARE))
        return part_of(callback, SORTING_SHARE, 1)

    def answer(self, questions):
        """
        Answer questions about columns.

        Parameters
        ----------
        questions : list of (int, question)
            Number of the column, and what is asked about it.

        Returns
        -------
        list
        """
        most = limit("max-distinct")
        for column, question in questions:
            if isinstance(question, Distinct) and self._summary.largest[column] > most:
                _complain(most)
        moves_rows = any(isinstance(question, Blocks) for _, question in questions)
        name = "sadd-rows" if moves_rows else "sadd-count"
        replies = self.runner.ask(name, _answer, self._kept, questions, most)
        return [question.finish(_united(question, parts, most))
                for (_, question), parts
                in zip(questions, zip(*replies, strict=True), strict=True)]

    def coded_rows(self, discretizer, with_pool=False):
        pool_counts = None
        if with_pool and self._labeller is not None:
            reader = replace(self.reader, total_weight=None)
            total = self._survey.unlabelled_weight
            pool_counts = count_pool(self.runner, self.source.parts, reader,
                                     discretizer, self._labeller, total)
        reader = replace(self.reader, total_weight=self._survey.labelled_weight)
        return RowsInPartitions(
            self.runner, self.own_source.parts, reader, discretizer,
            len(self.labels.classes), pool_counts)

    def given_counts(self, cut_points):
        """
        Count rows by the labels that they were given, not by pseudo-labels.

        Parameters
        ----------
        cut_points : list of ndarray
            Of each numeric feature.

        Returns
        -------
        list of ndarray, shape (n_classes + 1, n_intervals + 1)
            Weights; the last row is that of unlabelled rows, the last column that of
            missing values.
        """
        found = self.runner.ask(
            "sadd-given", _given_counts, list(self.source.parts), self.reader,
            self.features, cut_points, lazy=True)
        return [sum(tables) for tables in zip(*found, strict=True)]

    def code_counts(self):
        self._sort()
        return self._summary.codes

    def class_totals(self):
        self._sort()
        return self._summary.class_totals

    def ranges(self):
        self._sort()
        return self._summary.ranges


def _labelled_rows(partitions, reader, wanted):
    (index, *partition), = partitions
    part = reader(*partition)
    used = part.classes != UNLABELLED
    if part.weights is not None:
        used &= part.weights > 0
    used = np.flatnonzero(used)
    part = part.rows(used if wanted[index] is None else used[wanted[index]])
    return [(part.X, part.classes, part.weights)]


def _given_counts(partitions, reader, features, cut_points):
    partition, = partitions
    part = reader(*partition)
    n_classes = len(reader.classes)
    classes = np.where(part.classes == UNLABELLED, n_classes, part.classes)
    tables = []
    for feature, cuts in zip(features, cut_points, strict=True):
        codes = assign_intervals(part.X[:, feature], cuts, missing=True)
        tables.append(contingency(
            codes, classes, n_classes + 1, part.weights, len(cuts) + 2))
    return tables


def _summaries(parts):
    return add_summaries([part.summary for part in parts])


def _sizes(parts):
    return [part.summary.n_rows for part in parts]


def _answer(parts, questions, most):
    """Answer for some partitions, one after another, and unite the answers."""
    collected = [[] for _ in questions]
    by_column = sorted(zip(questions, collected, strict=True),
                       key=lambda pair: pair[0][0])
    for part in parts:
        runs = part.open()
        for (column, question), found in by_column:
            found.append(question.part(runs[column], part.offset))
            if len(found) > 1 and isinstance(question, Count | Distinct):
                found[:] = [_united(question, found, most)]
    return [_united(question, found, most)
            for found, (_, question) in zip(collected, questions, strict=True)]


def _united(question, parts, most):
    united = question.combine(parts)
    if isinstance(question, Distinct) and united.size > most:
        _complain(most)
    return united


def _complain(most):
    raise ValueError(
        f"A column has more than {most:,} distinct values, counted by class. This "
        "method needs all of them in one place, which would take too much memory. "
        "Round the data, choose SADD or MDLP, which fetch a few rows only, or raise "
        'the limit with dask.config.set({"sadd.max-distinct": ...}).')


def apply_lazily(estimator, method, X, width, dtype=np.float64, sparse=False):
    """
    Apply a method of a fitted estimator to each partition.

    Parameters
    ----------
    estimator : estimator
    method : str
    X : dask array, dask data frame, or path of a parquet file or folder
        In a file, only the columns that the estimator knows are read.
    width : int or None
        Number of columns of the result; None if it has one dimension.
    dtype : dtype
    sparse : bool
        Whether blocks of the result are sparse matrices.

    Returns
    -------
    dask.array.Array
        Of unknown length, unless X is an array of known length.
    """
    name = f"{'sadd' if method == 'transform' else 'rnb'}-{method}".replace("_", "-")
    if not isinstance(X, da.Array | dd.DataFrame):
        X = read_frame(X)
        names = getattr(estimator, "feature_names_in_", None)
        if names is not None:
            check_present(X, names)
            X = X[list(names)]
    nothing = np.empty(0 if width is None else (0, width), dtype=dtype)
    if sparse:
        nothing = csr_matrix(nothing)
    if isinstance(X, da.Array):
        X = whole_rows(X)
        columns = {"drop_axis": 1} if width is None else {
            "chunks": (X.chunks[0], (width,))}
        return X.map_blocks(
            _apply, estimator=estimator, method=method, nothing=nothing, token=name,
            dtype=dtype, meta=nothing, **columns)
    shared = delayed(estimator)
    shape = (np.nan,) if width is None else (np.nan, width)
    return da.concatenate([
        da.from_delayed(
            delayed(_apply, name=name, pure=False)(part, shared, method, nothing),
            shape, dtype=dtype, meta=nothing)
        for part in X.to_delayed()], allow_unknown_chunksizes=True)


def _apply(part, estimator, method, nothing):
    if not part.shape[0]:  # scikit-learn would refuse it
        return nothing
    found = getattr(estimator, method)(plain_text(part))
    # An array even if `set_output` says otherwise
    return found if issparse(found) else np.asarray(found)
