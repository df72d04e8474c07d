"""The command on parquet folders, by Dask."""

import datetime
import decimal
import json
import os
import shutil
import subprocess
import sys
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import KilledWorker

from orangecontrib.sadd.cli.files import _prefix, new_folder
from orangecontrib.sadd.cli.terminal import CommandError
from orangecontrib.sadd.core import DISCRETIZERS, MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.cluster import folders
from orangecontrib.sadd.core.discretizer_base import Discretizer
from tests.cluster.workers import start_cluster


def frame_of(n_rows=3000, seed=0):
    random = np.random.default_rng(seed)
    y = random.integers(0, 3, n_rows)
    frame = pd.DataFrame(random.normal(size=(n_rows, 3)) + [[1, -1, 0]] * y[:, None],
                         columns=["height", "weight", "noise"])
    frame.loc[::50, "height"] = np.nan
    return frame.assign(count=random.integers(0, 100, n_rows) + 20 * y,
                        note="some text", species=np.array(["a", "b", "c"])[y])


@pytest.fixture
def data(folder):
    frame = frame_of()
    os.mkdir("data.parquet")
    for part, start in enumerate(range(0, 3000, 1000)):
        frame.iloc[start:start + 1000].to_parquet(
            f"data.parquet/{part}.parquet", index=False)
    return frame


def expected_cuts(frame):
    numbers = frame[["height", "weight", "noise", "count"]]
    return dict(zip(numbers, SADDDiscretizer().fit(
        numbers, frame["species"]).cut_points_, strict=True))


def check_output(path, frame):
    found = pd.read_parquet(path)
    cuts = expected_cuts(frame)
    assert list(found) == [name for name in frame if len(cuts.get(name, [1]))]
    for name, points in cuts.items():
        if len(points):
            codes = np.digitize(frame[name], points)
            codes[frame[name].isna()] = -1
            np.testing.assert_array_equal(found[name].cat.codes, codes)
    assert found["species"].tolist() == frame["species"].tolist()
    return found


def test_threads(command, data):
    said = command("data.parquet/", "--target", "species", "-o", "out.parquet/",
                   "--cuts", "cuts.json")
    found = check_output("out.parquet", data)
    assert found["height"].cat.categories[0].startswith("< ")
    assert "3000 rows; 3 of 4 numeric variables" in said
    with open("cuts.json", encoding="utf-8") as file:
        saved = json.load(file)
    assert {var["name"]: var["cuts"] for var in saved["variables"]} == {
        name: cuts.tolist() for name, cuts in expected_cuts(data).items()}
    assert saved["target"] == "species" and saved["method"] == "SADD"


def test_cluster(command, data, tmp_path_factory):
    with start_cluster(tmp_path_factory.mktemp("cluster"), n_workers=1) as cluster:
        command("data.parquet", "--target", "species", "-o", "out.parquet",
                "--scheduler", cluster.scheduler_address)
    check_output("out.parquet", data)


def test_saved_cuts(command, data):
    command("data.parquet", "--target", "species", "--cuts", "cuts.json")
    said = command("data.parquet", "--apply", "cuts.json", "-o", "out.parquet")
    check_output("out.parquet", data)
    assert "3000 rows" in said
    data.drop(columns="height").to_parquet("less.parquet")
    assert "missing: height" in command(
        "less.parquet", "--apply", "cuts.json", "-o", "less-out.parquet", status=1)
    data.assign(height="tall", more=1.).to_parquet("other.parquet")
    assert "'height' is not of type numeric" in command(
        "other.parquet", "--apply", "cuts.json", "-o", "other-out.parquet", status=1)


def test_unlabelled(command, data):
    frame_of(500, 1).drop(columns="species").to_parquet("more.parquet")
    said = command("data.parquet", "--target", "species", "--unlabelled",
                   "more.parquet", "--k", "3", "-o", "out.parquet")
    assert "3000 rows, 500 more unlabelled" in said and "with k = 3" in said
    assert len(pd.read_parquet("out.parquet")) == 3000
    assert "must be parquet" in command(
        "data.parquet", "--target", "species", "--unlabelled", "iris.tab", "-o",
        "x.parquet", status=1)


def test_unlabelled_of_another_name(command, data, folder):
    frame_of(500, 1).drop(columns="species").to_parquet("more.parquet")
    (folder / "more.parquet").rename(folder / "more.snappy")
    said = command("data.parquet", "--target", "species", "--unlabelled",
                   "more.snappy", "--from", "parquet", "--k", "3", "--cuts", "c.json")
    assert "500 more unlabelled" in said


def test_methods_without_class(command, data):
    command("data.parquet", "--method", "EW", "--n-bins", "4", "-o", "out.parquet",
            "--keep-constant")
    assert pd.read_parquet("out.parquet")["noise"].nunique() == 4
    assert "Name it with --target" in command(
        "data.parquet", "-o", "other.parquet", status=1)


def test_nothing_is_replaced_unless_forced(command, data, folder):
    command("data.parquet", "--target", "species", "-o", "out.parquet")
    before = sorted(path.stat().st_mtime_ns for path in folder.glob("out.parquet/*"))
    assert "exists; --force replaces it" in command(
        "data.parquet", "--target", "species", "-o", "out.parquet/", status=1)
    assert before == sorted(
        path.stat().st_mtime_ns for path in folder.glob("out.parquet/*"))
    command("data.parquet", "--target", "species", "-o", "out.parquet", "--force")
    check_output("out.parquet", data)
    (folder / "out.parquet" / "diary.txt").write_text("dear diary")
    assert "holds other files, such as diary.txt" in command(
        "data.parquet", "--target", "species", "-o", "out.parquet", "--force", status=1)
    assert "is read" in command(
        "data.parquet", "--target", "species", "-o", "data.parquet/", "--force",
        status=2)


def test_several_folders(command, data):
    data.to_parquet("second.parquet")
    command("data.parquet", "second.parquet", "--target", "species", "-o", "binned/")
    check_output("binned/data.parquet", data)
    check_output("binned/second.parquet", data)


@pytest.mark.parametrize("arguments, message", [
    (["data.parquet", "--target", "specie", "-o", "x.parquet"], "'specie', but the"),
    (["none.parquet", "--target", "species", "-o", "x.parquet"], "no file or folder"),
    (["data.parquet", "--target", "species", "-o", "x.csv"], "becomes parquet"),
    (["broken.parquet", "--target", "species", "-o", "x.parquet"], "broken.parquet: "),
    (["data.parquet", "--target", "species", "-o", "x.parquet", "--scheduler",
      "tcp://127.0.0.1:9"], "no answer from a Dask scheduler"),
])
def test_errors(command, data, folder, monkeypatch, arguments, message):
    (folder / "broken.parquet").write_text("not parquet")
    monkeypatch.setattr(folders.connected, "__defaults__", (None, 1))
    said = command(*arguments, status=1)
    assert message in said and "please report" not in said
    assert not list(folder.glob("x.*"))


def test_scheduler_is_for_parquet(command):
    assert "--scheduler is for parquet" in command(
        "iris.tab", "-o", "out.tab", "--scheduler", "tcp://127.0.0.1:9", status=2)


def test_interrupted(folder):
    with pytest.raises(KeyboardInterrupt), new_folder("out.parquet") as new:
        new.mkdir()
        raise KeyboardInterrupt
    assert not list(folder.glob("*.parquet")) and not list(folder.glob(".sadd*"))


@pytest.mark.parametrize("last", [0, 99], ids=["once", "again and again"])
@pytest.mark.parametrize("first", range(8))
def test_interrupted_while_replacing(folder, monkeypatch, first, last):
    out = folder / "out.parquet"
    out.mkdir()
    (out / "a.parquet").write_text("old")
    calls = []

    def interrupted(function):
        def call(*args, **kwargs):
            calls.append(function.__name__)
            if first < len(calls) <= first + 1 + last:
                raise KeyboardInterrupt
            return function(*args, **kwargs)

        return call

    with monkeypatch.context() as patch, suppress(KeyboardInterrupt):
        for module, name in ((os, "rename"), (os.path, "lexists"), (shutil, "rmtree")):
            patch.setattr(module, name, interrupted(getattr(module, name)))
        with new_folder(out, force=True) as new:
            new.mkdir()
            (new / "a.parquet").write_text("new")
    # Interrupted again when it is put back, the old one remains where it was moved to
    places = [out, *folder.glob(".sadd-*/old")] if last else [out]
    assert any((place / "a.parquet").exists() for place in places)


def test_made_meanwhile(folder):
    with pytest.raises(CommandError, match="exists"), new_folder("out.parquet") as new:
        new.mkdir()
        (folder / "out.parquet").mkdir()
        (folder / "out.parquet" / "a.parquet").touch()
    assert (folder / "out.parquet" / "a.parquet").exists()


NESTED = {
    "lists": [[1, 2], [], None], "texts": [["a"], [], ["b", "c"]],
    "structures": [{"u": 1, "v": "k"}, None, {"u": 2, "v": "l"}],
    "times": [datetime.time(1), None, datetime.time(2)], "bytes": [b"a", None, b"b"],
    "decimals": [decimal.Decimal("1.5"), None, decimal.Decimal("2.5")],
    "dates": [datetime.date(2020, 1, 1), None, datetime.date(2021, 1, 1)]}


class TestPassedThrough:
    def written(self, command, table):
        os.mkdir("data.parquet")
        for part, start in enumerate(range(0, len(table), 100)):
            pq.write_table(table.slice(start, 100), f"data.parquet/{part}.parquet")
        command("data.parquet", "-o", "out.parquet", "--target", "y")
        return pq.read_table("out.parquet")

    @pytest.mark.parametrize("kind", [*NESTED, "dictionary", "map"])
    def test_types_that_pandas_does_not_have(self, command, kind):
        cells = pa.array((NESTED.get(kind) or ["a", "b", "a"]) * 100)
        if kind == "dictionary":
            # Not the same in each file
            cells = pa.array(["a"] * 100 + ["b"] * 200).dictionary_encode()
        elif kind == "map":
            cells = pa.array([[("k", 1)], [], None] * 100,
                             pa.map_(pa.string(), pa.int64()))
        table = pa.table({"x": np.arange(300.), "y": np.repeat(["a", "b"], 150),
                          "passed": cells})
        found = self.written(command, table)
        if kind == "decimals":  # are numbers, and so they are discretized
            assert "x" in found.column_names
            return
        assert found["passed"].to_pylist() == table["passed"].to_pylist()
        assert pa.types.is_dictionary(found["x"].type)

    def test_named_row_numbers(self, command):
        frame = frame_of().rename_axis("row")
        frame.to_parquet("data.parquet")
        command("data.parquet", "-o", "out.parquet", "--target", "species")
        check_output("out.parquet", frame)

    def test_named_index(self, command):
        frame = frame_of()
        frame.index = pd.Index(np.arange(3000)[::-1] * 2, name="row")
        frame.to_parquet("data.parquet")
        command("data.parquet", "-o", "out.parquet", "--target", "species")
        assert check_output("out.parquet", frame).index.tolist() \
            == frame.index.tolist()


def test_a_file_that_lacks_a_column(command, data):
    data.drop(columns="weight").to_parquet("data.parquet/9.parquet", index=False)
    message = command("data.parquet", "-o", "out.parquet", "--target", "species",
                      status=1)
    assert "lack a column" in message and "weight" in message
    assert "report" not in message


@pytest.mark.parametrize("error", folders.LOST)
def test_lost_scheduler(command, data, monkeypatch, error):
    def lose(*_, **__):
        if error is KilledWorker:
            raise error("task", SimpleNamespace(address="tcp://worker"), 3)
        raise error("closed")

    monkeypatch.setattr(folders, "fit_folder", lose)
    message = command("data.parquet", "-o", "out.parquet", "--target", "species",
                      status=1)
    assert "connection to the Dask cluster was lost" in message
    assert "report" not in message


@pytest.mark.skipif(os.name != "posix", reason="no harmless signal")
def test_what_a_killed_run_has_left_is_removed(folder):
    killed = subprocess.Popen([sys.executable, "-c", "pass"])
    killed.wait()
    names = [f"{_prefix()}{process}-abc" for process in (killed.pid, os.getpid())]
    for name in [*names, ".sadd-elsewhere-1-abc"]:
        (folder / name / "new").mkdir(parents=True)
    kept = folder / f"{_prefix()}{killed.pid}-old"
    (kept / "old").mkdir(parents=True)
    with new_folder("out.parquet") as new:
        new.mkdir()
    assert not (folder / names[0]).exists()
    assert (folder / names[1]).exists() and (folder / ".sadd-elsewhere-1-abc").exists()
    assert (kept / "old").exists()
    for name in folder.glob(".sadd-*"):
        shutil.rmtree(name)


@pytest.mark.parametrize("name", ["data.parquet", "data.csv"])
def test_class_that_is_an_id(command, monkeypatch, name):
    frame = frame_of(50).assign(species=[f"p{row}" for row in range(50)])
    (frame.to_parquet if name.endswith("parquet") else frame.to_csv)(name, index=False)
    arguments = name, "--target", "species", "--cuts", "cuts.json", "--force"
    assert command(*arguments).count("is it an id?") == 1
    assert "id?" not in command(*arguments, "--quiet")

    def stop(self, *_):
        raise ValueError("There is no time.")

    # It is said before the work begins
    monkeypatch.setattr(Discretizer, "fit_columns", stop)
    said = command(*arguments, status=1)
    assert "is it an id?" in said and "There is no time." in said


def test_evidence_limits_and_missing_values(command, folder):
    frame = pd.DataFrame({"x": np.arange(200.), "y": np.arange(200) // 50})
    frame.loc[::9, "x"] = np.nan
    frame.to_parquet("d.parquet")
    command("d.parquet", "--target", "y", "-o", "o.parquet", "--cuts", "c.json",
            "--evidence", "e.csv", "--missing", "interval", "--max-intervals", "3")
    method = SADDDiscretizer(missing="interval", max_intervals=3).fit(
        frame[["x"]], frame["y"])
    pd.testing.assert_frame_equal(
        pd.read_csv(folder / "e.csv"), method.interval_table(), check_dtype=False)
    found = pd.read_parquet("o.parquet")["x"]
    assert found.cat.categories.tolist() == list(method.interval_names()[0])
    assert (found[::9] == "missing").all()
    command("d.parquet", "-o", "again.parquet", "--apply", "c.json")
    pd.testing.assert_series_equal(pd.read_parquet("again.parquet")["x"], found)
    again = SADDDiscretizer.from_json((folder / "c.json").read_text(encoding="utf-8"))
    np.testing.assert_array_equal(again.transform(frame[["x"]]),
                                  method.transform(frame[["x"]]))


@pytest.mark.parametrize("missing", ["ignore", "interval"])
@pytest.mark.parametrize("method", DISCRETIZERS)
def test_evidence_is_that_of_a_table(command, folder, method, missing):
    frame = pd.DataFrame({"x": np.arange(200.) % 70, "z": np.arange(200) % 7 / 2,
                          "flag": np.arange(200) % 3 == 0,
                          "y": np.array(["a", "b", "c", "d"])[np.arange(200) // 50]})
    frame.loc[::9, "x"] = np.nan
    frame.loc[::4, "y"] = None
    frame.to_parquet("d.parquet")
    frame.astype({"flag": str}).to_csv("d.csv", index=False)
    for source, name in (("d.parquet", "p"), ("d.csv", "t")):
        command(source, "--target", "y", "--evidence", f"{name}.csv", "--cuts",
                f"{name}.json", "--missing", missing, "--method", method)
    found, expected = (pd.read_csv(folder / name) for name in ("p.csv", "t.csv"))
    assert expected["unlabelled"].sum() > 0
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)
    found, expected = (json.loads((folder / name).read_text(encoding="utf-8"))
                       for name in ("p.json", "t.json"))
    for key in ("cuts", "counts", "missing_counts"):
        assert [var[key] for var in found["variables"]] == [
            var[key] for var in expected["variables"]]
    for key in ("labelled_rows", "unlabelled_rows", "classes"):
        assert found[key] == expected[key]


@pytest.mark.parametrize("order", [
    ["species", "note", "height", "weight", "noise", "count"],
    ["height", "species", "weight", "note", "noise", "count"],
    ["note", "count", "noise", "weight", "height", "species"]])
def test_any_order_of_columns(command, data, order):
    """Dask joins files if some columns are left out, and others are in a new order."""
    for path in os.listdir("data.parquet"):
        part = pd.read_parquet(f"data.parquet/{path}")
        part[order].assign(flag=part["count"] > 50, more="text", text="more"
                           ).to_parquet(f"data.parquet/{path}")
    command("data.parquet", "--target", "species", "--method", "MDLP",
            "--cuts", "cuts.json")
    with open("cuts.json", encoding="utf-8") as file:
        saved = json.load(file)
    numbers = data[["height", "weight", "noise", "count"]]
    expected = MDLPDiscretizer().fit(numbers, data["species"]).cut_points_
    assert {var["name"]: var["cuts"] for var in saved["variables"]} == {
        name: cuts.tolist() for name, cuts in zip(numbers, expected, strict=True)}


def test_files_of_several_kinds(command, folder):
    """What is found in one file must not matter to the next."""
    frame = frame_of(300)
    frame.assign(color=pd.Categorical(["red", "blue", "red"] * 100)).to_parquet(
        "a.parquet")
    frame.to_csv("b.csv", index=False)
    frame[["weight", "species"]].to_parquet("c.parquet")
    said = command("a.parquet", "b.csv", "c.parquet", "--target", "species",
                   "--method", "MDLP", "-o", "out/")
    assert "3 of 3 files discretized" in said
    command("b.csv", "--target", "species", "--method", "MDLP", "-o", "alone/")
    assert (folder / "out/b.csv").read_text() == (folder / "alone/b.csv").read_text()


@pytest.mark.parametrize("method", ["SADD", "MDLP", "ChiMerge", "CAIM", "EW", "FFD"])
def test_no_rows(command, folder, method):
    frame_of(9).iloc[:0].to_parquet("none.parquet")
    os.mkdir("empty.parquet")
    said = command("none.parquet", "empty.parquet", "--target", "species", "--method",
                   method, "--cuts", "{name}.json", status=1)
    assert "none.parquet: There are no rows." in said or \
        "none.parquet: All rows are unlabelled; SADD needs" in said
    assert "empty.parquet: There is no parquet file with columns in" in said
