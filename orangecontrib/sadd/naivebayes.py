"""Naive Bayes without weights, discretized and smoothed as its weighted relatives.

Orange has a naive Bayes learner, too. This one differs from the weighted ones in
nothing but the weights: the difference of their scores is what weights are worth.
"""

from orangecontrib.sadd.classification import _NaiveBayesLearner
from orangecontrib.sadd.core.bayes import fit_tables
from orangecontrib.sadd.models import AdditiveNaiveBayesModel

__all__ = ["NBLearner"]


class NBLearner(_NaiveBayesLearner):
    """
    Naive Bayes, NB.

    Parameters
    ----------
    discretization, unlabelled, random_state, preprocessors
        As for `RNBLearner`.

    See Also
    --------
    orangecontrib.sadd.core.NaiveBayesClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = NBLearner()(iris)
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.95
    """

    name = "NB"
    __returns__ = AdditiveNaiveBayesModel

    def __init__(self, discretization="MDLP", unlabelled=None, random_state=0,
                 preprocessors=None):
        super().__init__(preprocessors)
        self.discretization = discretization
        self.unlabelled = unlabelled
        self.random_state = random_state
        self.discretizer()

    def _fit_codes(self, domain, codes, y, weights):
        tables = fit_tables(codes, y, len(domain.class_var.values), weights)
        return AdditiveNaiveBayesModel(domain, tables)
