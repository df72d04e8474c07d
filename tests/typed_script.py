"""A script with types, as a user writes it: mypy checks it, pytest runs it."""

from typing import Any, assert_type

import numpy as np
import numpy.typing as npt

import orangecontrib.sadd
from orangecontrib.sadd import RNBPlusLearner, SADDDiscretize
from orangecontrib.sadd.core import (
    DISCRETIZERS,
    RNBPlusClassifier,
    SADDDiscretizer,
    make_discretizer,
)
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.types import Floats


def discretize(X: Floats, y: npt.NDArray[np.int64]) -> list[Floats]:
    """Return the cut points of each column."""
    sadd = SADDDiscretizer(k=[1, 3], n0=500).fit(X, y)
    assert_type(sadd, SADDDiscretizer)
    assert_type(sadd.transform(X), Floats)
    assert_type(sadd.cut_points_, list[Floats])
    return sadd.cut_points_


def classify(X: Floats, y: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """Return the classes that RNB+ predicts for the rows it was trained with."""
    model = RNBPlusClassifier(k=1, max_iter=20).fit(X, y, unlabelled=X)
    assert_type(model, RNBPlusClassifier)
    assert_type(model.predict_proba(X), Floats)
    return model.predict(X)


def methods() -> dict[str, Discretizer]:
    """Return a discretizer of each method."""
    assert_type(DISCRETIZERS["SADD"].uses_unlabelled, bool)
    return {name: make_discretizer(name) for name in DISCRETIZERS}


def scripting() -> tuple[SADDDiscretize, RNBPlusLearner, str]:
    """Return what an Orange script makes."""
    return (SADDDiscretize(k="auto", method="CAIM"),
            RNBPlusLearner(objective="log_loss"), orangecontrib.sadd.__version__)
