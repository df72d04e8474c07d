"""A model of the naive Bayes family: tables, weights and predictions."""

from dataclasses import dataclass, field

import numpy as np
from scipy.special import log_softmax

from orangecontrib.sadd.core.additive.aiwnb import LazyCounts
from orangecontrib.sadd.core.additive.rowsums import log_posteriors
from orangecontrib.sadd.core.additive.tables import Tables
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.threads import map_in_threads
from orangecontrib.sadd.core.types import Floats

__all__ = ["BayesModel"]

# Rows are predicted in blocks with this many values or scores, which fit into the cache
BLOCK_VALUES = 2 ** 16


@dataclass(eq=False)
class BayesModel:
    """
    A fitted model: NB, WANBIA, CAWNB, RNB or AIWNB.

    Attributes
    ----------
    tables : Tables
        Smoothed probabilities of classes and values.
    weights : ndarray, shape (n_attributes,), or None
        Weights of attributes, w; None if the model lacks them.
    class_weights : ndarray, shape (n_classes, n_attributes), or None
        Weights of attributes for each class, W; None if the model lacks them.
    alpha : float or None
        The share of the part with class weights in the mixture of both.
    loss : float
        The loss of the training rows; NaN without a search for weights.
    n_iter : int
        The number of iterations of the search for weights.
    converged : bool
        Whether the search converged before the limit of iterations.
    message : str
        Why the search ended.
    loss_history : ndarray, shape (n_iter + 1,)
        The loss at the start and after each iteration.
    instance_weights : ndarray, shape (n_rows,), or None
        Weights of training rows in AIWNB^E.
    lazy : LazyCounts or None
        The counts that AIWNB^L predicts with, instead of those in the tables.

    Examples
    --------
    >>> import numpy as np
    >>> from orangecontrib.sadd.core.additive.tables import fit_tables
    >>> tables = fit_tables(np.array([[0.], [0.], [1.], [1.]]), [0, 0, 0, 1], 2)
    >>> np.exp(BayesModel(tables).log_posterior(np.array([[0.], [np.nan]]))).round(3)
    array([[0.854, 0.146],
           [0.7  , 0.3  ]])
    """

    tables: Tables
    weights: Floats | None = None
    class_weights: Floats | None = None
    alpha: float | None = None
    loss: float = np.nan
    n_iter: int = 0
    converged: bool = True
    message: str = ""
    loss_history: Floats = field(default_factory=lambda: np.zeros(0))
    instance_weights: Floats | None = None
    lazy: LazyCounts | None = None

    @property
    def parts(self) -> list[Floats | None]:
        """
        The weights of the models that are mixed: W, w, or both, W first.

        None stands for weights that are all 1.
        """
        if self.class_weights is None or self.alpha == 0:
            return [self.weights]
        if self.weights is None or self.alpha == 1:
            return [self.class_weights]
        return [self.class_weights, self.weights]

    @property
    def additive(self) -> bool:
        """Whether attributes contribute to the score of a class independently."""
        return self.lazy is None and len(self.parts) == 1

    @property
    def importances(self) -> Floats:
        """
        Information of each attribute about the class, in bits, times its weight.

        Class weights are averaged by the frequency of their class, and mixed with
        shared weights by alpha.
        """
        tables = self.tables
        prior = np.exp(tables.log_prior)
        weights = [np.ones(tables.n_attributes) if part is None
                   else part if part.ndim == 1 else prior @ part / prior.sum()
                   for part in self.parts]
        mixed = weights[0]
        if len(weights) == 2 and self.alpha is not None:
            mixed = self.alpha * weights[0] + (1 - self.alpha) * weights[1]
        ends = np.cumsum(tables.n_values)
        return mixed * [
            mutual_information(tables.counts[:, end - n_values:end])
            for end, n_values in zip(ends, tables.n_values, strict=True)]

    def log_posterior(self, codes: Floats) -> Floats:
        """
        Return ln P(c | x).

        Parameters
        ----------
        codes : ndarray of float64, shape (n_rows, n_attributes)
            NaN and values that do not occur in training rows contribute nothing.

        Returns
        -------
        ndarray, shape (n_rows, n_classes)
        """
        tables = self.tables
        # Classes without rows have the probability 0
        posterior = np.full((len(codes), tables.n_classes), -np.inf)
        present = tables.present
        prior = np.tile(tables.log_prior[present], (len(self.parts), 1))
        table = np.array([tables.weighted(part)[present] for part in self.parts])
        table = table.transpose(2, 0, 1)

        def predict(rows):
            columns = tables.encode(codes[rows])
            if self.lazy is not None:
                posterior[rows] = log_softmax(
                    self.lazy.scores(columns, self.weights), axis=1)
                return
            logs = log_posteriors(columns, prior, table)
            posterior[rows, present] = logs[:, 0] if len(self.parts) == 1 \
                else _mix(logs[:, 0], logs[:, 1], self.alpha)

        step = max(1, BLOCK_VALUES // max(1, tables.n_attributes, prior.size)) \
            if self.lazy is None else self.lazy.block_size
        blocks = [slice(start, start + step) for start in range(0, len(codes), step)]
        for _ in map_in_threads(predict, blocks):
            pass
        return posterior


def _mix(log_first, log_second, alpha):
    """
    Return ln(alpha P_1 + (1 - alpha) P_2) without leaving log space.

    Examples
    --------
    >>> import numpy as np
    >>> float(np.exp(_mix(np.log(0.5), -np.inf, 0.5)).round(6))
    0.25
    """
    with np.errstate(divide="ignore"):
        return np.logaddexp(np.log(alpha) + log_first,
                            np.log1p(-alpha) + log_second)
