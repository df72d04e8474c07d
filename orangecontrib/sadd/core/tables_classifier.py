"""SADD Tables as a scikit-learn classifier."""

from copy import copy
from dataclasses import KW_ONLY, field
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from orangecontrib.sadd.core.additive.choice import (
    DEFAULT_STRENGTH,
    LEAST_ROWS,
    Choice,
    LeftOut,
    choose,
    rank_pairs,
    split_rows,
)
from orangecontrib.sadd.core.additive.termfit import TermFit
from orangecontrib.sadd.core.additive.terms import Term, TermModel
from orangecontrib.sadd.core.classifier_base import Classifier
from orangecontrib.sadd.core.classifiers import RNBClassifier
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.labellers import check_labeller, label
from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.parameters import (
    estimator_class,
    one_of,
    parameter,
    real,
    same,
    whole,
)
from orangecontrib.sadd.core.threads import part_of
from orangecontrib.sadd.core.types import (
    Callback,
    Data,
    Floats,
    LabellerLike,
    RandomState,
)
from orangecontrib.sadd.core.validation import dense, read_matrix

__all__ = ["SADDTablesClassifier"]

# Progress of a fit: after the choice of penalty and pairs, labelling, discretization,
# and the fit without pairs
CHOSEN, LABELLED, DISCRETIZED, CURVED = 0.7, 0.8, 0.85, 0.9

# The choice uses at most this many labelled rows, and as many unlabelled ones
MOST_CHOOSING = 10_000
# It may have a larger error than the final fit
CHOICE_TOL = 1e-4

# Parameters of SADD that would be ignored: the classifier labels the rows
LABELLING = ("labeller", "min_confidence", "k", "standardize", "max_labelled")


@estimator_class
class SADDTablesClassifier(Classifier):
    """
    SADD Tables: an interpretable model that also uses unlabelled rows.

    The score of a class is an intercept plus a term for each feature and for some pairs
    of features. A numeric feature has a line, plus a ramp at each of its cuts (and at
    its quartiles, where there are fewer than three cuts). A categorical feature has a
    table of its categories. A pair has a table that is bilinear between knots, and
    holds only what the two features do together. All terms are fitted by penalized log
    loss. The labeller predicts probabilities of classes for unlabelled rows, and these
    are targets like the labels.

    Attributes
    ----------
    classes_ : ndarray
    n_features_in_ : int
    feature_names_in_ : ndarray of str
    terms_ : list of Term
        One for each feature, then one for each pair: `features`, `knots`, `table`,
        `rows` and `importance`.
    pairs_ : list of tuple of int
        Features of each pair, the best first.
    pairs_gain_ : float
        How much less the mean log loss of labelled rows that are left out is with pairs
        than without, in the cross-validation of the choice. The number of pairs is
        chosen by the other parts, the penalty by all. 0 without pairs, NaN if `pairs`
        is not "auto".
    penalty_ : float
        Factor of the penalty.
    intercept_ : ndarray of float64, shape (n_classes,)
        What an average row adds. For two classes, this and all contributions are
        log-odds of a class against the other one. For more, they are log-probabilities
        compared with the mean of all classes.
    importances_ : ndarray of float64, shape (n_terms,)
        Mean absolute contribution of each term to training rows.
    model_ : TermModel
        The fitted model.
    discretizer_ : Discretizer
        The fitted discretizer, with `cut_points_`.
    loss_ : float
        Mean loss of a row, penalty included.
    n_iter_ : int
    converged_ : bool
        Whether the search converged. If not, there is a `ConvergenceWarning`.
    labeller_score_ : LabellerScore or None
        The labeller predicts `right` of `total` labelled rows correctly when they are
        left out. None if there are no unlabelled rows.
    pseudo_label_proba_ : ndarray of float64, shape (n_unlabelled, n_classes)
        Probabilities of classes of unlabelled rows; None with Dask.
    categories_ : list of ndarray or None
        Categories of each categorical feature.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tables = SADDTablesClassifier().fit(X[::5], y[::5], unlabelled=X)
    >>> round(tables.score(X, y), 2)
    0.91
    >>> petal_width, = tables.terms_[3].knots
    >>> petal_width.round(1)
    array([-1.1,  0.2,  1.3,  1.9,  2.3,  3.5])
    >>> tables.terms_[3].table[:, 0].round(1)
    array([ 2.2,  1.1, -0.1, -0.8, -1.2, -2.2])
    """

    discretizer: str | Discretizer = parameter(
        "SADD", [str, Discretizer], "str or Discretizer",
        "A name from `DISCRETIZERS`, or a discretizer.",
        "SADD uses unlabelled rows with their pseudo-labels, methods without a target "
        "use all rows, and other methods use labelled rows.", shared=False)
    _: KW_ONLY
    labeller: LabellerLike = same(SADDDiscretizer, "labeller", default="committee")
    min_confidence: float = same(SADDDiscretizer, "min_confidence")
    penalty: float | Literal["auto"] = parameter(
        "auto", [one_of("auto"), real(0)], '"auto" or float', "Factor of the penalty.",
        '"auto" chooses 10, 3, 1 or 0.3 by the log loss of labelled rows in a '
        "cross-validation of five parts. With fewer than 20 labelled rows, it is 1.")
    pairs: int | Literal["auto"] = parameter(
        "auto", [one_of("auto"), whole(0)], '"auto" or int',
        "Greatest number of pairs.",
        '"auto" chooses 0, 10 or 40, and how strong their penalty is, by the same '
        "cross-validation. With fewer than 20 labelled rows, there are none.",
        title="Pairs", fitted=(0, 40))
    smoothness: float = parameter(
        2, [real(0, 100, closed="both")], "float",
        "Larger values allow steeper steps between intervals.",
        "With 0, curves are straight lines up to three standard deviations from the "
        "mean.", title="Smoothness", fitted=(0, 10))
    max_iter: int = same(RNBClassifier, "max_iter", default=200)
    tol: float = same(RNBClassifier, "tol", default=1e-5, description=(
        "The largest derivative of the mean loss that counts as zero."))
    random_state: RandomState = same(SADDDiscretizer, "random_state")

    terms_: list[Term] = field(init=False)
    pairs_: list[tuple[int, int]] = field(init=False)
    pairs_gain_: float = field(init=False)
    penalty_: float = field(init=False)
    intercept_: Floats = field(init=False)
    importances_: Floats = field(init=False)
    model_: TermModel = field(init=False)
    discretizer_: Discretizer = field(init=False)
    loss_: float = field(init=False)
    n_iter_: int = field(init=False)
    converged_: bool = field(init=False)
    labeller_score_: LabellerScore | None = field(init=False)
    pseudo_label_proba_: Floats | None = field(init=False)
    categories_: list[npt.NDArray[Any] | None] = field(init=False)

    def _fit(self, discretizer, data, pool, callback):
        rows = self._read(discretizer, *data, unlabelled=pool)
        model, labels = self.fit_model(rows, discretizer, callback)
        self.categories_ = discretizer.categories_
        labels = labels or PseudoLabels.none(len(self.classes_))
        self.labeller_score_ = labels.score
        self.pseudo_label_proba_ = labels.proba
        return model

    def _set_attributes(self, model):
        super()._set_attributes(model)
        self.terms_, self.pairs_, self.intercept_ = (
            model.terms, model.pairs, model.intercept)
        self.importances_, self.penalty_ = model.importances, model.penalty
        self.pairs_gain_ = model.pairs_gain
        self.loss_, self.n_iter_ = model.loss, model.n_iter
        self.converged_ = model.converged

    def fit_model(self, rows: Any, discretizer: Discretizer,
                  callback: Callback | None = None
                  ) -> tuple[TermModel, PseudoLabels | None]:
        """
        Fit a model to rows that have been read; the classifier is not changed.

        Parameters
        ----------
        rows : Rows or DaskRows
        discretizer : Discretizer
            From `make_discretizer`, with its features set. It is fitted.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        model : TermModel
        labels : PseudoLabels or None
            Pseudo-labels of the unlabelled rows; None if there are no such rows.
        """
        choice = self._choose(rows, discretizer, part_of(callback, 0, CHOSEN))
        training, labels = self._training_rows(rows, discretizer, callback)
        fit = TermFit(training, self.smoothness)
        parameters: dict[str, Any] = {"max_iter": self.max_iter, "tol": self.tol}
        found = fit.fit(choice.penalty, callback=part_of(callback, DISCRETIZED, CURVED),
                        **parameters)
        if choice.n_pairs:
            pairs = rank_pairs(fit, found, choice.penalty * DEFAULT_STRENGTH,
                               self.random_state)
            found = fit.fit(choice.penalty, pairs[:choice.n_pairs], choice.strength,
                            start=found, callback=part_of(callback, CURVED, 1),
                            **parameters)
        return fit.model(found, pairs_gain=choice.gain), labels

    def _choose(self, rows, discretizer, callback):
        """Return the penalty and the pairs, by cross-validation if one is "auto"."""
        if "auto" not in (self.penalty, self.pairs):
            return Choice(float(self.penalty), int(self.pairs))
        random = check_random_state(self.random_state)
        rows = rows.sample(MOST_CHOOSING, random)
        known, pool = np.flatnonzero(rows.used), np.flatnonzero(~rows.labelled)
        if rows.weights[known].sum() < LEAST_ROWS:
            return Choice(1. if self.penalty == "auto" else float(self.penalty),
                          0 if self.pairs == "auto" else int(self.pairs))
        X = dense(rows.X[known])
        seed = random.randint(2 ** 31) if self.random_state is None else 0
        parts = [part for part in split_rows(X, rows.classes[known], seed) if len(part)]
        if len(parts) < 2:
            return Choice(n_pairs=0 if self.pairs == "auto" else int(self.pairs))
        found = []
        for part in parts:
            rest = np.append(np.delete(known, part), pool)
            train, _ = self._training_rows(
                rows.take(rest), copy(discretizer), scored=False)
            found.append(LeftOut(TermFit(train, self.smoothness), X[part],
                                 rows.classes[known[part]], rows.weights[known[part]]))
            if callback is not None:
                callback(0.)
        return choose(found, self.penalty, self.pairs, max_iter=self.max_iter,
                      tol=max(self.tol, CHOICE_TOL), callback=callback)

    def _training_rows(self, rows, discretizer, callback=None, scored=True):
        """Label and discretize rows; return them and their pseudo-labels."""
        labels = None
        if rows.labels.n_unlabelled:
            labels = label(rows, self.labeller, random_state=self.random_state,
                           scored=scored, callback=part_of(callback, CHOSEN, LABELLED))
        known = rows
        if labels is not None and discretizer.uses_unlabelled:
            known = rows.with_labels(labels, self.min_confidence)
        source = known if discretizer.requires_target else rows.without_labels()
        discretizer.fit_rows(source, part_of(callback, LABELLED, DISCRETIZED))
        return rows.training_rows(
            labels, self.min_confidence, discretizer.cut_points_), labels

    def contributions(self, X: Data) -> Floats:
        """
        Return the contribution of each term to the score of each class.

        The sum over terms, with `intercept_`, is the score of a class. For two classes
        it is the log-odds of the class against the other one. For more classes, the
        probabilities are the softmax of scores.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_terms, n_classes)
        """
        rows = self._read_rows(X)
        return self.model_.contributions(rows)

    def check_parameters(self) -> None:
        """Raise a ValueError if a parameter is invalid."""
        super().check_parameters()
        check_labeller(self.labeller)
        discretizer = self.make_discretizer()
        if isinstance(discretizer, SADDDiscretizer):
            changed = [
                name for name in LABELLING
                if getattr(value := getattr(discretizer, name), "ndim", 0)
                or value != getattr(SADDDiscretizer, name)]
            if changed:
                own = [name for name in changed if hasattr(self, name)]
                raise ValueError(
                    "SADD Tables also labels the rows for its discretizer. " + (
                        f"Set {' and '.join(own)} of SADDTablesClassifier, not of the "
                        "discretizer." if own else
                        f"The discretizer cannot use {' and '.join(changed)}."))
        discretizer.check_parameters()

    def _encode(self, discretizer, X):
        return read_matrix(discretizer, X, reset=False)
