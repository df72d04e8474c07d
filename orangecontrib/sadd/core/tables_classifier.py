"""SADD Tables as a scikit-learn classifier."""

from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse

from orangecontrib.sadd.core.additive.smoothtables import (
    SmoothTables,
    fit_tables,
    measure_axes,
)
from orangecontrib.sadd.core.classifier_base import Classifier
from orangecontrib.sadd.core.dask import is_for_dask
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.labellers import check_labeller, label
from orangecontrib.sadd.core.labelling.pseudolabels import LabellerScore, PseudoLabels
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.threads import part_of, use_threads
from orangecontrib.sadd.core.types import (
    Callback,
    Data,
    Floats,
    LabellerLike,
    RandomState,
)
from orangecontrib.sadd.core.validation import (
    read_matrix,
)

__all__ = ["SADDTablesClassifier"]

# Progress of a fit: after labelling, and after discretization
LABELLED, DISCRETIZED = 0.5, 0.6

# Parameters of SADD that would be ignored: the classifier labels the rows
LABELLING = ("labeller", "min_confidence")


@dataclass(repr=False, eq=False)
class SADDTablesClassifier(Classifier):
    """
    SADD Tables: an interpretable additive model that also uses unlabelled rows.

    The score of a class is an intercept plus a contribution of each feature. A numeric
    feature has a table of its intervals, interpolated between their means. A
    categorical feature has a table of its categories. The tables are fitted by
    penalized log loss. The labeller predicts probabilities of classes for unlabelled
    rows, and these are targets like the labels.

    Parameters
    ----------
    discretizer : str or Discretizer
        A name from `DISCRETIZERS`, or a discretizer. SADD uses unlabelled rows with
        their pseudo-labels, methods without a target use all rows, and other methods
        use labelled rows.
    labeller : "committee", "neighbours", classifier, or list of classifiers
        Predicts the probabilities of classes of unlabelled rows, as for
        `SADDDiscretizer`.
    min_confidence : float
        Unlabelled rows whose best probability is below this have no target.
    smoothness : float
        Larger values allow steeper steps between intervals. With 0, curves are straight
        lines up to three standard deviations from the mean.
    max_iter : int
        Maximum number of iterations of L-BFGS.
    tol : float
        The search ends when no derivative of the mean loss is above this.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical. Other columns are numeric.
    unlabelled_label : label or None
        Rows with this label, and rows with a missing label, are unlabelled. None if all
        labels are real.
    random_state : int, RandomState instance or None
        For the choice of rows that choose k, and for the score of the labeller.
    n_jobs : int, optional
        Number of threads; -1 for all cores.

    Attributes
    ----------
    classes_ : ndarray
    tables_ : list of ndarray of float64, shape (n_entries, n_classes)
        Contribution of each knot or category of each feature to the score of each
        class. The mean over the training rows' intervals or categories is 0.
    knots_ : list of ndarray of float64, shape (n_entries,), or None
        Mean of each interval of each feature; None for categorical features.
    intercept_ : ndarray of float64, shape (n_classes,)
        Score of an average row.
    importances_ : ndarray of float64, shape (n_features,)
        Mean absolute contribution of each feature to the scores of training rows.
    model_ : SmoothTables
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
        Probabilities of classes of unlabelled rows with a weight above 0.
    categories_ : list of ndarray or None
        Categories of each categorical feature.
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> tables = SADDTablesClassifier().fit(X[::5], y[::5], unlabelled=X)
    >>> round(tables.score(X, y), 2)
    0.91
    >>> tables.knots_[3].round(2), tables.tables_[3][:, 0].round(1)
    (array([0.25, 1.33, 1.87, 2.28]), array([ 1.3, -0.2, -0.9, -1.3]))
    """

    discretizer: str | Discretizer = "SADD"
    _: KW_ONLY
    labeller: LabellerLike = "committee"
    min_confidence: float = 0
    smoothness: float = 2
    max_iter: int = 200
    tol: float = 1e-5
    random_state: RandomState = 0

    _parameter_constraints = {
        **Classifier._parameter_constraints, "discretizer": [str, Discretizer]}

    tables_: list[Floats] = field(init=False)
    knots_: list[Floats | None] = field(init=False)
    intercept_: Floats = field(init=False)
    importances_: Floats = field(init=False)
    model_: SmoothTables = field(init=False)
    discretizer_: Discretizer = field(init=False)
    loss_: float = field(init=False)
    n_iter_: int = field(init=False)
    converged_: bool = field(init=False)
    labeller_score_: LabellerScore | None = field(init=False)
    pseudo_label_proba_: Floats = field(init=False)
    categories_: list[npt.NDArray[Any] | None] = field(init=False)

    def fit(self, X: Data, y: Data, sample_weight: Data = None, *,
            unlabelled: Data = None, callback: Callback | None = None) -> Self:
        """
        Fit the tables.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) add nothing to scores.
        y : array_like, shape (n_rows,)
            Labels of any type. See `unlabelled_label` for rows without a label.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice. Weights of labelled rows with
            a mean below 1 are scaled to mean 1.
        unlabelled : array_like or data frame, shape (n_unlabelled, n_features)
            More rows without labels, each of weight 1.
        callback : callable, optional
            Called with the fraction of work done, from 0 to 1. May raise an exception
            to stop the work.

        Returns
        -------
        self
        """
        self.check_parameters()
        if is_for_dask(X):
            raise ValueError(
                "SADDTablesClassifier needs all rows in memory. Pass X.compute() and "
                "y.compute(), or use RNBPlusClassifier, which runs on Dask.")
        discretizer = self.make_discretizer()
        data = self._read(discretizer, X, y, sample_weight, unlabelled=unlabelled)
        with use_threads(self.n_jobs):
            model, labels = self.fit_data(data, discretizer, callback)
        self.discretizer_, self.categories_ = discretizer, discretizer.categories_
        self.knots_ = [axis.knots for axis in model.axes]
        labels = labels or PseudoLabels.none(len(self.classes_))
        self.labeller_score_ = labels.score
        self.pseudo_label_proba_ = labels.proba
        self._take_model(model)
        if callback is not None:
            callback(1.)
        return self

    def fit_data(self, data: Rows, discretizer: Discretizer,
                 callback: Callback | None = None
                 ) -> tuple[SmoothTables, PseudoLabels | None]:
        """
        Fit a model to data that have been read; the classifier is not changed.

        Parameters
        ----------
        data : Rows
        discretizer : Discretizer
            From `make_discretizer`, with its features set. It is fitted.
        callback : callable, optional
            As for `fit`.

        Returns
        -------
        model : SmoothTables
        labels : PseudoLabels or None
            Pseudo-labels of the unlabelled rows; None if there are no such rows.
        """
        labels = None
        if data.labels.n_unlabelled:
            labels = label(data, self.labeller, random_state=self.random_state,
                           callback=part_of(callback, 0, LABELLED))
        if discretizer.uses_unlabelled:
            data = data.with_labels(labels, self.min_confidence)
        source = data if discretizer.requires_target else data.without_labels()
        discretizer.fit_rows(source, part_of(callback, LABELLED, DISCRETIZED))

        X = data.X.toarray() if issparse(data.X) else data.X
        labelled, weights = data.labelled, data.weights
        axes = measure_axes(
            X, labelled, weights, discretizer.cut_points_, discretizer.categories_)
        targets = np.zeros((len(X), len(data.labels.classes)))
        targets[labelled, data.classes[labelled]] = 1
        used = weights > 0
        if labels is not None:
            targets[~labelled] = labels.proba
            used[~labelled] &= labels.confidence >= self.min_confidence
        model = fit_tables(
            axes, X[used], targets[used], weights[used], smoothness=self.smoothness,
            max_iter=self.max_iter, tol=self.tol,
            callback=part_of(callback, DISCRETIZED, 1))
        return model, labels

    def contributions(self, X: Data) -> Floats:
        """
        Return the contribution of each feature to the score of each class.

        The sum over features, with `intercept_`, is the score of a class. The
        probabilities are the softmax of scores. So the difference between the scores of
        two classes is their log-odds.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features, n_classes)
        """
        rows = self._read_rows(X)
        return self.model_.contributions(rows)

    def check_parameters(self) -> None:
        """Raise a ValueError if a parameter is invalid."""
        super().check_parameters()
        check_labeller(self.labeller)
        discretizer = self.make_discretizer()
        if isinstance(discretizer, SADDDiscretizer):
            changed = [name for name in LABELLING if getattr(discretizer, name)
                       != getattr(SADDDiscretizer, name)]
            if changed:
                raise ValueError(
                    f"SADD Tables labels the rows for its discretizer, too. Set "
                    f"{' and '.join(changed)} of SADDTablesClassifier, not of the "
                    "discretizer.")
        discretizer.check_parameters()

    def _encode(self, discretizer, X):
        return read_matrix(discretizer, X, reset=False)
