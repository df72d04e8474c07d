"""Tables, encodings and inverse transforms of intervals that were fitted by Dask."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import issparse
from sklearn.base import clone

from orangecontrib.sadd.core import MDLPDiscretizer, NaiveBayesClassifier
from tests.cluster.data import as_arrays, as_frame, make_data, sizes_of

N_ROWS = 3000


def both(method):
    """Fit to data in memory, and to the same in partitions."""
    X, y = make_data(N_ROWS, 3, digits=1, missing=0.05)
    X[:7, 0], X[7:9, 0] = np.inf, -np.inf
    data = as_arrays(sizes_of(N_ROWS, 6, 2), X, y)
    return method.fit(X, y), clone(method).fit(*data), X, data[0]


@pytest.mark.parametrize("missing", ["ignore", "interval"])
@pytest.mark.parametrize("encode", ["ordinal", "interval", "onehot"])
def test_transform_is_that_of_memory(encode, missing):
    expected, found, X, lazy = both(
        MDLPDiscretizer(encode=encode, missing=missing, sparse_output=False))
    result = found.transform(lazy)
    assert result.shape == (N_ROWS, len(expected.get_feature_names_out()))
    pd.testing.assert_frame_equal(
        pd.DataFrame(result.compute()), pd.DataFrame(expected.transform(X)))
    assert MDLPDiscretizer.from_json(found.to_json()).interval_names() \
        == expected.interval_names()


def test_transform_returns_sparse_blocks():
    expected, found, X, lazy = both(MDLPDiscretizer(encode="onehot"))
    frame = as_frame(sizes_of(N_ROWS, 6, 2), pd.DataFrame(X, columns=["a", "b", "c"]))
    named = MDLPDiscretizer.from_json(found.to_json().replace("x0", "a").replace(
        "x1", "b").replace("x2", "c").replace('"named": false', '"named": true'))
    for result in (found.transform(lazy), named.transform(frame)):
        blocks = result.compute()
        assert issparse(blocks) and issparse(result.blocks[0].compute())
        np.testing.assert_array_equal(
            blocks.toarray(), expected.transform(X).toarray())


@pytest.mark.parametrize("encode", ["ordinal", "interval", "onehot"])
def test_inverse_transform_is_lazy(encode):
    expected, found, X, lazy = both(MDLPDiscretizer(encode=encode, missing="interval"))
    result = found.inverse_transform(found.transform(lazy))
    assert isinstance(result, da.Array) and result.shape == (N_ROWS, 3)
    np.testing.assert_array_equal(
        result.compute(), expected.inverse_transform(expected.transform(X)))


def test_inverse_transform_returns_categories():
    frame = pd.DataFrame({"a": [1., 2, 3, 4] * 9, "b": ["x", "y", "z", "y"] * 9})
    method = MDLPDiscretizer(categorical_features=["b"]).fit(frame, [0, 0, 1, 1] * 9)
    lazy = method.inverse_transform(method.transform(as_frame([20, 0, 16], frame)))
    expected = method.inverse_transform(method.transform(frame))
    assert lazy.dtype == expected.dtype == object
    assert lazy.compute().tolist() == expected.tolist()


def test_naive_bayes_uses_the_interval_of_missing_values():
    X, y = make_data(N_ROWS, 3, missing=0.05)
    X[y == 0, 1] = np.nan
    model = NaiveBayesClassifier(MDLPDiscretizer(missing="interval"))
    expected = model.fit(X, y).predict_proba(X[:50])
    model.fit(*as_arrays(sizes_of(N_ROWS, 5), X, y))
    np.testing.assert_allclose(model.predict_proba(X[:50]), expected)
    ignoring = NaiveBayesClassifier(MDLPDiscretizer()).fit(X, y)
    assert np.abs(ignoring.predict_proba(X[:50]) - expected).max() > 0.1


def test_interval_tables_have_categories():
    X, y = make_data(N_ROWS, 3)
    frame = pd.DataFrame(X, columns=list("abc")).assign(
        d=np.where(y > 1, "x", "z"), y=y)
    frame.loc[::7, "d"] = None
    method = MDLPDiscretizer(categorical_features=["d"])
    expected = method.fit(frame.drop(columns="y"), y).interval_table()
    found = method.fit(
        as_frame(sizes_of(N_ROWS, 5), frame), "y").interval_table()
    pd.testing.assert_frame_equal(found, expected)
