"""Weighted naive Bayes models for Orange."""

from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from Orange.classification import Model
from Orange.classification.naive_bayes import NaiveBayesModel
from Orange.data import ContinuousVariable, Domain, Instance, StringVariable, Table
from Orange.data.util import get_unique_names
from scipy.special import logsumexp

from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.core.threads import use_threads
from orangecontrib.sadd.core.types import Floats, Integers, Matrix
from orangecontrib.sadd.core.validation import dense

__all__ = ["AdditiveNaiveBayesModel", "FittedModel", "WeightedNaiveBayesModel"]


class FittedModel(Model):
    """
    Base class of models that predict by a model of core, `fitted`.

    Parameters
    ----------
    domain : Domain
    fitted : BayesModel or TermModel
    """

    labelling: PseudoLabels | None = None

    def __init__(self, domain: Domain, fitted: Any) -> None:
        # Not super(), because the next class may be NaiveBayesModel
        Model.__init__(self, domain)
        self.fitted = fitted

    converged = property(attrgetter("fitted.converged"))
    n_iter = property(attrgetter("fitted.n_iter"))
    importances = property(attrgetter("fitted.importances"))

    def predict_storage(self, data: Table | Instance) -> tuple[Integers, Floats]:
        """Return values and probabilities for a table or an instance."""
        return Model.predict_storage(self, data)

    def predict(self, X: Matrix) -> tuple[Integers, Floats]:
        """
        Return values and probabilities.

        Parameters
        ----------
        X : ndarray or sparse matrix, shape (n_rows, n_attributes)
            Missing and new values contribute nothing.

        Returns
        -------
        values : ndarray, shape (n_rows,)
        probabilities : ndarray, shape (n_rows, n_classes)
        """
        with use_threads():
            probabilities = np.exp(self.fitted.log_posterior(dense(X)))
        return probabilities.argmax(axis=1), probabilities


class WeightedNaiveBayesModel(FittedModel):
    """
    A naive Bayes model with weights of attributes.

    Parameters
    ----------
    domain : Domain
        With categorical attributes.
    fitted : BayesModel
        The model of the same attributes in core.

    Attributes
    ----------
    fitted : BayesModel
        The following attributes are its attributes.
    tables : Tables
        Probabilities of classes and values.
    weights : ndarray, shape (n_attributes,), or None
        Weights of attributes, w.
    class_weights : ndarray, shape (n_classes, n_attributes), or None
        Weights of attributes for each class, W.
    alpha : float or None
        The share of the model with weights for each class in the mixture.
    lazy : LazyCounts or None
        The counts that AIWNB^L predicts with.
    converged : bool
        Whether the search for weights converged.
    n_iter : int
        The number of iterations of the search.
    loss : float
        The loss on training data; NaN without a search for weights.
    loss_history : ndarray, shape (n_iter + 1,)
        The loss at the start and after each iteration.
    importances : ndarray, shape (n_attributes,)
        Information of each attribute about the class, in bits, times its weight.
    labelling : PseudoLabels or None
        Summary of the pseudo-labels; None if there were none.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.scripting.classification import RNBLearner
    >>> iris = Table("iris")
    >>> model = RNBLearner()(iris)
    >>> model(iris[:2], model.Probs).round(2)
    array([[1., 0., 0.],
           [1., 0., 0.]])
    >>> print(model.weights_table().domain)
    [Iris-setosa, Iris-versicolor, Iris-virginica, w, alpha] {Variable}
    """

    tables = property(attrgetter("fitted.tables"))
    weights = property(attrgetter("fitted.weights"))
    class_weights = property(attrgetter("fitted.class_weights"))
    alpha = property(attrgetter("fitted.alpha"))
    lazy = property(attrgetter("fitted.lazy"))
    loss = property(attrgetter("fitted.loss"))
    loss_history = property(attrgetter("fitted.loss_history"))

    def weights_table(self) -> Table:
        """
        Return the weights as a table with a row for each attribute.

        Columns are the weights for each class, W, and the weight regardless of class,
        w. Another column is alpha, the share of the model with W. Weights that the
        model lacks are missing. Weights of an attribute with a single value have no
        effect and are also missing. The name of the attribute is a meta.

        Returns
        -------
        Table
        """
        attributes, classes = self.domain.attributes, self.domain.class_var.values
        n_attributes, n_classes = len(attributes), len(classes)
        X = np.full((n_attributes, n_classes + 2), np.nan)
        if self.class_weights is not None:
            X[:, :n_classes] = self.class_weights.T
        if self.weights is not None:
            X[:, n_classes] = self.weights
        X[self.tables.n_values < 2] = np.nan
        if self.alpha is not None:
            X[:, n_classes + 1] = self.alpha
        names = [*classes, *get_unique_names(
            classes, ["w", "alpha", "Variable"], equal_numbers=False)]
        domain = Domain(
            [ContinuousVariable(name, number_of_decimals=3) for name in names[:-1]],
            metas=[StringVariable(names[-1])])
        table = Table.from_numpy(
            domain, X, metas=np.array([[var.name] for var in attributes], dtype=object)
            .reshape(n_attributes, 1))
        table.name = "Weights"
        return table


class AdditiveNaiveBayesModel(WeightedNaiveBayesModel, NaiveBayesModel):
    """
    A model in which attributes contribute to the score of a class independently.

    Orange's Nomogram can show it: Nomogram accepts instances of Orange's
    `NaiveBayesModel` and reads `log_cont_prob` and `class_prob`.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.scripting.classification import WANBIALearner
    >>> model = WANBIALearner()(Table("iris"))
    >>> [table.shape for table in model.log_cont_prob]
    [(3, 3), (3, 3), (3, 3), (3, 3)]
    """

    @cached_property
    def class_prob(self) -> Floats:
        """Probabilities of classes."""
        return np.exp(self.tables.log_prior)

    @cached_property
    def log_cont_prob(self) -> list[Floats]:
        """
        For each attribute ln P(c | v) / P(c), classes by values.

        With weights, scores are s_cv = w_cj ln P(v | c), which are not of this form.
        But adding the same number to the scores of all classes does not change
        predictions. After adding -ln sum_c P(c) exp(s_cv), they are of this form.
        """
        tables = self.tables
        weights, = self.fitted.parts
        scores = tables.weighted(weights)
        n_values = [len(var.values) for var in self.domain.attributes]
        codes = np.arange(max(n_values, default=0), dtype=np.float64)
        columns = tables.encode(np.repeat(codes[:, None], len(n_values), axis=1))
        result = []
        for attribute, size in enumerate(n_values):
            score = scores[:, columns[:size, attribute]]
            result.append(
                score - logsumexp(tables.log_prior[:, None] + score, axis=0))
        return result
