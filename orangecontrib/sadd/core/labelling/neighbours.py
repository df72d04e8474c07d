"""The labels of the nearest neighbours, as published.

The first step of SADD (Wang, Ren and Bai, 2023, section 3.3). Results do not depend on
the order of rows, because labelled rows are sorted first. Equal distances go to the
first row, and equal votes to the first label. Labels are in alphabetical order, so
their names decide such ties.
"""

import numpy as np
from sklearn.neighbors import NearestNeighbors
from sklearn.utils import check_random_state

__all__ = ["K_GRID", "Neighbours", "own_order"]

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
        Number of neighbours. It is chosen from a sequence, or from `K_GRID`, by
        leave-one-out, or by validation if it is "validation". Ties go to the smallest
        candidate. If rows are too few, the smallest candidate is chosen. At most the
        weight of labelled rows.
    random_state : int, RandomState instance or None
        For the rows that choose k.
    callback : callable, optional
        Called while k is being chosen, with the fraction done.

    Attributes
    ----------
    points, classes, weights : ndarray
        Labelled rows in an order that depends on their values only.
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
        weights = np.ones(len(points)) if weights is None else weights
        order = own_order(points, classes)
        self.points, self.classes = points[order], classes[order]
        self.n_classes, self.weights = n_classes, weights[order]
        self.k_scores, self._score = {}, None
        by_validation = isinstance(k, str) and k == "validation"
        candidates = K_GRID if isinstance(k, str) \
            else sorted(set(map(int, np.ravel(k))))
        if isinstance(k, (int, np.integer)) or len(points) < (
                2 * VALIDATION_SHARE if by_validation else FEWEST_ROWS):
            chosen = candidates[0]
        else:
            choose = self._choose_by_validation if by_validation \
                else self._choose_by_leaving_one_out
            chosen = choose(candidates, random_state, callback)
        self.k = min(chosen, max(1, int(weights.sum())))

    def _choose_by_leaving_one_out(self, candidates, random_state, callback):
        """
        Return the k with the best leave-one-out accuracy.

        One search serves all candidates. Equal votes count in part, so that neither the
        names nor the order of classes matter.
        """
        candidates = _at_most(candidates, len(self.points) - 1)
        rows, votes = self._leave_out(candidates, random_state, MOST_LEFT_OUT, callback)
        classes = self.classes[rows]
        for k, shares in zip(candidates, votes, strict=True):
            best = np.isclose(
                shares, shares.max(axis=1, keepdims=True), rtol=1e-9, atol=0)
            right = best[np.arange(len(rows)), classes] / best.sum(axis=1)
            self.k_scores[k] = float(np.average(right, weights=self.weights[rows]))
        chosen = self._smallest_of_best()
        self._score = _n_right(votes[candidates.index(chosen)], classes), len(rows)
        return chosen

    def _choose_by_validation(self, candidates, random_state, callback):
        """
        Return the k with the best accuracy on validation rows, as in the paper.

        A random ninth of the rows, stratified by class, is predicted from the other
        rows.
        """
        validation = _stratified_share(self.classes, random_state)
        known = Neighbours(self.points[~validation], self.classes[~validation],
                           self.n_classes, self.weights[~validation], k=1)
        candidates = _at_most(candidates, len(known.points))
        votes = known.vote(self.points[validation], candidates, callback=callback)
        for k, shares in zip(candidates, votes, strict=True):
            self.k_scores[k] = float(np.average(
                shares.argmax(axis=1) == self.classes[validation],
                weights=self.weights[validation]))
        return self._smallest_of_best()

    def _smallest_of_best(self):
        best = max(self.k_scores.values())
        # Other names of classes change the order of sums, and so their rounding
        return min(k for k, score in self.k_scores.items() if score >= best - 1e-12)

    def predict_proba(self, points, callback=None):
        """Return the share of votes for each class, rows x classes."""
        votes, = self.vote(points, [self.k], callback=callback)
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
            rows, (votes,) = self._leave_out(
                [self.k], random_state, MOST_SCORED, callback)
            self._score = _n_right(votes, self.classes[rows]), len(rows)
        return self._score

    def _leave_out(self, ks, random_state, most, callback):
        """Return a sample of rows, and the votes for each if it is left out."""
        rows = np.arange(len(self.points))
        if len(rows) > most:
            random = check_random_state(random_state)
            rows = np.sort(random.choice(len(rows), most, replace=False))
        return rows, self.vote(self.points[rows], ks, own=rows, callback=callback)

    def vote(self, queries, ks, *, own=None, callback=None):
        """
        Count the votes of the nearest rows for the classes of other rows.

        Parameters
        ----------
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
        points, weights, n_classes = self.points, self.weights, self.n_classes
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
            cell = np.arange(len(block))[:, None] * n_classes + self.classes[nearest]
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


def _at_most(candidates, most):
    return [k for k in candidates if k <= most] or [most]


def _n_right(votes, classes):
    # A single row has no neighbours
    return int(np.sum((votes.argmax(axis=1) == classes) & votes.any(axis=1)))


def _stratified_share(classes, random_state):
    """Return a mask of a random ninth of the rows, of each class as far as possible."""
    random = check_random_state(random_state)
    shuffled = random.permutation(len(classes))
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    mask = np.zeros(len(classes), dtype=bool)
    mask[by_class[random.randint(VALIDATION_SHARE)::VALIDATION_SHARE]] = True
    return mask


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
