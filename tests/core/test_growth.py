"""Work and memory grow with the data, not with its square."""

import tracemalloc

import numpy as np
import pytest

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    WANBIAClassifier,
    discretizer_base,
    make_discretizer,
)
from orangecontrib.sadd.core.bayes import aiwnb
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.splitting import shortintervals

CLASSIFIERS = [AIWNBClassifier(), CAWNBClassifier(max_iter=3), NaiveBayesClassifier(),
               RNBClassifier(max_iter=3), RNBPlusClassifier(max_iter=3),
               WANBIAClassifier(max_iter=3)]

# Four times as much of something may take this many times the memory; the square would
# be sixteen times
MOST = 8


def make(n_rows=400, n_classes=3, n_columns=4):
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_rows, n_columns))
    X[:, 0] += y
    return X, y


def peak_of(fit):
    """Return the bytes that a call needs at most, the second time."""
    fit()
    tracemalloc.start()
    try:
        fit()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("dimension", ["n_rows", "n_classes", "n_columns"])
@pytest.mark.parametrize("estimator", [*map(make_discretizer, DISCRETIZERS),
                                       *CLASSIFIERS], ids=lambda e: type(e).__name__)
@pytest.mark.filterwarnings("ignore:.*has not converged")
def test_memory(estimator, dimension):
    start = {"n_rows": 800, "n_classes": 4, "n_columns": 8}[dimension]
    few, many = (peak_of(lambda X=X, y=y: estimator.fit(X, y))
                 for X, y in (make(**{dimension: n}) for n in (start, 4 * start)))
    assert many < MOST * few + 2 ** 20


@pytest.mark.parametrize("name", DISCRETIZERS)
def test_memory_where_each_row_is_a_class(name, monkeypatch):
    """As where an id is taken for the class."""
    monkeypatch.setattr(discretizer_base, "MOST_CELLS", 2 ** 12)
    few, many = (peak_of(lambda n=n: make_discretizer(name).fit(*make(n, n, 1)))
                 for n in (200, 800))
    assert many < MOST * few + 2 ** 20


@pytest.mark.parametrize("name", ["MDLP", "SADD"])
def test_work_where_each_row_is_a_class(name, monkeypatch):
    cells = 0
    judge = shortintervals.judge

    def counted(totals, *arguments):
        nonlocal cells
        cells += totals.size
        return judge(totals, *arguments)

    monkeypatch.setattr(shortintervals, "judge", counted)
    found = []
    for n_rows in (500, 2000):
        cells = 0
        make_discretizer(name).fit(*make(n_rows, n_rows, 1))
        found.append(cells)
    assert found[1] < 6 * found[0]


def test_new_numbers_of_classes_change_nothing(monkeypatch):
    X, y = make(600, 70, 3)
    expected = make_discretizer("SADD").fit(X, y)
    monkeypatch.setattr(shortintervals, "MANY_CLASSES", 0)
    found = make_discretizer("SADD").fit(X, y)
    for cuts, same in zip(expected.cut_points_, found.cut_points_, strict=True):
        np.testing.assert_array_equal(cuts, same)
    X, y = make(600, 8, 3)
    monkeypatch.undo()
    expected = make_discretizer("SADD", n0=10).fit(X, y)
    monkeypatch.setattr(shortintervals, "MANY_CLASSES", 0)
    found = make_discretizer("SADD", n0=10).fit(X, y)
    assert sum(map(len, expected.cut_points_)) > 3
    for cuts, same in zip(expected.cut_points_, found.cut_points_, strict=True):
        np.testing.assert_array_equal(cuts, same)


class TestAIWNB:
    def codes(self, n_values):
        random = np.random.default_rng(0)
        codes = random.integers(0, 3, (n_values, 4)).astype(float)
        codes[:, 1] = np.arange(n_values)
        codes[::7, 2] = np.nan
        return codes, random.integers(0, 2, n_values), random.random(n_values)

    def weights(self, n_values, pair_bytes):
        codes, y, weight = self.codes(n_values)
        tables = fit_tables(codes, y, 2, weight)
        return aiwnb.attribute_weights(
            tables, tables.encode(codes), weight, pair_bytes=pair_bytes)

    @pytest.mark.parametrize("pair_bytes", [1, 10_000])
    def test_few_bytes_give_the_same(self, pair_bytes):
        np.testing.assert_allclose(self.weights(60, pair_bytes),
                                   self.weights(60, 2 ** 28), rtol=1e-12)

    def test_values_of_an_attribute(self):
        few, many = (peak_of(lambda n=n: self.weights(n, 2 ** 16)) for n in (500, 2000))
        assert many < MOST * few
