"""Summaries and tests of results agree with scipy and with figures by hand."""

import sys

import numpy as np
import pandas as pd
import pytest
from baycomp import two_on_single
from scipy import stats

from orangecontrib.sadd.evaluation.comparison import Comparison, comparisons
from orangecontrib.sadd.evaluation.contenders import NEIGHBOURS, Contender
from orangecontrib.sadd.evaluation.protocol import COLUMNS
from orangecontrib.sadd.evaluation.significance import (
    bayesian_test,
    corrected_test,
    critical_difference,
    friedman,
    mean_intervals,
)
from orangecontrib.sadd.evaluation.summaries import (
    accuracy_table,
    interval_counts,
    summaries,
)
from tests.evaluation import fabricated
from tests.shared import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import significance  # noqa: E402

pytestmark = pytest.mark.usefixtures("few_samples")

SADD, INDUCTIVE = Contender("SADD", "test", "NB"), Contender("SADD", "none", "NB")
MDLP, EW = Contender("MDLP", classifier="NB"), Contender("EW", classifier="NB")
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


def compare(first, second, repeats=1, published=False):
    """Return the comparison of two contenders, by data set: accuracies of folds."""
    cells = {(name, c): values for c, found in ((SADD, first), (MDLP, second))
             for name, values in found.items()}
    return Comparison(results(cells, repeats), published=published)


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
        table, _ = fabricated.make(discretizers=("SADD", "MDLP"), published=True)
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
        assert [c.name_of(c.contenders[0]) for c in found[:1]] == [
            "SADD labelled only"]
        assert found[0].contenders[-1].discretizer == NEIGHBOURS


class TestSignificance:
    """Of a difference on a data set, over its folds."""

    @pytest.mark.parametrize("published", [True, False])
    def test_no_variance(self, published):
        first = {"more": [2.5, 3.5], "less": [2, 3], "same": [2, 3],
                 "rounding": [10 * (0.1 + 0.2), 5]}  # 0.1 + 0.2 is not 0.3
        second = {"more": [2, 3], "less": [2.5, 3.5], "same": [2, 3],
                  "rounding": [3, 5]}
        gaps, signs = compare(first, second, published=published).test(SADD, MDLP)
        assert signs.to_dict() == {"more": 1, "less": -1, "same": 0, "rounding": 0}
        assert gaps["rounding"] == 0

    @pytest.mark.parametrize("published", [True, False])
    def test_missing_folds(self, published):
        first = {"one": [1, np.nan], "none": [np.nan] * 2, "other": [1, 1]}
        second = {"one": [2, 3], "none": [1, 1], "other": [0, np.nan]}
        gaps, signs = compare(first, second, published=published).test(SADD, MDLP)
        assert gaps["one"] == -1 and np.isnan(gaps["none"])
        assert (signs == 0).all()

    def test_corrected_test_by_hand(self):
        # Differences 2, 1, 1, 3: mean 7/4, variance 11/12. Each fold tests a third as
        # many rows as it trains on.
        t = 1.75 / np.sqrt((1 / 4 + 1 / 3) * 11 / 12)
        p, half = corrected_test(np.array([[2, 1, 1, 3]]), 1 / 3)
        assert p[0] == pytest.approx(2 * stats.t.sf(t, 3))
        assert half[0] == pytest.approx(1.75 / t * stats.t.isf(0.025, 3))
        first, second = {"a": [3, 4, 5, 7]}, {"a": [1, 3, 4, 4]}
        gaps, signs = compare(first, second).test(SADD, MDLP)
        assert gaps["a"] == pytest.approx(1.75) and signs["a"] == (p[0] < 0.05)

    def test_corrected_test_agrees_with_baycomp(self):
        gaps = np.random.default_rng(0).normal(0.5, 1, (5, 30))
        for row, p in zip(gaps, corrected_test(gaps, 1 / 9)[0], strict=True):
            lower, _ = two_on_single(row, np.zeros(30), 0.0, runs=3)
            assert p == pytest.approx(2 * min(lower, 1 - lower))

    def test_paper_s_test_is_one_tailed_and_not_corrected(self):
        random = np.random.default_rng(0)
        first, second = random.normal(80, 5, (2, 40, 10))
        first += random.normal(0, 4, (40, 1))
        first, second = dict(enumerate(first)), dict(enumerate(second))
        _, signs = compare(first, second, published=True).test(SADD, MDLP)
        for name, sign in signs.items():
            p = [stats.ttest_rel(*pair, alternative="greater").pvalue for pair in (
                (first[name], second[name]), (second[name], first[name]))]
            assert sign == int(p[0] < 0.05) - int(p[1] < 0.05)
        assert set(signs) == {-1, 0, 1}
        corrected = compare(first, second).test(SADD, MDLP)[1]
        assert corrected.abs().sum() < signs.abs().sum()

    def test_wins(self):
        low, high, plain = [1, 3, 4, 4], [6, 7, 8, 10], [1, 2, 3, 4]
        first = {"better": high, "worse": low, "same": plain, "barely": plain}
        second = {"better": low, "worse": high, "same": plain, "barely": [0, 4, 1, 4]}
        row = compare(first, second).wins.iloc[0]
        assert row["wins":"significant_losses"].tolist() == [2, 1, 1, 1, 1]
        means = [4.75, -4.75, 0, 0.25]
        expected = stats.ttest_1samp(means, 0).confidence_interval()
        assert row["datasets":"high"].tolist() == pytest.approx(
            [4, np.mean(means), *expected])

    def test_interval_of_a_single_data_set_is_over_its_folds(self):
        found = compare({"a": [3, 4, 5, 7]}, {"a": [1, 3, 4, 4]}).wins.iloc[0]
        half = corrected_test(np.array([[2, 1, 1, 3]]), 1 / 3)[1][0]
        assert found["datasets":"high"].tolist() == pytest.approx(
            [1, 1.75, 1.75 - half, 1.75 + half])

    @pytest.mark.parametrize("kind", significance.KINDS)
    def test_rejects_true_hypotheses_at_its_level(self, kind):
        # doc/results.md has shares of 1,000 runs.
        if "nearest" in kind:
            rates = significance.rejections(kind, 500)
            assert 0.01 < rates["corrected"] < 0.08 < rates["uncorrected"]
        else:
            rates = significance.rejections(kind, 80)
            assert 0 < rates["corrected"] < 0.08 < rates["uncorrected"]


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
        test = friedman(pd.concat([means, means]))
        # Ranks (1, 2, 3), (1, 2, 3), (2, 1, 3), twice:
        # 12 * 6 / (3 * 4) * (16/9 + 25/9 + 9 - 3 * 16/4) = 28/3.
        np.testing.assert_allclose(test.ranks, [4 / 3, 5 / 3, 3])
        assert test.statistic == pytest.approx(28 / 3)

    @pytest.mark.parametrize("n, q", [
        (2, 1.960), (3, 2.343), (4, 2.569), (5, 2.728), (6, 2.850), (7, 2.949),
        (8, 3.031), (9, 3.102), (10, 3.164),
    ])
    def test_critical_values_of_demsar(self, n, q):
        # With 6 N = k (k + 1) the critical difference is q itself.
        assert critical_difference(n, n * (n + 1) / 6) == pytest.approx(q, abs=1e-3)

    def test_too_little(self):
        means = pd.DataFrame(np.random.default_rng(0).random((6, 3)))
        assert friedman(means) is not None
        assert friedman(means[:5]) is None and friedman(means[[0, 1]]) is None
        means.iloc[0, 0] = np.nan
        assert friedman(means) is None

    def test_all_tied(self):
        test = friedman(pd.DataFrame(np.ones((6, 3)), columns=list("abc")))
        assert test.p_value == 1
        assert (test.ranks == 2).all()


class TestBayesian:
    LOW = {f"d{i}": [50, 51, 52] for i in range(20)}

    def test_clear_cases(self):
        for by, position in ((5, 0), (0.1, 1), (-5, 2)):
            first = {name: np.add(values, by) for name, values in self.LOW.items()}
            row = compare(first, self.LOW).bayesian.iloc[0]
            assert row["first_better":].iloc[position] > 0.99

    def test_is_deterministic_and_leaves_the_generator_alone(self):
        gaps = np.random.default_rng(0).normal(1, 3, 6)
        np.random.seed(5)
        state = np.random.get_state()[1].copy()
        once = bayesian_test(gaps)
        assert bayesian_test(gaps) == once and sum(once) == pytest.approx(1)
        np.testing.assert_array_equal(np.random.get_state()[1], state)

    def test_too_few_data_sets(self):
        assert bayesian_test(np.ones(5)) is None
        assert compare({"a": [90]}, {"a": [80]}).bayesian.empty


def test_interval_counts_round_half_up():
    numbers = {"a": (1, 1), "b": (1, 2), "c": (5, 6), "d": (100, 90)}
    rows = [{"dataset": "x", "repeat": 0, "fold": fold, "labelled": 1.0,
             "classifier_labels": "all", "discretizer": "MDLP", "pool": "none",
             "classifier": "", "measure": "intervals", "item": name, "value": value}
            for name, values in numbers.items() for fold, value in enumerate(values)]
    found = interval_counts(pd.DataFrame(rows, columns=COLUMNS)).iloc[0]
    assert found["attributes"] == 4
    assert found["mean"] == (1 + 1.5 + 5.5 + 95) / 4
    assert found["1":].tolist() == [1, 1, 0, 0, 0, 2]


def test_accuracy_table(small):
    row = accuracy_table(small).query("dataset == 'iris' and discretizer == 'MDLP'"
                                      ).iloc[0]
    assert (row["folds"], row["mean"]) == (3, pytest.approx(85))
    assert row["std"] == pytest.approx(np.std([80, 86, 89], ddof=1))


def test_mean_intervals_agree_with_scipy():
    random = np.random.default_rng(0)
    values = pd.Series(random.normal(size=30))
    found = mean_intervals(values, np.repeat([0, 1], [29, 1]))
    expected = stats.ttest_1samp(values[:29], 0).confidence_interval(0.95)
    assert found.loc[0, ["low", "high"]].tolist() == pytest.approx([*expected])
    assert found.loc[1].isna().tolist() == [False, False, True, True]
    # Over folds that share rows
    half = corrected_test(values.to_numpy()[None, :29], 0.5)[1][0]
    found = mean_intervals(values[:29], [0] * 29, overlap=0.5)
    assert found.loc[0, "high"] - found.loc[0, "mean"] == pytest.approx(half)


def test_summaries_have_identifiers():
    table, _ = fabricated.make(range(6), classifiers=("NB", "RNB"))
    found = summaries(table, comparisons(table))
    keys = ["labelled", "classifier_labels", "discretizer", "pool", "classifier"]
    pair = ["labelled", "classifier_labels", "classifier", "first_discretizer",
            "first_pool", "second_discretizer", "second_pool"]
    expected = {
        "accuracy": ["dataset", *keys], "wins": pair, "bayesian": pair,
        "intervals": ["dataset", "discretizer", "pool"], "averages": keys,
        "run_time": ["measure", "discretizer", "pool", "classifier"],
    }
    averages = found["averages"]  # the labeller is listed with each classifier
    found["averages"] = averages[averages["discretizer"] != NEIGHBOURS]
    for name, columns in expected.items():
        assert len(found[name]) and not found[name].duplicated(columns).any()
    assert found["classifiers"].empty and found["differences"].empty
