"""SADD and MDLP as scikit-learn transformers.

They split intervals while the gain is high enough (`methods.entropy`). SADD also learns
from unlabelled rows.
"""

from copy import copy
from dataclasses import KW_ONLY, field
from numbers import Integral
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.anyrows import AnyRows
from orangecontrib.sadd.core.cuts import Cuts, Decided
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.labelling.labellers import check_labeller, label
from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.methods.cells import Sorters
from orangecontrib.sadd.core.methods.criterion import Decision
from orangecontrib.sadd.core.methods.entropy import accept, grow, join
from orangecontrib.sadd.core.parameters import (
    estimator_class,
    one_of,
    parameter,
    real,
    share_or_count,
    whole,
)
from orangecontrib.sadd.core.threads import part_of
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    LabellerLike,
    NeighbourCount,
    RandomState,
)

__all__ = ["MDLPDiscretizer", "SADDDiscretizer"]

# The share of labelling in the progress of a fit
LABELLING_SHARE = 0.5


@estimator_class
class _EntropyDiscretizer(Discretizer):
    """
    Base class of MDLP and SADD, which differ in N0 and in pseudo-labels.

    Attributes
    ----------
    decisions_ : list of list of Decision
        For each feature, the decision about each interval, if `store_decisions`.
    """

    _: KW_ONLY
    min_samples: float | None = parameter(
        None, [*share_or_count, None], "int, float or None",
        "Minimum weight of rows in an interval.",
        "A number, or a share below 1 of the rows that are not missing. Rows with "
        "pseudo-labels count as rows. Cuts that leave fewer rows are not considered.",
        title="Minimum rows", lowest=1, highest=10 ** 6, fitted=(1, 1000))
    max_intervals: int | None = parameter(
        None, [whole(), None], "int or None",
        "Maximum number of intervals. Cuts with the highest gain are kept.",
        "A cut is kept only with the cuts that delimit the interval it divides.",
        title="Maximum intervals", lowest=1, highest=10 ** 6)
    store_decisions: bool = parameter(
        False, ["boolean"], "bool", "Keep `decisions_`.", shared=False)

    makes_decisions = True

    def _find_cuts(self, rows, callback):
        n_classes, sorters = len(rows.labels.classes), Sorters()
        trees = join(self._map_blocks(lambda block: grow(
            block.columns, block.classes, block.weights, n_classes, self.n0,
            min_samples=self.min_samples, any_n0=self.store_decisions,
            sorters=sorters), rows, callback), n_classes)
        accepted = accept(trees, self.n0, self.max_intervals)
        columns = zip(
            accepted.cut_points, accepted.counts(), trees.missing,
            accepted.mutual_information(), trees.ranges, strict=True)
        return columns, Decided(accepted, rows.features, self.max_intervals) \
            if self.store_decisions else None

    @property
    def decisions_(self) -> list[list[Decision]]:
        """The decisions about each feature."""
        if self.cuts_.decided is None:
            raise AttributeError("decisions_ needs store_decisions=True.")
        return [self.cuts_.decisions(feature) for feature in range(len(self.cuts_))]

    def with_n0(self, n0: float | None) -> Self:
        """
        Return a copy that is fitted with another N0, without reading the data again.

        Parameters
        ----------
        n0 : float or None
            N0 of SADD; None for MDLP on the same rows.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> sadd = SADDDiscretizer(store_decisions=True)
        >>> sadd.fit(*load_iris(return_X_y=True)).n_intervals_
        array([5, 3, 4, 4])
        >>> sadd.with_n0(None).n_intervals_
        array([3, 3, 3, 3])
        """
        check_is_fitted(self)
        other: Any = copy(self)
        other.n0, other.cuts_ = n0, self.cuts_.with_n0(n0)
        return other


@estimator_class
class MDLPDiscretizer(_EntropyDiscretizer):
    """
    Minimum description length principle, MDLP.

    Cuts where the class information entropy is least, while the gain is larger than the
    description length of the cut.

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

    short_name = "MDLP"

    n0 = None


@estimator_class
class SADDDiscretizer(_EntropyDiscretizer):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Unlabelled rows get pseudo-labels from their nearest neighbours. Then all rows are
    discretized as by MDLP, with a lower threshold for few rows. The threshold is
    multiplied by s(N / N0), where s is the logistic function. N is the number of rows
    in the interval to be cut. Pseudo-labels count as labels in all results.

    Attributes
    ----------
    k_ : int or None
        Number of neighbours; None if there was no unlabelled row.
    k_scores_ : dict
        Accuracy of each k that was tried.
    labeller_score_ : LabellerScore or None
        The labeller predicts `right` of `total` labelled rows correctly when they are
        left out. Neighbours leave out one row at a time, and k is chosen without it;
        other labellers leave out a fifth of the rows. `standard_error` is that of the
        share of rows.
    pseudo_labels_ : ndarray
        Labels of the unlabelled rows, in their order.
    pseudo_label_confidence_ : ndarray of float64
        Probabilities of these labels; for neighbours, their shares of the votes.
    pseudo_label_proba_ : ndarray of float64, shape (n_unlabelled, n_classes)
        Probabilities of all classes. With Dask, pseudo-labels stay in the workers, and
        these three attributes are not set.

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

    k: NeighbourCount = parameter(
        "auto", [one_of("auto", "validation"), "array-like", whole()],
        '"auto", "validation", int, or sequence of int',
        "Number of neighbours that label a row; chosen by leave-one-out if 'auto'.",
        '"auto" chooses from 1, 3, 5, 7, 9, 11, 15, 21 and 31, and a sequence from its '
        "numbers. The k with the best leave-one-out accuracy of labelled rows is "
        'chosen; 1 if there are fewer than 20 of them. "validation" chooses as '
        "published, on a stratified ninth of the labelled rows. Ties go to the "
        "smallest k. If classes have equal votes, the class with the nearer neighbours "
        "is predicted; if these are equally near, the class with more labelled rows.",
        title="Neighbours (k)", fitted=(1, 31))
    n0: float | None = parameter(
        2000, [real(0), None], "float or None",
        "Number of rows above which the threshold approaches that of MDLP.",
        "None for the threshold of MDLP itself.", title="Sensitivity (N0)", lowest=1,
        highest=10 ** 7, logarithmic=True, fitted=(1, 10000))
    standardize: bool = parameter(
        True, ["boolean"], "bool",
        "Standardize numeric variables before distances are computed.",
        "The published code does not.", title="Standardize variables")
    _: KW_ONLY
    random_state: RandomState = parameter(
        0, ["random_state"], "int, RandomState instance or None",
        "Seed of random numbers, which choose rows.")
    labeller: LabellerLike = parameter(
        "neighbours", [], '"neighbours", "committee", classifier, or list of these',
        "Labeller of unlabelled rows: neighbours or committee.",
        '"neighbours" is the published method. "committee" averages the probabilities '
        "of logistic regression and of 100 extremely randomized trees. Any classifier "
        "with `predict_proba` will do, in Orange also a learner, and the probabilities "
        "of a list of classifiers are averaged. Classifiers get standardized numeric "
        "columns, one-hot categorical columns, and imputed missing values. A "
        "`Pipeline` gets numbers and codes unchanged.")
    min_confidence: float = parameter(
        0, [real(0, 1, "both")], "float",
        "Ignore unlabelled rows if the probability of their most likely class is below "
        "this.")
    unlabelled_label: object = parameter(
        -1, [], "label or None",
        "Rows with this label, and rows with a missing label, are unlabelled.",
        "None if all labels are real.", shared=False)
    max_labelled: int | None = parameter(
        None, [whole(), None], "int or None",
        "Maximum number of labelled rows, drawn at random, to fit the labeller.",
        "With Dask, neighbours are sent to all workers, and must not be too many.",
        shared=False)

    short_name = "SADD"

    uses_unlabelled = True

    k_: int | None = field(init=False)
    k_scores_: dict[int, float] = field(init=False)
    pseudo_labels_: npt.NDArray[Any] = field(init=False)
    labeller_score_: LabellerScore | None = field(init=False)
    pseudo_label_confidence_: Floats = field(init=False)
    pseudo_label_proba_: Floats = field(init=False)

    def fit_rows(self, rows: AnyRows, callback: Callback | None = None) -> Self:
        """Label unlabelled rows, and find the cut points of all rows."""
        rows, callback = self._with_labels(rows, callback)
        self._set_labels(rows.pseudo_labels or PseudoLabels.none(
            len(rows.labels.classes)), rows.labels.classes)
        self.cuts_ = super().discretize(rows, callback)
        return self

    def discretize(self, rows: AnyRows, callback: Callback | None = None) -> Cuts:
        return super().discretize(*self._with_labels(rows, callback))

    def _with_labels(self, rows, callback):
        """Return rows with labels, and the callback for the rest of the work."""
        if not rows.labels.n_unlabelled or rows.pseudo_labels is not None:
            return rows, callback
        share = part_of(callback, 0, LABELLING_SHARE)
        rows = rows.with_labels(self.label(rows, share), self.min_confidence, share)
        return rows, part_of(callback, LABELLING_SHARE, 1)

    def label(self, rows: AnyRows, callback: Callback | None = None) -> PseudoLabels:
        """
        Return pseudo-labels of the unlabelled rows.

        Parameters
        ----------
        rows : Rows or DaskRows
        callback : callable, optional
            As for `fit`.
        """
        return label(
            rows, self.labeller, k=self.k, standardize=self.standardize,
            max_labelled=self.max_labelled, random_state=self.random_state,
            callback=callback)

    def _set_labels(self, labels, classes):
        """Set the attributes about pseudo-labels."""
        self.k_, self.k_scores_ = labels.k, labels.k_scores
        self.labeller_score_ = labels.score
        for name in ("pseudo_labels_", "pseudo_label_confidence_",
                     "pseudo_label_proba_"):
            vars(self).pop(name, None)  # of an earlier fit
        if labels.proba is not None:  # with Dask, pseudo-labels stay in the workers
            self.pseudo_labels_ = classes[labels.classes]
            self.pseudo_label_confidence_ = labels.confidence
            self.pseudo_label_proba_ = labels.proba

    def check_parameters(self) -> None:
        super().check_parameters()
        check_labeller(self.labeller)
        if isinstance(self.k, str | Integral) and not isinstance(self.k, bool):
            return
        ks = np.asarray(self.k)
        if ks.ndim != 1 or not len(ks) or ks.dtype.kind not in "iu" or ks.min() < 1:
            raise ValueError(
                "k must be 'auto', 'validation', a whole number above 0, or a sequence "
                f"of such numbers to choose from, not {self.k!r}.")
