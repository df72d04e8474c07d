"""The labels of the nearest neighbours, as published.

The first step of SADD (Wang, Ren and Bai, 2023, section 3.3). Results do not depend on
the order of rows, because labelled rows are sorted first. Equal distances go to the
first row, and equal votes to the first label. Labels are in alphabetical order, so
their names decide such ties.
"""

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

__all__ = ["K_GRID", "Neighbours", "choose_by_leaving_one_out", "choose_by_validation",
           "own_order", "vote"]

K_GRID = (1, 3, 5, 7, 9, 11, 15, 21, 31)

# With fewer labelled rows, leave-one-out is too noisy to choose k
FEWEST_ROWS = 20

# More rows than this are not left out in turn, but a sample of them; fewer rows are
# enough for the score of a given k
MOST_LEFT_OUT = 10_000
MOST_SCORED = 2_000

# In the paper a ninth of the labelled rows chooses k: one of nine training folds
VALIDATION_SHARE = 9

# Neighbours beyond k that are also found, because the search may confuse equal
# distances
SPARE = 4

# Distances are equal up to this relative error of rounding
EQUAL = 2.0 ** -40

# Distances by products of matrices have at most this error, relative to the squared
# lengths of both rows
UNCERTAIN = 1e-11

# Distances computed at a time
BLOCK_CELLS = 2 ** 23


def own_order(X, classes):
    """Return an order of rows that depends on their values only."""
    direction = np.random.RandomState(0).uniform(1, 2, X.shape[1])
    finite = np.nan_to_num(X, nan=0.5, posinf=1e9, neginf=-1e9)
    with np.errstate(over="ignore", invalid="ignore"):
        projection = np.einsum("ij,j->i", finite, direction)
    return np.lexsort((projection, classes))


class Neighbours:
    """
    Predict labels by the nearest labelled rows.

    Parameters
    ----------
    points : ndarray of float64, shape (n_rows, n_coordinates)
        Labelled rows.
    classes : ndarray of int, shape (n_rows,)
    n_classes : int
    weights : ndarray of float64, shape (n_rows,), optional
        A row of weight w votes like w equal rows.
    k : "auto", "validation", int, or sequence of int
        Number of neighbours. `choose_by_leaving_one_out` chooses it from a sequence, or
        from `K_GRID` if it is "auto". `choose_by_validation` chooses it as in the
        paper, if it is "validation". At most the weight of labelled rows.
    random_state : int, RandomState instance or None
    callback : callable, optional
        Called while k is being chosen, with the fraction done.

    Attributes
    ----------
    k : int
    k_scores : dict
        Accuracy of each k that was tried; empty if k was given or rows were too few.

    Examples
    --------
    >>> import numpy as np
    >>> neighbours = Neighbours(np.array([[0.], [1.], [8.]]), np.array([0, 0, 1]), 2,
    ...                         k=1)
    >>> neighbours.predict_proba(np.array([[2.], [7.]]))
    array([[1., 0.],
           [0., 1.]])
    """

    def __init__(self, points, classes, n_classes, weights=None, *, k="auto",
                 random_state=0, callback=None):
        if weights is None:
            weights = np.ones(len(points))
        order = own_order(points, classes)
        self.points = points[order]
        self.classes, self.weights = classes[order], weights[order]
        self.n_classes = n_classes
        self.k_scores, self._score = {}, None
        if isinstance(k, (int, np.integer)):
            k = int(k)
        elif isinstance(k, str) and k == "validation":
            k, self.k_scores = choose_by_validation(
                self.points, self.classes, n_classes, weights=self.weights,
                random_state=random_state, callback=callback)
        else:
            k, self.k_scores, self._score = choose_by_leaving_one_out(
                self.points, self.classes, n_classes, K_GRID if isinstance(k, str)
                else k, weights=self.weights, random_state=random_state,
                callback=callback)
        self.k = min(k, max(1, int(weights.sum())))

    def predict_proba(self, points, callback=None):
        """Return the share of votes for each class, rows x classes."""
        votes, = vote(self.points, self.classes, self.n_classes, self.weights, points,
                      [self.k], callback=callback)
        return votes

    def score(self, random_state=0, callback=None):
        """
        Return the number of rows that are predicted correctly when they are left out.

        Returns
        -------
        right, total : int
            Of all rows, or of a sample of them.
        """
        if self._score is None:  # it was computed when k was chosen
            rows = _left_out(len(self.points), random_state, MOST_SCORED)
            votes, = vote(self.points, self.classes, self.n_classes, self.weights,
                          self.points[rows], [self.k], own=rows, callback=callback)
            self._score = _n_right(votes, self.classes[rows]), len(rows)
        return self._score


def choose_by_leaving_one_out(points, classes, n_classes, candidates=K_GRID, *,
                              weights=None, random_state=0, callback=None):
    """
    Choose the number of neighbours by leave-one-out.

    One search serves all candidates. Equal votes count in part, so that neither the
    names nor the order of classes matter. Ties go to the smallest candidate. With fewer
    rows than `FEWEST_ROWS`, the smallest candidate is chosen.

    Parameters
    ----------
    points, classes, n_classes, weights
        As for `Neighbours`; sorted.
    candidates : sequence of int
    random_state : int, RandomState instance or None
        For the sample, if there are more rows than `MOST_LEFT_OUT`.
    callback : callable, optional

    Returns
    -------
    k : int
    scores : dict
        Accuracy of each candidate for which there are enough rows.
    score : tuple of int, or None
        Of this k, see `Neighbours.score`.
    """
    candidates = sorted(set(map(int, candidates)))
    if len(points) < FEWEST_ROWS:
        return candidates[0], {}, None
    weights = np.ones(len(points)) if weights is None else weights
    most = len(points) - 1
    candidates = [k for k in candidates if k <= most] or [most]
    rows = _left_out(len(points), random_state, MOST_LEFT_OUT)
    votes = vote(points, classes, n_classes, weights, points[rows], candidates,
                 own=rows, callback=callback)
    scores, n_right = {}, {}
    for k, shares in zip(candidates, votes, strict=True):
        best = np.isclose(shares, shares.max(axis=1, keepdims=True), rtol=1e-9, atol=0)
        right = best[np.arange(len(rows)), classes[rows]] / best.sum(axis=1)
        scores[k] = float(np.average(right, weights=weights[rows]))
        n_right[k] = _n_right(shares, classes[rows])
    k = _smallest_of_best(scores)
    return k, scores, (n_right[k], len(rows))


def _n_right(votes, classes):
    # A single row has no neighbours
    return int(np.sum((votes.argmax(axis=1) == classes) & votes.any(axis=1)))


def choose_by_validation(points, classes, n_classes, candidates=K_GRID, *,
                         weights=None, random_state=0, callback=None):
    """
    Choose the number of neighbours as in the paper, by validation.

    A random ninth of the rows, stratified by class, is predicted from the other rows.
    Ties go to the smallest candidate. With fewer than 18 rows, the smallest candidate
    is chosen.

    Parameters and the first two results are as for `choose_by_leaving_one_out`.
    """
    candidates = sorted(set(map(int, candidates)))
    if len(points) < 2 * VALIDATION_SHARE:
        return candidates[0], {}
    weights = np.ones(len(points)) if weights is None else weights
    validation = _stratified_share(classes, random_state)
    known = ~validation
    n_known = int(known.sum())
    candidates = [k for k in candidates if k <= n_known] or [n_known]
    votes = vote(points[known], classes[known], n_classes, weights[known],
                 points[validation], candidates, callback=callback)
    scores = {k: float(np.average(shares.argmax(axis=1) == classes[validation],
                                  weights=weights[validation]))
              for k, shares in zip(candidates, votes, strict=True)}
    return _smallest_of_best(scores), scores


def _smallest_of_best(scores):
    best = max(scores.values())
    # Other names of classes change the order of sums, and so their rounding
    return min(k for k, score in scores.items() if score >= best - 1e-12)


def _left_out(n_rows, random_state, most):
    """Return the rows to leave out in turn, in increasing order."""
    if n_rows <= most:
        return np.arange(n_rows)
    random = check_random_state(random_state)
    return np.sort(random.choice(n_rows, most, replace=False))


def _stratified_share(classes, random_state):
    """Return a mask of a random ninth of the rows, of each class as far as possible."""
    random = check_random_state(random_state)
    shuffled = random.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    mask = np.zeros(len(classes), dtype=bool)
    mask[by_class[random.randint(VALIDATION_SHARE)::VALIDATION_SHARE]] = True
    return mask


def vote(points, classes, n_classes, weights, queries, ks, *, own=None, callback=None):
    """
    Count the votes of the nearest rows for the classes of other rows.

    Parameters
    ----------
    points, classes, n_classes, weights
        As for `Neighbours`; sorted. Ties are decided by this order.
    queries : ndarray of float64, shape (n_queries, n_coordinates)
    ks : sequence of int
        Numbers of neighbours; one search serves all of them.
    own : ndarray of int, shape (n_queries,), optional
        The row that each query is. One row of its weight is left out.
    callback : callable, optional
        Called with the fraction done.

    Returns
    -------
    list of ndarray, shape (n_queries, n_classes)
        Share of the votes for each class, for each of `ks`; zero without votes.
    """
    n_own = 0 if own is None else 1
    largest = min(max(ks) + n_own, len(points))
    search = NearestNeighbors(n_neighbors=min(largest + SPARE, len(points)),
                              algorithm="brute").fit(points)
    lengths = np.einsum("ij,ij->i", points, points)
    unweighted = np.all(weights == 1)
    votes = [np.zeros((len(queries), n_classes)) for _ in ks]
    n_cells = search.n_neighbors * max(points.shape[1], n_classes, 1)
    step = max(1, min(BLOCK_CELLS // n_cells, 8192))
    for start in range(0, len(queries), step):
        block = queries[start:start + step]
        distances, nearest = search.kneighbors(block)
        unsure = np.ones(len(block), dtype=bool)
        if unweighted:  # the order of the nearest k does not matter
            unsure = _near_ties(distances ** 2, np.einsum("ij,ij->i", block, block)
                                + lengths.max(), [k + n_own for k in ks])
        if unsure.any():
            nearest[unsure] = _exactly(points, block[unsure], nearest[unsure])
        nearest = nearest[:, :largest]
        weight = weights[nearest]
        if own is not None:
            is_own = nearest == own[start:start + step, None]
            weight = np.where(is_own, np.maximum(weight - 1, 0), weight)
        # A row of weight w stands for w rows in the same place
        before = np.cumsum(weight, axis=1) - weight
        cell = np.arange(len(block))[:, None] * n_classes + classes[nearest]
        for shares, k in zip(votes, ks, strict=True):
            nearest_k = slice(k + n_own)
            counted = np.clip(k - before[:, nearest_k], 0, weight[:, nearest_k])
            sums = np.bincount(cell[:, nearest_k].ravel(), counted.ravel(),
                               minlength=len(block) * n_classes)
            sums = sums.reshape(len(block), n_classes)
            total = sums.sum(axis=1, keepdims=True)
            shares[start:start + step] = sums / np.where(total > 0, total, 1)
        if callback is not None:
            callback(min(1.0, (start + step) / len(queries)))
    return votes


def _near_ties(squares, size, ks):
    """Return which rows have neighbours, next to the k-th, that are as near as it."""
    unsure = np.zeros(len(squares), dtype=bool)
    for k in ks:
        if k < squares.shape[1]:
            gap = squares[:, k] - squares[:, k - 1]
            unsure |= gap <= UNCERTAIN * size + 4 * EQUAL * squares[:, k]
    return unsure


def _exactly(points, queries, nearest):
    """
    Put the nearest rows in order.

    The search computes distances as differences of large numbers. Of equal distances,
    the first in the order of rows is the nearest.
    """
    nearest = np.sort(nearest, axis=1)
    squares = ((points[nearest] - queries[:, None]) ** 2).sum(axis=2)
    fraction, exponent = np.frexp(squares)
    squares = np.ldexp(np.round(fraction / EQUAL) * EQUAL, exponent)
    order = np.argsort(squares, axis=1, kind="stable")
    return np.take_along_axis(nearest, order, axis=1)
