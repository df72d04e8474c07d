"""Tables of accuracies, wins and intervals."""

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.findings import (
    agreement_findings,
    method_findings,
)
from orangecontrib.sadd.evaluation.report.intervaltables import bin_counts
from orangecontrib.sadd.evaluation.report.markup import Cell, Markup, element, table
from orangecontrib.sadd.evaluation.report.published import Comparison
from orangecontrib.sadd.evaluation.report.scores import (
    Column,
    Scores,
    family_columns,
    method_columns,
)
from orangecontrib.sadd.evaluation.report.summaries import accuracy_frame, summaries
from orangecontrib.sadd.evaluation.report.tables import AccuracyTable
from orangecontrib.sadd.evaluation.report.wins import win_row
from tests.evaluation import fabricated

SADD = Column("SADD transductive", "SADD", "test", table="res", published="SADD")
MDLP = Column("MDLP", "MDLP", table="res", published="MDLP")
EW = Column("EW", "EW", table="res", published="EW")
KNN = Column("k-NN", "k-NN", classifier="")


def results(cells, k="auto", n0=2000.0):
    """Results by (data set, column): accuracies of folds."""
    rows = []
    for (dataset, column), accuracies in cells.items():
        is_sadd = column.method == "SADD"
        for fold, accuracy in enumerate(accuracies):
            rows.append({
                "dataset": dataset, "repeat": 0, "fold": fold,
                "labelled": column.labelled,
                "classifier_labels": column.classifier_labels,
                "method": column.method, "pool": column.pool,
                "k": k if is_sadd else "", "n0": n0 if is_sadd else np.nan,
                "classifier": column.classifier, "accuracy": accuracy,
                "intervals": "1 2 8", "information": "0.0 0.5 1.0",
                "chosen_k": np.nan, "error": "",
            })
    return pd.DataFrame(rows)


@pytest.fixture
def small():
    return results({
        ("iris", SADD): [0.9, 0.95, 1.0], ("iris", MDLP): [0.8, 0.86, 0.89],
        ("iris", EW): [0.95, 0.95, 0.95], ("iris", KNN): [0.97, 0.97, 0.97],
        ("mine", SADD): [0.5, 0.5, 0.5], ("mine", MDLP): [0.5, 0.6, 0.4],
        ("mine", EW): [0.5, 0.5, np.nan], ("mine", KNN): [0.4, 0.4, 0.4],
    })


class TestScores:
    def test_means_and_deviations(self, small):
        scores = Scores(small)
        assert scores.datasets == ["iris", "mine"]
        means = scores.means([SADD, EW])
        np.testing.assert_allclose(means["SADD transductive"], [95, 50])
        np.testing.assert_allclose(means["EW"], [95, 50])
        deviation = scores.deviations([SADD]).loc["iris", "SADD transductive"]
        assert deviation == pytest.approx(5)
        assert scores.incomplete(EW) == ["mine"]
        assert scores.incomplete(SADD) == []

    def test_order_of_the_run(self, small):
        scores = Scores(small, {"datasets": {"mine": {}, "gone": {}, "iris": {}}})
        assert scores.datasets == ["mine", "iris"]

    def test_first_parameters_are_the_main_ones(self, small):
        other = results({("iris", SADD): [0.1, 0.1, 0.1]}, k="5", n0=500.0)
        both = pd.concat([other, small])
        scores = Scores(both, {"settings": {"k": ["auto", 5], "n0": [2000.0, 500.0]}})
        assert (scores.k, scores.n0) == ("auto", 2000.0)
        assert scores.means([SADD]).loc["iris"].item() == pytest.approx(95)
        scores = Scores(both, {"settings": {"k": [5], "n0": [500]}})
        assert scores.means([SADD]).loc["iris"].item() == pytest.approx(10)

    def test_what_a_csv_file_makes_of_it(self, small, tmp_path):
        small["k"] = small["k"].replace("auto", "3")
        small.to_csv(tmp_path / "results.csv", index=False)
        read = pd.read_csv(tmp_path / "results.csv")
        scores = Scores(read, {"settings": {"k": [3], "n0": [2000]}})
        assert scores.k == "3"
        assert scores.present([SADD, KNN]) == [SADD, KNN]
        np.testing.assert_array_equal(
            scores.attribute_means("iris", MDLP, "intervals"), [1, 2, 8]
        )
        assert len(scores.attribute_means("iris", Column("?", "?"), "intervals")) == 0

    def test_knn_with_any_pool(self, small):
        small.loc[small["method"] == "k-NN", "pool"] = "test"
        assert Scores(small).present([KNN]) == [KNN]


class TestColumns:
    def test_published_ones(self):
        columns = {c.label: c for c in method_columns()}
        assert columns["SADD transductive"].published == "SADD"
        assert columns["SADD inductive"].published is None
        assert columns["PKID"].table == "res"
        assert columns["k-NN"].published is None
        columns = {c.label: c for c in method_columns(labelled=0.4)}
        assert columns["SADD semi-supervised"].published == "SADD"
        assert columns["SADD labelled only"].published is None
        assert columns["MDLP"].table == "ablation-semi"
        assert columns["EW"].table is None

    @pytest.mark.parametrize("kwargs", [
        {"classifier": "RNB"}, {"labelled": 0.2},
        {"labelled": 0.4, "classifier_labels": "labelled"},
    ])
    def test_unpublished(self, kwargs):
        assert not any(column.published for column in method_columns(**kwargs))

    def test_family(self):
        assert [c.published for c in family_columns("RNB")] == ["RNB", "RNB+", None]
        assert [c.published for c in family_columns("NB")] == [None, None, None]


class TestAccuracyTable:
    @pytest.fixture
    def shown(self, small):
        return AccuracyTable(
            Scores(small), Comparison({"iris": {}, "mine": {}}), [SADD, MDLP, EW, KNN],
            {"MDLP": SADD, "EW": SADD},
        )

    def test_marks(self, shown):
        assert shown.records["MDLP"].marks == {"iris": 1, "mine": 0}
        assert shown.records["EW"].marks == {"iris": 0, "mine": 0}

    def test_averages(self, shown):
        figures = shown.averages.loc["SADD transductive"]
        # A fold of the other data set failed, in one of the columns.
        assert shown.common == ["iris"]
        assert figures["mean"] == pytest.approx(95)
        assert figures["published_datasets"] == 1
        assert figures["same"] == pytest.approx(95)
        assert figures["published"] == pytest.approx(96.0)
        assert "printed" not in shown.averages
        assert np.isnan(shown.averages.loc["k-NN", "published"])

    def test_markup(self, shown):
        text = shown.markup("Accuracy & more")
        assert "Accuracy &amp; more" in text
        assert "<b>95.00" in text
        # Ties are bold, too, and k-NN, though better, is not.
        assert text.count("<b>95.00") == 4  # with their averages
        assert "<b>97.00" not in text
        assert "96.00 (−1.00)" in text
        assert "SADD transductive is significantly better." in text
        assert "2 of 3 folds have a result." in text

    def test_findings(self, shown):
        first, last = method_findings(shown)
        assert first == (
            "On this data set, SADD as published (transductive) has the highest "
            "average of 3 discretizers with NB: 95.00 %, level with the best other "
            "method, EW (95.00 %)."
        )
        assert last.startswith("The plain k-NN")
        assert "2.00 points above" in last
        # One data set of the paper is too little for averages.
        assert agreement_findings(shown) == []

    def test_all_of_the_paper(self):
        contents = Contents(*fabricated.make(folds=2, fractions=(1.0,)))
        averages = contents.methods.averages
        assert averages.loc["CAIM", "printed"] == 79.27
        assert averages.loc["CAIM", "published"] == pytest.approx(79.70, abs=0.005)
        assert averages["comparable_published_datasets"].max() == 29
        sentence, = agreement_findings(contents.methods)
        assert sentence.startswith("On 29 data sets comparable with the paper's, ")


class TestWins:
    def test_beside_the_paper(self, small):
        row = win_row(Scores(small), SADD, MDLP, "sum")
        assert (row["wins"], row["ties"], row["losses"]) == (1, 1, 0)
        assert row["significant_wins"] == 1
        assert (row["published_wins"], row["published_significant_wins"]) == (31, 19)
        assert row["rows"] == (30, 1, 0)

    def test_not_in_the_paper(self, small):
        assert win_row(Scores(small), SADD, KNN, "sum")["published_wins"] is None


class TestIntervals:
    def test_bins(self):
        assert bin_counts([1, 1.4, 1.5, 5.49, 5.5, 100]) == [2, 1, 0, 0, 1, 2]
        assert bin_counts([]) == [0] * 6

    def test_case_study(self):
        results, times, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        is_mdlp = (results["method"] == "MDLP") & (results["classifier"] == "NB")
        results.loc[is_mdlp, "intervals"] = " ".join(map(str, range(1, 14)))
        case = Contents(results, times, run).case
        assert list(case.index) == [f"A{i}" for i in range(1, 11)]
        assert list(case["attribute"]) == [f"f{i}" for i in range(10)]
        # The first three of the 13 attributes are not in the study.
        assert list(case["MDLP intervals"]) == list(range(4, 14))
        assert case.loc["A1", "MDLP published intervals"] == 8
        assert case.loc["A1", "SADD transductive published information"] == 1.0921

    def test_no_case_study_without_its_attributes(self):
        results, times, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        run["datasets"]["vowel"]["attribute_names"] = [f"a{i}" for i in range(13)]
        assert Contents(results, times, run).case is None


class TestSummaries:
    def test_accuracy(self, small):
        frame = accuracy_frame(Contents(small, None, {}))
        row = frame[(frame["dataset"] == "iris") & (frame["method"] == "MDLP")].iloc[0]
        assert row["mean"] == pytest.approx(85)
        assert row["folds"] == 3
        assert (row["published"], row["published_std"]) == (92.67, 6.29)
        assert row["difference"] == pytest.approx(-7.67)
        assert row["comparable"] == "yes"
        mine = frame[frame["dataset"] == "mine"]
        assert mine["published"].isna().all()

    def test_names(self):
        contents = Contents(*fabricated.make(["iris", "vowel"], folds=2))
        found = summaries(contents)
        assert set(found) == {
            "accuracy", "averages", "wins", "intervals", "case_study", "bayesian",
            "sweep", "run_time",
        }
        assert all(len(frame) for frame in found.values())
        assert set(found["wins"]["labelled"]) == {1.0, 0.4}


class TestMarkup:
    def test_escapes_all_but_markup(self):
        assert element("p", "<b>", Markup("<b></b>"), ["&", None], title='"') == (
            '<p title="&quot;">&lt;b&gt;<b></b>&amp;</p>'
        )

    def test_table(self):
        text = table("A & B", ["x", "y"], [["<", Cell("1", "2", "*", best=True)]])
        assert '<th scope="row">&lt;</th>' in text
        assert '<b>1</b><span class="mark">*</span><small>2</small>' in text
        assert 'aria-label="A &amp; B"' in text
        assert '<th scope="col">y</th>' in text
