"""Partitions as numbers, and the first pass over all of them.

A worker reads its rows by a `Reader`, which must know the labels, weights and
categories of all partitions. The first pass, `survey_labels` and `learn_features`,
finds them.
"""

import sys
from dataclasses import dataclass

import numpy as np

from orangecontrib.sadd.core.exactsums import (
    exact_total,
    round_weights,
    total_as_float,
    weight_factor,
)
from orangecontrib.sadd.core.labels import (
    UNLABELLED,
    LabelSummary,
    check_total_weight,
    encode_labels,
    is_unlabelled,
    nonnegative_weights,
    read_target,
    summarize_labels,
)
from orangecontrib.sadd.core.validation import categorical_mask, read_matrix

__all__ = ["Part", "Reader", "Survey", "learn_features", "pick", "plain_text",
           "survey_labels"]


@dataclass
class Part:
    """
    Rows of a partition.

    Attributes
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
    classes : ndarray of int64
        Class of each row; `UNLABELLED` where it is not known.
    weights : ndarray of float64, or None
    """

    X: np.ndarray
    classes: np.ndarray
    weights: np.ndarray | None

    def rows(self, index):
        """Return some of the rows."""
        return Part(self.X[index], self.classes[index],
                    None if self.weights is None else self.weights[index])


def pick(source_names, frame, y, weights):
    """Return features, labels and weights, some of which may be columns."""
    features, target, weight = source_names
    # A pool of unlabelled rows has neither labels nor weights
    if target is not None and target in frame.columns:
        y = frame[target]
    if weight is not None and weight in frame.columns:
        weights = frame[weight]
    if features is not None and frame is not None:
        frame = frame[[name for name in features if name in frame.columns]]
    return frame, y, weights


def plain_text(frame):
    """Return Dask's columns of text as plain objects."""
    types = getattr(frame, "dtypes", None)
    if types is None:
        return frame
    return frame.astype({name: object for name, dtype in types.items()
                         if dtype.name in ("string", "str")})


@dataclass
class Reader:
    """
    Reads partitions.

    Parameters
    ----------
    estimator : estimator
        Knows the features and their categories, see `read_matrix`.
    names : tuple
        Features, target and weight of the source, if they are columns.
    classes : ndarray
        Labels, sorted.
    has_target : bool
        Without it, all rows are of the only class.
    unlabelled_label : label or None
    total_weight : float or None
        For `round_weights`; None if there are no weights.
    weight_factor : float
        The factor by which weights, but not those of a pool, are multiplied.
    """

    estimator: object
    names: tuple
    classes: np.ndarray
    has_target: bool
    unlabelled_label: object = None
    total_weight: float | None = None
    weight_factor: float = 1.0

    def __call__(self, frame, y, weights):
        """Return the partition as a `Part`."""
        _release_memory()
        frame, y, weights = pick(self.names, frame, y, weights)
        n_rows = len(frame)
        if n_rows:
            X = read_matrix(self.estimator, plain_text(frame), reset=False)
        else:  # scikit-learn would refuse it
            X = np.zeros((0, len(self.estimator.categorical_features_)))
        weights = nonnegative_weights(weights, n_rows)
        if weights is not None:
            weights = weights * self.weight_factor
        if self.total_weight is not None:
            # Rows of a pool have no weights
            weights = round_weights(
                np.ones(n_rows) if weights is None else weights, self.total_weight)
        if y is None:  # a pool of unlabelled rows, or a method that needs no labels
            classes = np.full(n_rows, UNLABELLED if self.has_target else 0)
            return Part(X, classes, weights)
        y = read_target(self.estimator, y, n_rows)
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        classes = np.full(n_rows, UNLABELLED, dtype=np.int64)
        if len(self.classes):
            classes[~unlabelled] = np.searchsorted(self.classes, y[~unlabelled])
        return Part(X, classes, weights)


def _release_memory():
    """Let Arrow return what it needed to read a file and keeps for the next one."""
    arrow = sys.modules.get("pyarrow")
    if arrow is not None:
        arrow.default_memory_pool().release_unused()


@dataclass
class Survey:
    """
    A summary of labels and weights.

    Attributes
    ----------
    labels : LabelSummary
    used : ndarray of int
        For each partition, the number of labelled rows that have a weight.
    total_weight, labelled_weight : float or None
        The sum of the weights of all rows, and of those with a label; None if there
        are no weights.
    unlabelled_weight : float
        That of rows without a label; their number if there are no weights.
    weight_factor : float
        The factor by which the user's weights are multiplied in these sums.
    """

    labels: LabelSummary
    used: np.ndarray
    total_weight: float | None = None
    labelled_weight: float | None = None
    unlabelled_weight: float = 0.
    weight_factor: float = 1.


def survey_labels(runner, source, unlabelled_label=None):
    """
    Look at all labels and weights.

    Parameters
    ----------
    runner : Runner
    source : Source
    unlabelled_label : label or None

    Returns
    -------
    Survey
    """
    if not source.has_target and not source.has_weight:
        return Survey(LabelSummary(np.zeros(1), 0, 0, 0, 0, given=False),
                      np.zeros(len(source), dtype=int))
    names = [], *source.names[1:]
    partitions = [tuple(part) for part in source.label_parts]
    found = runner.ask("sadd-labels", _survey_part, partitions, names,
                       unlabelled_label, each=True, lazy=True)
    labels, n_labelled, n_unlabelled, n_marked, used, *weights = zip(
        *found, strict=True)
    totals = None, None, sum(n_unlabelled)
    if source.has_weight:
        given, labelled, n_weighted, n_pool = map(sum, weights)
        check_total_weight(total_as_float(given))
        factor = weight_factor(total_as_float(labelled), sum(used)) \
            if source.has_target else weight_factor(total_as_float(given), n_weighted)
        totals = (factor * total_as_float(given) + n_pool,
                  factor * total_as_float(labelled),
                  factor * total_as_float(given - labelled) + n_pool, factor)
    classes = np.zeros(1)
    if source.has_target:
        known = [label for label in labels if label is not None and len(label)]
        classes, _ = encode_labels(np.concatenate(known)) if known \
            else (np.zeros(0), None)
    labels = LabelSummary(classes, sum(n_labelled), sum(n_unlabelled), sum(n_marked),
                          sum(used), source.has_target)
    return Survey(labels, np.array(used), *totals)


def _survey_part(partitions, names, unlabelled_label):
    (frame, y, weights), = partitions
    n_rows = max(len(part) for part in (frame, y, weights)
                 if part is not None and not np.isscalar(part))
    _, y, weights = pick(names, frame, y, weights)
    weights = nonnegative_weights(weights, n_rows)
    labelled = np.zeros(n_rows, dtype=bool)
    found = None, 0, n_rows, 0, 0
    if y is not None:
        labels, classes = summarize_labels(
            read_target(None, y, n_rows), unlabelled_label, weights)
        labelled = classes != UNLABELLED
        found = labels[:-1]
    if weights is None:  # a pool, whose rows weigh one each, or there are none at all
        return [(*found, 0, 0, 0, n_rows)]
    return [(*found, exact_total(weights), exact_total(weights[labelled]),
             np.count_nonzero(weights), 0)]


def learn_features(runner, source, estimator):
    """
    Let an estimator learn the names and types of features, and their categories.

    Parameters
    ----------
    runner : Runner
    source : Source
    estimator : estimator
        As for `read_matrix`.
    """
    example = source.example
    mask = categorical_mask(estimator.categorical_features, example)
    if mask.any():
        which = np.flatnonzero(mask).tolist()
        names = [] if source.features is None else [source.features[i] for i in which]
        found = runner.ask("sadd-categories", _categories, [
            (frame,) for frame, _, _ in source.with_columns(names)], names, which,
            each=True, lazy=True)
        columns = [np.array(list(dict.fromkeys(sum(parts, []))), dtype=object)
                   for parts in zip(*found, strict=True)]
        example = _example_of(example, which, columns)
    read_matrix(estimator, example, reset=True)


def _categories(frames, names, which):
    if names:
        return [[_distinct(frame[name].to_numpy(dtype=object)) for name in names]
                for frame, in frames]
    return [[_distinct(np.asarray(frame[:, column])) for column in which]
            for frame, in frames]


def _distinct(cells):
    """Return a list of the distinct cells; missing ones are None."""
    missing = is_unlabelled(cells)
    return list(dict.fromkeys(cells[~missing].tolist())) + [None] * int(missing.any())


def _example_of(example, which, columns):
    """Return rows in which every category occurs."""
    length = max(1, *map(len, columns))
    padded = [np.append(column, column[-1:].repeat(length - len(column)))
              if len(column) else np.full(length, None)
              for column in columns]
    if hasattr(example, "iloc"):
        rows = example.iloc[np.zeros(length, dtype=int)].reset_index(drop=True)
        for column, cells in zip(which, padded, strict=True):
            rows = rows.assign(**{rows.columns[column]: cells})
        return rows
    rows = np.repeat(example[:1], length, axis=0)
    for column, cells in zip(which, padded, strict=True):
        missing = np.array([cell is None for cell in cells])
        rows[:, column] = np.where(missing, np.nan, cells)
    return rows
