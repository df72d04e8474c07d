"""The nine estimators: contracts, input of all kinds, and bad input."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import mutual_info_score

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    EqualWidthDiscretizer,
    FFDDiscretizer,
    MDLPDiscretizer,
    NaiveBayesClassifier,
    SADDDiscretizer,
    make_discretizer,
)
from tests.core.checks import same_cuts

X, Y = load_iris(return_X_y=True)
PARTLY = np.where(np.arange(150) % 3, Y, -1)
ALL = list(DISCRETIZERS)
SUPERVISED = [name for name, method in DISCRETIZERS.items() if method.uses_class]
COMPETITORS = [name for name in ALL if name != "SADD"]


def test_equal_width_does_not_depend_on_the_origin():
    np.testing.assert_array_equal(
        make_discretizer("EW").fit_transform(X),
        make_discretizer("EW").fit_transform(4 * X - 1))


@pytest.mark.parametrize("name", ALL)
class TestEveryMethod:
    def test_codes_and_information_are_those_of_intervals(self, name):
        method = make_discretizer(name).fit(X, Y)
        codes = method.transform(X)
        for feature, cuts in enumerate(method.cut_points_):
            assert np.all(np.diff(cuts) > 0)
            np.testing.assert_array_equal(
                codes[:, feature], np.digitize(X[:, feature], cuts))
            assert method.n_intervals_[feature] == len(cuts) + 1
            assert method.mutual_information_[feature] == pytest.approx(
                mutual_info_score(Y, codes[:, feature]) / np.log(2), abs=1e-12)

    def test_missing_values_are_ignored_and_stay(self, name):
        holes = X.copy()
        holes[::7, 0] = np.nan
        method = make_discretizer(name).fit(holes, Y)
        known = np.arange(150) % 7 > 0
        fewer = make_discretizer(name).fit(X[known, :1], Y[known])
        np.testing.assert_array_equal(method.cut_points_[0], fewer.cut_points_[0])
        np.testing.assert_array_equal(
            np.isnan(method.transform(holes)), np.isnan(holes))

    def test_row_order_does_not_matter(self, name):
        order = np.random.default_rng(0).permutation(150)
        assert same_cuts(make_discretizer(name).fit(X, Y),
                         make_discretizer(name).fit(X[order], Y[order]))

    def test_whole_weights_are_repetition(self, name):
        weights = np.random.default_rng(0).integers(0, 4, 150)
        assert same_cuts(
            make_discretizer(name).fit(X, Y, sample_weight=weights),
            make_discretizer(name).fit(np.repeat(X, weights, axis=0),
                                       np.repeat(Y, weights)))

    def test_an_increasing_transform_keeps_the_bins(self, name):
        # Other units keep the bins of each method
        transform = np.log if DISCRETIZERS[name].estimator.uses_order_only \
            else lambda x: 4 * x
        np.testing.assert_array_equal(
            make_discretizer(name).fit_transform(X, Y),
            make_discretizer(name).fit_transform(transform(X), Y))

    @pytest.mark.parametrize("labels", [
        Y.astype(float), Y.astype(str), Y.astype(object), Y.astype(np.int8),
        np.array(["á", "b", None], dtype=object)[Y * 0], Y > 0,
        pd.Series(Y, dtype="category"), pd.Series(Y.astype(str)), Y.tolist()])
    def test_labels_of_any_type(self, name, labels):
        make_discretizer(name).fit(X, labels).transform(X)

    def test_infinite_values(self, name):
        extreme = np.column_stack((
            np.repeat([-np.inf, 0., np.inf], 50), np.full(150, np.inf),
            np.linspace(-1, 1, 150) * 1.7e308))
        method = make_discretizer(name).fit(extreme, Y)
        codes = method.transform(extreme)
        assert np.all(np.isfinite(codes))
        if name in SUPERVISED:  # each class is in one interval, in this order
            assert len(set(zip(codes[:, 0], Y, strict=True))) == 3
            assert (np.diff(codes[:, 0]) >= 0).all() and codes[-1, 0] > 0
        assert method.n_intervals_[1] == 1

    def test_nothing_to_cut_is_one_interval(self, name):
        odd = np.column_stack((np.ones(150), np.full(150, np.nan)))
        method = make_discretizer(name).fit(odd, Y)
        assert method.n_intervals_.tolist() == [1, 1]
        assert method.mutual_information_.tolist() == [0, 0]
        one_row = make_discretizer(name).fit(X[:1], Y[:1])
        assert one_row.n_intervals_.tolist() == [1] * 4
        one_class = make_discretizer(name).fit(X, np.ones(150))
        assert name not in SUPERVISED or one_class.n_intervals_.tolist() == [1] * 4

    @pytest.mark.parametrize("weights", [
        [np.nan] * 150, [-1] * 150, [np.inf] * 150, [0] * 150, [1] * 149,
        [1e300] * 150, [1e-310] * 150])
    def test_bad_weights(self, name, weights):
        with pytest.raises(ValueError, match="sample_weight"):
            make_discretizer(name).fit(X, Y, sample_weight=weights)

    def test_continuous_target(self, name):
        with pytest.raises(ValueError, match="Discretize the target"):
            make_discretizer(name).fit(X, X[:, 0])

    def test_categorical_columns(self, name):
        frame = pd.DataFrame(X).rename(columns=str)
        frame["colour"] = pd.Categorical(np.array(["red", "blue", "green"])[Y])
        method = make_discretizer(name, categorical_features="from_dtype").fit(frame, Y)
        codes = method.transform(frame)
        np.testing.assert_array_equal(codes[:, 4], np.array([2, 0, 1])[Y])
        assert method.n_intervals_[4] == 3 and not len(method.cut_points_[4])
        assert method.mutual_information_[4] == pytest.approx(np.log2(3))
        unseen = frame[:2].assign(colour=["red", "black"])
        assert np.isnan(method.transform(unseen)[1, 4])
        for features in ([4], ["colour"], [False] * 4 + [True], [-1]):
            same = make_discretizer(name, categorical_features=features).fit(frame, Y)
            np.testing.assert_array_equal(same.transform(frame), codes)

    def test_numeric_codes_as_categories(self, name):
        matrix = np.column_stack((X, np.array([5., 7., np.nan])[Y]))
        codes = make_discretizer(
            name, categorical_features=[4]).fit_transform(matrix, Y)
        np.testing.assert_array_equal(codes[:, 4], np.array([0, 1, np.nan])[Y])

    @pytest.mark.parametrize("features, message", [
        ([9, -5], "does not have: 9, -5"), ([True], "mask of 1"),
        ([False] * 5, "mask of 5"), ([0.7], "whole numbers"),
        (["age"], "does not have"), ("all", "categorical_features")])
    def test_categorical_features_that_are_wrong(self, name, features, message):
        with pytest.raises(ValueError, match=message):
            make_discretizer(name, categorical_features=features).fit(X, Y)

    def test_progress_and_cancelling(self, name):
        seen = []
        make_discretizer(name).fit(X, Y, callback=seen.append)
        assert seen[-1] == 1 and seen == sorted(seen)

        def stop(_):
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            make_discretizer(name).fit(X, Y, callback=stop)

@pytest.mark.parametrize("name", COMPETITORS)
def test_minus_one_is_a_label_and_missing_labels_are_rejected(name):
    labels = np.array([-1, 1, 2])[Y]
    assert same_cuts(make_discretizer(name).fit(X, labels),
                     make_discretizer(name).fit(X, Y))
    missing = np.where(Y == 0, np.nan, Y)
    with pytest.raises(ValueError, match="y has missing labels"):
        make_discretizer(name).fit(X, missing)


@pytest.mark.parametrize("name", sorted(set(ALL) - set(SUPERVISED)))
def test_unsupervised_methods_need_no_target(name):
    without = make_discretizer(name).fit(X)
    assert same_cuts(without, make_discretizer(name).fit(X, Y))
    assert np.all(np.isnan(without.mutual_information_))


class TestSADD:
    def test_without_n0_it_is_mdlp(self):
        assert same_cuts(
            SADDDiscretizer(n0=None).fit(X, Y), MDLPDiscretizer().fit(X, Y))

    @pytest.mark.parametrize("labels, label", [
        (Y, -1), (Y, 99), (Y.astype(float), np.nan),
        (Y.astype(str).astype(object), None), (Y.astype(str).astype(object), -1),
        (Y.astype(str).astype(object), pd.NA)])
    def test_unlabelled_rows_have_a_given_or_a_missing_label(self, labels, label):
        expected = SADDDiscretizer(k=3).fit(X, PARTLY)
        sadd = SADDDiscretizer(
            k=3, unlabelled_label=label if isinstance(label, int) else -1).fit(
                X, pd.Series(np.where(np.arange(150) % 3, labels, label)))
        assert same_cuts(sadd, expected)
        assert len(sadd.pseudo_labels_) == len(sadd.pseudo_label_confidence_) == 50
        assert set(sadd.pseudo_labels_) <= set(sadd.classes_)

    def test_unlabelled_rows_count_like_labelled_ones(self):
        sadd = SADDDiscretizer().fit(X, PARTLY)
        labels = PARTLY.copy()
        labels[labels < 0] = sadd.pseudo_labels_
        assert same_cuts(sadd, SADDDiscretizer().fit(X, labels))
        assert sadd.k_ in sadd.k_scores_
        assert sadd.k_scores_[sadd.k_] == max(sadd.k_scores_.values())

    def test_all_labels_are_real(self):
        sadd = SADDDiscretizer(unlabelled_label=None).fit(X, Y - 1)
        assert same_cuts(sadd, SADDDiscretizer().fit(X, Y))
        assert sadd.k_ is None and sadd.k_scores_ == {} and not len(sadd.pseudo_labels_)

    def test_too_few_labels_are_rejected_with_advice(self):
        with pytest.raises(ValueError, match="unlabelled_label=None"):
            SADDDiscretizer().fit(X, np.where(Y == 0, -1, 1))
        with pytest.raises(ValueError, match="All rows are unlabelled"):
            SADDDiscretizer().fit(X, np.full(150, -1))
        one_class = SADDDiscretizer().fit(X, np.where(Y == 0, np.nan, 1))
        assert one_class.n_intervals_.tolist() == [1] * 4

    def test_unlabelled_rows_of_no_weight_and_neighbours_of_no_weight(self):
        weights = np.random.default_rng(0).integers(0, 2, 150)
        used = weights > 0
        assert same_cuts(
            SADDDiscretizer().fit(X, PARTLY, sample_weight=weights),
            SADDDiscretizer().fit(X[used], PARTLY[used]))

    @pytest.mark.parametrize("parameters", [
        {"k": 0}, {"k": -3}, {"k": "three"}, {"k": []}, {"k": [0, 1]}, {"k": [1.5]},
        {"k": 2.5}, {"k": True}, {"n0": 0}, {"n0": -1}, {"n0": np.nan}, {"n0": "many"},
        {"standardize": "yes"}, {"min_confidence": -0.1}, {"min_confidence": 1.1},
        {"min_confidence": "high"}])
    def test_wrong_parameters(self, parameters):
        name, = parameters
        with pytest.raises(ValueError, match=name):
            SADDDiscretizer(**parameters).fit(X, PARTLY)

    def test_categories_take_part_in_the_search_for_neighbours(self):
        random = np.random.default_rng(0)
        colour = random.integers(0, 3, 200)
        matrix = np.column_stack((random.normal(size=200), colour))
        labels = np.where(np.arange(200) < 60, colour, -1)
        sadd = SADDDiscretizer(k=1, categorical_features=[1]).fit(matrix, labels)
        assert np.mean(sadd.pseudo_labels_ == colour[60:]) > 0.9
        matrix[:, 1] = 0
        sadd = SADDDiscretizer(k=1, categorical_features=[1]).fit(matrix, labels)
        assert np.mean(sadd.pseudo_labels_ == colour[60:]) < 0.6

@pytest.mark.parametrize("estimator", [
    EqualWidthDiscretizer(n_bins=0), FFDDiscretizer(frequency=0),
    make_discretizer("EF", n_bins=2.5), make_discretizer("ChiMerge", max_intervals=0),
    *(make_discretizer("ChiMerge", significance=level)
      for level in (0, 1, -0.1, 1.5, np.nan))])
def test_wrong_parameters(estimator):
    with pytest.raises(ValueError, match="parameter of"):
        estimator.fit(X, Y)


class TestReview:
    """Defects that were found by trying to break the above."""

    @pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean"])
    def test_pandas_missing_values_beside_categories(self, dtype):
        frame = pd.DataFrame({
            "number": pd.array([1, None, 0] * 20, dtype=dtype),
            "letter": pd.Categorical(list("abc") * 20)})
        codes = MDLPDiscretizer(categorical_features=["letter"]).fit_transform(
            frame, [0, 1, 0] * 20)
        assert np.isnan(codes[1, 0]) and codes[:3, 1].tolist() == [0, 1, 2]

    def test_large_labels_of_pandas_stay_apart(self):
        labels = pd.array([2 ** 60 + (i > 20) for i in range(40)], dtype="Int64")
        method = MDLPDiscretizer().fit(np.arange(40.)[:, None], labels)
        assert method.classes_.tolist() == [2 ** 60, 2 ** 60 + 1]

    def test_a_missing_date_is_no_label(self):
        dates = np.array(["2020-01-01", "2020-01-02", "NaT"] * 50, "M8[D]")
        assert len(SADDDiscretizer(unlabelled_label=None).fit(X, dates).classes_) == 2

    def test_weights_that_should_sum_to_two_are_enough(self):
        # Sums of fractions may be a little less than 2
        for first in (0.7, 0.8, 0.9, 1.1, 1.2, 1.3):
            method = MDLPDiscretizer().fit(
                [[0], [1]], [0, 1], sample_weight=[first, 2 - first])
            assert method.n_intervals_.tolist() == [2]

    def test_lists_with_categories(self):
        rows = [[1., "a"], [2., "b"], [3., "a"]]
        codes = MDLPDiscretizer(categorical_features=[1]).fit_transform(rows, [0, 1, 0])
        assert codes[:, 1].tolist() == [0, 1, 0]

    def test_categories_of_several_types(self):
        frame = pd.DataFrame({"a": ["x", 1.0, "y"]})
        with pytest.raises(ValueError, match="values of several types"):
            MDLPDiscretizer(categorical_features=[0]).fit(frame, [0, 1, 0])

@pytest.mark.parametrize("column", [
    pd.Series([None] * 20, dtype=object), pd.Series([np.nan] * 20, dtype=object),
    pd.Series(pd.Categorical([None] * 20, categories=["a"]))])
@pytest.mark.parametrize("order", [["text"], ["text", "x"], ["x", "text"]])
class TestColumnOfMissingText:
    def frame(self, column, order):
        return pd.DataFrame({"text": column, "x": np.arange(20.)})[order]

    def test_discretizer_counts_missing_values(self, column, order):
        X, y = self.frame(column, order), np.repeat([0, 1], 10)
        for name in DISCRETIZERS:
            fitted = make_discretizer(name, categorical_features="from_dtype").fit(X, y)
            place = order.index("text")
            assert fitted.missing_counts_[place].tolist() == [10, 10]
            assert fitted.missing_counts_.sum() == 20
            assert np.isnan(fitted.transform(X)[:, place]).all()
            fitted.set_params(encode="onehot")
            cells = fitted.inverse_transform(fitted.transform(X))
            assert pd.isna(cells[:, place]).all()

    def test_classifier_ignores_the_column(self, column, order):
        X, y = self.frame(column, order), np.repeat([0, 1], 10)
        proba = NaiveBayesClassifier().fit(X, y).predict_proba(X)
        assert proba.argmax(axis=1).sum() == (10 if "x" in order else 0)


DATES = pd.date_range("2020-01-01", periods=20)
NO_NUMBERS = {
    "text": pd.DataFrame({"a": ["x", "y"] * 10}),
    "dates": pd.DataFrame({"a": DATES}),
    "dates and numbers": pd.DataFrame({"a": DATES, "b": np.arange(20.)}),
    "dates of a place": pd.DataFrame({"a": DATES.tz_localize("UTC")}),
    "missing dates": pd.DataFrame({"a": DATES.where(DATES > DATES[5])}),
    "durations": pd.DataFrame({"a": DATES - DATES[0]}),
    "periods": pd.DataFrame({"a": DATES.to_period("M")}),
    "dates as objects": pd.DataFrame({"a": DATES.astype(object)}),
    "array of dates": DATES.to_numpy()[:, None],
    "array of durations": (DATES - DATES[0]).to_numpy()[:, None],
    "array of dates as objects": DATES.astype(object).to_numpy()[:, None],
}


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_text_and_dates_are_rejected_with_advice(kind):
    X, y = NO_NUMBERS[kind], np.repeat([0, 1], 10)
    advice = pytest.raises((ValueError, TypeError), match="Convert it to numbers.*name")
    for name in DISCRETIZERS:
        with advice:
            make_discretizer(name).fit(X, y)
    with advice:
        NaiveBayesClassifier(categorical_features=None).fit(X, y)
    with advice:
        beside = pd.DataFrame(np.asarray(X)).assign(category="a").rename(columns=str)
        NaiveBayesClassifier(categorical_features=["category"]).fit(beside, y)
    with advice:
        MDLPDiscretizer().fit(np.arange(20 * X.shape[1]).reshape(X.shape), y).transform(
            np.asarray(X))
