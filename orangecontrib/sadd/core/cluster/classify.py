"""Classifiers on partitions: the same steps as in memory."""

import numpy as np

from orangecontrib.sadd.core.cluster.discretize import fit_discretizer_to
from orangecontrib.sadd.core.cluster.inputs import open_source
from orangecontrib.sadd.core.cluster.objective import RowsInPartitions
from orangecontrib.sadd.core.cluster.reading import Reader
from orangecontrib.sadd.core.cluster.recognize import is_for_dask
from orangecontrib.sadd.core.cluster.runner import Runner
from orangecontrib.sadd.core.cluster.survey import survey_labels
from orangecontrib.sadd.core.validation import (
    check_total_weight,
    read_target,
    validate_data,
)

__all__ = ["discretize_rows"]


def discretize_rows(estimator, X, y, sample_weight, pool, callback):
    """
    Fit the discretizer of a classifier to data for Dask, and discretize labelled rows.

    Parameters
    ----------
    estimator : BayesClassifier
    X, y, sample_weight
        As for `open_source`.
    pool : dask array, dask data frame, or path, or None
        More rows, without labels.
    callback : callable or None
        Called with the fraction of work done.

    Returns
    -------
    RowsInPartitions
    """
    runner = Runner()
    source = open_source(X, y, sample_weight)
    validate_data(estimator, source.example, reset=True, skip_check_array=True)
    if not source.has_target:
        read_target(estimator, None, 0)  # raises
    discretizer = estimator._make_discretizer()
    if not hasattr(discretizer, "_find_cuts_of"):
        raise ValueError(
            f"{type(discretizer).__name__} cannot discretize data for Dask. Choose one "
            "of the discretizers of orangecontrib.sadd.")
    survey = survey_labels(runner, source, estimator.unlabelled_label)
    if survey.classes.dtype.kind == "f" and np.any(np.isinf(survey.classes)):
        raise ValueError("Input y contains infinity, which is not a label.")
    estimator._check_labels(survey.classes, survey.n_labelled > 0, survey.n_marked > 0)
    if source.has_weight:
        check_total_weight(survey.labelled_weight)
    estimator.classes_ = survey.classes

    every, known = source, survey
    if "unlabelled_label" in discretizer.get_params():
        discretizer.set_params(unlabelled_label=estimator.unlabelled_label)
        if pool is not None:
            every, known = source.followed_by(_open_pool(pool, source)), None
    fit_discretizer_to(
        discretizer, every, runner, callback, survey=known, labelled_only=True,
        unlabelled_label=estimator.unlabelled_label)
    estimator.discretizer_ = discretizer
    reader = Reader(discretizer, (source.features, source.target, source.weight),
                    survey.classes, True, estimator.unlabelled_label,
                    survey.labelled_weight)
    estimator.traffic_ = runner.traffic
    return RowsInPartitions(runner, source, reader, discretizer, len(survey.classes))


def _open_pool(pool, source):
    if not is_for_dask(pool):
        raise ValueError("X_unlabelled must be a Dask array or data frame, or the path "
                         "of a parquet folder, as X is.")
    opened = open_source(pool, features=source.features)
    if opened.example.shape[1] != source.example.shape[1]:
        raise ValueError(f"X_unlabelled has {opened.example.shape[1]} features, but X "
                         f"has {source.example.shape[1]}.")
    return opened
