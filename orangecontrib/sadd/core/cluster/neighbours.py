"""Labelled rows, brought together so that each worker can find neighbours in them."""

import numpy as np

from orangecontrib.sadd.core.cluster.limits import limit
from orangecontrib.sadd.core.cluster.reading import UNLABELLED
from orangecontrib.sadd.core.pseudolabels.neighbours import Labeller, sample_labelled

__all__ = ["make_labeller"]


def make_labeller(runner, source, reader, survey, estimator, callback=None):
    """
    Bring labelled rows together and choose k.

    Parameters
    ----------
    runner : Runner
    source : Source
    reader : Reader
    survey : Survey
    estimator : SADDDiscretizer
    callback : callable, optional

    Returns
    -------
    Labeller
    """
    wanted = [None] * len(source)
    n_rows = n_used = int(survey.used.sum())
    if estimator.max_labelled is not None and n_used > estimator.max_labelled:
        n_rows = estimator.max_labelled
        chosen = sample_labelled(n_used, n_rows, estimator.random_state)
        ends = np.cumsum(survey.used)
        wanted = [rows - start for rows, start in zip(
            np.split(chosen, np.searchsorted(chosen, ends[:-1])), ends - survey.used,
            strict=True)]
    most = limit("max-labelled")
    n_bytes = 8 * n_rows * (len(estimator.categorical_features_) + 2)
    if n_bytes > most:
        raise ValueError(
            f"There are {n_rows:,} labelled rows. To find the neighbours of unlabelled "
            f"ones, each worker would need all of them, {n_bytes / 1e6:,.0f} MB, and "
            f"the limit is {most / 1e6:,.0f} MB. Set max_labelled of SADDDiscretizer, "
            "to take a random sample of them, or raise the limit with "
            'dask.config.set({"sadd.max-labelled": ...}).')
    found = runner.ask(
        "sadd-labelled", _labelled,
        [(index, *part) for index, part in enumerate(source.parts)
         if survey.used[index]], reader, wanted, each=True, lazy=True)
    X, classes, weights = zip(*found, strict=True)
    if not source.has_weight:
        weights = None
    else:
        weights = np.concatenate([
            np.ones(len(rows)) if weight is None else weight
            for rows, weight in zip(X, weights, strict=True)])
    return Labeller(
        np.concatenate(X), np.concatenate(classes), len(reader.classes),
        categorical=estimator.categorical_features_, k=estimator.k,
        normalize=estimator.normalize, weights=weights,
        random_state=estimator.random_state, callback=callback)


def _labelled(partitions, reader, wanted):
    return [_labelled_part(reader, wanted[index], *partition)
            for index, *partition in partitions]


def _labelled_part(reader, wanted, *partition):
    part = reader(*partition)
    used = part.classes != UNLABELLED
    if part.weights is not None:
        used &= part.weights > 0
    used = np.flatnonzero(used)
    part = part.rows(used if wanted is None else used[wanted])
    return part.X, part.classes, part.weights
