"""The task that SADD Discretize runs in a thread."""

from typing import NamedTuple

from Orange.util import wrap_callback
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.explain.analysis import Parameters
from orangecontrib.sadd.explain.results import Results, make_results
from orangecontrib.sadd.widgets.cutting.cutedits import edits_by_index
from orangecontrib.sadd.widgets.cutting.explainview import Shown

__all__ = ["Answer", "Request", "describe", "run"]


class Cancelled(Exception):
    """A user does not want the result any more."""


class Request(NamedTuple):
    """What a task shall compute."""

    parameters: Parameters
    compared_method: str
    edits: dict
    remove_const: bool
    with_results: bool


class Answer(NamedTuple):
    """What a task has computed."""

    shown: Shown
    edits: dict
    counts: dict
    results: Results | None


def run(analysis, request, state):
    """Compute what is requested, in a thread."""
    def callback(share):
        state.set_progress_value(100 * share)
        if state.is_interruption_requested():
            raise Cancelled

    def step(start, end, status):
        state.set_status(status)
        callback(start)
        return wrap_callback(callback, start, end)

    parameters = request.parameters
    step(0, 0, "Reading data...")
    _ = analysis.missing_shares  # remembers it
    labels = analysis.labels(parameters, step(0, .6, "Labelling rows..."))
    explained = analysis.explain(parameters, step(.6, .75, "Cutting..."))
    compared = None
    if request.compared_method:
        other = parameters.with_method(request.compared_method)
        compared = analysis.explain(other, step(.75, .85, "Comparing..."))
    edits = edits_by_index(request.edits, analysis.variables)
    counts = {index: analysis.count(index, cuts) for index, cuts in edits.items()}
    results = None
    if request.with_results:
        results = make_results(
            analysis, explained.edited(edits, counts), parameters,
            request.remove_const, step(.85, 1, "Making tables..."))
    shown = Shown(analysis, parameters, labels, explained, compared,
                  request.compared_method)
    return Answer(shown, edits, counts, results)


def describe(answer):
    """Tell k, the number of rows and of variables, a line for each."""
    shown, analysis = answer.shown, answer.shown.analysis
    labels = shown.labels
    if labels is None:
        lines = ["No unlabelled rows, k is not needed"]
    elif labels.k_scores:
        lines = [f"k = {labels.k}, validation accuracy {labels.k_scores[labels.k]:.1%}"]
    elif shown.parameters.k == "auto":
        lines = [f"k = {labels.k}, too few rows to choose"]
    else:
        lines = [f"k = {labels.k}"]
    n_labelled, n_unlabelled = analysis.n_labelled, analysis.n_unlabelled
    lines.append(f"{n_labelled:,} labelled {pl(n_labelled, 'row')}, "
                 f"{n_unlabelled:,} unlabelled")
    cuts = {**dict(enumerate(shown.explained.cut_points)), **answer.edits}
    n_cut = sum(len(points) > 0 for points in cuts.values())
    lines.append(f"{n_cut:,} of {len(cuts):,} {pl(len(cuts), 'variable')} discretized")
    return "\n".join(lines)
