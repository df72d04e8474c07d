"""What SADD Discretize shows and sends, found in one go, and how stable it is."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from Orange.util import dummy_callback

from orangecontrib.sadd.core.pseudolabels.labellers import PseudoLabels
from orangecontrib.sadd.cutting import Discretized, find_cuts
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.labelling import Labelling
from orangecontrib.sadd.tables import Rows

__all__ = ["N_RESAMPLES", "Findings", "count_found_again", "find", "resample",
           "resampled_cuts"]

N_RESAMPLES = 20

# Cuts are the same if they are no farther apart than this fraction of all values
TOLERANCE = 0.05


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
    all_found : Discretized
        Cuts of the method if all pseudo-labels were trusted.
    thumbnails : list of Thumbnail
        Of each variable; None if no value is finite.
    compared : Discretized or None
    compared_parameters : Parameters or None
    """

    analysis: Analysis
    parameters: Parameters
    labels: PseudoLabels | None
    found: Discretized
    all_found: Discretized
    thumbnails: list
    compared: Discretized | None = None
    compared_parameters: Parameters | None = None

    @property
    def compared_method(self):
        """The name of the method to compare with; empty if there is none."""
        return "" if self.compared_parameters is None \
            else self.compared_parameters.method

    @property
    def n_cuts(self):
        """The number of cuts of all variables, none of them edited."""
        return sum(map(len, self.found.cut_points))

    def weak_cuts(self, index):
        """Return the cuts of a variable that rest on labels that are not trusted."""
        if self.all_found is self.found:
            return np.zeros(0)
        return np.setdiff1d(self.all_found.cut_points[index],
                            self.found.cut_points[index])

    @property
    def n_weak(self):
        """The number of such cuts of all variables."""
        return sum(len(self.weak_cuts(index))
                   for index in range(len(self.analysis.variables)))

    @property
    def labelling(self):
        """The labels in a few numbers; None if there are none."""
        return Labelling.of(self.labels, self.parameters.min_confidence)

    def picture(self, index):
        """Return the picture of a variable, without rows that are not trusted."""
        return self.analysis.picture(index, self.labels, self.parameters.min_confidence)


def find(analysis, parameters, compared_parameters, edited, make_step, *,
         with_outputs=True, remove_const=True, fixed=()):
    """
    Find cuts and, if wanted, make the tables that the widget sends.

    Parameters
    ----------
    analysis : Analysis
    parameters : Parameters
    compared_parameters : Parameters or None
        The method to compare with; None for none.
    edited : dict of int to list of float
        Cuts that replace those of the method in the outputs, by index of the variable.
    make_step : callable
        Called with the fraction done before and after a step, and its name; returns
        the callback for the step, which may raise an exception to stop the work.
    with_outputs : bool
        Whether to make the outputs.
    remove_const : bool
        Whether to leave out variables with a single interval there.
    fixed : sequence
        Cuts that the preprocessor carries; see `FixedCutsDiscretize`.

    Returns
    -------
    findings : Findings
    outputs : Outputs or None
    """
    make_step(0, 0, "Reading data...")
    _ = analysis.missing_shares  # remembered for messages
    labels = analysis.labels(parameters, make_step(0, .6, "Labelling rows..."))
    found = analysis.find_cuts(parameters, make_step(.6, .72, "Cutting..."))
    all_found = found
    if parameters.uses_unlabelled and parameters.min_confidence and labels is not None:
        all_found = analysis.find_cuts(
            replace(parameters, min_confidence=0), make_step(.72, .75, "Cutting..."))
    compared = outputs = None
    if compared_parameters is not None:
        compared = analysis.find_cuts(
            compared_parameters, make_step(.75, .85, "Comparing..."))
    thumbnails = analysis.thumbnails(
        labels, parameters.min_confidence, make_step(.85, .9, "Counting..."))
    for index, cuts in edited.items():
        analysis.count(index, cuts)  # remembered for the table of variables
    if with_outputs:
        cuts = [edited.get(index, cuts) for index, cuts in enumerate(found.cut_points)]
        outputs = make_outputs(
            analysis, replace(found, cut_points=cuts), parameters, remove_const, fixed,
            make_step(.9, 1, "Making tables..."))
    return Findings(analysis, parameters, labels, found, all_found, thumbnails,
                    compared, compared_parameters), outputs


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
