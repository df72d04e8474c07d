"""The labels of the nearest neighbours, as published.

The first step of SADD (Wang, Ren and Bai, 2023, section 3.3). Neither the order of rows
nor the names of classes decide a tie:

* Of equally distant neighbours, those come first whose values are first in an arbitrary
  but fixed order. Of equal rows, those of the larger class come first.
* Of classes with equal votes, the class wins whose voting neighbours are nearer: those
  with the smaller sum of distances. If these are also equal, the larger class wins.
  Only classes of the same size are left to the order of their labels.
"""

import numpy as np
from sklearn.utils import check_random_state

from orangecontrib.sadd.core.labelling.search import find_nearest, measure, project

__all__ = ["K_GRID", "Neighbours"]

K_GRID = (1, 3, 5, 7, 9, 11, 15, 21, 31)

# With fewer labelled rows, leave-one-out is too noisy to choose k
FEWEST_ROWS = 20

# More rows than this are not left out in turn, but a sample of them; fewer rows are
# enough for a score
MOST_LEFT_OUT = 10_000
MOST_SCORED = 2_000

# In the paper a ninth of the labelled rows chooses k: one of nine training folds
VALIDATION_SHARE = 9

# Sums of votes, of distances, and of correct rows are equal up to this relative error
ROUNDING = 1e-9


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
        A row of weight w votes like w equal rows, also if w is below 1.
    k : "auto", "validation", int, or sequence of int
        Number of neighbours. It is chosen from a sequence, or from `K_GRID`, by
        leave-one-out, or by validation if it is "validation". Ties go to the smallest
        candidate. If rows are too few, the smallest candidate is chosen. At most the
        weight of labelled rows.
    random_state : int, RandomState instance or None
        For the rows that choose k, and for those that are left out for the score.
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
    >>> neighbours.predict(np.array([[2.], [7.]]))
    (array([[1., 0.],
           [0., 1.]]), array([0, 1]))
    """

    def __init__(self, points, classes, n_classes, weights=None, *, k="auto",
                 random_state=0, callback=None):
        weights = np.ones(len(points)) if weights is None else weights
        sizes = np.bincount(classes, weights, n_classes)
        order = np.lexsort((classes, -sizes[classes], project(points)))
        self.points, self.classes = points[order], classes[order]
        self.weights, self.n_classes, self._sizes = weights[order], n_classes, sizes
        self.k_scores, self._n_right = {}, None
        self._judged = self._sample(MOST_SCORED, random_state)
        by_validation = isinstance(k, str) and k == "validation"
        candidates = K_GRID if isinstance(k, str) \
            else sorted(set(map(int, np.ravel(k))))
        if isinstance(k, (int, np.integer)) or len(points) < (
                2 * VALIDATION_SHARE if by_validation else FEWEST_ROWS):
            chosen = candidates[0]
        else:
            chosen = self._choose(candidates, by_validation, random_state, callback)
        self.k = min(chosen, max(1, int(weights.sum())))

    def predict(self, points, callback=None):
        """
        Predict the classes of rows.

        Returns
        -------
        proba : ndarray of float64, shape (n_rows, n_classes)
            Share of the votes for each class.
        classes : ndarray of int, shape (n_rows,)
        """
        proba = np.zeros((len(points), self.n_classes))
        classes = np.zeros(len(points), dtype=np.intp)
        for near in self._search(points, self.k, callback=callback):
            proba[near.rows], classes[near.rows] = self._elect(near, self.k)
        return proba, classes

    def score(self, callback=None):
        """
        Return the number of rows that are predicted correctly when they are left out.

        If k has been chosen, k is chosen again for each of these rows, without it.
        Rows that chose k would judge it too well.

        Returns
        -------
        right, total : int
            Of all rows, or of a sample of them.
        """
        if self._n_right is None:  # it was computed when k was chosen
            right, _ = self._leave_out(self._judged, [self.k], callback=callback)
            self._n_right = int(right.sum())
        return self._n_right, len(self._judged)

    def _choose(self, candidates, by_validation, random_state, callback):
        """
        Return the k that predicts most left-out rows correctly.

        One search serves all candidates. Each row is left out in turn. For validation,
        a random ninth is left out together, as in the paper.
        """
        weights = self.weights
        if by_validation:
            is_left_out = _stratified_share(self.classes, random_state)
            rows = np.flatnonzero(is_left_out)
            weights = np.where(is_left_out, 0, weights)
        else:
            rows = self._sample(MOST_LEFT_OUT, random_state)
        most = np.count_nonzero(weights) - (not by_validation)
        ks = [k for k in candidates if k <= most] or [max(1, most)]
        right, without = self._leave_out(
            rows, ks, self._judged, weights=weights, callback=callback)
        own = right if np.array_equal(rows, self._judged) \
            else self._leave_out(self._judged, ks)[0]
        self._n_right = int(own[np.arange(len(own)), _first_best(without)].sum())
        scores = self.weights[rows] @ right / self.weights[rows].sum()
        self.k_scores = dict(zip(ks, scores.tolist(), strict=True))
        return ks[_first_best(scores)]

    def _sample(self, most, random_state):
        """Return the indices of all rows, or of a random sample of them."""
        n_rows = len(self.points)
        if n_rows <= most:
            return np.arange(n_rows)
        random = check_random_state(random_state)
        return np.sort(random.choice(n_rows, most, replace=False))

    def _leave_out(self, rows, ks, judged=None, *, weights=None, callback=None):
        """
        Predict rows without themselves, then without each of their neighbours.

        Parameters
        ----------
        rows : ndarray of int
        ks : list of int
        judged : ndarray of int, optional
            The rows that are neighbours to be left out.
        weights : ndarray of float64, optional
            Of all rows, where they differ from `self.weights`.

        Returns
        -------
        right : ndarray of bool, shape (n_rows, n_ks)
            Whether the class of each of `rows` is predicted.
        without : ndarray of float64, shape (n_judged, n_ks)
            The weight of `rows` that are predicted correctly if a judged row does not
            exist. Its label does not even count as a neighbour's.
        """
        judged = rows[:0] if judged is None else judged
        place = np.full(len(self.points), -1)
        place[judged] = np.arange(len(judged))
        right = np.zeros((len(rows), len(ks)), dtype=bool)
        change = np.zeros((len(ks), len(judged)))
        for near in self._search(
                self.points[rows], max(ks), rows, weights, n_more=1, callback=callback):
            own = rows[near.rows]
            for index, k in enumerate(ks):
                right[near.rows, index] = self._predicts(near, k, own)
                change[index] += self._changes(
                    near, k, own, right[near.rows, index], place, len(judged))
        weights = self.weights[rows]
        mine = np.flatnonzero(place[rows] >= 0)
        change[:, place[rows[mine]]] -= (
            np.minimum(weights[mine], 1)[:, None] * right[mine]).T
        return right, weights @ right + change.T

    def _predicts(self, near, k, own, *left_out):
        """Return whether neighbours predict the classes of the rows `own`."""
        proba, classes = self._elect(near, k, own, *left_out)
        # A single row has no neighbours
        return (classes == self.classes[own]) & proba.any(axis=1)

    def _changes(self, near, k, own, right, place, n_judged):
        """
        Return how many more rows are right without each of their neighbours.

        A row of weight w stands for w rows, and one of them is left out.
        """
        near, before = near.within(k + 1)
        which, position = np.nonzero(
            (before < k) & (near.weights > 0) & (place[near.nearest] >= 0))
        fewer = near.take(which)
        every = np.arange(len(which))
        fewer.weights[every, position] = np.maximum(
            fewer.weights[every, position] - 1, 0)
        own, right, left_out = own[which], right[which], near.nearest[which, position]
        # One of the rows in the place of the row itself has been left out already
        weights = np.where(left_out == own, self.weights[own] - 1, self.weights[own])
        gain = self._predicts(fewer, k, own, left_out).astype(np.int8) - right
        return np.bincount(place[left_out], weights * gain, n_judged)

    def _search(self, queries, k, own=None, weights=None, **options):
        """Yield `Near` of rows, see `find_nearest`."""
        return find_nearest(
            self.points, self.weights if weights is None else weights, queries, k, own,
            width=self.n_classes, **options)

    def _elect(self, near, k, *left_out):
        """
        Count the votes of the nearest rows of weight k.

        Parameters
        ----------
        near : Near
        k : int
        *left_out : ndarray of int, shape (n_rows,)
            Labelled rows that do not count where the larger class wins.

        Returns
        -------
        shares : ndarray of float64, shape (n_rows, n_classes)
            Share of the votes for each class; zero without votes.
        classes : ndarray of int, shape (n_rows,)
            The class with most votes.
        """
        near, before = near.within(k)
        votes = np.clip(k - before, 0, near.weights)
        classes = self.classes[near.nearest]
        sums = self._sum_by_class(classes, votes)
        largest = sums.max(axis=1, keepdims=True)
        is_best = sums >= largest * (1 - ROUNDING)
        best = is_best.argmax(axis=1)
        tied = np.flatnonzero(is_best.sum(axis=1) > 1)
        if len(tied):
            near = near.take(tied)
            distances = near.distances if near.distances is not None \
                else measure(self.points, near.points, near.nearest)
            best[tied] = self._break_ties(
                is_best[tied],
                self._sum_by_class(classes[tied], votes[tied] * distances),
                [rows[tied] for rows in left_out])
        total = sums.sum(axis=1, keepdims=True)
        return sums / np.where(total > 0, total, 1), best

    def _sum_by_class(self, classes, numbers):
        """Return the sums of numbers, rows x classes."""
        shape = len(classes), self.n_classes
        cells = np.arange(len(classes))[:, None] * self.n_classes + classes
        sums = np.bincount(cells.ravel(), numbers.ravel(), shape[0] * shape[1])
        return sums.reshape(shape)

    def _break_ties(self, is_best, distances, left_out):
        """Return the nearer of the best classes, or the larger one, or the first."""
        distances = np.where(is_best, distances, np.inf)
        is_nearest = distances <= distances.min(axis=1, keepdims=True) * (1 + ROUNDING)
        sizes = np.where(is_nearest, self._sizes, 0)
        for rows in left_out:
            sizes[np.arange(len(rows)), self.classes[rows]] -= np.minimum(
                self.weights[rows], 1)
        return _first_best(sizes)


def _first_best(scores):
    """Return the index of the first of the largest scores in the last axis."""
    best = scores.max(axis=-1, keepdims=True)
    return (scores >= best * (1 - ROUNDING)).argmax(axis=-1)


def _stratified_share(classes, random_state):
    """Return a mask of a random ninth of the rows, of each class as far as possible."""
    random = check_random_state(random_state)
    rows = np.argsort(classes, kind="stable")
    shuffled = rows[random.permutation(len(classes))]
    by_class = shuffled[np.argsort(classes[shuffled], kind="stable")]
    mask = np.zeros(len(classes), dtype=bool)
    mask[by_class[random.randint(VALIDATION_SHARE)::VALIDATION_SHARE]] = True
    return mask
