"""Pseudo-labels, categories, and lazy results."""

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    MDLPDiscretizer,
    SADDDiscretizer,
    make_discretizer,
)
from tests.cluster.data import (
    as_arrays,
    as_frame,
    assert_same_cuts,
    make_data,
    sizes_of,
)

N_ROWS = 3000


class TestPseudoLabels:
    def data(self, n_rows=2000):
        X, y = make_data(n_rows, 3, missing=0.02)
        y[np.random.default_rng(5).random(n_rows) < 0.7] = -1
        return X, y

    @pytest.mark.parametrize("parameters, kind", [
        ({}, ""), ({"k": 5}, ""), ({"k": [3, 9]}, ""), ({"max_labelled": 100}, ""),
        ({"labeller": "committee", "n0": 20}, ""),
        ({"labeller": GaussianNB(), "n0": 20, "min_confidence": 0.7}, ""),
        ({"n0": 50}, "weighted"), ({}, "labels in one partition"),
        ({"k": 5}, "unknown rows")])
    def test_fit_is_that_of_memory(self, client, parameters, kind):
        X, y = self.data()
        vectors = [y]
        if kind == "weighted":
            vectors.append(np.random.default_rng(6).integers(0, 3, 2000).astype(float))
        elif kind == "labels in one partition":
            order = np.argsort(y < 0, kind="stable")
            X, vectors = X[order], [y[order]]
        elif kind == "unknown rows":
            X[np.flatnonzero(y < 0)[::2]] = np.nan
        expected = SADDDiscretizer(**parameters).fit(X, *vectors)
        found = SADDDiscretizer(**parameters).fit(X[:90], y[:90])
        found.fit(*as_arrays(sizes_of(2000, 5, 1), X, *vectors))
        assert_same_cuts(found, expected)
        for name in ("k_", "k_scores_", "labeller_score_"):
            assert getattr(found, name) == getattr(expected, name)
        np.testing.assert_array_equal(found.missing_counts_, expected.missing_counts_)
        assert not hasattr(found, "pseudo_labels_")

    def test_k_is_none_when_all_rows_are_labelled(self):
        X, y = make_data(2000, 3)
        found = SADDDiscretizer().fit(*as_arrays(sizes_of(2000, 5), X, y))
        assert found.k_ is None and found.k_scores_ == {}

    def test_many_labelled_rows_are_not_collected(self, monkeypatch):
        monkeypatch.setattr("orangecontrib.sadd.core.dask.rows.MOST_LABELLED", 5000)
        X, y = self.data()
        data = as_arrays(sizes_of(2000, 3), X, y)
        with pytest.raises(ValueError, match="Set max_labelled"):
            SADDDiscretizer().fit(*data)
        SADDDiscretizer(max_labelled=1000).fit(*data)

    def test_missing_labels_are_unlabelled_rows(self):
        X, y = self.data()
        labels = np.array([None, "no", "yes", "maybe"], dtype=object)[y + 1]
        frame = as_frame(sizes_of(2000, 4), X, label=labels)
        found = SADDDiscretizer().fit(frame, "label")
        expected = SADDDiscretizer().fit(X, labels)
        assert_same_cuts(found, expected)
        assert found.classes_.tolist() == ["maybe", "no", "yes"]


class TestLazyResults:
    def test_transform_joins_chunks_of_columns(self):
        X, y = make_data(N_ROWS, 3)
        method = MDLPDiscretizer().fit(da.from_array(X, chunks=(700, 2)), y)
        assert_same_cuts(method, MDLPDiscretizer().fit(X, y))
        np.testing.assert_array_equal(
            method.transform(da.from_array(X, chunks=(900, 1))), method.transform(X))

    def test_transform_of_frames_is_that_of_memory(self):
        X, y = make_data(N_ROWS, 3)
        frame = as_frame(sizes_of(N_ROWS, 5, 1), X)
        method = MDLPDiscretizer().fit(frame, da.from_array(y, chunks=(
            sizes_of(N_ROWS, 5, 1),)))
        expected = method.transform(frame.compute())
        np.testing.assert_array_equal(method.transform(frame), expected)


class TestCategories:
    @pytest.fixture
    def frame(self):
        random = np.random.default_rng(0)
        X, y = make_data(N_ROWS, 3)
        frame = pd.DataFrame(X, columns=list("abc"))
        frame["text"] = np.array(["x", "yy", None, "z"], dtype=object)[
            random.integers(0, 4, N_ROWS)]
        frame["kind"] = pd.Categorical(np.array(["u", "v"])[(y + random.integers(
            0, 2, N_ROWS)) % 2])
        frame["flag"] = y == 1
        return frame, y

    def test_codes_are_those_of_memory(self, client, frame):
        frame, y = frame
        ours = as_frame(sizes_of(N_ROWS, 6, 1), frame, y=y)
        for method in (MDLPDiscretizer(categorical_features="from_dtype"),
                       MDLPDiscretizer(categorical_features=["text", "kind", "flag"])):
            found = method.fit(ours, "y")
            codes = found.transform(ours[frame.columns.tolist()]).compute()
            expected = MDLPDiscretizer(
                categorical_features="from_dtype").fit(frame, y)
            assert_same_cuts(found, expected)
            assert [None if c is None else c.tolist() for c in found.categories_] == [
                None if c is None else c.tolist() for c in expected.categories_]
            np.testing.assert_array_equal(codes, expected.transform(frame))

    @pytest.mark.parametrize("name", DISCRETIZERS)
    def test_fit_takes_nothing_but_categories(self, frame, name):
        frame, y = frame
        frame = frame[["text", "kind", "flag"]]
        ours = as_frame(sizes_of(N_ROWS, 6, 1), frame, y=y)
        found = make_discretizer(name, categorical_features="from_dtype").fit(ours, "y")
        expected = make_discretizer(name, categorical_features="from_dtype").fit(
            frame, y)
        assert_same_cuts(found, expected)
        np.testing.assert_array_equal(found.n_intervals_, expected.n_intervals_)

    def test_columns_of_an_array_are_categorical(self):
        X, y = make_data(N_ROWS, 3)
        X[:, 1] = np.random.default_rng(0).integers(0, 9, N_ROWS) * 7
        X[::50, 1] = np.nan
        found = MDLPDiscretizer(categorical_features=[1]).fit(
            *as_arrays(sizes_of(N_ROWS, 6, 1), X, y))
        expected = MDLPDiscretizer(categorical_features=[1]).fit(X, y)
        assert_same_cuts(found, expected)
        np.testing.assert_array_equal(found.categories_[1], expected.categories_[1])
