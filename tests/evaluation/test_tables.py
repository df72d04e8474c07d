"""Tables of accuracies, wins and intervals."""

import numpy as np
import pytest

from orangecontrib.sadd.evaluation.report.accuracytable import AccuracyTable, TableCell
from orangecontrib.sadd.evaluation.report.contents import Contents
from orangecontrib.sadd.evaluation.report.page import (
    TEMPLATES,
    agreement_findings,
    method_findings,
)
from orangecontrib.sadd.evaluation.report.published import Comparison
from orangecontrib.sadd.evaluation.report.scores import (
    Contender,
    Scores,
    family_contenders,
    method_contenders,
)
from orangecontrib.sadd.evaluation.report.summaries import Wins, bin_counts
from orangecontrib.sadd.evaluation.resulttables import ResultTables
from tests.evaluation import fabricated

pytestmark = pytest.mark.usefixtures("few_samples")

SADD, MDLP, EW = Contender("SADD", "test"), Contender("MDLP"), Contender("EW")
KNN = Contender("k-NN", classifier="")
MACROS = TEMPLATES.get_template("macros.html.j2").module


def results(cells, k="auto", n0=2000.0):
    """Results by (data set, contender): accuracies of folds."""
    fits, attributes = [], []
    for (dataset, contender), accuracies in cells.items():
        is_sadd = contender.method == "SADD"
        for fold, accuracy in enumerate(accuracies):
            place = {
                "dataset": dataset, "repeat": 0, "fold": fold,
                "labelled": contender.labelled, "method": contender.method,
                "pool": contender.pool, "k": k if is_sadd else "",
                "n0": n0 if is_sadd else np.nan,
            }
            fits.append({
                **place, "classifier_labels": contender.classifier_labels,
                "classifier": contender.classifier, "accuracy": accuracy, "error": "",
            })
            attributes += [
                {**place, "attribute": f"a{i}", "intervals": n, "information": i / 2}
                for i, n in enumerate((1, 2, 8))
            ]
    return ResultTables.of(fits, attributes)


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
        np.testing.assert_allclose(means[SADD], [95, 50])
        np.testing.assert_allclose(means[EW], [95, 50])
        deviation = scores.deviations([SADD]).loc["iris", SADD]
        assert deviation == pytest.approx(5)
        assert scores.incomplete(EW) == ["mine"]
        assert scores.incomplete(SADD) == []

    def test_order_of_the_run(self, small):
        scores = Scores(small, {"datasets": {"mine": {}, "gone": {}, "iris": {}}})
        assert scores.datasets == ["mine", "iris"]

    def test_first_parameters_are_the_main_ones(self, small):
        other = results({("iris", SADD): [0.1, 0.1, 0.1]}, k="5", n0=500.0)
        both = ResultTables.joined([other, small])
        scores = Scores(both, {"settings": {"k": ["auto", 5], "n0": [2000.0, 500.0]}})
        assert (scores.k, scores.n0) == ("auto", 2000.0)
        assert scores.means([SADD]).loc["iris"].item() == pytest.approx(95)
        scores = Scores(both, {"settings": {"k": [5], "n0": [500]}})
        assert scores.means([SADD]).loc["iris"].item() == pytest.approx(10)

    def test_what_a_csv_file_makes_of_it(self, small, tmp_path):
        small.fits["k"] = small.fits["k"].replace("auto", "3")
        small.attributes["k"] = small.attributes["k"].replace("auto", "3")
        small.write(tmp_path)
        read = ResultTables.read(tmp_path)
        scores = Scores(read, {"settings": {"k": [3], "n0": [2000]}})
        assert scores.k == "3"
        assert scores.present([SADD, KNN]) == [SADD, KNN]
        found = scores.attribute_means("iris", MDLP)["intervals"]
        np.testing.assert_array_equal(found, [1, 2, 8])
        assert len(scores.attribute_means("iris", Contender("?"))) == 0

    def test_knn_with_any_pool(self, small):
        small.fits.loc[small.fits["method"] == "k-NN", "pool"] = "test"
        assert Scores(small).present([KNN]) == [KNN]


class TestContenders:
    def test_published_ones(self):
        found = {c.label: c.reference for c in method_contenders()}
        assert found["SADD transductive"] == ("res", "SADD")
        assert found["SADD inductive"] is None
        assert found["PKID"] == ("res", "PKID")
        assert found["k-NN"] is None
        found = {c.label: c.reference for c in method_contenders(labelled=0.4)}
        assert found["SADD semi-supervised"] == ("ablation-semi", "SADD")
        assert found["SADD labelled only"] is None
        assert found["MDLP"] == ("ablation-semi", "MDLP")
        assert found["EW"] is None

    @pytest.mark.parametrize("kwargs", [
        {"classifier": "RNB"}, {"labelled": 0.2},
        {"labelled": 0.4, "classifier_labels": "labelled"},
    ])
    def test_unpublished(self, kwargs):
        assert not any(c.reference for c in method_contenders(**kwargs))

    def test_family(self):
        found = [c.reference for c in family_contenders("RNB")]
        assert found == [("res2", "RNB"), ("res2", "RNB+"), None]
        assert [c.reference for c in family_contenders("NB")] == [None, None, None]


class TestAccuracyTable:
    @pytest.fixture
    def shown(self, small):
        return AccuracyTable(
            Scores(small), Comparison({"iris": {}, "mine": {}}), [SADD, MDLP, EW, KNN],
            {MDLP: SADD, EW: SADD},
        )

    def test_marks(self, shown):
        assert shown.records[MDLP].marks == {"iris": 1, "mine": 0}
        assert shown.records[EW].marks == {"iris": 0, "mine": 0}

    def test_averages(self, shown):
        figures = shown.averages.loc[SADD]
        # A fold of the other data set failed, in one of the columns.
        assert shown.common == ["iris"]
        assert figures["mean"] == pytest.approx(95)
        assert figures["published_datasets"] == 1
        assert figures["same"] == pytest.approx(95)
        assert figures["published"] == pytest.approx(96.0)
        assert "printed" not in shown.averages
        assert np.isnan(shown.averages.loc[KNN, "published"])

    def test_markup(self, shown):
        text = MACROS.accuracy_table("Accuracy & more", shown)
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
        averages = contents.methods.table.averages
        caim = Contender("CAIM")
        assert averages.loc[caim, "printed"] == 79.27
        assert averages.loc[caim, "published"] == pytest.approx(79.70, abs=0.005)
        assert averages["comparable_published_datasets"].max() == 29
        sentence, = agreement_findings(contents.methods.table)
        assert sentence.startswith("On 29 data sets comparable with the paper's, ")


class TestWins:
    def test_beside_the_paper(self, small):
        row = Wins.count(Scores(small), SADD, MDLP, "sum")
        assert (row.record.wins, row.record.ties, row.record.losses) == (1, 1, 0)
        assert row.record.significant_wins == 1
        assert row.printed == (31, 19)
        assert row.in_rows == (30, 1, 0)

    def test_not_in_the_paper(self, small):
        assert Wins.count(Scores(small), SADD, KNN, "sum").printed is None


class TestIntervals:
    def test_bins(self):
        found = bin_counts([1, 1.4, 1.5, 5.49, 5.5, 100])
        assert list(found.values()) == [2, 1, 0, 0, 1, 2]
        assert list(bin_counts([]).values()) == [0] * 6

    def test_case_study(self):
        tables, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        is_mdlp = tables.attributes["method"] == "MDLP"
        tables.attributes.loc[is_mdlp, "intervals"] = [*range(1, 14)] * 2
        case = Contents(tables, run).case
        mdlp = case[case["method"] == "MDLP"].set_index("published_name")
        assert list(mdlp.index) == [f"A{i}" for i in range(1, 11)]
        assert list(mdlp["attribute"]) == [f"f{i}" for i in range(10)]
        # The first three of the 13 attributes are not in the study.
        assert list(mdlp["intervals"]) == list(range(4, 14))
        assert mdlp.loc["A1", "published_intervals"] == 8
        sadd = case[(case["method"] == "SADD") & (case["pool"] == "test")]
        assert sadd["published_information"].iloc[0] == 1.0921

    def test_no_case_study_without_its_attributes(self):
        tables, run = fabricated.make(["vowel"], folds=2, fractions=(1.0,))
        is_last = tables.attributes["attribute"] == "f9"
        tables.attributes.loc[is_last, "attribute"] = "a9"
        assert Contents(tables, run).case is None


@pytest.fixture(scope="module")
def summaries():
    return Contents(*fabricated.make(["iris", "vowel"], folds=2)).summaries()


class TestSummaries:
    def test_accuracy(self, small):
        frame = Contents(small, {}).summaries()["accuracy"]
        row = frame[(frame["dataset"] == "iris") & (frame["method"] == "MDLP")].iloc[0]
        assert row["mean"] == pytest.approx(85)
        assert row["folds"] == 3
        assert (row["published"], row["published_std"]) == (92.67, 6.29)
        assert row["difference"] == pytest.approx(-7.67)
        assert row["comparable"] == "yes"
        mine = frame[frame["dataset"] == "mine"]
        assert mine["published"].isna().all()

    def test_names(self, summaries):
        assert set(summaries) == {
            "accuracy", "averages", "wins", "intervals", "case_study", "bayesian",
            "sweep", "run_time",
        }
        assert all(len(frame) for frame in summaries.values())
        assert set(summaries["wins"]["labelled"]) == {1.0, 0.4}

    def test_rows_have_identifiers(self, summaries):
        keys = ["labelled", "classifier_labels", "method", "pool", "classifier"]
        pair = ["first_method", "first_pool", "second_method", "second_pool"]
        pair = ["labelled", "classifier_labels", "classifier", *pair]
        case = ["published_name", "method", "pool"]
        expected = {
            "averages": keys, "wins": pair, "bayesian": pair, "case_study": case,
            "intervals": ["dataset", "method", "pool"],
            "run_time": ["what", "method", "pool", "classifier"],
        }
        found = dict(summaries)
        # k-NN stands in two tables of averages, and has no classifier.
        averages = found["averages"]
        found["averages"] = averages[averages["method"] != "k-NN"]
        for name, columns in expected.items():
            assert not found[name].duplicated(columns).any()


class TestCells:
    def test_parts_and_escapes(self):
        cell = TableCell("1 < 2", "2", "*", best=True, title='"')
        assert MACROS.cell(cell).strip() == (
            '<td title="&#34;"><b>1 &lt; 2</b><span class="mark">*</span>'
            "<small>2</small></td>"
        )

    def test_row(self):
        text = MACROS.row([TableCell("<"), TableCell("1")])
        assert '<th scope="row">&lt;</th>' in text
        assert "<td>1</td>" in text
