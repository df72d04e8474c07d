"""Summaries and tests of results agree with scipy and with figures by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from orangecontrib.sadd.evaluation.comparison import (
    Comparison,
    Contender,
    comparisons,
    critical_difference,
    friedman,
)
from orangecontrib.sadd.evaluation.protocol import COLUMNS, NEIGHBOURS
from orangecontrib.sadd.evaluation.tables import (
    accuracy_table,
    interval_counts,
    mean_intervals,
    summaries,
)
from tests.evaluation import fabricated

pytestmark = pytest.mark.usefixtures("few_samples")

SADD, INDUCTIVE = Contender("SADD", "test"), Contender("SADD", "none")
MDLP, EW = Contender("MDLP"), Contender("EW")
KNN = Contender(NEIGHBOURS, "test", "")


def results(cells, repeats=1):
    """Return results by (data set, contender): accuracies of folds in per cent."""
    rows = []
    for (dataset, contender), accuracies in cells.items():
        for i, accuracy in enumerate(accuracies):
            if not np.isnan(accuracy):
                rows.append({
                    "dataset": dataset, "repeat": i % repeats, "fold": i // repeats,
                    "labelled": 1.0, "classifier_labels": "all",
                    **contender._asdict(),
                    "measure": "accuracy", "item": "", "value": accuracy / 100})
    return pd.DataFrame(rows, columns=COLUMNS)


def compare(first, second, repeats=1):
    """Return the comparison of two contenders, by data set: accuracies of folds."""
    cells = {(name, c): values for c, found in ((SADD, first), (MDLP, second))
             for name, values in found.items()}
    return Comparison(results(cells, repeats))


@pytest.fixture
def small():
    return results({
        ("iris", SADD): [90, 95, 100], ("iris", MDLP): [80, 86, 89],
        ("iris", EW): [95, 95, 95], ("iris", KNN): [97, 97, 97],
        ("mine", SADD): [50, 50, 50], ("mine", MDLP): [50, 60, 40],
        ("mine", EW): [50, 50, np.nan], ("mine", KNN): [40, 40, 40],
    })


class TestComparison:
    def test_averages_are_over_data_sets_with_all_results(self, small):
        comparison = comparisons(small)["discretizers"][0]
        assert comparison.contenders == [SADD, MDLP, EW, KNN]
        np.testing.assert_allclose(comparison.means[SADD], [95, 50])
        np.testing.assert_allclose(comparison.means[EW], [95, 50])
        assert comparison.deviations[SADD]["iris"] == pytest.approx(5)
        assert comparison.is_partial[EW].tolist() == [False, True]
        assert comparison.common.tolist() == ["iris"]
        averages = comparison.averages
        assert averages["mean"].tolist() == [95, 85, 95, 97]
        # The labeller is not ranked.
        assert averages["rank"][:3].tolist() == [1.5, 3, 1.5]
        assert np.isnan(averages["rank"].iloc[3])

    def test_family_is_ordered_by_classifier_and_pairs_have_the_same(self):
        table, _ = fabricated.make(methods=("SADD", "MDLP"))
        found = comparisons(table)
        comparison = found["family"][0]
        assert comparison.is_family
        assert comparison.contenders[:4] == [
            Contender("SADD", "test", "WANBIA"), Contender("SADD", "none", "WANBIA"),
            Contender("MDLP", "none", "WANBIA"), Contender("SADD", "test", "CAWNB")]
        assert comparison.contenders[-1] == KNN
        assert comparison.average_grid.shape == (5, 3)
        assert found["discretizers"][0].pairs == [
            (SADD, INDUCTIVE), (SADD, MDLP), (SADD, KNN), (INDUCTIVE, MDLP),
            (INDUCTIVE, KNN)]
        assert len(comparison.pairs) == 5 * 3
        assert all(one.classifier == other.classifier
                   for one, other in comparison.pairs)

    def test_few_labels_by_rows_of_the_classifier(self):
        table, _ = fabricated.make(label_fractions=(1.0, 0.4, 0.2))
        found = comparisons(table)["labels"]
        assert [(c.labelled, c.classifier_labels) for c in found] == [
            (0.4, "all"), (0.4, "labelled"), (0.2, "all"), (0.2, "labelled")]
        assert [c.label(c.contenders[0]) for c in found[:1]] == [
            "SADD semi-supervised"]
        assert found[0].contenders[-1].method == NEIGHBOURS


class TestPairedTest:
    def test_t_test_by_hand(self):
        # Differences 2, 1, 1, 3: mean 7/4, variance 11/12, so t = 7/4 / sqrt(11/48).
        p = stats.t.sf(1.75 / np.sqrt(11 / 48), 3)
        assert p < 0.05
        first, second = {"a": [3, 4, 5, 7]}, {"a": [1, 3, 4, 4]}
        for one, other, sign in ((first, second, 1), (second, first, -1)):
            gaps, signs = compare(one, other).test(SADD, MDLP)
            assert gaps["a"] == pytest.approx(sign * 1.75)
            assert signs["a"] == sign

    def test_signs_agree_with_scipy(self):
        random = np.random.default_rng(0)
        first, second = random.normal(80, 5, (2, 40, 10))
        first += random.normal(0, 4, (40, 1))
        _, signs = compare(dict(enumerate(first)), dict(enumerate(second))).test(
            SADD, MDLP)
        for sign, one, other in zip(signs, first, second, strict=True):
            p = [stats.ttest_rel(*pair, alternative="greater").pvalue
                 for pair in ((one, other), (other, one))]
            assert sign == int(p[0] < 0.05) - int(p[1] < 0.05)
        assert set(signs) == {-1, 0, 1}

    def test_no_variance(self):
        first = {"more": [2.5, 3.5], "less": [2, 3], "same": [2, 3],
                 "rounding": [10 * (0.1 + 0.2), 5]}  # 0.1 + 0.2 is not 0.3
        second = {"more": [2, 3], "less": [2.5, 3.5], "same": [2, 3],
                  "rounding": [3, 5]}
        gaps, signs = compare(first, second).test(SADD, MDLP)
        assert signs.to_dict() == {"more": 1, "less": -1, "same": 0, "rounding": 0}
        assert gaps["rounding"] == 0

    def test_missing_folds(self):
        first = {"one": [1, np.nan], "none": [np.nan] * 2, "other": [1, 1]}
        second = {"one": [2, 3], "none": [1, 1], "other": [0, np.nan]}
        gaps, signs = compare(first, second).test(SADD, MDLP)
        assert gaps["one"] == -1 and np.isnan(gaps["none"])
        assert (signs == 0).all()

    def test_wins(self):
        low, high, plain = [1, 3, 4, 4], [3, 4, 5, 7], [1, 2, 3, 4]
        first = {"better": high, "worse": low, "same": plain, "barely": plain}
        second = {"better": low, "worse": high, "same": plain, "barely": [0, 4, 1, 4]}
        row = compare(first, second).wins.iloc[0]
        assert row["wins":"significant_losses"].tolist() == [2, 1, 1, 1, 1]


class TestFriedman:
    # Accuracies that give the ranks in the example of Demsar (2006): C4.5 with and
    # without its parameters tuned, on 14 data sets.
    DEMSAR = pd.DataFrame({
        "C4.5": [.763, .599, .954, .628, .882, .936, .661, .583, .775, 1, .94, .619,
                 .972, .957],
        "m": [.768, .591, .971, .661, .888, .931, .668, .583, .838, 1, .962, .666,
              .981, .978],
        "cf": [.771, .590, .968, .654, .886, .916, .609, .563, .866, 1, .965, .614,
               .9751, .946],
        "m+cf": [.798, .569, .967, .657, .898, .931, .685, .625, .875, 1, .962, .669,
                 .975, .970],
    })

    def test_example_of_demsar(self):
        test = friedman(self.DEMSAR)
        expected = {"C4.5": 3.143, "m": 2.000, "cf": 2.893, "m+cf": 1.964}
        for name, rank in expected.items():
            assert test.ranks[name] == pytest.approx(rank, abs=5e-4)
        assert list(test.ranks.index) == ["m+cf", "m", "cf", "C4.5"]
        assert test.n_datasets == 14
        # The statistic of the paper, 9.28, is not corrected for ties.
        plain = 12 * 14 / (4 * 5) * (np.sum(test.ranks**2) - 4 * 5**2 / 4)
        assert plain == pytest.approx(9.28, abs=0.005)
        assert test.statistic > plain
        assert test.p_value < 0.05
        assert test.critical_difference == pytest.approx(1.25, abs=0.005)

    def test_statistic_by_hand(self):
        means = pd.DataFrame({"a": [9.0, 8, 7], "b": [6.0, 6, 8], "c": [1.0, 2, 3]})
        test = friedman(means)
        # Ranks (1, 2, 3), (1, 2, 3), (2, 1, 3):
        # 12 * 3 / (3 * 4) * (16/9 + 25/9 + 9 - 3 * 16/4) = 14/3.
        np.testing.assert_allclose(test.ranks, [4 / 3, 5 / 3, 3])
        assert test.statistic == pytest.approx(14 / 3)

    @pytest.mark.parametrize("n, q", [
        (2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949),
        (8, 3.031), (9, 3.102), (10, 3.164),
    ])
    def test_critical_values_of_demsar(self, n, q):
        # With 6 N = k (k + 1) the critical difference is q itself.
        assert critical_difference(n, n * (n + 1) / 6) == pytest.approx(q, abs=1e-3)

    def test_too_little(self):
        assert friedman(pd.DataFrame({"a": [1, 2], "b": [2, 1]})) is None
        assert friedman(pd.DataFrame({"a": [1], "b": [2], "c": [3]})) is None
        gaps = pd.DataFrame({"a": [1, np.nan], "b": [2, 1], "c": [3, 1]})
        assert friedman(gaps) is None

    def test_all_tied(self):
        test = friedman(pd.DataFrame(np.ones((3, 3)), columns=list("abc")))
        assert test.p_value == 1
        assert (test.ranks == 2).all()


class TestBayesian:
    LOW = {f"d{i}": [50, 51, 52] for i in range(20)}

    def moved(self, by):
        return {name: np.add(values, by) for name, values in self.LOW.items()}

    def test_clear_cases(self):
        for by, position in ((5, 0), (0.1, 1), (-5, 2)):
            found = compare(self.moved(by), self.LOW).bayesian_test(SADD, MDLP)
            assert found[position] > 0.99

    def test_is_deterministic_and_leaves_the_generator_alone(self):
        random = np.random.default_rng(0)
        first, second = ({f"d{i}": random.normal(80, 3, 4) for i in range(6)}
                         for _ in range(2))
        np.random.seed(5)
        state = np.random.get_state()[1].copy()
        once = compare(first, second).bayesian_test(SADD, MDLP)
        assert compare(first, second).bayesian_test(SADD, MDLP) == once
        assert sum(once) == pytest.approx(1)
        np.testing.assert_array_equal(np.random.get_state()[1], state)

    def test_single_data_set_by_folds(self):
        first, second = {"a": [90, 92, 91]}, {"a": [80, 81, 82]}
        assert compare(first, second).bayesian_test(SADD, MDLP)[0] > 0.9
        assert compare(first, first).bayesian_test(SADD, MDLP) == (0, 1, 0)

    def test_repetitions_share_rows(self):
        # More folds of the same rows are less certain than more rows.
        first, second = {"a": [82, 80, 83, 81]}, {"a": [80, 79, 80, 80]}
        twice = compare(first, second, repeats=2).bayesian_test(SADD, MDLP)
        assert twice != compare(first, second).bayesian_test(SADD, MDLP)

    def test_nothing_to_compare(self):
        assert compare({"a": [90]}, {"a": [90]}).bayesian_test(SADD, MDLP) is None
        gaps = {"a": [90, np.nan]}, {"a": [np.nan, 80]}
        assert compare(*gaps).bayesian_test(SADD, MDLP) is None


def test_interval_counts_round_half_up():
    numbers = {"a": (1, 1), "b": (1, 2), "c": (5, 6), "d": (100, 90)}
    rows = [{"dataset": "x", "repeat": 0, "fold": fold, "labelled": 1.0,
             "classifier_labels": "all", "method": "MDLP", "pool": "none",
             "classifier": "", "measure": "intervals", "item": name, "value": value}
            for name, values in numbers.items() for fold, value in enumerate(values)]
    found = interval_counts(pd.DataFrame(rows, columns=COLUMNS)).iloc[0]
    assert found["attributes"] == 4
    assert found["mean"] == (1 + 1.5 + 5.5 + 95) / 4
    assert found["1":].tolist() == [1, 1, 0, 0, 0, 2]


def test_accuracy_table(small):
    row = accuracy_table(small).query("dataset == 'iris' and method == 'MDLP'").iloc[0]
    assert (row["folds"], row["mean"]) == (3, pytest.approx(85))
    assert row["std"] == pytest.approx(np.std([80, 86, 89], ddof=1))


def test_mean_intervals_agree_with_scipy():
    random = np.random.default_rng(0)
    values = pd.Series(random.normal(size=30))
    found = mean_intervals(values, np.repeat([0, 1], [29, 1]))
    expected = stats.ttest_1samp(values[:29], 0).confidence_interval(0.95)
    assert found.loc[0, ["low", "high"]].tolist() == pytest.approx([*expected])
    assert found.loc[1].isna().tolist() == [False, False, True, True]


def test_summaries_have_identifiers():
    table, _ = fabricated.make(classifiers=("NB", "RNB"))
    found = summaries(table, comparisons(table))
    keys = ["labelled", "classifier_labels", "method", "pool", "classifier"]
    pair = ["labelled", "classifier_labels", "classifier", "first_method",
            "first_pool", "second_method", "second_pool"]
    expected = {
        "accuracy": ["dataset", *keys], "wins": pair, "bayesian": pair,
        "intervals": ["dataset", "method", "pool"], "averages": keys,
        "run_time": ["measure", "method", "pool", "classifier"],
    }
    averages = found["averages"]  # the labeller is listed with each classifier
    found["averages"] = averages[averages["method"] != NEIGHBOURS]
    for name, columns in expected.items():
        assert len(found[name]) and not found[name].duplicated(columns).any()
    assert found["candidates"].empty and found["differences"].empty
