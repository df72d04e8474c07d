"""SADD Tables as a learner and a model for Orange."""

from collections.abc import Sequence
from copy import copy
from operator import attrgetter

import numpy as np
from Orange.data import ContinuousVariable, Domain, StringVariable, Table, Variable
from Orange.data.filter import HasClass
from Orange.data.util import get_unique_names
from Orange.preprocess import Preprocess
from Orange.util import wrap_callback

from orangecontrib.sadd.core.additive.terms import Term, TermModel
from orangecontrib.sadd.core.parameters import same, select, takes
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Callback, Floats
from orangecontrib.sadd.core.validation import dense
from orangecontrib.sadd.scripting.discretize import DiscretizerLike, make_estimator
from orangecontrib.sadd.scripting.labelling import summarize, with_labeller
from orangecontrib.sadd.scripting.learner_base import PoolLearner
from orangecontrib.sadd.scripting.models import FittedModel
from orangecontrib.sadd.scripting.tables import rows_of

__all__ = ["SADDTablesLearner", "SADDTablesModel"]


class SADDTablesModel(FittedModel):
    """
    The intercept of a class, plus a contribution of each variable and pair.

    Parameters
    ----------
    domain : Domain
    fitted : TermModel
        The model of the same attributes in core.
    cut_points : sequence of ndarray
        Cut points of each attribute; none for a categorical one.

    Attributes
    ----------
    fitted : TermModel
    cut_points : list of ndarray
    labelling : PseudoLabels or None
        Summary of the pseudo-labels; None if there were none.
    terms : list of Term
        What each attribute, and then each pair of attributes, adds.
    importances : ndarray
        Mean absolute contribution of each term to training rows.
    intercept : ndarray of float64, shape (n_classes,)
        What a row of average values adds.
    penalty : float
        Factor of the penalty.
    converged : bool
        Whether the search for terms converged.
    n_iter : int
        Number of iterations of the search.

    Examples
    --------
    >>> heart = Table("heart_disease")
    >>> model = SADDTablesLearner()(heart)
    >>> model(heart[:2], model.Probs).round(2)
    array([[0.73, 0.27],
           [0.01, 0.99]])
    >>> round(float(model.contributions(heart)[0, "major vessels colored"]), 2)
    -0.73
    >>> model.penalty, model.term_names[-1]
    (10.0, 'thal')
    """

    intercept = property(attrgetter("fitted.intercept"))
    penalty = property(attrgetter("fitted.penalty"))
    terms = property(attrgetter("fitted.terms"))

    def __init__(self, domain: Domain, fitted: TermModel,
                 cut_points: Sequence[Floats]) -> None:
        super().__init__(domain, fitted)
        self.cut_points = list(cut_points)

    @property
    def term_names(self) -> list[str]:
        """The name of the attribute or the names of both, of each term."""
        attributes = self.domain.attributes
        return [" × ".join(attributes[feature].name for feature in term.features)
                for term in self.terms]

    def contributions(self, data: Table, target: int | None = None) -> Table:
        """
        Return the contribution of each term to the prediction of each row.

        Parameters
        ----------
        data : Table
        target : int, optional
            Index of the class. By default all of them, and the second one of two.

        Returns
        -------
        Table
            A column for each term, or for each term and class. For two classes, they
            are log-odds of a class against the other one; for more, log-probabilities
            compared with the mean of all classes. Classes and metas are those of the
            data.
        """
        rows = dense(self.data_to_model_domain(data).X)
        found = self.fitted.contributions(rows)
        names = self.term_names
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
        Return the model as a table with a row for each knot or value of each term.

        Columns are the knots of the variable, or of both variables of a pair, the
        contributions to each class, and weights of the nearest training rows. Metas
        are the variables and their values. The first row is the intercept.

        Returns
        -------
        Table
        """
        intercept = np.where(np.isfinite(self.intercept), self.intercept, np.nan)
        texts, numbers = zip(
            ([["intercept", "", "", ""]],
             [[np.nan] * 2 + intercept.tolist() + [np.nan] * 2]),
            *map(self._cells_of, self.terms), strict=True)
        names: list[str] = []
        for name in ("Place", "Second place", *self.domain.class_var.values,
                     "Labelled rows", "Unlabelled rows", "Variable", "Value",
                     "Second variable", "Second value"):
            names.append(get_unique_names(names, name))
        table = Table.from_numpy(
            Domain([ContinuousVariable(name, number_of_decimals=3)
                    for name in names[:-4]], metas=map(StringVariable, names[-4:])),
            np.concatenate(numbers), metas=np.concatenate(texts).astype(object))
        table.name = "Tables"
        return table

    def _cells_of(self, term: Term) -> tuple[np.ndarray, np.ndarray]:
        """Return the metas and the numbers of each cell of a term, for `tables`."""
        variables = [self.domain.attributes[feature] for feature in term.features]
        # A variable made by hand may have fewer values than its column
        shape = [size if knots is not None else min(size, len(var.values))
                 for size, knots, var in zip(
                     term.table.shape, term.knots, variables, strict=False)]
        cells = tuple(np.indices(shape).reshape(len(shape), -1))
        texts = np.full((4, len(cells[0])), "", dtype=object)
        places = np.full((2, len(cells[0])), np.nan)
        for side, (var, knots) in enumerate(zip(variables, term.knots, strict=True)):
            values = var.values if knots is None else [
                place_name(var, knot) for knot in knots]
            texts[2 * side] = var.name
            texts[2 * side + 1] = [values[cell] for cell in cells[side]]
            if knots is not None:
                places[side] = knots[cells[side]]
        return texts.T, np.column_stack((
            *places, term.table[cells], np.moveaxis(term.rows, 0, -1)[cells]))


def place_name(variable: Variable, number: float) -> str:
    """Return a number as a value of a numeric variable."""
    try:
        return str(variable.str_val(number))
    except (OSError, OverflowError, ValueError):  # a time beyond the calendar
        return f"{number:.4g}"


@takes(SADDTablesClassifier)
class SADDTablesLearner(PoolLearner):
    """
    SADD Tables: an interpretable model that also uses unlabelled rows.

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

    discretizer: DiscretizerLike = same(
        PoolLearner, "discretizer", default="SADD",
        kind="str, Discretizer or Discretization")

    def preprocess(self, data: Table, progress_callback: Callback | None = None
                   ) -> Table:
        """Apply the user's preprocessors, read all rows, and drop unlabelled ones."""
        data = super().preprocess(data, progress_callback)
        self._rows = rows_of(data, self.unlabelled)
        return HasClass()(data)

    def fit_storage(self, data: Table) -> SADDTablesModel:
        """Fit a model to a table."""
        rows = self._rows or rows_of(data, self.unlabelled)
        if not rows.used.any():
            raise ValueError("There are no rows with a class to learn from.")
        classifier = self._estimator(rows.variables)
        discretizer = copy(classifier.discretizer)
        with use_threads():
            fitted, labels = classifier.fit_model(
                rows, discretizer, wrap_callback(self._progress, start=0.1))
        self._labelling = summarize(labels, rows, self.min_confidence)
        return SADDTablesModel(data.domain, fitted, discretizer.cut_points_)

    def _estimator(self, attributes=()):
        discretizer = None if isinstance(self.discretizer, Preprocess) \
            else make_estimator(self.discretizer, {})
        if discretizer is None:
            raise ValueError(
                f"SADD Tables cannot use the discretization {self.discretizer!r}. "
                "Choose one of orangecontrib.sadd, or connect a preprocessor that "
                "discretizes.")
        return with_labeller(self.classifier(
            discretizer, **select(self.classifier, vars(self))), attributes)
