"""Cuts, intervals, pseudo-labels and scores in words."""

from collections import defaultdict, deque
from collections.abc import Sequence
from math import ceil, log10
from typing import NamedTuple

import numpy as np
from Orange.data import ContinuousVariable

from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore
from orangecontrib.sadd.core.methods.criterion import Decision
from orangecontrib.sadd.explain.analysis import NO_CLASS
from orangecontrib.sadd.explain.resampling import Bands, CrossValidated
from orangecontrib.sadd.scripting.intervals import cut_names, interval_names

__all__ = ["BY_HAND", "Node", "Sentence", "as_tree", "describe_band",
           "describe_decision", "describe_information", "describe_interval",
           "describe_naive_bayes", "describe_possible", "describe_score",
           "short_names", "summarize_decision", "write_sentences"]

# Figures of cuts that a user placed after seeing all rows, left-out ones as well
BY_HAND = "placed by hand: optimistic"

MINUTE, DAY = 60, 24 * 60 * 60

# The largest number of classes that are listed
LISTED_CLASSES = 8


class Node(NamedTuple):
    """A decision, and the number of accepted cuts above it."""

    decision: Decision
    depth: int


class Sentence(NamedTuple):
    """A sentence about a cut, and the decision about it; None if a user set the cut."""

    text: str
    decision: Decision | None


def as_tree(decisions: Sequence[Decision]) -> list[Node]:
    """
    Return the decisions as a tree: by depth, then from left to right.

    Examples
    --------
    >>> whole = Decision(-np.inf, np.inf, 9, 4, 5, 2.5, .9, .2, .1, True)
    >>> right = Decision(2.5, np.inf, 5, 2, 3, 4.5, .1, .3, .2, False)
    >>> [(node.decision.cut, node.depth) for node in as_tree([right, whole])]
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
    """Return information as a short text, which is 0 only for zero."""
    return f"{value:.3f}" if abs(value) >= .01 or not value else f"{value:.2g}"


def summarize_decision(decision: Decision, variable: ContinuousVariable) -> str:
    """
    Describe the decision about an interval in a sentence.

    Examples
    --------
    >>> decision = Decision(54.5, np.inf, 113, 60, 53, 70.5, .041, .07, .044, False)
    >>> summarize_decision(decision, ContinuousVariable("age", 1))
    '70.5: gains 0.041 bits, needs 0.044, rejected: 7 % short'
    """
    cut, = cut_names(variable, [decision.cut])
    text = (f"{cut}: gains {bits(decision.gain)} bits, "
            f"needs {bits(decision.adapted_theta)}")
    if decision.accepted:
        return f"{text}: accepted"
    if decision.gain > decision.adapted_theta:
        return f"{text}, rejected: over the limit of intervals"
    short = 1 - decision.gain / decision.adapted_theta \
        if decision.adapted_theta > 0 else 0.
    percent = f"{100 * min(short, 1.):.0f}"
    return f"{text}, rejected: {'less than 1' if percent == '0' else percent} % short"


def write_sentences(nodes: Sequence[Node], cuts: Sequence[float],
                    variable: ContinuousVariable) -> list[Sentence]:
    """
    Return a sentence for each decision, and for each cut that a user set.

    Parameters
    ----------
    nodes : sequence of Node
    cuts : sequence of float
        The cuts in use, edited or not.
    variable : ContinuousVariable

    Examples
    --------
    >>> whole = Decision(-np.inf, np.inf, 9, 4, 5, 2.5, .9, .2, .1, True)
    >>> x = ContinuousVariable("x")
    >>> for sentence in write_sentences([Node(whole, 0)], [3.], x):
    ...     print(sentence.text)
    2.5: gains 0.900 bits, needs 0.100: accepted, removed by you
    3: set by you
    """
    found = {node.decision.cut for node in nodes if node.decision.accepted}
    sentences = [Sentence(summarize_decision(decision, variable) + (
        ", removed by you" if decision.accepted and decision.cut not in cuts else ""),
        decision) for decision, _ in nodes]
    own = [cut for cut in cuts if cut not in found]
    return sentences + [Sentence(f"{name}: set by you", None)
                      for name in (cut_names(variable, own) if own else ())]


def describe_decision(decision: Decision, variable: ContinuousVariable) -> str:
    """
    Describe the decision about an interval, and its rows, in a few lines.

    Examples
    --------
    >>> decision = Decision(54.5, np.inf, 113, 60, 53, 70.5, .041, .07, .044, False)
    >>> print(describe_decision(decision, ContinuousVariable("age", 1)))
    70.5: gains 0.041 bits, needs 0.044, rejected: 7 % short
    113 rows from 54.5 to the highest value: 60 below the cut, 53 above
    Without adaptation to few rows, it would need 0.070
    """
    low = "the lowest value" if np.isinf(decision.lower) \
        else cut_names(variable, [decision.lower])[0]
    high = "the highest value" if np.isinf(decision.upper) \
        else cut_names(variable, [decision.upper])[0]
    lines = [summarize_decision(decision, variable), (
        f"{decision.rows:,.10g} rows from {low} to {high}: {decision.rows_left:,.10g} "
        f"below the cut, {decision.rows_right:,.10g} above")]
    if decision.adapted_theta != decision.theta:
        lines.append("Without adaptation to few rows, it would need "
                     f"{bits(decision.theta)}")
    return "\n".join(lines)


def describe_interval(variable: ContinuousVariable, cuts: Sequence[float], index: int,
                      counts: Sequence[np.ndarray], classes: Sequence[str]) -> str:
    """
    Return the rows of an interval, by class, and how many of them are labelled.

    Parameters
    ----------
    variable : ContinuousVariable
    cuts : sequence of float
    index : int
        Index of the interval.
    counts : pair of ndarray, shape (n_classes, n_intervals)
        Labelled and unlabelled rows; see `Picture.count`.
    classes : sequence of str
        Their names; none or a single one if rows have no classes.

    Examples
    --------
    >>> counts = np.array([[2, 0], [1, 2]]), np.array([[1, 0], [0, 4]])
    >>> print(describe_interval(ContinuousVariable("x"), [5], 0, counts, ["a", "b"]))
    x < 5: 4 rows, 3 labelled, 1 with a pseudo-label
    a: 75 % (2 labelled, 1 with a pseudo-label)
    b: 25 % (1 labelled)
    """
    labelled, pseudo = (part[:, index] for part in counts)
    total = labelled.sum() + pseudo.sum()
    name = f"{variable.name} {interval_names(variable, cuts)[index]}" if len(cuts) \
        else f"{variable.name}, all values"
    text = f"{name}: {total:,.10g} rows"
    if len(classes) < 2 or not total:
        return text
    word = "unlabelled" if classes[-1] == NO_CLASS else "with a pseudo-label"
    lines = [f"{text}, {_split(labelled.sum(), pseudo.sum(), word)}"]
    order = [place for place in (-(labelled + pseudo)).argsort(kind="stable")
             if labelled[place] + pseudo[place] > 0]
    for place in order[:LISTED_CLASSES]:
        share = (labelled[place] + pseudo[place]) / total
        lines.append(f"{classes[place]}: {100 * share:.0f} % "
                     f"({_split(labelled[place], pseudo[place], word)})")
    rest = len(order) - LISTED_CLASSES
    if rest > 0:
        lines.append(f"and {rest} more classes")
    return "\n".join(lines)


def _split(labelled, pseudo, word):
    parts = [f"{labelled:,.10g} labelled"] if labelled else []
    if pseudo:
        parts.append(f"{pseudo:,.10g} {word}")
    return ", ".join(parts)


def describe_naive_bayes(results: Sequence[tuple[str, CrossValidated]],
                         by_hand: bool = False) -> str:
    """
    Return how many left-out rows naive Bayes predicts correctly, by method.

    Parameters
    ----------
    results : sequence of (str, CrossValidated)
        Of a method and, if there is one, of the compared method.
    by_hand : bool
        Whether a user placed cuts of the first one.

    Examples
    --------
    >>> right = np.repeat([True, False], [24, 6])
    >>> first, second = (CrossValidated(None, None, is_right, np.ones(30), [], [])
    ...                  for is_right in (right, np.roll(right, -3) & right))
    >>> describe_naive_bayes([("SADD", first), ("MDLP", second)])
    'Naive Bayes: SADD 24 of 30 right, MDLP 21 (3 more); differences below 6 are chance'
    >>> describe_naive_bayes([("SADD", first)])
    'Naive Bayes: SADD 24 of 30 right, ±5'
    >>> describe_naive_bayes([("SADD", first), ("MDLP", second)], by_hand=True)
    'Naive Bayes: your cuts 24 of 30 right (placed by hand: optimistic), MDLP 21'
    """
    (name, own), *others = results
    text = (f"Naive Bayes: {'your cuts' if by_hand else name} {own.right:,.6g} of "
            f"{own.total:,.6g} right")
    if by_hand:
        text += f" ({BY_HAND})"
    if not others:
        return text if by_hand \
            else f"{text}, ±{LabellerScore(own.right, own.total).margin}"
    (name, other), = others
    text += f", {name} {other.right:,.6g}"
    if by_hand:
        return text
    more = own.right - other.right
    difference = "as many" if not more else \
        f"{abs(more):,.6g} {'more' if more > 0 else 'fewer'}"
    return (f"{text} ({difference}); differences below "
            f"{own.least_difference(other):,.6g} are chance")


def describe_possible(cut_points: Sequence[np.ndarray], fewest: int, most: int) -> str:
    """
    Return the number of cuts, and the numbers that other N0 give.

    Examples
    --------
    >>> describe_possible([np.array([1., 2.]), np.array([])], 1, 5)
    '2 cuts (1 to 5 possible)'
    >>> describe_possible([np.array([1.])], 1, 1)
    '1 cut at any N0'
    """
    n_cuts = sum(map(len, cut_points))
    text = f"{n_cuts:,} cut{'s' * (n_cuts != 1)}"
    return f"{text} at any N0" if fewest == most \
        else f"{text} ({fewest:,} to {most:,} possible)"


def describe_band(bands: Bands, index: int, variable: ContinuousVariable) -> str:
    """
    Return how many folds find a cut, and where.

    Examples
    --------
    >>> bands = Bands(np.array([5.]), np.array([6.5]), np.array([9]), 10)
    >>> describe_band(bands, 0, ContinuousVariable("x"))
    'Found in 9 of 10 folds, from 5 to 6.5'
    """
    text = f"Found in {bands.n_found[index]} of {bands.n_folds} folds"
    if not bands.n_found[index]:
        return text
    low, high = bands.low[index], bands.high[index]
    if low == high:
        return f"{text}, at {cut_names(variable, [low])[0]}"
    low, high = cut_names(variable, [low, high])
    return f"{text}, from {low} to {high}"


def describe_information(validated: CrossValidated, index: int, n_cuts: int,
                         by_hand: bool = False) -> str:
    """
    Return what the folds found out about the intervals of a variable.

    Examples
    --------
    >>> bits = np.array([-.0211])
    >>> cuts = [[np.array([1.])] * 3 + [np.array([])] * 7]
    >>> validated = CrossValidated(bits, bits, None, None, cuts, [])
    >>> describe_information(validated, 0, 0)
    '3 of 10 folds found a cut, which lost 0.021 bits on left-out rows'
    >>> describe_information(validated, 0, 1)
    '-0.021 bits, -2.1 % of the class entropy'
    """
    gained = validated.information[index]
    if not n_cuts:
        n_found = sum(len(cuts) > 0 for cuts in validated.cut_points[index])
        if not n_found or by_hand:
            return "No cut, no information" if by_hand else "No fold found a cut"
        return (f"{n_found} of {validated.n_folds} folds found a cut, which "
                f"{'gained' if gained > 0 else 'lost'} {abs(gained):.3f} bits on "
                "left-out rows")
    text = (f"{gained:z.3f} bits, {100 * validated.shares[index]:z.1f} % of the class "
            "entropy")
    return f"{text}\n{BY_HAND.capitalize()}. You saw all rows." if by_hand else text


def short_names(variable: ContinuousVariable, cuts: Sequence[float],
                resolution: float) -> list[str]:
    """
    Name cuts with the digits that a picture can show; no two have the same name.

    Parameters
    ----------
    variable : ContinuousVariable
    cuts : sequence of float
    resolution : float
        The width of a pixel; 0 if unknown.

    Examples
    --------
    >>> short_names(ContinuousVariable("x", 6), [-0.212168, 1.5], .012)
    ['-0.21', '1.5']
    >>> from Orange.data import TimeVariable
    >>> moment = TimeVariable("moment", have_date=True, have_time=True)
    >>> cut = moment.parse("2018-01-02 07:05:12")
    >>> [short_names(moment, [cut], resolution)[0] for resolution in (1, 60, 9999)]
    ['2018-01-02 07:05:12', '2018-01-02 07:05', '2018-01-02']
    """
    names = cut_names(variable, cuts)
    if not resolution:
        return names
    if variable.is_time and (variable.have_date or variable.have_time):
        if not variable.have_time or resolution < MINUTE / 24:
            return names
        unit = DAY if variable.have_date and resolution > DAY / 24 else MINUTE
        coarse = variable.copy(compute_value=None)
        coarse.have_time = unit == MINUTE
        short = cut_names(coarse, [cut // unit * unit for cut in cuts])
    else:
        digits = max(0, ceil(-log10(resolution)))
        short = [f"{cut:.{digits}f}" for cut in cuts]
        if digits:
            short = [name.rstrip("0").rstrip(".") for name in short]
    fits = len(set(short)) == len(short) \
        and sum(map(len, short)) < sum(map(len, names))
    return short if fits else names


def describe_score(score: LabellerScore) -> str:
    """
    Return how many labelled rows a labeller predicts correctly, and the error.

    Examples
    --------
    >>> describe_score(LabellerScore(22, 30))
    '22 of 30 right, ±5'
    """
    return f"{score.right:,} of {score.total:,} right, ±{score.margin:,}"
