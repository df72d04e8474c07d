"""Discretizers on partitions: the same steps as in memory."""

import numpy as np

from orangecontrib.sadd.core.cluster.columns import SortedColumns
from orangecontrib.sadd.core.cluster.inputs import open_source
from orangecontrib.sadd.core.cluster.neighbours import make_labeller
from orangecontrib.sadd.core.cluster.reading import Reader
from orangecontrib.sadd.core.cluster.runner import Runner
from orangecontrib.sadd.core.cluster.survey import learn_features, survey_labels
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.validation import read_target

__all__ = ["fit_discretizer", "fit_discretizer_to"]

# Share of the sorting of columns in the progress that a callback is told. The choice of
# k, before it, may be interrupted, too.
SORTING_SHARE = 0.5


def fit_discretizer(estimator, X, y, sample_weight, callback):
    """
    Fit a discretizer to data for Dask.

    Parameters
    ----------
    estimator : Discretizer
    X, y, sample_weight
        As for `open_source`.
    callback : callable or None
    """
    source = open_source(X, y, sample_weight)
    fit_discretizer_to(estimator, source, Runner(), callback)


def fit_discretizer_to(estimator, source, runner, callback=None, *, survey=None,
                       labelled_only=False, unlabelled_label=None):
    """
    Fit a discretizer to partitions.

    Parameters
    ----------
    estimator : Discretizer
    source : Source
    runner : Runner
    callback : callable, optional
    survey : Survey, optional
        If the labels are known already.
    labelled_only : bool
        Leave out rows without a label, instead of complaining about them.
    unlabelled_label : label, optional
        Label of rows without a label; that of the estimator if it has one.

    Returns
    -------
    survey : Survey
    n_rows : int
        Rows that were used.
    """
    learn_features(runner, source, estimator)
    if not source.has_target and estimator.requires_target:
        read_target(estimator, None, 0)  # raises
    uses_unlabelled = hasattr(estimator, "unlabelled_label")
    if uses_unlabelled:
        unlabelled_label = estimator.unlabelled_label
    if survey is None:
        survey = survey_labels(runner, source, unlabelled_label)
    if source.has_target and (uses_unlabelled or not labelled_only):
        estimator._check_labels(
            survey.classes, used=survey.used.any(), unlabelled=survey.n_unlabelled > 0,
            marked=survey.n_marked > 0)
    estimator.classes_ = survey.classes
    reader = Reader(estimator, (source.features, source.target, source.weight),
                    survey.classes, source.has_target, unlabelled_label,
                    survey.labelled_weight if labelled_only and not uses_unlabelled
                    else survey.total_weight)
    labeller = None
    if uses_unlabelled:
        if survey.n_unlabelled:
            labeller = make_labeller(
                runner, source, reader, survey, estimator,
                callback and (lambda _: callback(0.)))
        estimator._keep_labeller(labeller)

    columns = SortedColumns(
        runner, source, reader, len(survey.classes), labeller,
        callback and (lambda share: callback(SORTING_SHARE * share)))
    n_features = len(estimator.categorical_features_)
    estimator.cut_points_ = [np.zeros(0) for _ in range(n_features)]
    estimator.mutual_information_ = np.full(n_features, np.nan)
    estimator._find_cuts_of(columns, source.has_weight, callback and (
        lambda share: callback(SORTING_SHARE + (1 - SORTING_SHARE) * share)))
    for feature, counts in columns.code_counts.items():
        estimator.mutual_information_[feature] = mutual_information(counts)
    estimator._finish(source.has_target)
    estimator.traffic_ = runner.traffic
    if callback is not None:
        callback(1.)
    return survey, columns.n_rows
