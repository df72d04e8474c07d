"""All that SADD Discretize shows and sends, found in one go."""

from dataclasses import dataclass, replace

from orangecontrib.sadd.core.pseudolabels.neighbours import PseudoLabels
from orangecontrib.sadd.cutting import Discretized
from orangecontrib.sadd.explain.analysis import Analysis, Parameters
from orangecontrib.sadd.explain.outputs import make_outputs

__all__ = ["Findings", "find"]


@dataclass(frozen=True, eq=False)
class Findings:
    """
    The cuts of a method, and of the one that it is compared with.

    Attributes
    ----------
    analysis : Analysis
    parameters : Parameters
        Those of the method.
    labels : PseudoLabels or None
        None if no row is unlabelled.
    found : Discretized
        The cuts of the method, none of them edited.
    compared : Discretized or None
    compared_method : str
        Empty if there is none.
    """

    analysis: Analysis
    parameters: Parameters
    labels: PseudoLabels | None
    found: Discretized
    compared: Discretized | None = None
    compared_method: str = ""


def find(analysis, parameters, compared_method, edited, make_step, *,
         with_outputs=True, remove_const=True):
    """
    Find cuts and, if wanted, make the tables that the widget sends.

    Parameters
    ----------
    analysis : Analysis
    parameters : Parameters
    compared_method : str
        The method to compare with; empty for none.
    edited : dict of int to list of float
        Cuts that replace those of the method in the outputs, by index of the variable.
    make_step : callable
        Called with the fraction done before and after a step, and its name; returns
        the callback for the step, which may raise an exception to stop the work.
    with_outputs : bool
        Whether to make the outputs.
    remove_const : bool
        Whether to leave out variables with a single interval there.

    Returns
    -------
    findings : Findings
    outputs : Outputs or None
    """
    make_step(0, 0, "Reading data...")
    _ = analysis.missing_shares  # remembered for messages
    labels = analysis.labels(parameters, make_step(0, .6, "Labelling rows..."))
    found = analysis.find_cuts(parameters, make_step(.6, .75, "Cutting..."))
    compared = outputs = None
    if compared_method:
        compared = analysis.find_cuts(
            replace(parameters, method=compared_method),
            make_step(.75, .85, "Comparing..."))
    for index, cuts in edited.items():
        analysis.count(index, cuts)  # remembered for the table of variables
    if with_outputs:
        cuts = [edited.get(index, cuts) for index, cuts in enumerate(found.cut_points)]
        outputs = make_outputs(
            analysis, replace(found, cut_points=cuts), parameters, remove_const,
            make_step(.85, 1, "Making tables..."))
    return Findings(
        analysis, parameters, labels, found, compared, compared_method), outputs
