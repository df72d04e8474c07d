"""Extreme parameters: they are rejected, or nothing grows with them beyond the data."""

import inspect
import time
import tracemalloc
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from tests.core.checks import ESTIMATORS

EXTREMES = [
    0, 1, 2, 7, -1, 1000, 10 ** 7, 2 ** 31, 2 ** 63, 10 ** 20, 10 ** 400, -10 ** 400,
    0.0, 5e-324, 1e-300, 1e-9, 0.5, 1 - 2 ** -53, 1.0, 1.5, 1e9, 1e300, 1.7e308, -1.0,
    float("inf"), float("nan"), np.int8(3), np.uint64(2 ** 64 - 1), np.float16(0.5),
    np.longdouble("1e-4000"), np.longdouble("1e4000"), np.bool_(True), True, None,
    Fraction(1, 3), Fraction(10 ** 400), Decimal("0.5"), 1j, "auto", "", b"x", [],
    [1, 10 ** 20], [1, 10 ** 400], np.array([3, 5]), np.array(3), {}, object()]

# Bytes that a fit to these few rows may take
MOST_BYTES = 2 ** 24
# Seconds on a busy machine
MOST_SECONDS = 60


Y = np.arange(80) % 3
PARTLY = np.where(np.arange(80) % 4, Y, -1)
X = np.random.default_rng(0).normal(size=(80, 3)) + Y[:, None]
X[::7, 0] = np.nan


def names_of(name):
    """Return the parameters of an estimator, apart from those that are objects."""
    found = inspect.signature(type(ESTIMATORS[name])).parameters
    return [key for key in found if key not in ("discretizer", "labeller")]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
@given(choice=st.data())
def test_extreme_parameters_are_rejected_or_harmless(name, choice):
    keys = choice.draw(st.lists(st.sampled_from(names_of(name)), min_size=1,
                                max_size=3, unique=True))
    estimator = clone(ESTIMATORS[name])
    learns_from_all = getattr(estimator, "uses_unlabelled", True)
    y = PARTLY if learns_from_all else Y
    for key in keys:
        setattr(estimator, key, choice.draw(st.sampled_from(EXTREMES)))
    begin = time.process_time()
    tracemalloc.start()
    try:
        fitted = estimator.fit(X, y)
        peak = tracemalloc.get_traced_memory()[1]
    except ValueError as error:
        assert str(error)
        return
    finally:
        tracemalloc.stop()
    assert peak < MOST_BYTES
    assert time.process_time() - begin < MOST_SECONDS
    if hasattr(fitted, "predict_proba"):
        np.testing.assert_allclose(fitted.predict_proba(X).sum(axis=1), 1)
    else:
        fitted.transform(X)
        assert all(np.all(np.diff(cuts) > 0) and np.all(np.isfinite(cuts))
                   for cuts in fitted.cut_points_)
