"""Cuts, intervals and labels in words.

What was decided where, which rows are inside, and how far to trust a labeller.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable

from orangecontrib.sadd.core.pseudolabels.labellers import LabellerScore
from orangecontrib.sadd.core.splitting.criterion import Decision
from orangecontrib.sadd.explain.findings import Findings
from orangecontrib.sadd.explain.picture import IntervalCounts
from orangecontrib.sadd.intervals import cut_names, interval_names
from orangecontrib.sadd.labelling import Labelling

__all__ = ["Node", "arrange", "describe_decision", "describe_information",
           "describe_interval", "describe_labeller", "describe_score",
           "describe_status", "describe_trusted", "is_doubtful", "summarize_decision"]

# The largest number of classes that are listed
LISTED_CLASSES = 8

# Below this fraction of labelled rows that a labeller gets right there is a warning
DOUBTFUL = 0.7


class Node(NamedTuple):
    """A decision, and how many cuts had to be accepted before it was made."""

    decision: Decision
    depth: int


def arrange(decisions: Sequence[Decision]) -> list[Node]:
    """
    Return the decisions as a tree: by depth, then from left to right.

    Examples
    --------
    >>> whole = Decision(-np.inf, np.inf, 9, 4, 5, 2.5, .9, .2, .1, True)
    >>> right = Decision(2.5, np.inf, 5, 2, 3, 4.5, .1, .3, .2, False)
    >>> [(node.decision.cut, node.depth) for node in arrange([right, whole])]
    [(2.5, 0), (4.5, 1)]
    """
    # A cut between infinite values leaves a part with the ends of the whole
    by_ends = defaultdict(list)
    for decision in sorted(decisions, key=lambda decision: decision.rows):
        by_ends[decision.lower, decision.upper].append(decision)
    waiting, nodes = deque([(-np.inf, np.inf, 0)]), []
    while waiting:
        lower, upper, depth = waiting.popleft()
        if by_ends[lower, upper]:
            decision = by_ends[lower, upper].pop()
            nodes.append(Node(decision, depth))
            if decision.accepted:
                waiting.append((lower, decision.cut, depth + 1))
                waiting.append((decision.cut, upper, depth + 1))
    return nodes


def bits(value):
    """Return information as a text, short but never 0 unless it is."""
    return f"{value:.3f}" if abs(value) >= .01 or not value else f"{value:.2g}"


def is_over_limit(decision):
    """Return whether a cut is refused only since there would be too many intervals."""
    return not decision.accepted and decision.gain > decision.adapted_theta


def summarize_decision(decision: Decision, variable: ContinuousVariable) -> str:
    """
    Return what was decided about an interval, in a sentence.

    Examples
    --------
    >>> decision = Decision(54.5, np.inf, 113, 60, 53, 70.5, .041, .07, .044, False)
    >>> summarize_decision(decision, ContinuousVariable("age", 1))
    '113 rows: 70.5 gains 0.041, needs 0.044: 7 % short, refused'
    """
    cut, = cut_names(variable, [decision.cut])
    text = (f"{decision.rows:,.10g} rows: {cut} gains {bits(decision.gain)}, "
            f"needs {bits(decision.adapted_theta)}")
    if decision.accepted:
        return text
    if is_over_limit(decision):
        return f"{text}: enough, but over the limit of intervals"
    short = 1 - decision.gain / decision.adapted_theta \
        if decision.adapted_theta > 0 else 0.
    percent = f"{100 * min(max(short, 0.), 1.):.0f}"
    return f"{text}: {'less than 1' if percent == '0' else percent} % short, refused"


def describe_decision(decision: Decision, variable: ContinuousVariable,
                      adaptive: bool = True) -> str:
    """
    Return what was decided about an interval, in a few lines.

    The threshold without adaptation is not named after MDLP: decisions of SADD count
    pseudo-labels, whereas the method MDLP sees labelled rows only.
    """
    low = "lowest value" if np.isinf(decision.lower) \
        else variable.str_val(decision.lower)
    high = "highest value" if np.isinf(decision.upper) \
        else variable.str_val(decision.upper)
    lines = [
        f"{variable.name}: from {low} to {high}, {decision.rows:,.10g} rows",
        f"Best cut at {variable.str_val(decision.cut)}: "
        f"{decision.rows_left:,.10g} rows below, {decision.rows_right:,.10g} above",
        f"Information gain {decision.gain:.4f}"]
    if adaptive:
        lines.append(f"Adapted threshold {decision.adapted_theta:.4f}, "
                     f"without adaptation {decision.theta:.4f}")
    else:
        lines.append(f"Threshold {decision.theta:.4f}")
    verdict = "The cut is accepted" if decision.accepted else "The cut is refused"
    if adaptive and decision.accepted and decision.gain <= decision.theta:
        verdict += ", thanks to the adapted threshold"
    elif is_over_limit(decision):
        verdict += ", since there would be too many intervals"
    return "\n".join([*lines, f"{verdict}."])


def describe_information(counts: IntervalCounts, *, short: bool = False) -> str:
    """
    Return the information of intervals about the class, as in the table and the tree.

    Numbers of rows are left out if it must be short.

    Examples
    --------
    >>> labelled, lent = np.array([[2, 0], [0, 2]]), np.array([[5, 1], [0, 4]])
    >>> describe_information(IntervalCounts.of(labelled, lent))
    'Keeps 1.000 bits over 4 labelled rows, 0.689 over all 14 with pseudo-labels'
    >>> describe_information(IntervalCounts.of(labelled, lent), short=True)
    'Keeps 1.000 bits, 0.689 with pseudo-labels'
    """
    labelled, lent = counts.table[:-1], counts.lent
    text = f"Keeps {bits(counts.information)} bits"
    if not short:
        text += f" over {labelled.sum():,.10g} labelled rows"
    if lent is not None and lent.any():
        text += f", {bits(counts.information_with_lent)} "
        if not short:
            text += f"over all {labelled.sum() + lent.sum():,.10g} "
        text += "with pseudo-labels"
    return text


def describe_interval(variable: ContinuousVariable, cuts: Sequence[float], index: int,
                      counts: IntervalCounts, classes: Sequence[str]) -> str:
    """
    Return the rows of an interval, by class, and how many of them are labelled.

    Parameters
    ----------
    variable : ContinuousVariable
    cuts : sequence of float
    index : int
        That of the interval.
    counts : IntervalCounts
        With the classes of pseudo-labels.
    classes : sequence of str
        Their names.

    Examples
    --------
    >>> import numpy as np
    >>> labelled, lent = np.array([[2, 0], [1, 2]]), np.array([[1, 0], [0, 4]])
    >>> counts = IntervalCounts.of(labelled, lent)
    >>> print(describe_interval(ContinuousVariable("x"), [5], 0, counts, ["a", "b"]))
    x < 5: 4 rows, 3 labelled, 1 with a pseudo-label
    a: 75 % (2 labelled, 1 with a pseudo-label)
    b: 25 % (1 labelled)
    """
    labelled = counts.table[:-1, index]
    lent = np.zeros_like(labelled) if counts.lent is None else counts.lent[:, index]
    total = labelled.sum() + lent.sum()
    name = f"{variable.name} {interval_names(variable, cuts)[index]}" if len(cuts) \
        else f"{variable.name}, all values"
    lines = [f"{name}: {total:,.10g} rows" + (
        f", {_split(labelled.sum(), lent.sum())}" if total else "")]
    order = [place for place in (-(labelled + lent)).argsort(kind="stable")
             if labelled[place] + lent[place] > 0]
    for place in order[:LISTED_CLASSES]:
        share = (labelled[place] + lent[place]) / total
        lines.append(f"{classes[place]}: {100 * share:.0f} % "
                     f"({_split(labelled[place], lent[place])})")
    rest = len(order) - LISTED_CLASSES
    if rest > 0:
        lines.append(f"and {rest} more classes")
    return "\n".join(lines)


def _split(labelled, lent):
    parts = [f"{labelled:,.10g} labelled"] if labelled else []
    if lent:
        parts.append(f"{lent:,.10g} with a pseudo-label")
    return ", ".join(parts)


def describe_score(score: LabellerScore) -> str:
    """
    Return the share of labelled rows that a labeller predicts right.

    Examples
    --------
    >>> describe_score(LabellerScore(25, 30))
    '83 % right (25 of 30)'
    """
    share = score.right / max(score.total, 1)
    return f"{100 * share:.0f} % right ({score.right:,} of {score.total:,})"


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
    ['k = 3, 77 % right (23 of 30)', '151 of 183 unlabelled rows count']
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
