"""SADD Tables as a learner and a model for Orange."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import attrgetter

import numpy as np
from Orange.classification import Model
from Orange.data import ContinuousVariable, Domain, StringVariable, Table
from Orange.data.filter import HasClass
from Orange.data.util import get_unique_names
from Orange.preprocess.discretize import Discretization
from Orange.util import wrap_callback

from orangecontrib.sadd.core.additive.smoothtables import SmoothTables
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import (
    Callback,
    Floats,
    Integers,
    LabellerLike,
    Matrix,
)
from orangecontrib.sadd.scripting.discretize import (
    CoreDiscretization,
    make_discretization,
)
from orangecontrib.sadd.scripting.intervals import interval_names
from orangecontrib.sadd.scripting.labelling import summarize, with_labeller
from orangecontrib.sadd.scripting.learner_base import PoolLearner, Preprocessors
from orangecontrib.sadd.scripting.tables import dense, read_rows

__all__ = ["SADDTablesLearner", "SADDTablesModel"]


class SADDTablesModel(Model):
    """
    An additive model: the intercept of a class plus a contribution of each attribute.

    Parameters
    ----------
    domain : Domain
    fitted : SmoothTables
        The model of the same attributes in core.
    cut_points : sequence of ndarray
        Cut points of each attribute; none for a categorical one.

    Attributes
    ----------
    fitted : SmoothTables
    cut_points : list of ndarray
    labelling : PseudoLabels or None
        Summary of the pseudo-labels; None if there were none.
    converged : bool
        Whether the search for tables converged.
    n_iter : int
        Number of iterations of the search.

    Examples
    --------
    >>> heart = Table("heart_disease")
    >>> model = SADDTablesLearner()(heart)
    >>> model(heart[:2], model.Probs).round(2)
    array([[0.82, 0.18],
           [0.02, 0.98]])
    >>> print(model.contributions(heart)[0, "major vessels colored"])
    -1.07102
    """

    converged = property(attrgetter("fitted.converged"))
    n_iter = property(attrgetter("fitted.n_iter"))
    labelling: PseudoLabels | None = None

    def __init__(self, domain: Domain, fitted: SmoothTables,
                 cut_points: Sequence[Floats]) -> None:
        super().__init__(domain)
        self.fitted = fitted
        self.cut_points = list(cut_points)

    @property
    def importances(self) -> Floats:
        """Mean absolute contribution of each attribute, as in `tables`."""
        return self.fitted.importances * self._factor

    def predict(self, X: Matrix) -> tuple[Integers, Floats]:
        """
        Return values and probabilities.

        Parameters
        ----------
        X : ndarray or sparse matrix, shape (n_rows, n_attributes)
            Missing and new values add nothing.

        Returns
        -------
        values : ndarray, shape (n_rows,)
        probabilities : ndarray, shape (n_rows, n_classes)
        """
        probabilities = np.exp(self.fitted.log_posterior(dense(X)))
        return probabilities.argmax(axis=1), probabilities

    def added(self, attribute: int) -> Floats:
        """
        Return the contributions of knots or values of an attribute to each class.

        With two classes, contributions are to the log-odds of a class against the other
        one. With more classes, they are to the log-probability of a class, compared
        with the mean of all classes.

        Parameters
        ----------
        attribute : int

        Returns
        -------
        ndarray of float64, shape (n_entries, n_classes)
        """
        return self.fitted.tables[attribute] * self._factor

    @property
    def intercept(self) -> Floats:
        """The same for a row of average values, shape (n_classes,)."""
        return self.fitted.intercept * self._factor

    def contributions(self, data: Table, target: int | None = None) -> Table:
        """
        Return the contribution of each attribute to the prediction of each row.

        Parameters
        ----------
        data : Table
        target : int, optional
            Index of the class. By default all of them, and the second one of two.

        Returns
        -------
        Table
            A column for each attribute, or for each attribute and class. Numbers are
            those of `added`. Classes and metas are those of the data.
        """
        rows = dense(self.data_to_model_domain(data).X)
        found = self.fitted.contributions(rows) * self._factor
        names = [var.name for var in self.domain.attributes]
        classes = self.domain.class_var.values
        if target is None and len(classes) == 2:
            target = 1
        if target is None:
            names = [f"{name}: {value}" for name in names for value in classes]
            found = found.reshape(len(data), len(names))
        else:
            found = found[:, :, target]
        others = [var.name for var in data.domain.class_vars + data.domain.metas]
        table = Table.from_numpy(
            Domain([ContinuousVariable(name, number_of_decimals=3)
                    for name in get_unique_names(others, names, equal_numbers=False)],
                   data.domain.class_vars, data.domain.metas),
            found, data.Y, data.metas, data.W if data.has_weights() else None,
            ids=data.ids)
        table.name = "Explanations"
        return table

    def tables(self) -> Table:
        """
        Return the model as a table with a row for each knot or value.

        Columns are the ends of the interval, its mean, the numbers of `added` for each
        class, and weights of rows. Metas are the variable, and the interval or value.
        The first row is the intercept.

        Returns
        -------
        Table
        """
        intercept = np.where(np.isfinite(self.intercept), self.intercept, np.nan)
        texts, numbers = [["intercept", ""]], [
            np.array([[np.nan] * 3 + intercept.tolist() + [np.nan] * 2])]
        for index, (var, axis, cuts) in enumerate(zip(
                self.domain.attributes, self.fitted.axes, self.cut_points,
                strict=True)):
            if axis.knots is None:
                values, place = var.values, np.full((len(var.values), 3), np.nan)
            else:
                values = interval_names(var, cuts.tolist()) if len(cuts) else [""]
                place = np.column_stack((
                    [np.nan, *cuts], [*cuts, np.nan], axis.knots))
            texts += [[var.name, value] for value in values]
            numbers.append(np.column_stack((
                place, self.added(index)[:len(values)], axis.rows.T[:len(values)])))
        names: list[str] = []
        for name in ("From", "To", "Mean", *self.domain.class_var.values,
                     "Labelled rows", "Unlabelled rows", "Variable", "Value"):
            names.append(get_unique_names(names, name))
        table = Table.from_numpy(
            Domain([ContinuousVariable(name, number_of_decimals=3)
                    for name in names[:-2]], metas=map(StringVariable, names[-2:])),
            np.concatenate(numbers), metas=np.array(texts, dtype=object))
        table.name = "Tables"
        return table

    @property
    def _factor(self):
        """Scores add up to 0. With two classes, log-odds are twice the score."""
        return 2 if np.isfinite(self.fitted.intercept).sum() == 2 else 1


@dataclass(repr=False, eq=False)
class SADDTablesLearner(PoolLearner):
    """
    SADD Tables: an interpretable additive model that also uses unlabelled rows.

    Parameters
    ----------
    discretizer : str or Discretization
        Discretization of numeric attributes: the name of a method, or one of the
        discretizations of this package.
    unlabelled : Table, optional
        Unlabelled rows, besides those without a class. See `SADDDiscretize`.
    labeller : "committee", "neighbours", Learner, or list of Learner
        Predicts the probabilities of classes of unlabelled rows, as for `SADD`.
    min_confidence : float
        Unlabelled rows with a lower best probability are left out.
    smoothness : float
        Larger values allow steeper steps between intervals.
    max_iter : int
        Maximum number of iterations. If it is reached, the model's `converged` is
        false; there is no warning.
    tol : float
        The search ends when no derivative of the mean loss is above this.
    random_state : int
    preprocessors : Preprocess or sequence of Preprocess, optional
        Applied first.

    See Also
    --------
    orangecontrib.sadd.core.SADDTablesClassifier

    Examples
    --------
    >>> iris = Table("iris")
    >>> model = SADDTablesLearner(unlabelled=iris)(iris[::5])
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.91
    """

    name = "SADD Tables"
    classifier = SADDTablesClassifier
    __returns__ = SADDTablesModel
    # Of a copy that does the work of a call
    _rows = None

    discretizer: str | Discretization = "SADD"
    unlabelled: Table | None = None
    labeller: LabellerLike = "committee"
    min_confidence: float = 0
    smoothness: float = 2
    max_iter: int = 200
    tol: float = 1e-5
    random_state: int = 0
    preprocessors: Preprocessors = ()

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, read all rows, and drop unlabelled ones."""
        data = super().preprocess(data, progress_callback)
        self._rows = read_rows(data, self.unlabelled)
        return HasClass()(data)

    def fit_storage(self, data: Table) -> SADDTablesModel:
        """Fit a model to a table."""
        rows = self._rows or read_rows(data, self.unlabelled)
        if not rows.labelled.any():
            raise ValueError("There are no rows with a class to learn from.")
        classifier = self._estimator(rows.attributes)
        discretizer = classifier.make_discretizer().set_features(rows.categories)
        with use_threads():
            fitted, labels = classifier.fit_data(
                rows.as_data(), discretizer, wrap_callback(self._progress, start=0.1))
        self._labelling = summarize(labels, rows, self.min_confidence)
        return SADDTablesModel(data.domain, fitted, discretizer.cut_points_)

    def _estimator(self, attributes=()):
        method = make_discretization(self.discretizer)
        if not isinstance(method, CoreDiscretization):
            raise ValueError(
                f"SADD Tables cannot use the discretization {method!r}. Choose one of "
                "orangecontrib.sadd, or connect a preprocessor that discretizes.")
        return with_labeller(self.classifier(
            method.estimator(), **self._parameters_of(self.classifier)), attributes)
