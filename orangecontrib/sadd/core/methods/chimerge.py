"""ChiMerge: bottom-up merging of neighbouring intervals with similar classes."""

import numpy as np
from scipy.special import chdtri

from orangecontrib.sadd.core.arithmetic import cut_between
from orangecontrib.sadd.core.methods import _greedy

__all__ = ["chimerge_cuts"]

# Values of chi2 that are closer, relatively, are equal. Their rounding errors depend on
# the order of the classes.
_TOLERANCE = 1e-12


def chimerge_cuts(cells, significance=0.05, max_intervals=None):
    """
    Cut a column where the classes of neighbouring intervals differ significantly.

    As in Kerber (1992), each value begins as an interval of its own. The neighbours
    with the smallest chi2 are merged, the first ones on ties, while their chi2 is below
    a threshold. The threshold is the quantile ``1 - significance`` of the chi-squared
    distribution. The degrees of freedom are C - 1 for C classes. Expected counts of
    zero contribute 0.

    Preparing the intervals takes time proportional to their cells. A merge takes
    O(log n), plus the number of classes in both intervals; see `_greedy`.

    If there are more than `max_intervals`, they are merged even if they differ
    significantly.

    Examples
    --------
    >>> from orangecontrib.sadd.core.methods.cells import cells_of
    >>> classes = np.repeat([0, 1], [5, 3]).astype(np.intc)
    >>> cells, = cells_of([np.arange(8.)], classes, np.ones(8), 2)
    >>> chimerge_cuts(cells)
    array([4.5])
    >>> chimerge_cuts(cells, max_intervals=1)
    array([], dtype=float64)
    """
    values = cells.values
    n_classes = len(np.unique(cells.classes))
    if len(values) < 2 or n_classes < 2:
        return np.empty(0)
    merger = _greedy.Merger(
        cells.bounds, cells.classes.copy(), cells.weights.copy(), len(cells.missing),
        chdtri(n_classes - 1, significance),
        min(max_intervals or len(values), len(values)), _TOLERANCE)
    merger.run()
    following = np.asarray(merger.following)
    positions, place = [], following[0]
    while place < len(values):
        positions.append(place)
        place = following[place]
    positions = np.array(positions, dtype=np.intp)
    return cut_between(values[positions - 1], values[positions])
