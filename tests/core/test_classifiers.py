"""The classifiers: contracts, weights, unlabelled rows, input of all kinds."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array
from sklearn import clone
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.datasets import load_iris, make_classification
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    MDLPDiscretizer,
    SADDDiscretizer,
    SADDTablesClassifier,
)
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.tables import fit_tables
from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    WANBIAClassifier,
)
from tests.core.checks import run_checks

X, Y = load_iris(return_X_y=True)

# Few iterations, so that rounding errors do not have the time to grow
ALL = {
    "NB": NaiveBayesClassifier(),
    "WANBIA": WANBIAClassifier(max_iter=15),
    "CAWNB": CAWNBClassifier(max_iter=15),
    "RNB": RNBClassifier(max_iter=15),
    "AIWNB^E": AIWNBClassifier(),
    "AIWNB^L": AIWNBClassifier(instance_weighting="lazy"),
    "RNB+": RNBPlusClassifier(max_iter=15),
    "SADD Tables": SADDTablesClassifier(
        labeller="neighbours", penalty=1, pairs=0, tol=1e-9),
}
BAYES = [name for name in ALL if name != "SADD Tables"]
OPTIMIZED = ["WANBIA", "CAWNB", "RNB", "RNB+"]

pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning")
every = pytest.mark.parametrize("name", ALL)


def make(name, **parameters):
    return clone(ALL[name]).set_params(**parameters)


def fit(name, *args, fit_parameters=None, **parameters):
    return make(name, **parameters).fit(*args, **(fit_parameters or {}))


def problem(seed=0, n_rows=200, n_classes=3):
    return make_classification(n_rows, 6, n_informative=5, n_redundant=0, flip_y=0.1,
                               n_classes=n_classes, random_state=seed)


@every
@pytest.mark.parametrize("unlabelled_label", [None, -1])
def test_scikit_learn_checks(name, unlabelled_label):
    expected_failures = {} if unlabelled_label is None else {
        "check_classifiers_classes": "-1 and 1 are labels, but -1 means unlabelled"}
    model = make(name, unlabelled_label=unlabelled_label)
    # It needs SCIPY_ARRAY_API in the environment before scipy is imported
    assert run_checks(model, expected_failures) <= {"check_array_api_input"}


@every
class TestEveryClassifier:
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_weight_two_is_the_row_twice(self, name, n_classes):
        data, y = problem(1, n_classes=n_classes)
        weight = np.random.default_rng(1).integers(3, size=len(y))
        one = fit(name, data, y, weight)
        other = fit(name, np.repeat(data, weight, axis=0), np.repeat(y, weight))
        np.testing.assert_allclose(one.predict_proba(data), other.predict_proba(data),
                                   atol=1e-6)

    def test_order_does_not_matter(self, name):
        data, y = problem(2)
        random = np.random.default_rng(2)
        model = fit(name, data, y)
        expected = model.predict_proba(data)
        columns, rows = random.permutation(data.shape[1]), random.permutation(len(y))
        found = fit(name, data[:, columns], y).predict_proba(data[:, columns])
        np.testing.assert_allclose(found, expected, atol=1e-6)
        other = fit(name, data[rows], y[rows])
        np.testing.assert_allclose(other.predict_proba(data), expected, atol=1e-6)
        if name in OPTIMIZED:
            np.testing.assert_allclose(model.loss_history_, other.loss_history_)
        classes = np.array([2, 0, 1])
        found = fit(name, data, classes[y]).predict_proba(data)[:, classes]
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_only_minus_one_beside_a_label(self, name):
        y = np.where(Y > 0, 1, -1)
        with pytest.raises(ValueError, match="-1 were read as unlabelled.*=None"):
            fit(name, X, y)
        assert fit(name, X, y, unlabelled_label=None).score(X, y) > 0.9

    def test_another_label_for_unlabelled_rows(self, name):
        y = np.where(np.arange(150) % 5, np.array(["a", "b", "c"])[Y], "?")
        model = fit(name, X, y, unlabelled_label="?")
        assert list(model.classes_) == ["a", "b", "c"]
        assert list(fit(name, X, y).classes_) == ["?", "a", "b", "c"]

    def test_one_class(self, name):
        model = fit(name, X, np.full(150, 7))
        np.testing.assert_array_equal(model.predict(X), 7)
        np.testing.assert_array_equal(model.predict_proba(X), 1)

    def test_class_without_weight_has_probability_zero(self, name):
        for absent in (0, 1):
            used = Y != absent
            model = fit(name, X, Y, used.astype(float))
            np.testing.assert_array_equal(model.classes_, [0, 1, 2])
            p = model.predict_proba(X)
            assert not p[:, absent].any()
            rest = fit(name, X[used], Y[used])
            np.testing.assert_allclose(
                np.delete(p, absent, axis=1), rest.predict_proba(X), atol=1e-6)

    def test_categories_are_used_as_they_are(self, name):
        """Of a data frame, used as they are; unknown ones contribute nothing."""
        data, y = problem(7)
        colour = np.array(["red", "green", "blue"])[(y + (np.arange(200) % 4 == 0)) % 3]
        frame = pd.DataFrame({"colour": pd.Categorical(colour), "x": data[:, 0]})
        model = fit(name, frame, y)
        assert list(model.feature_names_in_) == ["colour", "x"]
        assert list(model.discretizer_.categories_[0]) == ["blue", "green", "red"]
        codes = np.unique(colour, return_inverse=True)[1]
        same = fit(name, np.column_stack((codes, data[:, 0])), y,
                   categorical_features=[0])
        np.testing.assert_allclose(
            model.predict_proba(frame),
            same.predict_proba(np.column_stack((codes, data[:, 0]))), atol=1e-9)
        unknown = pd.DataFrame({"colour": ["white"], "x": [np.nan]})
        nothing = pd.DataFrame({"colour": [None], "x": [np.nan]})
        np.testing.assert_array_equal(model.predict_proba(unknown),
                                      model.predict_proba(nothing))

    def test_callback_gets_progress_and_stops_the_fit(self, name):
        shares = []
        model = fit(name, X, Y, fit_parameters={"callback": shares.append})
        assert shares[-1] == 1
        assert len(shares) > getattr(model, "n_iter_", 0)
        assert np.all(np.diff(shares) >= 0)

        def stop(share):
            raise InterruptedError

        with pytest.raises(InterruptedError):
            fit(name, X, Y, fit_parameters={"callback": stop})

    def test_fit_replaces_an_earlier_fit(self, name):
        model = fit(name, X, Y).fit(X[:, :2], Y)
        fresh = fit(name, X[:, :2], Y)
        np.testing.assert_array_equal(model.predict_proba(X[:, :2]),
                                      fresh.predict_proba(X[:, :2]))

    @pytest.mark.parametrize("y, message", [
        (np.full(150, -1), "All rows are unlabelled"),
        (np.linspace(0, 1, 150), "Unknown label type: continuous"),
        (np.where(Y == 1, np.inf, 0), "contains infinity")])
    def test_bad_labels(self, name, y, message):
        with pytest.raises(ValueError, match=message):
            fit(name, X, y)

    def test_many_attributes_do_not_underflow(self, name):
        rng = np.random.default_rng(0)
        codes = rng.integers(12, size=(60, 320))
        y = np.arange(60) % 3
        model = fit(name, codes, y, categorical_features=np.ones(320, dtype=bool))
        log_p = model.predict_log_proba(rng.integers(12, size=(20, 320)))
        assert (1 / 12) ** 320 == 0  # this is what a product would be
        assert np.all(np.isfinite(log_p))
        np.testing.assert_allclose(np.exp(log_p).sum(axis=1), 1)


@pytest.mark.parametrize("name", BAYES)
def test_unlabelled_rows_are_not_learned_from(name):
    """Their values are, but by SADD only."""
    data, y = problem(5)
    y = y.copy()
    y[::3] = -1
    model = fit(name, data, y)
    np.testing.assert_array_equal(model.classes_, [0, 1, 2])
    rest = fit(name, data[y >= 0], y[y >= 0])
    assert model.tables_.class_counts.sum() == pytest.approx(
        rest.tables_.class_counts.sum())
    if name != "RNB+":
        np.testing.assert_array_equal(model.predict_proba(data),
                                      rest.predict_proba(data))


@pytest.mark.parametrize("name", BAYES)
def test_missing_values_contribute_nothing(name):
    holes = X.copy()
    holes[::5, 1] = np.nan
    holes[:, 3] = np.nan
    model = fit(name, holes, Y)
    p = model.predict_proba(np.full((1, 4), np.nan))
    weights = model.instance_weights_ if name == "AIWNB^E" else None
    expected = np.bincount(Y, weights)
    expected = (expected + 1 / 3) / (expected.sum() + 1)
    np.testing.assert_allclose(p[0], expected)


@pytest.mark.parametrize("discretizer", DISCRETIZERS)
@pytest.mark.parametrize("name", [name for name in ALL if name != "RNB+"])
def test_with_every_discretizer(name, discretizer):
    model = fit(name, X, Y, discretizer=discretizer)
    assert isinstance(model.discretizer_, DISCRETIZERS[discretizer].estimator)
    # Variables with fewer intervals than classes cannot separate all of them
    told_apart = min(max(model.discretizer_.n_intervals_), 3)
    assert model.score(X, Y) > 0.9 * told_apart / 3


class TestDiscretizer:
    def test_estimator_is_left_alone(self):
        discretizer = SADDDiscretizer(k=3)
        y = np.where(np.arange(150) % 3, Y, -1)
        model = NaiveBayesClassifier(discretizer).fit(X, y)
        assert not hasattr(discretizer, "cut_points_")
        assert model.discretizer_.k_ == 3
        assert len(model.discretizer_.pseudo_labels_) == 50

    def test_its_own_categorical_features_count(self):
        codes = np.column_stack((Y, X[:, 0]))
        model = NaiveBayesClassifier(
            MDLPDiscretizer(categorical_features=[0])).fit(codes, Y)
        np.testing.assert_array_equal(
            model.discretizer_.categorical_features_, [True, False])

    def test_any_transformer_that_gives_codes(self):
        discretizer = KBinsDiscretizer(4, encode="ordinal", strategy="uniform")
        codes = discretizer.fit_transform(X)
        model = NaiveBayesClassifier(discretizer).fit(X, Y)
        np.testing.assert_array_equal(
            model.predict_log_proba(X),
            BayesModel(fit_tables(codes, Y, 3)).log_posterior(codes))

    def test_transformer_without_weights_is_rejected_when_weights_are_passed(self):
        class Halves(TransformerMixin, BaseEstimator):
            def fit(self, X, y=None):
                return self

            def transform(self, X):
                return (X > X.mean()).astype(float)

        NaiveBayesClassifier(Halves()).fit(X, Y)
        with pytest.raises(ValueError, match="Halves cannot use sample_weight"):
            NaiveBayesClassifier(Halves()).fit(X, Y, np.ones(150))

@pytest.mark.parametrize(["name", "parameter", "value"], [
    ("RNB", "objective", "mae"), ("RNB", "max_iter", 0), ("RNB", "tol", -1),
    ("RNB+", "n0", -1), ("AIWNB^E", "instance_weighting", "none"),
    ("NB", "discretizer", "LDA"), ("SADD Tables", "discretizer", "LDA"),
    ("SADD Tables", "discretizer", StandardScaler()),
    ("SADD Tables", "labeller", "nobody"), ("SADD Tables", "min_confidence", 2),
    ("SADD Tables", "smoothness", -1), ("SADD Tables", "max_iter", 0),
    ("SADD Tables", "tol", -1)])
def test_bad_parameters(name, parameter, value):
    with pytest.raises(ValueError, match=f"{parameter}|no discretization method 'LDA'"):
        fit(name, X, Y, **{parameter: value})


class TestOptimized:
    @pytest.mark.parametrize("name", OPTIMIZED)
    def test_optimized_attributes_have_shapes_and_ranges(self, name):
        model = fit(name, X, Y)
        assert len(model.loss_history_) == model.n_iter_ + 1
        assert model.loss_ == model.loss_history_[-1] < model.loss_history_[0]
        assert np.all(np.diff(model.loss_history_) <= 0)
        lowest, highest = {"WANBIA": (0, 0), "CAWNB": (1, 1)}.get(name, (0, 1))
        assert lowest <= model.alpha_ <= highest
        for weights, shape in ((model.weights_, (4,)), (model.class_weights_, (3, 4))):
            if weights is not None:
                assert weights.shape == shape
                assert np.all((weights >= 0) & (weights <= 1))
        assert (model.weights_ is None) == (name == "CAWNB")
        assert (model.class_weights_ is None) == (name == "WANBIA")

    @pytest.mark.parametrize("name", OPTIMIZED)
    @pytest.mark.parametrize("objective", ["squared_error", "log_loss"])
    def test_loss_equals_the_loss_of_predictions(self, name, objective):
        data, y = problem(8)
        model = fit(name, data, y, objective=objective)
        p = model.predict_proba(data)
        expected = ((np.eye(3)[y] - p) ** 2).sum() if objective == "squared_error" \
            else -np.log(p[np.arange(len(y)), y]).sum()
        assert model.loss_ == pytest.approx(expected)

    @pytest.mark.parametrize("estimator", [
        *(ALL[name] for name in OPTIMIZED),
        SADDTablesClassifier(penalty=1, pairs=0)])
    def test_warns_if_it_has_not_converged(self, estimator):
        with pytest.warns(ConvergenceWarning, match="after 2 iterations") as caught:
            model = clone(estimator).set_params(max_iter=2).fit(X, Y)
        assert [warning.filename for warning in caught] == [__file__]
        assert not model.converged_
        assert model.n_iter_ == 2

    @pytest.mark.parametrize("name", OPTIMIZED)
    def test_does_not_warn_if_it_has(self, name):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert make(name, max_iter=2000).fit(X, Y).converged_

class TestRNBPlus:
    y = np.where(np.arange(150) % 2, Y, -1)
    pool, rest = X[::2], X[1::2]

    def same(self, one, other):
        np.testing.assert_array_equal(one.predict_proba(X), other.predict_proba(X))

    def test_is_rnb_with_sadd(self):
        parameters = {"k": 5, "n0": 500, "standardize": False, "random_state": 3}
        more = {"unlabelled": self.pool[:20]}
        one = fit("RNB+", X, self.y, fit_parameters=more, **parameters)
        other = fit("RNB", X, self.y, fit_parameters=more,
                    discretizer=SADDDiscretizer(**parameters))
        self.same(one, other)
        assert one.discretizer_.get_params() | {"categorical_features": None} \
            == SADDDiscretizer(**parameters).get_params()
        assert len(one.discretizer_.pseudo_labels_) == 75 + 20

    @pytest.mark.parametrize("label", [-1, None])
    @pytest.mark.parametrize("kind", [int, float, str])
    def test_pool_is_as_good_as_stacked_with_weights_of_one(self, kind, label):
        labels = Y[1::2].astype(kind)
        weight = np.random.default_rng(0).integers(1, 4, size=75)
        one = fit("RNB+", self.rest, labels, weight, unlabelled_label=label,
                  fit_parameters={"unlabelled": self.pool})
        other = fit("RNB+", np.concatenate((self.rest, self.pool)),
                    np.append(labels.astype(object), [None] * 75),
                    np.append(weight, np.ones(75)))
        self.same(one, other)
        np.testing.assert_array_equal(one.classes_, np.unique(labels))
        assert len(one.discretizer_.pseudo_labels_) == 75

    def test_pool_as_a_data_frame(self):
        """Columns are found by their names."""
        names = ["a", "b", "c", "d"]
        rest = pd.DataFrame(self.rest, columns=names)
        pool = pd.DataFrame(self.pool, columns=names)[["d", "b", "a", "c"]]
        one = fit("RNB+", rest, Y[1::2], fit_parameters={"unlabelled": pool})
        assert list(one.feature_names_in_) == names
        other = fit("RNB+", self.rest, Y[1::2],
                    fit_parameters={"unlabelled": self.pool})
        np.testing.assert_array_equal(one.predict_proba(rest),
                                      other.predict_proba(self.rest))

    def test_pool_that_cannot_be_used_is_rejected_with_advice(self):
        frame = pd.DataFrame(X, columns=["a", "b", "c", "d"])
        dense = "must be a dense array or a data frame with 4 features, like X"
        for rows, pool, advice in (
                *((X, pool, dense) for pool in (
                    X[0], X[None], X[:, :2], X[:, :0], csr_array(X), [], [[1], [2, 3]],
                    3, {}, frame["a"])), (X, "rows", "Pass data, not a path"),
                (X, X.astype("M8[s]"), "Convert it to numbers"),
                (X, np.full((3, 4), "text"), "Convert it to numbers"),
                (frame, frame["a"], dense),
                (frame, frame[["a", "b"]], "lacks the columns 'c', 'd'. Add them"),
                (frame, pd.concat((frame, frame), axis=1), "Rename them"),
                (frame, frame.assign(a="text"), "Make all of them text or numbers")):
            with pytest.raises(ValueError, match=advice):
                fit("RNB+", rows, Y, fit_parameters={"unlabelled": pool})

    @pytest.mark.parametrize("model", [
        make("RNB+"), make("RNB+", missing="interval"),
        SADDTablesClassifier(
            labeller="neighbours", penalty=1, pairs=0, max_iter=15)])
    def test_rows_without_a_known_value_are_ignored(self, model):
        unknown = np.full((50, 4), np.nan)
        one, other = (clone(model).fit(
            self.rest, Y[1::2], unlabelled=pool).predict_proba(X)
            for pool in (self.pool, np.concatenate((unknown, self.pool))))
        np.testing.assert_allclose(one, other, rtol=1e-9)

    def test_folds_in_which_all_texts_are_missing(self):
        frame = pd.DataFrame({"text": pd.Series([None] * 149 + ["x"]), "x": X[:, 2]})
        for name in ALL:
            assert cross_val_score(make(name), frame, Y, cv=5).min() > 0.6


class TestAIWNB:
    def test_eager_model_has_weighted_tables(self):
        model = AIWNBClassifier().fit(X, Y)
        codes = model.discretizer_.transform(X)
        tables = fit_tables(codes, Y, 3, model.instance_weights_)
        np.testing.assert_allclose(
            model.predict_log_proba(X),
            BayesModel(tables, model.weights_).log_posterior(codes))

    def test_nothing_to_be_cut(self):
        """One interval for each feature, as MDLP leaves of Bupa in the paper."""
        data = np.random.default_rng(0).normal(size=(30, 3))
        y = np.arange(30) % 3 == 0
        for weighting in ("eager", "lazy"):
            model = AIWNBClassifier(instance_weighting=weighting).fit(data, y)
            np.testing.assert_array_equal(model.discretizer_.n_intervals_, 1)
            assert np.all(np.isfinite(model.predict_log_proba(data)))
            np.testing.assert_array_equal(model.predict(data), False)

    def test_fit_replaces_earlier_instance_weights(self):
        model = AIWNBClassifier().fit(X, Y)
        assert len(model.instance_weights_) == len(Y)
        model.set_params(instance_weighting="lazy").fit(X, Y)
        assert model.instance_weights_ is None
