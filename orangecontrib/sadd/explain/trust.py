"""How far to trust pseudo-labels, in words."""

from orangecontrib.sadd.core.pseudolabels.labellers import LabellerScore
from orangecontrib.sadd.labelling import Labelling

__all__ = ["describe_labeller", "describe_score", "describe_trusted", "is_doubtful"]

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
    Return who lent labels, and how good it is, a line for each.

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
        return ["No unlabelled rows, no labeller is needed"]
    who = name if labelling.k is None else f"k = {labelling.k}"
    lines = [f"{who}, {describe_score(labelling.score)}"]
    if labelling.n_trusted < labelling.n_rows:
        lines.append(describe_trusted(labelling))
    return lines


def describe_trusted(labelling: Labelling) -> str:
    """Return how many unlabelled rows count."""
    return f"{labelling.n_trusted:,} of {labelling.n_rows:,} unlabelled rows count"
