"""Tests of significance."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from orangecontrib.sadd.evaluation.report.statistics import (
    bayesian_probabilities,
    compare,
    critical_difference,
    friedman,
    groups_alike,
    paired_t_test,
)


def frame(rows):
    index = pd.MultiIndex.from_product([[0], range(len(next(iter(rows.values()))))])
    return pd.DataFrame.from_dict(rows, orient="index", columns=index)


class TestPairedTTest:
    def test_by_hand(self):
        # Differences 2, 1, 1, 3: mean 7/4, variance 11/12, so t = 7/4 / sqrt(11/48).
        p = paired_t_test([3, 4, 5, 7], [1, 3, 4, 4])
        assert p == pytest.approx(stats.t.sf(1.75 / np.sqrt(11 / 48), 3))

    def test_same_as_scipy(self):
        rng = np.random.default_rng(0)
        for _ in range(20):
            a, b = rng.normal(size=(2, 10))
            expected = stats.ttest_rel(a, b, alternative="greater").pvalue
            assert paired_t_test(a, b) == pytest.approx(expected)

    def test_no_variance(self):
        assert paired_t_test([2.5, 3.5], [2, 3]) == 0
        assert paired_t_test([2, 3], [2.5, 3.5]) == 1
        assert paired_t_test([2, 3], [2, 3]) == 1
        # 0.1 + 0.2 is not 0.3.
        assert paired_t_test([0.1 + 0.2, 0.5], [0.3, 0.5]) == 1

    def test_missing_folds(self):
        assert np.isnan(paired_t_test([1], [0]))
        assert np.isnan(paired_t_test([1, np.nan], [0, 1]))
        assert paired_t_test([1, 1, np.nan], [0, 0, 5]) == 0


class TestCompare:
    def test_record(self):
        first = frame({
            "better": [3.0, 4, 5, 7], "worse": [1.0, 3, 4, 4], "same": [1.0, 2, 3, 4],
            "barely": [1.0, 2, 3, 4], "missing": [np.nan] * 4,
        })
        second = frame({
            "better": [1.0, 3, 4, 4], "worse": [3.0, 4, 5, 7], "same": [1.0, 2, 3, 4],
            "barely": [0.0, 4, 1, 4], "missing": [1.0] * 4,
        })
        record = compare(first, second)
        assert (record.wins, record.ties, record.losses) == (2, 1, 1)
        assert (record.significant_wins, record.significant_losses) == (1, 1)
        assert record.marks == {"better": 1, "worse": -1, "same": 0, "barely": 0}

    def test_means_of_common_folds(self):
        record = compare(frame({"a": [1.0, 9]}), frame({"a": [2.0, np.nan]}))
        assert (record.wins, record.losses, record.significant_losses) == (0, 1, 0)


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

    def test_published_example(self):
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

    def test_by_hand(self):
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
    def test_published_critical_values(self, n, q):
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

    def test_groups(self):
        ranks = pd.Series([1.0, 1.2, 3.0, 3.1, 3.9])
        assert groups_alike(ranks, 1) == [(0, 1), (2, 4)]
        assert groups_alike(ranks, 5) == [(0, 4)]
        assert groups_alike(ranks, 0.05) == []


class TestBayesian:
    pytest.importorskip("baycomp")

    def test_clear_cases(self):
        low = frame({f"d{i}": [50.0, 51, 52] for i in range(20)})
        better, equal, worse = bayesian_probabilities(low + 5, low)
        assert better > 0.99
        better, equal, worse = bayesian_probabilities(low, low + 5)
        assert worse > 0.99
        better, equal, worse = bayesian_probabilities(low, low + 0.1)
        assert equal > 0.99

    def test_deterministic_and_leaves_the_generator_alone(self):
        rng = np.random.default_rng(0)
        first, second = (
            frame({f"d{i}": rng.normal(80, 3, 4) for i in range(6)}) for _ in range(2)
        )
        np.random.seed(5)
        state = np.random.get_state()[1].copy()
        once = bayesian_probabilities(first, second)
        assert bayesian_probabilities(first, second) == once
        assert sum(once) == pytest.approx(1)
        np.testing.assert_array_equal(np.random.get_state()[1], state)

    def test_single_data_set(self):
        first, second = frame({"a": [90.0, 92, 91]}), frame({"a": [80.0, 81, 82]})
        assert bayesian_probabilities(first, second)[0] > 0.9
        same = bayesian_probabilities(first, first)
        assert same == (0, 1, 0)

    def test_nothing_to_compare(self):
        one = frame({"a": [90.0]})
        assert bayesian_probabilities(one, one) is None
        gaps = frame({"a": [np.nan, np.nan]})
        assert bayesian_probabilities(gaps, gaps) is None
