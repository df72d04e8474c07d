"""The compiled modules of the methods, interpreted, find what they find compiled."""

import numpy as np
import pytest

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.core.methods import (
    _greedy,
    _sort,
    _tree,
    bins,
    cells,
    entropy,
    greedy,
)
from tests.core.pages import interpreted

PAGES = [(cells, "_sort"), (bins, "_sort"), (entropy, "_tree"), (greedy, "_greedy")]


@pytest.mark.parametrize("name", DISCRETIZERS)
@pytest.mark.parametrize("n_rows, n_classes, weights", [
    (1, 1, None), (2, 2, None), (700, 3, None), (400, 3, np.arange(400) % 3),
    (400, 60, np.linspace(.1, 2, 400))])
def test_interpreted_pages_agree_with_compiled_pages(
        name, n_rows, n_classes, weights, monkeypatch):
    random = np.random.default_rng(0)
    y = np.arange(n_rows) % n_classes
    X = random.normal(size=(n_rows, 3)) + y[:, None] / 2
    X[:, 1] = X[:, 1].round(1)
    X[:, 2] = np.where(random.random(n_rows) < .1, random.choice(
        [np.nan, np.inf, -np.inf, -0., 5e-324], n_rows), X[:, 2].round())

    def fit():
        fitted = DISCRETIZERS[name].make().fit(X, y, weights)
        return [*fitted.cut_points_, *fitted.counts_, fitted.mutual_information_,
                fitted.ranges_, fitted.missing_counts_]

    expected = fit()
    pages = {page.__name__.rpartition(".")[2]: interpreted(page)
             for page in (_greedy, _sort, _tree)}
    for module, page in PAGES:
        monkeypatch.setattr(module, page, pages[page])
    for found, known in zip(fit(), expected, strict=True):
        np.testing.assert_allclose(found, known, rtol=1e-12, atol=1e-12)
