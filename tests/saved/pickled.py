"""Things that users pickle, each with the result of its use.

``python -m tests.saved.pickled FILE`` reads a file in a fresh process.
"""

import lzma
import pickle
import sys
import warnings

import numpy as np
from Orange.base import Model
from Orange.data import Domain, Table

from tests.saved import LABELS, ROWS


def use(thing):
    """Return the numbers that a thing computes from rows that are always the same."""
    iris = Table("iris")
    if isinstance(thing, Domain):
        return iris.transform(thing).X
    if isinstance(thing, Model):
        return thing(iris, Model.Probs)
    if hasattr(thing, "predict_proba"):
        return thing.predict_proba(ROWS)
    if hasattr(thing, "transform"):
        return thing.transform(ROWS)
    made = thing(iris[::2])  # by a learner or a preprocessor
    return use(made if isinstance(made, Model) else made.domain)


def things():
    """Return one thing of each kind."""
    from orangecontrib.sadd import SADD, SADDDiscretize
    from orangecontrib.sadd.core import (
        DISCRETIZERS,
        RNBPlusClassifier,
        make_discretizer,
    )
    from orangecontrib.sadd.core.registry import CLASSIFIERS
    from orangecontrib.sadd.scripting import classification
    from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner

    iris = Table("iris")
    pool = iris[::10]
    estimators = [make_discretizer(name, categorical_features="from_dtype")
                  for name in DISCRETIZERS]
    estimators += [method.make() for method in CLASSIFIERS.values()]
    estimators.append(RNBPlusClassifier())
    learners = [
        classification.NBLearner(), classification.WANBIALearner(),
        classification.CAWNBLearner(), classification.RNBLearner(),
        classification.AIWNBLearner(),
        classification.AIWNBLearner(instance_weighting="lazy"),
        classification.RNBPlusLearner(unlabelled=pool),
        SADDTablesLearner(unlabelled=pool)]
    preprocessors = [
        SADDDiscretize(unlabelled=pool), SADDDiscretize(method=SADD(k=3)),
        SADDDiscretize(method="EF", encode="evidence")]
    return [*(estimator.fit(ROWS, LABELS) for estimator in estimators),
            *learners, *(learner(iris[::2]) for learner in learners),
            *preprocessors, *(made(iris[::2]).domain for made in preprocessors)]


def write(path):
    """Write things and the results of their use; return how many."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = [(thing, use(thing)) for thing in things()]
    path.write_bytes(lzma.compress(pickle.dumps(found)))
    return len(found)


if __name__ == "__main__":
    with lzma.open(sys.argv[1]) as file:
        read = pickle.load(file)
    for thing, expected in read:
        np.testing.assert_allclose(
            use(thing), expected, rtol=0, atol=1e-3, err_msg=repr(thing))
    print(len(read))
