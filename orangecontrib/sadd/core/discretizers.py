"""SADD, and MDLP which it adapts, as scikit-learn transformers."""

from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils._param_validation import Interval, StrOptions

from orangecontrib.sadd.core.discretizer_base import Discretizer, column_blocks
from orangecontrib.sadd.core.pseudolabels.neighbours import (
    pseudo_label,
    sample_labelled,
)
from orangecontrib.sadd.core.splitting.criterion import Decision
from orangecontrib.sadd.core.splitting.splitter import Splitter
from orangecontrib.sadd.core.types import (
    CategoricalFeatures,
    Floats,
    Neighbours,
    RandomState,
)
from orangecontrib.sadd.core.validation import encode_labels, is_unlabelled, read_target

__all__ = ["MDLPDiscretizer", "SADDDiscretizer"]

class _EntropyDiscretizer(Discretizer):
    """MDLP and SADD: the same, but for N0."""

    decisions_: list[list[Decision]]

    _parameter_constraints = {
        **Discretizer._parameter_constraints, "store_decisions": ["boolean"],
    }

    def _find_cuts(self, X, groups, callback):
        splitter = Splitter(
            getattr(self, "n0", None),
            largest=len(X) if groups.weights is None else None,
            explain=self.store_decisions)
        for block in column_blocks(X, self.categorical_features_, callback):
            splitter.add_columns(np.ascontiguousarray(X[:, block].T), groups)
        self._take_cuts(splitter, np.flatnonzero(~self.categorical_features_))

    def _find_cuts_of(self, columns, has_weight, callback):
        splitter = Splitter(
            getattr(self, "n0", None), largest=None if has_weight else columns.n_rows,
            explain=self.store_decisions)
        splitter.add_together(columns.totals, columns.sizes, columns.answer,
                              columns.threshold_cost, columns.round_size,
                              callback)
        self._take_cuts(splitter, columns.features)

    def _take_cuts(self, splitter, numeric):
        for feature, cuts in zip(numeric, splitter.cut_points(), strict=True):
            self.cut_points_[feature] = cuts
        self.mutual_information_[numeric] = splitter.mutual_information()
        if self.store_decisions:
            self.decisions_ = [[] for _ in self.cut_points_]
            for feature, decisions in zip(numeric, splitter.decisions(), strict=True):
                self.decisions_[feature] = decisions


class MDLPDiscretizer(_EntropyDiscretizer):
    """
    Minimum description length principle, MDLP.

    Cuts where the class information entropy is least, and goes on as long as the
    information gain pays for the description of the cut.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional
        Columns that are categorical already. They become codes.
    store_decisions : bool
        Keep `decisions_`.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cut points of each feature; none for categorical ones.
    n_intervals_ : ndarray of int
        Number of intervals, or of categories.
    mutual_information_ : ndarray of float64
        Between intervals and class, in bits, over rows whose value is known.
    decisions_ : list of list of Decision
        For each feature, what was decided about each interval: see `Decision`.
    classes_ : ndarray
    categories_ : list of ndarray or None
    categorical_features_ : ndarray of bool
    n_features_in_ : int
    feature_names_in_ : ndarray of str
    traffic_ : Traffic
        With Dask only: how many bytes were sent, in how many rounds.

    References
    ----------
    Fayyad, U. M., Irani, K. B. (1993). Multi-interval discretization of
    continuous-valued attributes for classification learning. IJCAI, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MDLPDiscretizer().fit(X, y).cut_points_[2]
    array([2.45, 4.75])
    """

    def __init__(self, *, categorical_features: CategoricalFeatures = None,
                 store_decisions: bool = False) -> None:
        self.categorical_features = categorical_features
        self.store_decisions = store_decisions


class SADDDiscretizer(_EntropyDiscretizer):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Unlabelled rows get pseudo-labels from their nearest neighbours. Then all rows are
    discretized as by MDLP, with a threshold that is lower where rows are few: it is
    multiplied by s(N / N0), where s is the logistic function and N the number of rows
    in the interval to be cut.

    Parameters
    ----------
    k : "auto", int, or sequence of int
        Number of neighbours. "auto" and a sequence choose the k, out of 1, 3, 5, 7, 9,
        11, 15, 21, 31 or of the sequence, that is the most accurate on a stratified
        ninth of the labelled rows; the smallest of equals; 1 if rows are too few.
    n0 : float or None
        N0, the number of rows above which the threshold approaches that of MDLP. None
        for the threshold of MDLP itself.
    normalize : bool
        Standardize numeric columns before distances are computed. The published code
        does not.
    unlabelled_label : label or None
        Rows with this label, and those with a missing one, are unlabelled. None if
        all labels are real.
    random_state : int, RandomState instance or None
        For the choice of rows that choose k.
    categorical_features : mask, indices, names, or "from_dtype", optional
        Columns that are categorical already. They become codes, and take part in the
        search for neighbours.
    store_decisions : bool
        Keep `decisions_`.
    max_labelled : int or None
        Take at most so many labelled rows, drawn at random, to find neighbours in.
        With Dask, they are sent to all workers, and are not to be too many.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, decisions_, classes_
        As for `MDLPDiscretizer`. Pseudo-labels count as labels.
    k_ : int or None
        Number of neighbours; None if there was no unlabelled row.
    k_scores_ : dict
        Accuracy of each k that was tried.
    pseudo_labels_ : ndarray
        Labels of the unlabelled rows, in their order.
    pseudo_label_confidence_ : ndarray of float64
        Share of the votes for these labels. With Dask, pseudo-labels stay where the
        rows are, and neither of the two is set.

    References
    ----------
    Wang, S., Ren, J., Bai, R. (2023). A semi-supervised adaptive discriminative
    discretization method improving discrimination power of regularized naive Bayes.
    Expert Systems with Applications 225, 120094.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1
    >>> sadd = SADDDiscretizer(k=5).fit(X, y)
    >>> sadd.cut_points_[3]
    array([0.8 , 1.35, 1.75])
    >>> len(sadd.pseudo_labels_)
    75
    """

    _parameter_constraints = {
        **_EntropyDiscretizer._parameter_constraints,
        "k": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left"),
              "array-like"],
        "n0": [Interval(Real, 0, None, closed="neither"), None],
        "normalize": ["boolean"],
        "unlabelled_label": "no_validation",
        "random_state": ["random_state"],
        "max_labelled": [Interval(Integral, 1, None, closed="left"), None],
    }

    k_: int | None
    k_scores_: dict[int, float]
    pseudo_labels_: npt.NDArray[Any]
    pseudo_label_confidence_: Floats

    def __init__(self, k: Neighbours = "auto", n0: float | None = 2000,
                 normalize: bool = True, *, unlabelled_label: object = -1,
                 random_state: RandomState = 0,
                 categorical_features: CategoricalFeatures = None,
                 store_decisions: bool = False, max_labelled: int | None = None
                 ) -> None:
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.unlabelled_label = unlabelled_label
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.store_decisions = store_decisions
        self.max_labelled = max_labelled

    def _read_classes(self, X, y, weights, callback):
        y = read_target(self, y, len(X))
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        # A row without weight counts neither as a neighbour nor as a row
        used = ~unlabelled if weights is None else ~unlabelled & (weights > 0)
        self.classes_, known = encode_labels(y[~unlabelled])
        self._check_labels(
            self.classes_, unlabelled=unlabelled.any(), used=used.any(),
            marked=not np.array_equal(unlabelled, is_unlabelled(y)))
        classes = np.empty(len(y), dtype=np.int64)
        classes[~unlabelled] = known
        self.k_, self.k_scores_ = None, {}
        self.pseudo_label_confidence_ = np.zeros(0)
        if unlabelled.any():
            used = np.flatnonzero(used)
            if self.max_labelled is not None and len(used) > self.max_labelled:
                used = used[sample_labelled(
                    len(used), self.max_labelled, self.random_state)]
            found = pseudo_label(
                X[used], classes[used], len(self.classes_), X[unlabelled],
                categorical=self.categorical_features_, k=self.k,
                normalize=self.normalize,
                weights=None if weights is None else weights[used],
                random_state=self.random_state, callback=callback)
            classes[unlabelled] = found.classes
            self.k_, self.k_scores_ = found.k, found.k_scores
            self.pseudo_label_confidence_ = found.confidence
        self.pseudo_labels_ = self.classes_[classes[unlabelled]]
        return classes

    def _check_labels(self, classes=None, *, unlabelled, used=True, marked=False):
        if not used:
            raise ValueError("All rows are unlabelled; SADD needs some labelled rows, "
                             "from which it takes labels for the others.")
        if len(classes) == 1 and marked:
            raise ValueError(
                f"Only one class remains, {classes[0]!r}, since rows labelled "
                f"{self.unlabelled_label!r} were read as unlabelled. If this is a "
                "label like any other, pass unlabelled_label=None.")

    def _keep_labeller(self, labeller):
        """Tell what k was chosen; pseudo-labels stay on the workers."""
        self.k_ = None if labeller is None else labeller.k
        self.k_scores_ = {} if labeller is None else labeller.k_scores
        for name in ("pseudo_labels_", "pseudo_label_confidence_"):
            vars(self).pop(name, None)  # of an earlier fit

    def check_parameters(self) -> None:
        super().check_parameters()
        if isinstance(self.k, str | Integral) and not isinstance(self.k, bool):
            return
        ks = np.asarray(self.k)
        if ks.ndim != 1 or not len(ks) or ks.dtype.kind not in "iu" or ks.min() < 1:
            raise ValueError("k must be 'auto', a whole number above 0, or a sequence "
                             f"of such numbers to choose from, not {self.k!r}.")
