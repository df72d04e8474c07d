"""How far to trust pseudo-labels, and cuts: these change with the labelled rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from Orange.util import dummy_callback

from orangecontrib.sadd.core.pseudolabels.labellers import LabellerScore
from orangecontrib.sadd.cutting import find_cuts
from orangecontrib.sadd.explain.findings import Findings
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.labelling import Labelling
from orangecontrib.sadd.tables import Rows

__all__ = ["N_RESAMPLES", "count_found_again", "describe_labeller", "describe_score",
           "describe_status", "describe_trusted", "is_doubtful", "resample",
           "resampled_cuts"]

N_RESAMPLES = 20

# Cuts are the same if they are no farther apart than this fraction of all values
TOLERANCE = 0.05

# Below this fraction of labelled rows that a labeller gets right there is a warning
DOUBTFUL = 0.7


def describe_score(score: LabellerScore) -> str:
    """
    Return how many labelled rows a labeller gets right, as a fraction.

    Examples
    --------
    >>> describe_score(LabellerScore(23, 30))
    '23 of 30 labelled rows right (77 %)'
    """
    share = score.right / max(score.total, 1)
    return (f"{score.right:,} of {score.total:,} labelled rows right "
            f"({100 * share:.0f} %)")


def is_doubtful(score: LabellerScore) -> bool:
    """Return whether a labeller is wrong so often that a user must be warned."""
    return score.right < DOUBTFUL * score.total


def describe_labeller(labelling: Labelling | None, name: str = "") -> list[str]:
    """
    Describe the labeller, and how good it is, a line for each.

    Parameters
    ----------
    labelling : Labelling or None
        None if no row is unlabelled.
    name : str
        The name of a labeller other than neighbours.

    Examples
    --------
    >>> describe_labeller(Labelling(LabellerScore(23, 30), 3, 151, 183))
    ['k = 3, 23 of 30 labelled rows right (77 %)', '151 of 183 unlabelled rows count']
    """
    if labelling is None:
        return ["No unlabelled rows, so no labeller is needed"]
    who = name if labelling.k is None else f"k = {labelling.k}"
    lines = [f"{who}, {describe_score(labelling.score)}"]
    if labelling.n_trusted < labelling.n_rows:
        lines.append(describe_trusted(labelling))
    return lines


def describe_trusted(labelling: Labelling) -> str:
    """Return how many unlabelled rows count."""
    return f"{labelling.n_trusted:,} of {labelling.n_rows:,} unlabelled rows count"


def describe_status(findings: Findings, n_discretized: int, labeller: str) -> str:
    """
    Return how good labels are, and the numbers of rows and of variables.

    Parameters
    ----------
    findings : Findings
    n_discretized : int
        Number of variables with a cut.
    labeller : str
        Its title.
    """
    analysis, n_weak = findings.analysis, findings.n_weak
    lines = describe_labeller(findings.labelling, labeller)
    n_labelled, n_variables = analysis.n_labelled, len(analysis.variables)
    if n_weak:
        lines.append(f"{n_weak:,} {'cut rests' if n_weak == 1 else 'cuts rest'} on "
                     "labels that are ignored")
    lines += [
        f"{n_labelled:,} labelled {'row' if n_labelled == 1 else 'rows'}, "
        f"{analysis.n_unlabelled:,} unlabelled",
        f"{n_discretized:,} of {n_variables:,} "
        f"{'variable' if n_variables == 1 else 'variables'} discretized"]
    return "\n".join(lines)


def resample(rows: Rows, rng: np.random.RandomState) -> Rows:
    """
    Draw as many labelled rows as there are, with replacement; others stay.

    A row that is drawn twice has twice the weight. So a labeller that is judged by
    leaving out rows never meets a copy of the row that is left out.
    """
    labelled = np.flatnonzero(rows.labelled)
    times = np.bincount(rng.choice(labelled, len(labelled)), minlength=len(rows))
    weights = np.ones(len(rows)) if rows.weights is None else rows.weights.copy()
    weights[labelled] *= times[labelled]
    keep = (times > 0) | ~rows.labelled
    return replace(rows, X=rows.X[keep], y=rows.y[keep], weights=weights[keep],
                   n_data=int(keep[:rows.n_data].sum()))


def resampled_cuts(rows: Rows, parameters: Parameters, n_resamples: int = N_RESAMPLES,
                   callback: Callable = dummy_callback
                   ) -> Iterator[list[np.ndarray]]:
    """
    Yield the cuts of all variables for one resample after the other.

    Parameters
    ----------
    rows : Rows
    parameters : Parameters
    n_resamples : int
    callback : callable
        Called with the fraction done of a resample. May raise an exception to stop
        the work.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.tables import read_rows
    >>> iris = Table("iris")
    >>> some = resampled_cuts(read_rows(iris[::5], iris), Parameters(), 3)
    >>> [len(cuts) for cuts in some]
    [4, 4, 4]
    """
    estimator = parameters.estimator(store_decisions=False)
    rng = np.random.RandomState(0)
    for _ in range(n_resamples):
        yield find_cuts(
            resample(rows, rng), estimator, callback=callback).cut_points


def count_found_again(cut: float, resampled: Sequence[np.ndarray],
                      low: float, high: float) -> int:
    """
    Return in how many resamples a cut was found again, or one close to it.

    Examples
    --------
    >>> count_found_again(5., [np.array([4.9]), np.array([]), np.array([1.])], 0, 10)
    1
    """
    reach = TOLERANCE * (high - low)
    return sum(bool(len(cuts)) and float(np.abs(cuts - cut).min()) <= reach
               for cuts in resampled)
