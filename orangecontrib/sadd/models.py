"""Weighted naive Bayes models for Orange."""

from functools import cached_property

import numpy as np
import scipy.sparse as sp
from Orange.classification import Model
from Orange.classification.naive_bayes import NaiveBayesModel
from Orange.data import ContinuousVariable, Domain, Instance, StringVariable, Table
from Orange.data.util import get_unique_names
from scipy.special import logsumexp

from orangecontrib.sadd.core.bayes.aiwnb import LazyModel
from orangecontrib.sadd.core.bayes.tables import Tables, mix_log_posteriors
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.types import Floats, Integers, Matrix
from orangecontrib.sadd.tables import dense

__all__ = ["AdditiveNaiveBayesModel", "WeightedNaiveBayesModel"]

# Sparse rows are made dense some at a time: about so many cells
BLOCK_CELLS = 2 ** 22


class WeightedNaiveBayesModel(Model):
    """
    A naive Bayes model whose attributes have weights.

    Parameters
    ----------
    domain : Domain
        With categorical attributes.
    tables : orangecontrib.sadd.core.bayes.tables.Tables
        Probabilities of classes and values.
    weights : ndarray, shape (n_attributes,), optional
        Weights of attributes, w.
    class_weights : ndarray, shape (n_classes, n_attributes), optional
        Weights of attributes for each class, W.
    alpha : float, optional
        The share of the model with class weights in the mixture of both.
    lazy : orangecontrib.sadd.core.bayes.aiwnb.LazyModel, optional
        Predicts instead of the tables.

    Attributes
    ----------
    converged : bool
        Whether the search for weights ended by itself, not by the limit of iterations.
    n_iter : int
        The number of its iterations.
    loss : float
        The loss on training data, and `loss_history` after each iteration; NaN and
        empty if no weights were searched for.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.classification import RNBLearner
    >>> iris = Table("iris")
    >>> model = RNBLearner()(iris)
    >>> model(iris[:2], model.Probs).round(2)
    array([[1., 0., 0.],
           [1., 0., 0.]])
    >>> print(model.weights_table().domain)
    [Iris-setosa, Iris-versicolor, Iris-virginica, w, alpha] {Attribute}
    """

    def __init__(self, domain: Domain, tables: Tables, weights: Floats | None = None,
                 class_weights: Floats | None = None, alpha: float | None = None,
                 lazy: LazyModel | None = None) -> None:
        # Not super(), whose next in line may be NaiveBayesModel
        Model.__init__(self, domain)
        self.tables = tables
        self.weights = weights
        self.class_weights = class_weights
        self.alpha = alpha
        self.lazy = lazy
        self.converged = True
        self.n_iter = 0
        self.loss = np.nan
        self.loss_history = np.zeros(0)

    def predict_storage(self, data: Table | Instance) -> tuple[Integers, Floats]:
        """Give values and probabilities for a table or an instance."""
        return Model.predict_storage(self, data)

    def predict(self, X: Matrix) -> tuple[Integers, Floats]:
        """
        Give values and probabilities.

        Parameters
        ----------
        X : ndarray or sparse matrix, shape (n_rows, n_attributes)
            Codes of values. Missing and unseen values contribute nothing.

        Returns
        -------
        values : ndarray, shape (n_rows,)
        probabilities : ndarray, shape (n_rows, n_classes)
        """
        if sp.issparse(X):
            X = X.tocsr()
            step = max(1, BLOCK_CELLS // max(1, X.shape[1]))
            probabilities = np.concatenate([
                np.exp(self._log_posterior(dense(X[start:start + step])))
                for start in range(0, max(1, X.shape[0]), step)])
        else:
            probabilities = np.exp(self._log_posterior(dense(X)))
        return probabilities.argmax(axis=1), probabilities

    def _log_posterior(self, codes):
        if self.lazy is not None:
            return self.lazy.log_posterior(codes)
        if self.class_weights is None:
            return self.tables.log_posterior(codes, self.weights)
        by_class = self.tables.log_posterior(codes, self.class_weights)
        if self.weights is None:
            return by_class
        return mix_log_posteriors(
            by_class, self.tables.log_posterior(codes, self.weights), self.alpha)

    @property
    def importances(self) -> Floats:
        """
        What each attribute tells about the class, in bits, times its weight.

        The weight is that of the mixture: class weights count by how frequent their
        class is, and by alpha.
        """
        tables = self.tables
        weights = np.ones(tables.n_attributes)
        if self.class_weights is not None:
            prior = np.exp(tables.log_prior)
            weights = prior @ self.class_weights / prior.sum()
        if self.weights is not None:
            alpha = 0.0
            if self.class_weights is not None and self.alpha is not None:
                alpha = self.alpha
            weights = alpha * weights + (1 - alpha) * self.weights
        ends = np.cumsum(tables.n_values)
        return weights * [
            mutual_information(tables.counts[:, end - n_values:end])
            for end, n_values in zip(ends, tables.n_values, strict=True)]

    def weights_table(self) -> Table:
        """
        Give the weights as a table with a row for each attribute.

        Columns are the weights for each class, W, the weight regardless of class, w,
        and alpha, the share of the model with the former. What the model does not have
        is missing, and so are the weights of an attribute with a single value, which
        have no effect. The name of the attribute is a meta.

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
        names = [*classes]
        for name in ("w", "alpha", "Attribute"):
            names.append(get_unique_names(names, name))
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

    So it can be shown by Orange's Nomogram, which accepts instances of Orange's
    `NaiveBayesModel` and reads `log_cont_prob` and `class_prob`.

    Examples
    --------
    >>> from Orange.data import Table
    >>> from orangecontrib.sadd.classification import WANBIALearner
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

        Weights give scores s_cv = w_cj ln P(v | c), which are not of this form. But
        adding the same number to the scores of all classes does not change what is
        predicted, and with -ln sum_c P(c) exp(s_cv) they are (orange.md, section 2).
        """
        tables = self.tables
        weights = self.weights if self.class_weights is None else self.class_weights
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
