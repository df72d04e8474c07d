"""The command on parquet folders, by Dask."""

import json
import os
import shutil
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest
from distributed import LocalCluster

from orangecontrib.sadd.cli.endings import CommandError
from orangecontrib.sadd.cli.outputs import new_folder
from orangecontrib.sadd.core import SADDDiscretizer
from orangecontrib.sadd.core.cluster import folders


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


def test_cluster(command, data):
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0",
                      silence_logs=50) as cluster:
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
