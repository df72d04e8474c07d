"""Pseudo-labels: the class of unlabelled rows as their nearest neighbours have it.

The first step of SADD (Wang, Ren and Bai, 2023, section 3.3). Nothing here depends on
the order of rows: labelled rows are first put in an order of their own, distances of
the nearest are computed anew (those by which they were found are differences of large
numbers), and equal distances and votes go to the row and label that come first.
"""

from dataclasses import dataclass, field

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state
from sklearn.utils.random import sample_without_replacement

__all__ = ["K_GRID", "Labeller", "NeighbourSpace", "PseudoLabels", "choose_k",
           "pseudo_label", "sample_labelled"]

K_GRID = (1, 3, 5, 7, 9, 11, 15, 21, 31)

# A ninth of the labelled rows chooses k, as in the paper, where it is one of the nine
# training folds. Fewer rows than this tell nothing about k.
VALIDATION_SHARE = 9
FEWEST_ROWS = 2 * VALIDATION_SHARE

# Neighbours beyond k that are found, too, since the search may confuse equal distances
SPARE = 4

# Squares of larger numbers might overflow
HUGE = 1e100

# No value is farther from those of labelled rows than so many times their range
FAR = 1e6

# Distances are equal up to this part of them: the rest is rounding
EQUAL = 2.0 ** -40

# Distances computed at a time
BLOCK_CELLS = 2 ** 23


class NeighbourSpace:
    """
    The space in which neighbours are sought.

    Numeric columns are standardized if `normalize`, categorical ones are one-hot;
    missing values are the mean or the most frequent category. All of this is learned
    from the labelled rows.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        Labelled rows. NaN where missing; codes in categorical columns.
    categorical : ndarray of bool, shape (n_features,)
    normalize : bool
    weights : ndarray of float64, optional
    """

    def __init__(self, X, categorical, normalize=True, weights=None):
        weights = np.ones(len(X)) if weights is None else weights
        self.categorical = categorical
        self.lowest, self.highest = _finite_range(X[:, ~categorical])
        magnitude = np.maximum(-self.lowest, self.highest)
        if not normalize:  # a common unit leaves the neighbours as they are
            magnitude = np.full_like(magnitude, magnitude.max(initial=0))
        self.unit = np.where(magnitude > HUGE, magnitude, 1)
        with np.errstate(over="ignore"):
            margin = FAR * (self.highest - self.lowest)
            self.limits = self.lowest - margin, self.highest + margin
        numeric = self._finite(X)
        known = ~np.isnan(numeric)
        mass = weights @ known
        mass[mass == 0] = 1
        self.mean = weights @ np.where(known, numeric, 0) / mass
        self.scale = np.ones(numeric.shape[1])
        if normalize:
            centred = np.where(known, numeric - self.mean, 0)
            self.scale = np.sqrt(weights @ centred ** 2 / mass)
        # A constant column is equally far from all labelled rows. Its deviation may
        # be a rounding error, which would make it infinitely important.
        self.scale[(self.scale == 0) | (self.lowest == self.highest)] = np.inf
        codes = X[:, categorical]
        self.n_values = np.array(
            [_largest_code(column) + 1 for column in codes.T], dtype=int)
        self.mode = np.array(
            [np.argmax(np.bincount(column[known].astype(int), weights[known],
                                   minlength=1))
             for column in codes.T for known in (~np.isnan(column),)], dtype=int)

    def __call__(self, X):
        """Give the coordinates of rows."""
        numeric = self._finite(X)
        numeric = np.where(np.isnan(numeric), self.mean, numeric)
        parts = [(numeric - self.mean) / self.scale]
        for column, n_values, mode in zip(
                X[:, self.categorical].T, self.n_values, self.mode, strict=True):
            codes = np.where(np.isnan(column), mode, column).astype(int)
            # A category never seen is as far from one as from any other
            parts.append((codes[:, None] == np.arange(n_values)).astype(np.float64))
        if not X.shape[1]:
            return np.zeros((len(X), 1))  # all rows are in the same place
        return np.ascontiguousarray(np.concatenate(parts, axis=1))

    def _finite(self, X):
        numeric = X[:, ~self.categorical]
        # Infinite values would be infinitely far from each other, and from the mean;
        # squares of values far from all labelled ones would overflow
        return np.where(np.isinf(numeric),
                        np.clip(numeric, self.lowest, self.highest),
                        np.clip(numeric, *self.limits)) / self.unit


def _finite_range(numeric):
    finite = np.isfinite(numeric)
    lowest = np.where(finite, numeric, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(finite, numeric, -np.inf).max(axis=0, initial=-np.inf)
    some = finite.any(axis=0)
    return np.where(some, lowest, 0), np.where(some, highest, 0)


def _largest_code(column):
    return int(np.nanmax(column, initial=0)) if len(column) else 0


@dataclass
class PseudoLabels:
    """
    Pseudo-labels of the unlabelled rows.

    Attributes
    ----------
    classes : ndarray of int
        Class index of each unlabelled row.
    confidence : ndarray of float64
        Share of the votes that this class has got.
    k : int
        Number of neighbours.
    k_scores : dict
        Accuracy of each k that was tried; empty if k was given or rows were too few.
    """

    classes: np.ndarray
    confidence: np.ndarray
    k: int
    k_scores: dict = field(default_factory=dict)


def pseudo_label(X, classes, n_classes, pool, *, categorical=None, k="auto",
                 normalize=True, weights=None, random_state=0, callback=None):
    """
    Give the unlabelled rows the labels of their nearest neighbours.

    Parameters
    ----------
    X : ndarray of float64, shape (n_labelled, n_features)
        Labelled rows; NaN where a value is missing.
    classes : ndarray of int, shape (n_labelled,)
    n_classes : int
    pool : ndarray of float64, shape (n_unlabelled, n_features)
        Unlabelled rows.
    categorical : ndarray of bool, optional
        Categorical columns; they hold codes.
    k : "auto", int, or sequence of int
        Number of neighbours; chosen from the sequence, or from `K_GRID`, by
        `choose_k`. Never more than there are labelled rows, by weight.
    normalize : bool
        Standardize the numeric columns.
    weights : ndarray of float64, optional
        A row of weight w votes like w equal rows.
    random_state : int, RandomState instance or None
    callback : callable, optional
        Is told the share of work done. May raise an exception to stop it.

    Returns
    -------
    PseudoLabels

    Examples
    --------
    >>> import numpy as np
    >>> X, pool = np.array([[0.], [1.], [8.], [9.]]), np.array([[2.], [7.]])
    >>> pseudo_label(X, np.array([0, 0, 1, 1]), 2, pool, k=1).classes
    array([0, 1])
    """
    labeller = Labeller(
        X, classes, n_classes, categorical=categorical, k=k, normalize=normalize,
        weights=weights, random_state=random_state, callback=callback)
    found, confidence = labeller(pool, callback)
    return PseudoLabels(found, confidence, labeller.k, labeller.k_scores)


class Labeller:
    """
    Gives rows the labels of their nearest neighbours among the labelled ones.

    Parameters
    ----------
    X, classes, n_classes, categorical, k, normalize, weights, random_state, callback
        As for `pseudo_label`; the callback is told about the choice of k.

    Attributes
    ----------
    k, k_scores
        As for `PseudoLabels`.

    Examples
    --------
    >>> import numpy as np
    >>> labeller = Labeller(np.array([[0.], [9.]]), np.array([0, 1]), 2, k=1)
    >>> labeller(np.array([[2.], [7.]]))
    (array([0, 1]), array([1., 1.]))
    """

    def __init__(self, X, classes, n_classes, *, categorical=None, k="auto",
                 normalize=True, weights=None, random_state=0, callback=None):
        if categorical is None:
            categorical = np.zeros(X.shape[1], dtype=bool)
        if weights is None:
            weights = np.ones(len(X))
        # Not even the sums behind mean and deviation may depend on the order of rows
        order = _own_order(X, classes)
        self.space = NeighbourSpace(X[order], categorical, normalize, weights[order])
        points = self.space(X)
        # The same for data that are normalized already
        order = _own_order(points, classes)
        self.points = points[order]
        self.classes, self.weights = classes[order], weights[order]
        self.n_classes = n_classes
        self.k_scores = {}
        if isinstance(k, (int, np.integer)):
            k = int(k)
        else:
            candidates = K_GRID if isinstance(k, str) else k
            k, self.k_scores = choose_k(
                self.points, self.classes, n_classes, candidates, weights=self.weights,
                random_state=random_state, callback=callback)
        self.k = min(k, max(1, int(weights.sum())))

    def __call__(self, pool, callback=None):
        """
        Label rows.

        Parameters
        ----------
        pool : ndarray of float64, shape (n_rows, n_features)
        callback : callable, optional
            Is told the share of work done.

        Returns
        -------
        classes : ndarray of int
        confidence : ndarray of float64
            Share of the votes that this class has got.
        """
        votes, = _votes(self.points, self.classes, self.n_classes, self.weights,
                        self.space(pool), [self.k], callback)
        return votes.argmax(axis=1), votes.max(axis=1)


def sample_labelled(n_rows, n_wanted, random_state):
    """Choose rows at random; give their numbers in increasing order."""
    return np.sort(sample_without_replacement(
        n_rows, n_wanted, random_state=check_random_state(random_state)))


def _own_order(X, classes):
    """Order of rows that depends on what they are, not on where they stand."""
    direction = np.random.RandomState(0).uniform(1, 2, X.shape[1])
    finite = np.nan_to_num(X, nan=0.5, posinf=1e9, neginf=-1e9)
    with np.errstate(over="ignore", invalid="ignore"):
        projection = np.einsum("ij,j->i", finite, direction)
    return np.lexsort((projection, classes))


def choose_k(points, classes, n_classes, candidates=K_GRID, *, weights=None,
             random_state=0, callback=None):
    """
    Choose the number of neighbours by validation.

    A random ninth of the rows, stratified by class, is predicted from the others. One
    search for the neighbours serves all candidates. The smallest of the best is
    chosen, and the smallest of all if there are too few rows.

    Parameters
    ----------
    points : ndarray of float64, shape (n_rows, n_coordinates)
    classes : ndarray of int
    n_classes : int
    candidates : sequence of int
    weights : ndarray of float64, optional
    random_state : int, RandomState instance or None
    callback : callable, optional

    Returns
    -------
    k : int
    scores : dict
        Accuracy of each candidate that the rows at hand allow for.
    """
    if weights is None:
        weights = np.ones(len(points))
    candidates = sorted(set(map(int, candidates)))
    if len(points) < FEWEST_ROWS:
        return candidates[0], {}
    validation = _stratified_share(classes, random_state)
    known = ~validation
    n_known = int(known.sum())
    candidates = [k for k in candidates if k <= n_known] or [n_known]
    truth = classes[validation]
    scores = {}
    votes = _votes(points[known], classes[known], n_classes, weights[known],
                   points[validation], candidates, callback)
    for k, vote in zip(candidates, votes, strict=True):
        scores[k] = float(np.average(vote.argmax(axis=1) == truth,
                                     weights=weights[validation]))
    best = max(scores.values())
    return min(k for k, score in scores.items() if score == best), scores


def _stratified_share(classes, random_state):
    """Mask of a random ninth of the rows, of each class as nearly as possible."""
    random = check_random_state(random_state)
    shuffled = random.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    mask = np.zeros(len(classes), dtype=bool)
    mask[by_class[random.randint(VALIDATION_SHARE)::VALIDATION_SHARE]] = True
    return mask


def _votes(points, classes, n_classes, weights, queries, ks, callback):
    """Share of votes for each class, queries x classes, for each of `ks`."""
    largest = min(max(ks), len(points))
    search = NearestNeighbors(n_neighbors=min(largest + SPARE, len(points)),
                              algorithm="brute").fit(points)
    votes = [np.zeros((len(queries), n_classes)) for _ in ks]
    n_cells = search.n_neighbors * max(points.shape[1], n_classes, 1)
    step = max(1, min(BLOCK_CELLS // n_cells, 8192))
    for start in range(0, len(queries), step):
        block = queries[start:start + step]
        nearest = search.kneighbors(block, return_distance=False)
        nearest.sort(axis=1)  # rows are in their own order: the first of equals wins
        distances = ((points[nearest] - block[:, None]) ** 2).sum(axis=2)
        fraction, exponent = np.frexp(distances)
        distances = np.ldexp(np.round(fraction / EQUAL), exponent)
        by_distance = np.argsort(distances, axis=1, kind="stable")[:, :largest]
        nearest = np.take_along_axis(nearest, by_distance, axis=1)
        # A row of weight w stands for w rows at the same place
        used = np.cumsum(weights[nearest], axis=1)
        before = used - weights[nearest]
        cell = np.arange(len(block))[:, None] * n_classes + classes[nearest]
        for vote, k in zip(votes, ks, strict=True):
            counted = np.clip(k - before[:, :k], 0, weights[nearest[:, :k]])
            sums = np.bincount(cell[:, :k].ravel(), counted.ravel(),
                               minlength=len(block) * n_classes)
            sums = sums.reshape(len(block), n_classes)
            vote[start:start + step] = sums / sums.sum(axis=1, keepdims=True)
        if callback is not None:
            callback(min(1.0, (start + step) / len(queries)))
    return votes
