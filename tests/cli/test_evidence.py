"""Evidence, limits, missing values, and cuts that travel to and from estimators."""

import numpy as np
import pandas as pd
from Orange.data import Domain, Table

from orangecontrib.sadd import SADDDiscretize
from orangecontrib.sadd.core import MDLPDiscretizer
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from tests.cli.test_discretize import IRIS, assert_same


class TestEvidence:
    def test_is_that_of_the_estimator(self, command, folder):
        command("iris.tab", "--method", "MDLP", "--evidence", "evidence.csv")
        found = pd.read_csv(folder / "evidence.csv")
        frame = pd.DataFrame(
            IRIS.X, columns=[var.name for var in IRIS.domain.attributes])
        labels = np.array(IRIS.domain.class_var.values)[IRIS.Y.astype(int)]
        expected = MDLPDiscretizer().fit(frame, labels).interval_table()
        pd.testing.assert_frame_equal(found, expected, check_dtype=False)

    def test_is_that_of_the_window(self, command, folder):
        few = IRIS.copy()
        with few.unlocked(few.Y):
            few.Y[::3] = np.nan
        with few.unlocked(few.X):
            few.X[::5, 1] = np.nan
        few.save("few.tab")
        command("few.tab", "--evidence", "evidence.csv")
        found = pd.read_csv(folder / "evidence.csv")
        analysis = Analysis(Table("few.tab"))
        table = make_outputs(
            analysis, analysis.find_cuts(Parameters()), Parameters()).cut_points
        for name, title in [
                ("rows", "Rows"), ("unlabelled", "Unlabelled rows"), ("from", "From"),
                ("missing", "Missing values"), ("rows_Iris-setosa", "Iris-setosa"),
                ("share_Iris-setosa", "Share of Iris-setosa"),
                ("woe_Iris-virginica", "Weight of evidence of Iris-virginica"),
                ("iv_Iris-virginica", "Information value of Iris-virginica"),
                ("total_iv_Iris-setosa", "Total information value of Iris-setosa"),
                ("monotonic_Iris-setosa", "Monotonic of Iris-setosa")]:
            np.testing.assert_allclose(
                found[name].to_numpy(dtype=float),
                table.get_column(title).astype(float))
        assert found["unlabelled"].sum() == 4 * 50 - 10

    def test_folders_and_names(self, command, folder):
        command("iris.tab", "heart.tab", "--evidence", "out/", "--cuts", "{name}.json")
        assert pd.read_csv(folder / "out" / "heart.csv")["woe"].notna().all()
        assert "is for learning" in command(
            "iris.tab", "--apply", "iris.json", "--evidence", "x.csv", status=2)
        assert "not to standard output" in command(
            "iris.tab", "--evidence", "-", status=2)

    def test_without_a_class(self, command, folder):
        command("iris.tab", "--method", "EW", "--evidence", "with.csv")
        IRIS.transform(Domain(IRIS.domain.attributes)).save("x.tab")
        command("x.tab", "--method", "EW", "--evidence", "without.csv")
        with_class, without = (
            pd.read_csv(folder / name) for name in ("with.csv", "without.csv"))
        assert list(without.columns) == list(with_class.columns[:6])
        pd.testing.assert_frame_equal(without, with_class[without.columns])


class TestCutsOfEstimators:
    def test_written_here_read_there(self, command, folder):
        command("heart.tab", "--method", "MDLP", "--cuts", "cuts.json", "--missing",
                "interval", "-o", "out.tab")
        text = (folder / "cuts.json").read_text(encoding="utf-8")
        method = MDLPDiscretizer.from_json(text)
        names = method.feature_names_in_.tolist()
        heart = Table("heart.tab")
        X = np.column_stack([heart.get_column(name) for name in names])
        codes = method.transform(pd.DataFrame(X, columns=names))
        out = Table("out.tab")
        for name, column, intervals in zip(
                names, codes.T, method.interval_names(), strict=True):
            if name in out.domain:
                found = [str(row[name]) for row in out]
                assert found == [intervals[int(code)] for code in column]
        assert len(method.interval_table()) == method.n_intervals_.sum()

    def test_written_there_read_here(self, command, folder):
        frame = pd.DataFrame(
            IRIS.X, columns=[var.name for var in IRIS.domain.attributes]
        ).assign(colour=pd.Categorical(["red", "blue"] * 75))
        method = MDLPDiscretizer(categorical_features="from_dtype").fit(frame, IRIS.Y)
        (folder / "cuts.json").write_text(method.to_json(), encoding="utf-8")
        command("iris.tab", "-o", "out.tab", "--apply", "cuts.json")
        np.testing.assert_array_equal(
            Table("out.tab").X, method.transform(frame)[:, :4])


def test_missing_values_as_an_interval(command):
    holes = IRIS.copy()
    with holes.unlocked(holes.X):
        holes.X[::5, 1] = np.nan
    holes.save("holes.tab")
    command("holes.tab", "--missing", "interval", "-o", "one.tab", "--cuts", "c.json")
    command("holes.tab", "--apply", "c.json", "-o", "two.tab")
    for name in ("one.tab", "two.tab"):
        table = Table(name)
        assert table.domain["sepal width"].values[-1] == "missing"
        assert [str(row["sepal width"]) for row in table[:2]][0] == "missing"
        assert not np.isnan(table.X).any()
    assert_same(Table("one.tab"), SADDDiscretize(missing="interval")(holes))


def test_limits(command):
    command("iris.tab", "--min-samples", "0.3", "--max-intervals", "2", "-o", "a.tab")
    assert_same(Table("a.tab"), SADDDiscretize(min_samples=0.3, max_intervals=2)(IRIS))
    assert [len(var.values) for var in Table("a.tab").domain.attributes] == [2] * 4
    assert "min_samples" in command(
        "iris.tab", "--min-samples", "1.5", "-o", "b.tab", status=2)
    assert "--min-samples is for SADD and MDLP and CAIM and CACC" in command(
        "iris.tab", "--min-samples", "5", "--method", "EW", "-o", "b.tab", status=2)
