"""Figures of README and doc/results.md: they are those of the committed CSV files."""

import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris

from orangecontrib.sadd.core import ChiMergeDiscretizer, NaiveBayesClassifier
from orangecontrib.sadd.evaluation.splits import stratified_folds
from tests.shared import ROOT

sys.path.insert(0, str(ROOT / "benchmarks"))

import results  # noqa: E402

PAGE = (ROOT / "doc" / "results.md").read_text(encoding="utf-8")
SADD, FOREST = results.OURS, results.FOREST
LABELLED = f"{SADD}, labelled rows"
FEW = {labels: results.wide("few", labels, "accuracy") for labels in results.COUNTS}
AMPLE = results.wide("ample", "all", "accuracy")


def limits(one, other):
    return results.mean_interval(one - other)[1:]


@pytest.mark.parametrize("name", results.PAGES)
def test_tables_are_computed_from_the_files(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert results.MARKED.search(text)
    assert results.written(text) == text, "run python benchmarks/results.py"


def test_each_table_stands_on_one_page():
    marked = [match[1] for name in results.PAGES for match in results.MARKED.finditer(
        (ROOT / name).read_text(encoding="utf-8"))]
    assert sorted(marked) == sorted(results.TABLES)


def test_interval_by_hand():
    """A bootstrap of two data sets has the means 0, 1 and 2."""
    gaps = pd.Series([0.0, 2.0])
    assert results.mean_interval(gaps) == (1, 0, 2)
    zero = gaps * 0
    for one, other, measure, text in (
            (gaps, zero, "accuracy", "+1.0 [0.0, 2.0], 1 of 2"),
            (zero, gaps, "log loss", "−1.00 [−2.00, 0.00], 1 of 2")):
        found = results.difference(one, other, measure)
        assert found.replace("\N{NO-BREAK SPACE}", " ") == text


class TestSentences:
    """What the pages say in words holds for the figures."""

    @pytest.mark.parametrize(["table", "names"], [
        (FEW["30"], [FOREST]), (AMPLE, ["committee", FOREST, "boosting"])],
        ids=["few", "ample"])
    def test_differences_are_within_chance(self, table, names):
        for name in names:
            low, high = limits(table[SADD], table[name])
            assert low < 0 < high

    @pytest.mark.parametrize("measure", ["accuracy", "log loss"])
    def test_differences_from_ebm_are_within_chance(self, measure):
        table = results.wide("ample-ebm", "all", measure)
        for name in ("EBM", "EBM, no interactions"):
            low, high = limits(table[SADD], table[name])
            assert low < 0 < high

    def test_log_loss_is_the_lowest_on_average(self):
        assert results.wide("ample", "all", "log loss").mean().idxmin() == SADD

    def test_pairs_raise_accuracy(self):
        assert limits(AMPLE[SADD], AMPLE[f"{SADD}, no pairs"])[0] > 0

    def test_data_sets_on_which_others_are_better(self):
        gaps = AMPLE[[FOREST, "boosting"]].min(axis=1) - AMPLE[SADD]
        assert set(gaps.index[gaps >= 5]) == {"madelon", "wine"}

    def test_unlabelled_rows_lower_the_log_loss(self):
        for labels in ("10", "30"):
            table = results.wide("few", labels, "log loss")
            assert limits(table[SADD], table[LABELLED])[1] < 0

    @pytest.mark.parametrize("labels", results.COUNTS)
    def test_unlabelled_rows_change_accuracy_within_chance(self, labels):
        low, high = limits(FEW[labels][SADD], FEW[labels][LABELLED])
        assert low < 0 < high

    @pytest.mark.parametrize("labels", results.COUNTS)
    def test_sadd_tables_is_at_least_as_accurate_as_its_committee(self, labels):
        gaps = FEW[labels][SADD] - FEW[labels]["committee"]
        assert 0 < gaps.mean() < 1

    def test_unlabelled_rows_and_rnb(self):
        def bounds(labels, measure):
            table = results.wide("few", labels, measure)
            return limits(table["RNB+"], table["RNB+, labelled rows"])

        assert bounds("10", "accuracy")[0] > 0 > bounds("10", "log loss")[1]
        assert bounds("100", "accuracy")[0] > 0
        for labels, measure in (
                ("30", "accuracy"), ("30", "log loss"), ("100", "log loss")):
            low, high = bounds(labels, measure)
            assert low < 0 < high

    def test_less_than_half_of_the_gain_remains_without_test_rows(self):
        means = [results.paper_gaps(pool).mean() for pool in ("none", "test")]
        assert 0 < means[0] < means[1] / 2

    @pytest.mark.parametrize(["name", "words"], [
        ("CACC", "CACC is {} points lower here"),
        ("ChiMerge", "ChiMerge is {} points higher here")])
    def test_distance_from_the_paper(self, name, words):
        here, published = (results.paper_mean("NB", name, column=column)
                           for column in ("mean", "published"))
        assert words.format(f"{abs(here - published):.1f}") in PAGE

    def test_chimerge_on_iris(self):
        X, y = load_iris(return_X_y=True)
        found = [100 * np.mean([
            NaiveBayesClassifier(ChiMergeDiscretizer(significance=level)).fit(
                X[train], y[train]).score(X[test], y[test])
            for train, test in stratified_folds(y, 10, 0)])
            for level in (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)]
        assert f"reach {min(found):.1f} to {max(found):.1f}, and" in PAGE
        rows = results.paper().query("dataset == 'iris' and discretizer == 'ChiMerge'")
        assert rows["published"].max() == 78.67
