"""The naive Bayes family, from NB to RNB+, as learners for Orange."""

from dataclasses import field

from Orange.data import Table

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.parameters import same, takes
from orangecontrib.sadd.scripting.learner_base import DiscretizingLearner, PoolLearner
from orangecontrib.sadd.scripting.models import AdditiveNaiveBayesModel

__all__ = ["AIWNBLearner", "CAWNBLearner", "NBLearner", "RNBLearner", "RNBPlusLearner",
           "WANBIALearner"]


class RNBLearner(DiscretizingLearner, core=RNBClassifier):
    """
    Regularized naive Bayes, RNB: a mixture of WANBIA and CAWNB.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBLearner()(iris)
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.96
    """

    name = "RNB"


class WANBIALearner(DiscretizingLearner, core=WANBIAClassifier):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has one weight.

    Examples
    --------
    >>> from Orange.data import Table
    >>> WANBIALearner()(Table("iris")).weights.round(2)
    array([0.  , 0.  , 0.65, 0.7 ])
    """

    name = "WANBIA"
    __returns__ = AdditiveNaiveBayesModel


class CAWNBLearner(DiscretizingLearner, core=CAWNBClassifier):
    """
    Class-specific attribute weighted naive Bayes, CAWNB.

    Each attribute has a weight for each class.

    Examples
    --------
    >>> from Orange.data import Table
    >>> CAWNBLearner()(Table("iris")).class_weights.shape
    (3, 4)
    """

    name = "CAWNB"
    __returns__ = AdditiveNaiveBayesModel


@takes(SADDDiscretizer, RNBClassifier)
class RNBPlusLearner(DiscretizingLearner):
    """
    RNB+: regularized naive Bayes with SADD.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBPlusLearner(unlabelled=iris)(iris[::2])
    >>> float((model(iris[1::2]) == iris[1::2].Y).mean().round(2))
    0.93
    """

    name = "RNB+"
    classifier = RNBClassifier

    discretizer: str = field(default="SADD", init=False)
    unlabelled: Table | None = same(PoolLearner, "unlabelled", kw_only=True)


class AIWNBLearner(DiscretizingLearner, core=AIWNBClassifier):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    Examples
    --------
    >>> from Orange.data import Table
    >>> AIWNBLearner()(Table("iris")).weights.round(2)
    array([0.46, 0.47, 0.53, 0.54])
    """

    name = "AIWNB"


class NBLearner(DiscretizingLearner, core=NaiveBayesClassifier):
    """
    Naive Bayes, NB, discretized and smoothed like the weighted models.

    Unlike Orange's `NaiveBayesLearner`, it differs from them in the weights only. So
    the difference of scores is the effect of the weights.

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
