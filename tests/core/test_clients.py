"""Data as users hold them: frames of several libraries, types, and memory."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import AdaBoostClassifier
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    SADDDiscretizer,
    make_discretizer,
)
from tests.core.checks import same_cuts

X, Y = load_iris(return_X_y=True)
NAMES = ["a", "b", "c", "d"]
FLOWERS = np.array(["setosa", "versicolor", "virginica"])[Y]


def arrow(frame):
    pytest.importorskip("pyarrow")
    return frame.convert_dtypes(dtype_backend="pyarrow")


def polars(frame):
    return pytest.importorskip("polars").DataFrame(
        {name: frame[name].to_numpy() for name in frame})


FRAMES = {"pandas": lambda frame: frame, "nullable": pd.DataFrame.convert_dtypes,
          "arrow": arrow, "polars": polars}
every_kind = pytest.mark.parametrize("kind", FRAMES)


def labels_in(kind, labels=FLOWERS):
    """Return labels as a column of a frame."""
    return FRAMES[kind](pd.DataFrame({"y": labels}))["y"]


def mixed(n_rows=150):
    """Return numbers, Boolean values, categories and text."""
    random = np.random.default_rng(0)
    return pd.DataFrame({
        "number": X[:n_rows, 2], "whole": (10 * X[:n_rows, 3]).astype(int),
        "flag": X[:n_rows, 0] > 5.5,
        "text": np.array(["low", "high"])[(X[:n_rows, 1] > 3).astype(int)],
        "more": random.choice(["x", "y", "z"], n_rows)})


class TestFrames:
    @every_kind
    @pytest.mark.parametrize("name", DISCRETIZERS)
    def test_discretizers(self, name, kind):
        frame = pd.DataFrame(X, columns=NAMES)
        expected = make_discretizer(name).fit(frame, Y)
        given = FRAMES[kind](frame)
        found = make_discretizer(name).fit(given, labels_in(kind))
        assert list(found.feature_names_in_) == NAMES
        assert same_cuts(expected, found)
        np.testing.assert_array_equal(found.transform(given), expected.transform(frame))

    @every_kind
    @pytest.mark.parametrize("holes", [False, True])
    @pytest.mark.parametrize("classifier", [NaiveBayesClassifier(), RNBClassifier(),
                                            RNBPlusClassifier()], ids=repr)
    def test_classifiers_with_columns_of_all_types(self, classifier, holes, kind):
        frame = mixed()
        if holes:
            frame = frame.astype({"flag": object})
            for column, name in enumerate(frame):
                frame.loc[7 * column:7 * column + 5, name] = None
        expected = sklearn.clone(classifier).fit(frame, FLOWERS).predict_proba(frame)
        given = FRAMES[kind](frame)
        fitted = classifier.fit(given, labels_in(kind))
        np.testing.assert_array_equal(fitted.classes_, np.unique(FLOWERS))
        np.testing.assert_array_equal(fitted.predict_proba(given), expected)

    @every_kind
    def test_unlabelled_rows(self, kind):
        frame = pd.DataFrame(X, columns=NAMES)
        labels = np.where(np.arange(150) % 3, FLOWERS, None)
        given = FRAMES[kind](frame)
        expected = RNBPlusClassifier().fit(frame, labels)
        found = RNBPlusClassifier().fit(given, labels_in(kind, labels))
        pooled = RNBPlusClassifier().fit(
            given[::2], FLOWERS[::2], unlabelled=given[1::2])
        np.testing.assert_array_equal(found.predict(given), expected.predict(frame))
        assert pooled.discretizer_.n_intervals_.sum() > 4

    @pytest.mark.parametrize("types", [
        ("bool", "category"), ("boolean", "category"), ("bool", "string"),
        ("category", "string[pyarrow]"), ("bool[pyarrow]", "category"),
        ("bool[pyarrow]", "string")])
    def test_any_two_types_beside_each_other(self, types):
        pytest.importorskip("pyarrow")
        plain = mixed()[["flag", "text"]]
        frame = plain.astype(dict(zip(plain, types, strict=True)))
        expected = NaiveBayesClassifier().fit(plain, Y).predict_proba(plain)
        found = NaiveBayesClassifier().fit(frame, Y)
        assert found.discretizer_.categorical_features_.all()
        np.testing.assert_array_equal(found.predict_proba(frame), expected)

    def test_categories_that_are_numbers_beside_text(self):
        frame = mixed()[["text"]].assign(year=pd.Categorical(2000 + Y))
        fitted = SADDDiscretizer(categorical_features="from_dtype").fit(frame, Y)
        assert fitted.categories_[1].tolist() == [2000, 2001, 2002]
        np.testing.assert_array_equal(fitted.transform(frame)[:, 1], Y)


class TestRejected:
    @pytest.mark.parametrize("features", [None, "from_dtype"])
    @every_kind
    @pytest.mark.parametrize("make", [SADDDiscretizer, RNBPlusClassifier])
    def test_one_column(self, make, kind, features):
        column = FRAMES[kind](pd.DataFrame(X, columns=NAMES))["a"]
        with pytest.raises(ValueError, match="Expected a? ?2"):
            make(categorical_features=features).fit(column, Y)

    @pytest.mark.parametrize("make", [SADDDiscretizer, RNBPlusClassifier])
    def test_lazy_frames(self, make):
        lazy = polars(pd.DataFrame(X, columns=NAMES)).lazy()
        with pytest.raises(ValueError, match=r"pass X\.collect\(\)"):
            make().fit(lazy, Y)
        found = make().fit(lazy.collect(), Y)
        assert found.n_features_in_ == 4


class TestOutput:
    @pytest.mark.parametrize("output", ["pandas", "polars"])
    @pytest.mark.parametrize("model", [
        RNBPlusClassifier(), NaiveBayesClassifier(KBinsDiscretizer(encode="ordinal"))])
    def test_global_setting_does_not_change_predictions(self, model, output):
        pytest.importorskip(output)
        frame = pd.DataFrame(X, columns=NAMES)
        expected = model.fit(frame, Y).predict_proba(frame)
        with sklearn.config_context(transform_output=output):
            found = model.fit(frame, Y).predict_proba(frame)
        np.testing.assert_array_equal(found, expected)

    def test_lists_are_codes(self):
        bins = FunctionTransformer(lambda rows: np.rint(rows).astype(int).tolist())
        fitted = NaiveBayesClassifier(bins).fit(X, Y)
        assert fitted.score(X, Y) > 0.9

    @pytest.mark.parametrize("discretizer", [
        KBinsDiscretizer(encode="onehot"), FunctionTransformer(),
        FunctionTransformer(lambda rows: -np.rint(rows)),
        FunctionTransformer(lambda rows: np.full(rows.shape, "low")),
        FunctionTransformer(lambda rows: [[]] * len(rows[:-1]) + [[1]]),
        FunctionTransformer(lambda rows: rows[:, 0].astype(int))])
    def test_discretizer_that_returns_no_codes_is_rejected(self, discretizer):
        with pytest.raises(ValueError, match="must return whole numbers from 0"):
            NaiveBayesClassifier(discretizer).fit(X, Y)


class TestWeights:
    @pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
    def test_boosting(self, load):
        X, y = load(return_X_y=True)
        alone = cross_val_score(RNBPlusClassifier(), X, y, cv=3).mean()
        ensemble = AdaBoostClassifier(RNBPlusClassifier(), n_estimators=3)
        if ensemble.get_params().get("algorithm") == "SAMME.R":
            # Until scikit-learn 1.6; it trusts probabilities and is no longer there
            ensemble.set_params(algorithm="SAMME")
        boosted = cross_val_score(ensemble, X, y, cv=3).mean()
        assert boosted > alone - 0.03

    @pytest.mark.parametrize("name", DISCRETIZERS)
    @pytest.mark.parametrize("factor", [1 / 150, 0.37, 0.9])
    def test_a_common_factor_changes_nothing_below_a_mean_of_one(self, name, factor):
        for weights in (np.ones(150), np.random.default_rng(0).random(150) + 0.1):
            expected = make_discretizer(name).fit(X, Y, weights).cut_points_
            found = make_discretizer(name).fit(X, Y, weights * factor).cut_points_
            for cuts, same in zip(expected, found, strict=True):
                np.testing.assert_allclose(cuts, same, rtol=1e-12)
