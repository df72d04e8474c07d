"""The subcommand discretize: tables, cut points and evidence that it writes."""

import json
import os

import numpy as np
import pandas as pd
import pytest
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
)

from orangecontrib.sadd import FFD, SADDDiscretize
from orangecontrib.sadd.core import DISCRETIZERS, MDLPDiscretizer
from tests.orange.data import unlabel

# What may stand in the place of anything else in a file of cut points
ODD = [None, True, 3, -1.5, 10 ** 400, float("nan"), "", "x", "12", "3.1", [], {}, [1],
       [True], "inf", ["1"], ["nan"], [None], [[1]], [2, 1], [1, 1], [3, 10 ** 400],
       [3, "inf"], {"a": 1}, "ab", ["a", "b"], ["a", ""], ["a", "?"], ["a", " a"],
       ["a", 3], ["a", "b\nc"], ["a", "\ud800"], ["low", "nan"], ["NA", "~"],
       ["a", None]]

IRIS = Table("iris")
FRAME = pd.DataFrame(IRIS.X, columns=[var.name for var in IRIS.domain.attributes])


def plain_csv(path, table, n_rows=None, target=True):
    """Write a file as another program would, without types."""
    variables = [*table.domain.attributes, *(table.domain.class_vars if target else ())]
    lines = [",".join(var.name for var in variables)]
    lines += [",".join("" if np.isnan(float(row[var])) else str(row[var])
                       for var in variables) for row in table[:n_rows]]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def assert_same(table, other):
    assert [var.name for var in table.domain.variables] == \
        [var.name for var in other.domain.variables]
    for one, two in zip(table.domain.variables, other.domain.variables, strict=True):
        assert one.is_discrete == two.is_discrete
        if one.is_discrete and len(one.values) > 1:  # a single value is not written
            assert one.values == two.values
    np.testing.assert_array_equal(table.X, other.X)
    np.testing.assert_array_equal(table.Y, other.Y)


class TestData:
    def test_summary_is_printed(self, command):
        said = command("heart.tab", "-o", "out.tab")
        assert said == ("heart.tab: 303 rows; 4 of 6 numeric variables in 9 intervals "
                        "by SADD -> out.tab\n")
        assert command.out == ""

    @pytest.mark.parametrize(["options", "parameters"], [
        *((["--method", name.lower()], {"method": name}) for name in DISCRETIZERS),
        (["--method", "FFD", "--frequency", "9"], {"method": FFD(9)}),
        (["--n0", "none", "--k", "1,3", "--no-standardize"], {"method": "MDLP"}),
        (["--min-samples", "0.3", "--max-intervals", "2"],
         {"min_samples": 0.3, "max_intervals": 2}),
        (["--keep-constant"], {"remove_const": False}),
        (["--missing", "interval"], {"missing": "interval"}),
    ], ids=lambda value: " ".join(value) if isinstance(value, list) else "")
    def test_is_that_of_the_preprocessor(self, command, options, parameters):
        for name in ("iris.tab", "heart.tab"):
            command(name, "-o", f"out-{name}", *options)
            assert_same(Table(f"out-{name}"), SADDDiscretize(**parameters)(Table(name)))

    @pytest.mark.parametrize("encode", ["interval", "ordinal", "onehot"])
    @pytest.mark.parametrize("text", ["", "once"])
    def test_text_column_without_values(self, command, folder, text, encode):
        """The monkey's seed 32 had a text column with hardly any values."""
        rows = [f"{x},{text if x == 7 else ''},{'ab'[x > 9]}" for x in range(20)]
        (folder / "few.csv").write_text("\n".join(["x,text,class", *rows, ""]))
        command("few.csv", "-o", "out.tab", "--target", "class", "--encode", encode)
        assert len(Table("out.tab")) == 20

    @pytest.mark.parametrize("suffix", [".tab", ".csv", ".csv.gz", ".tsv", ".xlsx",
                                        ".pkl", ".tab.xz", ".CSV"])
    def test_in_every_format(self, command, folder, suffix):
        command("iris.tab", "-o", f"out{suffix}")
        (folder / f"out{suffix}").rename(folder / f"out{suffix.lower()}")
        assert_same(Table(f"out{suffix.lower()}"), SADDDiscretize()(IRIS))

    def test_unicode(self, command, folder):
        names = Domain([ContinuousVariable("dolžina čašnega lista")],
                       DiscreteVariable("вид", ("ирис", "花")))
        X = np.arange(60.0)[:, None]
        Table.from_numpy(names, X, X.ravel() > 29).save("цветы.tab")
        command("цветы.tab", "-o", "花.csv", "--cuts", "ж.json")
        assert Table("花.csv").domain[0].values == ("< 29.5", "≥ 29.5")
        assert "花" in Table("花.csv").domain.class_var.values
        assert "dolžina" in (folder / "ж.json").read_text(encoding="utf-8")

    def test_missing_times_metas_and_weights(self, command):
        born = TimeVariable("born", have_date=1)
        domain = Domain([born, ContinuousVariable("x")],
                        DiscreteVariable("c", ("a", "b")), [StringVariable("note")])
        days = np.arange(80.0) * 86400
        X = np.column_stack([days, np.where(np.arange(80) % 7, days, np.nan)])
        table = Table.from_numpy(
            domain, X, np.arange(80) > 39, np.array([["hi"]] * 80, dtype=object),
            W=np.ones((80, 1)))
        table.save("times.tab")
        command("times.tab", "-o", "out.tab", "--cuts", "cuts.json")
        out = Table("out.tab")
        assert out.domain["born"].values == ("< 1970-02-10", "≥ 1970-02-10")
        assert out.domain["x"].is_discrete and np.isnan(out.X[0, 1])
        assert [str(out[0, "note"]), out.has_weights()] == ["hi", True]
        command("times.tab", "-o", "again.tab", "--apply", "cuts.json")
        assert_same(Table("again.tab"), out)

    def test_sparse(self, command):
        sparse = IRIS.to_sparse()
        sparse.save("sparse.pkl")
        assert "cannot hold sparse data; .pkl files can" in \
            command("sparse.pkl", "-o", "out.tab", "--trust-metadata", status=1)
        command("sparse.pkl", "-o", "out.pkl", "--trust-metadata")
        assert Table("out.pkl").domain[0].is_discrete


class TestUnlabelled:
    def test_rows_of_the_data_and_of_other_files(self, command, folder):
        few = unlabel(IRIS[::5], slice(0, None, 3))
        few.save("few.tab")
        plain_csv(folder / "one.csv", IRIS[1::5], target=False)
        plain_csv(folder / "two.csv", IRIS[2::5])
        said = command("few.tab", "-o", "out.tab", "--unlabelled", "one.csv", "two.csv",
                       "--k", "3")
        assert "by SADD, 20 labelled and 70 unlabelled rows, k = 3" in said
        pool = Table.concatenate([IRIS[1::5], IRIS[2::5]])
        assert_same(Table("out.tab"), SADDDiscretize(pool, k=3)(few))

    def test_numbers_that_look_like_categories(self, command, folder):
        # Orange takes a column of a few small whole numbers for categories
        rows = [f"{i % 3 * 1.5},{i}" for i in range(30)]
        (folder / "a.csv").write_text("x,y\n" + "\n".join(rows) + "\n")
        (folder / "b.csv").write_text("x,y\n" + "1,3\n0,4\n" * 9)
        assert Table("b.csv").domain["x"].is_discrete
        (folder / "c.csv").write_text("D#c,x,y\n" + "\n".join(
            f"{'ab'[i > 14]},{row}" for i, row in enumerate(rows)) + "\n")
        assert "note" not in command("c.csv", "--target", "c", "--cuts", "c.json",
                                     "--unlabelled", "a.csv", "b.csv", "--k", "1")

    def test_the_data_itself(self, command):
        said = command("iris.tab", "-o", "out.tab", "--unlabelled", "iris.tab")
        assert "note: iris.tab is the data itself, and adds no rows." in said
        assert_same(Table("out.tab"), SADDDiscretize()(IRIS))

    def test_columns_are_missing(self, command):
        IRIS[:, :2].save("two.tab")
        said = command("iris.tab", "-o", "out.tab", "--unlabelled", "two.tab")
        assert "lacks some variables: petal length, petal width." in said
        assert "none of the variables" in command(
            "iris.tab", "-o", "new.tab", "--unlabelled", "heart.tab", status=1)


class TestTarget:
    def test_of_a_plain_file(self, command, folder):
        plain_csv(folder / "plain.csv", IRIS)
        said = command("plain.csv", "-o", "out.tab", status=1)
        assert "SADD needs data with a single categorical class. Choose one, or a " \
            "method that needs none: EW, EF, PKID, FFD. --target names the class." \
            in said
        command("plain.csv", "-o", "out.tab", "--target", "iris")
        assert_same(Table("out.tab"), SADDDiscretize()(IRIS))
        command("plain.csv", "-o", "ew.tab", "--method", "EW")
        assert Table("ew.tab").domain.class_var is None

    def test_whole_numbers_and_texts_are_classes(self, command, folder):
        rows = np.arange(120)
        (folder / "n.csv").write_text("x,c,t\n" + "\n".join(
            f"{i / 7},{i // 12 - 3},word{i // 4}" for i in rows) + "\n")
        assert Table("n.csv").domain["c"].is_continuous
        assert Table("n.csv").domain["t"].is_string
        command("n.csv", "-o", "c.tab", "--target", "c")
        assert Table("c.tab").domain.class_var.values == tuple(map(str, range(-3, 7)))
        command("n.csv", "-o", "t.tab", "--target", "t", "--method", "CAIM")
        assert len(Table("t.tab").domain.class_var.values) == 30
        assert "not whole" in command("n.csv", "-o", "x.tab", "--target", "x", status=1)

    def test_other_classes_become_metas(self, command):
        command("heart.tab", "-o", "out.tab", "--target", "gender")
        domain = Table("out.tab").domain
        assert domain.class_var.name == "gender"
        assert [var.name for var in domain.metas] == ["diameter narrowing"]

    def test_is_missing(self, command):
        said = command("iris.tab", "-o", "out.tab", "--target", "irys", status=1)
        assert said == \
            "iris.tab: There is no variable 'irys' to be the target; is it 'iris'?\n"
        domain = Domain([TimeVariable("t")])
        Table.from_numpy(domain, np.arange(30.0)[:, None]).save("time.tab")
        assert "is a time" in command("time.tab", "-o", "o.tab", "--target", "t",
                                      status=1)


class TestCuts:
    @pytest.mark.parametrize("missing", ["ignore", "interval"])
    def test_applied_to_the_same_data_give_the_same(self, command, folder, missing):
        command("heart.tab", "-o", "one.tab", "--cuts", "cuts.json", "--missing",
                missing)
        said = command("heart.tab", "-o", "two.tab", "--apply", "cuts.json")
        assert "by saved cut points -> two.tab" in said
        assert (folder / "one.tab").read_bytes() == (folder / "two.tab").read_bytes()

    def test_cuts_name_their_method_and_rows(self, command, folder):
        IRIS[::2].save("few.tab")
        IRIS[1::2].save("more.tab")
        command("few.tab", "--cuts", "cuts.json", "--unlabelled", "more.tab", "--n0",
                "500")
        cuts = json.loads((folder / "cuts.json").read_text(encoding="utf-8"))
        variables = cuts.pop("variables")
        assert cuts.pop("neighbours") in (1, 3, 5, 7, 9, 11, 15)
        assert cuts == {
            "format": "Orange3-SADD cut points", "version": 1, "method": "SADD",
            "parameters": {"k": "auto", "n0": 500, "standardize": True,
                           "random_state": 0, "labeller": "neighbours",
                           "min_confidence": 0, "min_samples": None,
                           "max_intervals": None,
                           "missing": "ignore"},
            "classes": list(IRIS.domain.class_var.values), "target": "iris",
            "columns": dict.fromkeys(FRAME.columns, "numeric"),
            "labelled_rows": 75, "unlabelled_rows": 75}
        assert [var["name"] for var in variables] == \
            [var.name for var in IRIS.domain.attributes]
        expected = SADDDiscretize(IRIS[1::2], n0=500)(IRIS[::2]).domain.attributes
        for saved, var in zip(variables, expected, strict=True):
            assert saved["type"] == "numeric" and saved["information"] > 0
            assert saved["cuts"] == var.compute_value.points

    def test_of_unlabelled_methods_have_no_information(self, command, folder):
        IRIS[:, :4].transform(Domain(IRIS.domain.attributes)).save("x.tab")
        command("x.tab", "--cuts", "cuts.json", "--method", "EF")
        cuts = json.loads((folder / "cuts.json").read_text(encoding="utf-8"))
        assert cuts["variables"][0]["information"] is None and cuts["target"] is None

    def test_applied_to_several_files(self, command, folder):
        command("iris.tab", "--cuts", "cuts.json")
        for i in range(3):
            plain_csv(folder / f"day{i}.csv", IRIS[i * 40:], 20, target=False)
        said = command("day0.csv", "day1.csv", "day2.csv", "--apply", "cuts.json",
                       "-o", "binned/")
        assert said.startswith("3 of 3 files discretized, 0 failed, in ")
        for i in range(3):
            table = Table(f"binned/day{i}.csv")
            expected = SADDDiscretize()(IRIS)[i * 40:i * 40 + 20]
            assert table.domain.attributes[0].values == \
                expected.domain.attributes[0].values
            np.testing.assert_array_equal(table.X, expected.X)

    def test_applied_to_other_columns(self, command, folder):
        command("iris.tab", "--cuts", "cuts.json")
        said = command("heart.tab", "-o", "out.tab", "--apply", "cuts.json", status=1)
        assert "cut points for variables that are missing: sepal length, " in said
        cuts = json.loads((folder / "cuts.json").read_text(encoding="utf-8"))
        del cuts["variables"][0]
        (folder / "cuts.json").write_text(json.dumps(cuts), encoding="utf-8")
        said = command("iris.tab", "-o", "out.tab", "--apply", "cuts.json")
        assert "no cut points for sepal length, which stay numeric" in said
        assert Table("out.tab").domain["sepal length"].is_continuous
        cuts["variables"][0]["type"] = "time"
        (folder / "cuts.json").write_text(json.dumps(cuts), encoding="utf-8")
        assert "'sepal width' is not of type time" in \
            command("iris.tab", "-o", "o.tab", "--apply", "cuts.json", status=1)

    def test_applied_to_numbers_that_look_like_categories(self, command, folder):
        rows = [f"{i / 10},{'ab'[i > 9]}" for i in range(20)]
        (folder / "a.csv").write_text("x,c\n" + "\n".join(rows) + "\n")
        (folder / "b.csv").write_text("x\n" + "0\n1\n" * 9)
        command("a.csv", "--cuts", "cuts.json", "--target", "c")
        assert Table("b.csv").domain["x"].is_discrete
        command("b.csv", "-o", "b.tab", "--apply", "cuts.json")
        assert Table("b.tab").domain["x"].values == ("< 0.95", "≥ 0.95")
        (folder / "w.csv").write_text("x\n" + "u\nv\n" * 9)
        assert "'x' is not of type numeric" in \
            command("w.csv", "-o", "w.tab", "--apply", "cuts.json", status=1)

    @pytest.mark.parametrize("key", ["name", "type", "cuts", "information",
                                     "intervals", "missing", "range", "counts",
                                     "missing_counts", "categories"])
    def test_odd_entries(self, command, folder, key):
        """Any file is rejected with a sentence, or applied."""
        command("iris.tab", "--cuts", "cuts.json")
        content = json.loads((folder / "cuts.json").read_text(encoding="utf-8"))
        del content["variables"][1]["counts"]  # would not fit other intervals
        for odd in ODD:
            content["variables"][1] |= {"cuts": [3], "intervals": None, key: odd}
            (folder / "cuts.json").write_text(json.dumps(content), encoding="utf-8")
            arguments = ["iris.tab", "-o", "o.tab", "--apply", "cuts.json", "--force"]
            try:
                said = command(*arguments)
            except AssertionError:
                said = command(*arguments, status=1)
                assert said.startswith("discretize: cuts.json ") and (
                    "entry 2" in said or "missing values as an interval" in said
                    ) or "are missing" in said or "is not of type" in said
                assert not os.path.exists("o.tab")
            else:
                table = Table("o.tab")
                assert len(table) == 150 and not np.isnan(table.X).any()
                os.remove("o.tab")


class TestManyFiles:
    """Outputs of files, one after another, are the output of the whole file."""

    N_ROWS = 120

    @pytest.fixture
    def frame(self):
        """Columns that Orange reads as another type where there are few rows."""
        rng = np.random.default_rng(5)
        n = self.N_ROWS
        frame = pd.DataFrame({
            "word": rng.choice(["oak", "ash", "elm"], n),
            "x": rng.normal(size=n).round(2), "noise": rng.normal(size=n).round(1),
            "small": rng.integers(0, 9, n), "id": [f"row {i}" for i in range(n)],
            "class": ["a"] * (n // 2) + ["b"] * (n // 2)})
        # Each third has other words and another class
        frame.loc[:39, "word"], frame.loc[40:79, "word"] = "oak", "ash"
        frame.loc[80:, "small"] = frame.loc[80:, "small"] % 2
        frame.loc[5:9, "noise"] = frame.loc[50:55, "word"] = np.nan
        frame.loc[n // 2:, "x"] += 2
        frame.loc[::7, "class"] = np.nan
        return frame

    @pytest.mark.parametrize("encode", ["interval", "ordinal", "onehot"])
    @pytest.mark.parametrize("options", [[], ["--missing", "interval"],
                                         ["--keep-constant"]], ids=str)
    @pytest.mark.parametrize("header", [[], ["--plain"]], ids=["types", "plain"])
    def test_outputs_fit_together(self, command, folder, frame, encode, options,
                                  header):
        frame.to_csv("all.csv", index=False)
        for i in range(3):
            frame[i * 40:(i + 1) * 40].to_csv(f"{i}.csv", index=False)
        keep = [option for option in options if option == "--keep-constant"]
        command("all.csv", "--target", "class", "--cuts", "cuts.json",
                *(option for option in options if option not in keep))
        applied = ["--apply", "cuts.json", "--encode", encode, *keep, *header]
        command("all.csv", "-o", "out.csv", *applied)
        command("0.csv", "1.csv", "2.csv", "-o", "out/", *applied)
        whole = (folder / "out.csv").read_text(encoding="utf-8").splitlines()
        parts = [(folder / "out" / f"{i}.csv").read_text(encoding="utf-8").splitlines()
                 for i in range(3)]
        assert parts[0][0] == whole[0]
        n_header = len(whole) - self.N_ROWS
        for part in parts:
            assert part[:n_header] == whole[:n_header]
        assert sum((part[n_header:] for part in parts), []) == whole[n_header:]
        # The class and texts are there, without --target, and are not numbers
        names = whole[0].replace("#", ",").split(",")
        assert {"class", "word", "id"} <= set(names)
        assert {"oak", "a"} <= set(whole[n_header + 1].split(","))

    def test_output_is_that_of_the_file_with_the_cuts(self, command, folder, frame):
        frame.to_csv("all.csv", index=False)
        for encode in ("interval", "ordinal", "onehot"):
            command("all.csv", "--target", "class", "--cuts", "cuts.json", "-o",
                    "one.tab", "--encode", encode, "--force")
            command("all.csv", "--apply", "cuts.json", "-o", "two.tab", "--encode",
                    encode, "--force")
            assert (folder / "one.tab").read_bytes() == \
                (folder / "two.tab").read_bytes()


def test_intervals_have_the_same_names_whatever_the_decimals(command, folder):
    values = np.round(np.linspace(10.914, 89.021, 40), 3)
    lines = [f"{value},{'ab'[index > 19]}" for index, value in enumerate(values)]
    (folder / "learn.csv").write_text("x,class\n" + "\n".join(lines) + "\n")
    command("learn.csv", "--target", "class", "--cuts", "cuts.json")
    names = set()
    for decimals in range(3):
        text = "".join(f"{value:.{decimals}f}\n" for value in values)
        (folder / "day.csv").write_text(f"x\n{text}")
        command("day.csv", "-o", f"{decimals}.tab", "--apply", "cuts.json")
        names.add(Table(f"{decimals}.tab").domain["x"].values)
    assert len(names) == 1


@pytest.mark.parametrize(["encode", "row"], [
    ("interval", "Iris-setosa,< 0.8"), ("ordinal", "Iris-setosa,0"),
    ("onehot", "Iris-setosa,1,0,0,0")])
def test_encodings(command, folder, encode, row):
    IRIS[:, [3, 4]].save("width.tab")
    command("width.tab", "-o", "out.csv", "--plain", "--encode", encode)
    lines = (folder / "out.csv").read_text(encoding="utf-8").splitlines()
    assert lines[1] == row
    assert lines[0] == "iris,petal width" if encode != "onehot" else (
        "petal width=< 0.8" in lines[0])


def test_parameters_of_scripts(command):
    IRIS[::3].save("few.tab")
    IRIS.save("all.tab")
    command("few.tab", "-o", "out.tab", "--unlabelled", "all.tab", "--labeller",
            "committee", "--min-confidence", "0.7", "--missing", "interval")
    assert_same(Table("out.tab"), SADDDiscretize(
        Table("all.tab"), labeller="committee", min_confidence=.7,
        missing="interval")(IRIS[::3]))


class TestEvidence:
    def test_is_that_of_the_estimator(self, command, folder):
        command("iris.tab", "--method", "MDLP", "--evidence", "evidence.csv")
        found = pd.read_csv(folder / "evidence.csv")
        labels = np.array(IRIS.domain.class_var.values)[IRIS.Y.astype(int)]
        expected = MDLPDiscretizer().fit(FRAME, labels).interval_table()
        pd.testing.assert_frame_equal(found, expected, check_dtype=False)

    def test_counts_unlabelled_rows_apart(self, command, folder):
        unlabel(IRIS, slice(0, None, 3)).save("few.tab")
        command("few.tab", "--evidence", "evidence.csv")
        found = pd.read_csv(folder / "evidence.csv").groupby("variable").sum()
        assert found["rows"].tolist() == [150] * 4
        assert found["unlabelled"].tolist() == [50] * 4

    def test_without_a_class(self, command, folder):
        command("iris.tab", "--method", "EW", "--evidence", "with.csv")
        IRIS.transform(Domain(IRIS.domain.attributes)).save("x.tab")
        command("x.tab", "--method", "EW", "--evidence", "without.csv")
        with_class, without = (
            pd.read_csv(folder / name) for name in ("with.csv", "without.csv"))
        pd.testing.assert_frame_equal(without, with_class[without.columns])


class TestCutsOfEstimators:
    def test_written_by_the_command_read_by_an_estimator(self, command, folder):
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

    def test_written_by_an_estimator_read_by_the_command(self, command, folder):
        frame = FRAME.assign(colour=pd.Categorical(["red", "blue"] * 75))
        method = MDLPDiscretizer(categorical_features="from_dtype").fit(frame, IRIS.Y)
        (folder / "cuts.json").write_text(method.to_json(), encoding="utf-8")
        command("iris.tab", "-o", "out.tab", "--apply", "cuts.json")
        np.testing.assert_array_equal(
            Table("out.tab").X, method.transform(frame)[:, :4])


def test_class_that_is_an_id(command, folder):
    rows = [f"{i / 3},p{i}" for i in range(50)]
    (folder / "d.csv").write_text("x,c\n" + "\n".join(rows) + "\n")
    said = command("d.csv", "--target", "c", "--cuts", "cuts.json")
    assert said.count("is it an id?") == 1
