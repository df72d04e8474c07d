"""The tables of results keep their names, types and values."""

import json

import numpy as np
import pandas as pd
import pytest

from orangecontrib.sadd.evaluation.resulttables import (
    ATTRIBUTES,
    FITS,
    ResultTables,
    replacing,
)

KEYS = {"dataset": "007", "repeat": 0, "fold": 1, "labelled": 0.1 + 0.2,
        "method": "SADD", "pool": "none", "k": "5", "n0": 2000.0}
FIT = {**KEYS, "classifier_labels": "all", "classifier": "NB", "accuracy": 1 / 3,
       "chosen_k": 5, "error": "", "seconds_discretize": 1e-9, "seconds_classify": 2.0}
FITTED = [
    FIT,
    {**FIT, "dataset": "NA", "method": "k-NN", "k": "", "n0": None, "classifier": "",
     "chosen_k": None},
    {**FIT, "dataset": 'a "b", c\nd', "k": "auto", "accuracy": np.nan,
     "error": "ValueError: None"},
]
CUT = [
    {**KEYS, "attribute": "1e3", "intervals": 3, "information": 2 / 3},
    {**KEYS, "attribute": "", "intervals": 1, "information": None},
]


@pytest.fixture
def tables():
    return ResultTables.of(FITTED, CUT)


def assert_same(one, other):
    pd.testing.assert_frame_equal(one.fits, other.fits, check_exact=True)
    pd.testing.assert_frame_equal(one.attributes, other.attributes, check_exact=True)


def test_types(tables):
    for frame, schema in ((tables.fits, FITS), (tables.attributes, ATTRIBUTES)):
        assert list(frame.columns) == list(schema)
        assert frame.equals(frame.astype(schema))
    assert tables.fits["dataset"].tolist() == ["007", "NA", 'a "b", c\nd']
    assert tables.fits["chosen_k"].isna().tolist() == [False, True, False]


def test_files(tables, tmp_path):
    tables.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "attributes.csv", "results.csv", "times.csv"]
    assert "seconds" not in (tmp_path / "results.csv").read_text(encoding="utf-8")
    assert_same(ResultTables.read(tmp_path), tables)


def test_files_of_probabilities(tmp_path):
    measured = {**FIT, "method": "", "k": "", "n0": None, "log_loss": 1 / 3,
                "brier": 2 / 3}
    names = ("dataset", "repeat", "fold", "labelled", "classifier_labels", "method",
             "pool", "k", "n0", "classifier")
    counted = {**{name: measured[name] for name in names}, "bin": 14, "rows": 7,
               "confidence": 20 / 3, "right": 6}
    tables = ResultTables.of([*FITTED, measured], CUT, [counted])
    tables.write(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "attributes.csv", "calibration.csv", "probabilities.csv", "results.csv",
        "times.csv"]
    again = ResultTables.read(tmp_path)
    assert_same(again, tables)
    pd.testing.assert_frame_equal(again.bins, tables.bins, check_exact=True)


def test_json(tables):
    assert_same(ResultTables.of(**json.loads(json.dumps(tables.columns()))), tables)


def test_joined(tables):
    assert_same(ResultTables.joined([tables]), tables)
    twice = ResultTables.joined([tables, tables])
    assert (len(twice.fits), len(twice.attributes)) == (6, 4)
    assert ResultTables.joined([]).fits.empty


def test_nothing(tmp_path):
    nothing = ResultTables.of([], [])
    nothing.write(tmp_path)
    assert_same(ResultTables.read(tmp_path), nothing)


def test_files_of_different_runs(tables, tmp_path):
    tables.write(tmp_path)
    times = (tmp_path / "times.csv").read_text(encoding="utf-8")
    (tmp_path / "times.csv").write_text(times.replace("007", "008"), encoding="utf-8")
    with pytest.raises(ValueError, match="not of the same run"):
        ResultTables.read(tmp_path)


def test_file_is_there_whole_or_not_at_all(tmp_path):
    path = tmp_path / "new" / "file"
    with pytest.raises(KeyboardInterrupt), replacing(path) as file:
        file.write("half")
        raise KeyboardInterrupt
    assert list((tmp_path / "new").iterdir()) == []
    with replacing(path) as file:
        file.write("whole\n")
    assert path.read_bytes() == b"whole\n"
