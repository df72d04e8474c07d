"""Arrays and data frames, and errors in them."""

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import sklearn

from orangecontrib.sadd.core import (
    EqualWidthDiscretizer,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
)
from tests.cluster.data import as_arrays, as_frame, assert_same_cuts, make_data

X, Y = make_data(3000, 3)
WEIGHTS = np.random.default_rng(3).integers(0, 3, 3000).astype(float)
SIZES = 1000, 700, 1300
EXPECTED = MDLPDiscretizer().fit(X, Y, WEIGHTS)


class TestTypes:

    def frame(self):
        random = np.random.default_rng(5)
        return pd.DataFrame({
            "x": X[:600, 0], "whole": random.integers(0, 9, 600),
            "year": pd.Categorical(2020 + random.integers(0, 3, 600)),
            "share": pd.Categorical(random.choice([0.25, 0.5, None], 600)),
            "text": pd.Categorical(random.choice(["a", "b"], 600)),
            "flag": random.random(600) < 0.5})

    @pytest.mark.parametrize("types", [
        {}, {"flag": "bool[pyarrow]", "text": "string[pyarrow]"},
        {"flag": "boolean", "text": "string"}, {"x": "float32", "whole": "Int64"},
        {"x": "double[pyarrow]", "whole": "int16[pyarrow]"}])
    def test_columns_of_every_type_are_read_as_in_memory(self, types):
        frame = self.frame().astype(types)
        expected = NaiveBayesClassifier().fit(frame, Y[:600])
        lazy = dd.from_pandas(frame.assign(label=Y[:600]), npartitions=3)
        found = NaiveBayesClassifier().fit(lazy, "label")
        np.testing.assert_array_equal(found.discretizer_.categorical_features_,
                                      expected.discretizer_.categorical_features_)
        np.testing.assert_allclose(
            found.predict_proba(lazy[list(frame)]).compute(),
            expected.predict_proba(frame))

    def test_hive_partitions_are_categories(self, tmp_path):
        frame = self.frame()[["x", "year"]].assign(label=Y[:600]).astype({"year": int})
        frame.to_parquet(tmp_path / "data", partition_cols=["year"])
        frame = frame.astype({"year": "category"}).sort_values("year", kind="stable")
        expected = SADDDiscretizer(categorical_features="from_dtype").fit(
            frame[["x", "year"]], frame["label"])
        data = dd.read_parquet(tmp_path / "data")
        found = SADDDiscretizer(categorical_features="from_dtype").fit(data, "label")
        assert_same_cuts(found, expected)
        np.testing.assert_array_equal(
            found.transform(data[["x", "year"]]).compute(),
            expected.transform(frame[["x", "year"]]))

    @pytest.mark.parametrize("name", ["transform", "fit_transform"])
    def test_set_output_leaves_lazy_results_alone(self, name):
        array, = as_arrays(SIZES, X)
        expected = MDLPDiscretizer().fit(X, Y).transform(X)
        with sklearn.config_context(transform_output="pandas"):
            for fitted in (MDLPDiscretizer(),
                           MDLPDiscretizer().set_output(transform="pandas")):
                if name == "transform":
                    found = fitted.fit(array, Y).transform(array)
                else:
                    found = fitted.fit_transform(array, Y)
                assert isinstance(found, da.Array)
                np.testing.assert_array_equal(found.compute(), expected)


class TestWeights:
    @pytest.mark.parametrize("total", [1, 128, 1000, 5000])
    def test_low_weights_are_scaled_as_in_memory(self, total):
        weights = np.random.default_rng(0).random(3000)
        weights *= total / weights.sum()
        labels = np.where(np.arange(3000) % 3, Y, -1)
        data = as_arrays(SIZES, X, labels, weights)
        pool, = as_arrays((500,), X[:500] + 0.1)
        expected = RNBPlusClassifier().fit(
            X, labels, weights, unlabelled=X[:500] + 0.1)
        found = RNBPlusClassifier().fit(*data, unlabelled=pool)
        assert_same_cuts(found.discretizer_, expected.discretizer_)
        np.testing.assert_allclose(
            found.class_weights_, expected.class_weights_, rtol=1e-5)

class TestKinds:
    def test_paths_are_rejected(self, tmp_path):
        for path in ("data.parquet", tmp_path):
            with pytest.raises(ValueError, match="Pass data, not a path"):
                MDLPDiscretizer().fit(path, "label")

    @pytest.mark.parametrize("order", [[0, 1, 2], [2, 0, 1], [1, 2, 0]])
    def test_columns_are_read_in_any_order(self, tmp_path, order):
        """Dask joins files of which it reads some columns in an order of their own."""
        as_frame(SIZES, X, label=Y, weight=WEIGHTS, more=1., still=2., most=3.
                 ).to_parquet(tmp_path / "data")
        frame = dd.read_parquet(tmp_path / "data")
        names = [f"x{column}" for column in order]
        expected = MDLPDiscretizer().fit(X[:, order], Y, WEIGHTS)
        for data in [(frame[[*names, "label", "weight"]], "label", "weight"),
                     (frame[["label", *names]], "label", frame["weight"]),
                     (frame[names], frame["label"], frame["weight"])]:
            assert_same_cuts(MDLPDiscretizer().fit(*data), expected)

    def test_labels_are_names_or_collections(self, client):
        frame = as_frame(SIZES, X, label=Y, weight=WEIGHTS)
        unknown_length = frame[["x0", "x1", "x2"]].to_dask_array()
        assert np.isnan(unknown_length.shape[0])
        for data in [
                (unknown_length, frame["label"], frame["weight"]),
                (frame.persist(), "label", "weight"),
                (part.persist() for part in as_arrays(SIZES, X, Y, WEIGHTS)),
                (frame, "label", "weight"),
                (frame[["x0", "x1", "x2"]], frame["label"], frame["weight"]),
                (frame[["x0", "x1", "x2"]], frame["label"].to_dask_array(),
                 da.from_array(WEIGHTS, chunks=(SIZES,))),
                (frame[["x0", "x1", "x2", "label"]], "label", frame["weight"])]:
            assert_same_cuts(MDLPDiscretizer().fit(*data), EXPECTED)

    @pytest.mark.filterwarnings("ignore:A column-vector y was passed")  # as in memory
    def test_labels_of_arrays_are_rechunked(self):
        array, = as_arrays(SIZES, X)
        frame = as_frame(SIZES, X, label=Y, weight=WEIGHTS)
        for y, weight in [(Y, WEIGHTS), (Y.tolist(), da.from_array(WEIGHTS, chunks=50)),
                          (da.from_array(Y[:, None], chunks=999), WEIGHTS),
                          (frame["label"], frame["weight"])]:
            assert_same_cuts(MDLPDiscretizer().fit(array, y, weight), EXPECTED)
        assert_same_cuts(MDLPDiscretizer().fit(array, Y, 2.),
                         MDLPDiscretizer().fit(X, Y, np.full(3000, 2.)))

    def test_arrays_are_fitted_in_memory_beside_a_cluster(self, client):
        method = MDLPDiscretizer().fit(X, Y)
        assert isinstance(method.transform(X), np.ndarray)


class TestErrors:
    def fails(self, message, *data, method=None):
        with pytest.raises(ValueError, match=message):
            (method or SADDDiscretizer()).fit(*data)

    def test_names_are_rejected(self):
        frame = as_frame(SIZES, X, label=Y, weight=WEIGHTS)
        self.fails("y is 'lable', but the columns are 'x0'", frame, "lable")
        self.fails("sample_weight is 'w', but", frame, "label", "w")
        self.fails("requires y to be passed", frame)

    def test_lengths_are_rejected(self):
        array, y = as_arrays(SIZES, X, Y)
        frame = as_frame(SIZES, X)
        self.fails("X has 3000 rows, but y has 2999", array, Y[1:])
        self.fails("X has 3000 rows, but y has 2999", array, y[1:])
        self.fails("X has 3000 rows, but sample_weight has 1", array, y, WEIGHTS[:1])
        self.fails("3 partitions, but y has 2", frame, da.from_array(Y, chunks=1500))
        self.fails("lengths of the partitions of X are not known", frame, Y)
        self.fails(r"X has \d+ rows, but y has \d+", frame, da.from_array(
            Y, chunks=((700, 1000, 1300),)))
        self.fails("X is an array without", array, "label")
        self.fails("1d array", array, da.from_array(X, chunks=(SIZES, 3)))
        self.fails("3 partitions, but y has 2", frame,
                   dd.from_pandas(pd.Series(Y), npartitions=2))

    def test_shapes_and_types_are_rejected(self):
        self.fails("must have rows and columns", da.zeros(5), Y)
        self.fails("not Series", as_frame(SIZES, X)["x0"], Y)
        method = MDLPDiscretizer().fit(*as_arrays(SIZES, X, Y))
        with pytest.raises(ValueError, match="must have rows and columns"):
            method.transform(da.zeros(5))
        with pytest.raises(ValueError, match="2 features"):
            method.transform(da.from_array(X[:, :2], chunks=500)).compute()

    def test_labels_and_weights_are_rejected(self):
        array, = as_arrays(SIZES, X)
        empty = as_arrays((0, 0), X[:0], Y[:0])
        self.fails("missing, infinite or negative", array, Y, np.where(Y, 1, np.nan))
        self.fails("zero for every row", array, Y, np.zeros(3000))
        self.fails("zero for every row", array, Y, 0)
        self.fails("There are no rows", *empty)
        self.fails("There are no rows", *empty, method=MDLPDiscretizer())
        self.fails("There are no rows", empty[0], method=EqualWidthDiscretizer())
        self.fails("All rows are unlabelled", array, np.full(3000, -1))
        self.fails("Only one class remains", array, np.where(Y == 1, 1, -1))
        self.fails("Unknown label type: continuous", array, Y + 0.5)
        self.fails("y has missing labels", array, np.where(Y == 1, np.nan, Y),
                   method=MDLPDiscretizer())

    def test_text_in_a_numeric_column_is_rejected(self):
        frame = as_frame(SIZES, pd.DataFrame(X, columns=list("abc")).assign(d="text"))
        self.fails("holds something else", frame, da.from_array(Y, chunks=(SIZES,)))

    def test_errors_of_the_data_are_raised(self, client):
        def broken(block):
            raise RuntimeError("the disk is on fire")

        array = as_arrays(SIZES, X)[0].map_blocks(broken, dtype=float)
        with pytest.raises(RuntimeError, match="on fire"):
            MDLPDiscretizer().fit(array, Y)


class TestWithoutDask:
    def test_error_names_what_to_install(self, monkeypatch):
        import importlib

        frame, original = as_frame(SIZES, X, label=Y), importlib.import_module

        def no_dask(name, *args):
            if name.startswith("dask"):
                raise ImportError(name)
            return original(name, *args)

        monkeypatch.setattr(importlib, "import_module", no_dask)
        for estimator in (MDLPDiscretizer(), RNBClassifier()):
            with pytest.raises(ImportError, match=r"dask\[array,dataframe\]"):
                estimator.fit(frame, "label")


def test_fit_without_labels_takes_a_frame():
    found = EqualWidthDiscretizer().fit(as_frame(SIZES, X))
    assert len(found.cut_points_) == 3
    assert all(len(cuts) == 9 for cuts in found.cut_points_)
