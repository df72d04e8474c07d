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

# Parameters that make sense only if it is certain that the discretizer is SADD
OF_SADD = ("k", "n0", "standardize")


@takes(RNBClassifier, SADDDiscretizer, without=OF_SADD)
class RNBLearner(DiscretizingLearner):
    """
    Regularized naive Bayes, RNB: a mixture of WANBIA and CAWNB.

    See Also
    --------
    orangecontrib.sadd.core.RNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> model = RNBLearner()(iris)
    >>> float((model(iris) == iris.Y).mean().round(2))
    0.96
    """

    name = "RNB"
    classifier = RNBClassifier


@takes(WANBIAClassifier, SADDDiscretizer, without=OF_SADD)
class WANBIALearner(DiscretizingLearner):
    """
    Weighting to alleviate the naive Bayes independence assumption, WANBIA.

    Each attribute has one weight.

    See Also
    --------
    orangecontrib.sadd.core.WANBIAClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> WANBIALearner()(Table("iris")).weights.round(2)
    array([0.  , 0.  , 0.65, 0.7 ])
    """

    name = "WANBIA"
    classifier = WANBIAClassifier
    __returns__ = AdditiveNaiveBayesModel


@takes(CAWNBClassifier, SADDDiscretizer, without=OF_SADD)
class CAWNBLearner(DiscretizingLearner):
    """
    Class-specific attribute weighted naive Bayes, CAWNB.

    Each attribute has a weight for each class.

    See Also
    --------
    orangecontrib.sadd.core.CAWNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> CAWNBLearner()(Table("iris")).class_weights.shape
    (3, 4)
    """

    name = "CAWNB"
    classifier = CAWNBClassifier
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


@takes(AIWNBClassifier, SADDDiscretizer, without=OF_SADD)
class AIWNBLearner(DiscretizingLearner):
    """
    Attribute and instance weighted naive Bayes, AIWNB.

    See Also
    --------
    orangecontrib.sadd.core.AIWNBClassifier

    Examples
    --------
    >>> from Orange.data import Table
    >>> AIWNBLearner()(Table("iris")).weights.round(2)
    array([0.46, 0.47, 0.53, 0.54])
    """

    name = "AIWNB"
    classifier = AIWNBClassifier


@takes(NaiveBayesClassifier, SADDDiscretizer, without=OF_SADD)
class NBLearner(DiscretizingLearner):
    """
    Naive Bayes, NB, discretized and smoothed like the weighted models.

    Unlike Orange's `NaiveBayesLearner`, it differs from them in the weights only. So
    the difference of scores is the effect of the weights.

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
    classifier = NaiveBayesClassifier
    __returns__ = AdditiveNaiveBayesModel
