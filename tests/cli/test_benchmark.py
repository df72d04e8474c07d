"""The command: from names of data sets to a folder with a report."""

import json
import os
import sys
from dataclasses import asdict
from unittest.mock import Mock

import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.core import MDLPDiscretizer
from orangecontrib.sadd.evaluation.experiment import PUBLISHED, Experiment
from orangecontrib.sadd.evaluation.protocol import COLUMNS
from orangecontrib.sadd.evaluation.run import read_csv

pytestmark = pytest.mark.usefixtures("few_samples")

QUICK = ["--folds", "2", "--label-fraction", "1", "--discretizers", "SADD", "MDLP",
         "--classifiers", "NB"]
GOOD = "x,class\n" + "".join(f"{i / 3},{'pq'[i > 9]}\n" for i in range(20))


def make_folder(path, texts):
    """Make a folder of files .csv, by their names."""
    path.mkdir()
    for name, text in texts.items():
        (path / f"{name}.csv").write_text(text)
    return path


def run(folder, *arguments):
    return main(["benchmark", *map(str, arguments), "-o", str(folder)])


def results(folder):
    return read_csv(folder / "results.csv")


def test_own_table_and_bundled_one(tmp_path, capsys):
    own = tmp_path / "my <flowers> & more.tab"
    Table("iris").save(str(own))
    assert run(tmp_path / "out", own, "wine", *QUICK) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("4 of 4 folds were computed in ")
    page = tmp_path / "out" / "report.html"
    assert f"The report is {page}." in output.out
    assert results(tmp_path / "out")["dataset"].unique().tolist() == [
        "my <flowers> & more", "wine"]
    text = page.read_text(encoding="utf-8")
    assert "my &lt;flowers&gt; &amp; more" in text
    assert "<flowers>" not in text


def test_options_become_settings(tmp_path):
    options = ["--all-pairs", "--repeats", "2", "--seed", "3", "--k", "5",
               "--n0", "500.0", "--rivals", "--jobs", "2"]
    assert run(tmp_path, "iris", *QUICK, *options) == 0
    settings = json.loads((tmp_path / "run.json").read_text())["settings"]
    expected = Experiment(
        discretizers=("SADD", "MDLP"), classifiers=("NB",), all_pairs=True, folds=2,
        repeats=2, seed=3, k=5, n0=500.0, rivals=True)
    assert json.loads(json.dumps(asdict(expected))) == settings
    assert set(results(tmp_path)["repeat"]) == {0, 1}


def test_published_settings(tmp_path):
    assert run(tmp_path, "iris", "--published", "--folds", "2", "--discretizers",
               "SADD", "--classifiers", "NB") == 0
    settings = json.loads((tmp_path / "run.json").read_text())["settings"]
    expected = Experiment(**PUBLISHED | {
        "discretizers": ("SADD",), "classifiers": ("NB",), "folds": 2})
    assert json.loads(json.dumps(asdict(expected))) == settings
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "settings of the paper" in page
    assert "one-tailed paired t-test" in page


def test_sadd_tables_can_be_chosen(tmp_path):
    for names, expected in ((["NB", "SADD Tables"], True), (["NB"], False)):
        assert run(tmp_path, "iris", "--folds", "2", "--discretizers", "MDLP",
                   "--classifiers", *names) == 0
        assert ("SADD Tables" in set(results(tmp_path)["classifier"])) is expected


def test_rivals_in_learning_curves(tmp_path):
    assert run(tmp_path, "iris", "--label-counts", "10", "--rivals") == 0
    found = results(tmp_path)
    assert {"self-training", "label spreading", "random forest", "gradient boosting",
            "SADD Tables", "committee"} < set(found["classifier"])
    assert set(found["pool"][found["classifier"] == "SADD Tables"]) == {
        "none", "training"}


def test_learning_curves(tmp_path, capsys):
    assert run(tmp_path, "iris", "wine", "--label-counts", "20", "10", "20",
               "--repeats", "1") == 0
    assert capsys.readouterr().out.startswith("2 of 2 splits were ")
    assert results(tmp_path)["labelled"].unique().tolist() == [10, 20]
    assert 'id="curves"' in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("names", [["007"], ["01", "1"], ["1000", "1e3"], ["NA", "x"]])
def test_names_that_look_like_numbers_are_text(names, tmp_path):
    data = make_folder(tmp_path / "data", dict.fromkeys(names, GOOD))
    assert run(tmp_path / "out", data, *QUICK) == 0
    page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    summary = (tmp_path / "out" / "accuracy.csv").read_text(encoding="utf-8")
    for name in names:
        assert f'<th scope="row">{name}</th>' in page
        assert f"\n{name},1," in summary


def test_files_of_the_same_name_are_named_by_their_paths(tmp_path):
    one, other = (make_folder(tmp_path / name, {"d": GOOD}) for name in "ab")
    assert run(tmp_path / "out", one, other, one, *QUICK) == 0
    assert results(tmp_path / "out")["dataset"].unique().tolist() == [
        "d", str(other / "d.csv")]


def test_one_bad_file_does_not_spoil_its_folder(tmp_path, capsys):
    data = make_folder(tmp_path / "data", {
        "a": GOOD, "b": "x\n1.5\n2.5\n3.5\n", "c": GOOD,
        "d": "x,class\n1.5,p\n2.5,p\n3.5,p\n", "e": "class\n" + "p\nq\n" * 9})
    assert run(tmp_path / "out", "housing", data, *QUICK) == 1
    assert results(tmp_path / "out")["dataset"].unique().tolist() == ["a", "c"]
    errors = capsys.readouterr().err
    assert "housing: The target, 'MEDV', is numeric" in errors
    assert "b.csv: There is no target; name its column" in errors
    assert "d.csv: There are fewer than two classes." in errors
    assert "e.csv: There are no variables." in errors


@pytest.mark.parametrize("name", ["file", "file/inside"])
def test_output_that_is_no_folder(name, tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    assert run(tmp_path / name, "iris", *QUICK) == 1
    assert "cannot be written to" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_values_given_twice_count_once(tmp_path):
    assert run(tmp_path, "iris", *QUICK, "--label-fraction", "1", "1.0") == 0
    assert not results(tmp_path).duplicated(COLUMNS[:-1]).any()


@pytest.mark.parametrize(["arguments", "message"], [
    (["moon"], "There is no data set 'moon'"),
    (["iris", "--label-counts", "51"], "are too few for these --label-counts")])
def test_nothing_to_work_on(arguments, message, tmp_path, capsys):
    assert run(tmp_path / "out", *arguments) == 1
    said = capsys.readouterr().err
    assert message in said and "There is no data set to evaluate." in said
    assert not (tmp_path / "out").exists()


def test_failed_cells_are_listed_and_tried_again(tmp_path, capsys, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(MDLPDiscretizer, "fit", Mock(
            side_effect=ValueError("out of luck")))
        assert run(tmp_path, "iris", *QUICK) == 1
    assert capsys.readouterr().err == "".join(
        f"failed: iris, fold {n}, MDLP: ValueError: out of luck\n" for n in (1, 2))
    assert "out of luck" in (tmp_path / "report.html").read_text(encoding="utf-8")
    assert run(tmp_path, "iris", *QUICK) == 0
    assert capsys.readouterr().out.startswith("2 of 2 folds were computed in ")


@pytest.mark.parametrize(["arguments", "message"], [
    (["--folds", "1"], "a number of 2 or more is needed"),
    (["--label-fraction", "0"], "a share above 0, at most 1, is needed, not '0'"),
    (["--k", "0"], "The 'k' parameter of SADD"),
    (["--n0", "-5"], "The 'n0' parameter of SADD"),
    (["--label-counts", "1"], "a number of 2 or more is needed"),
    (["--label-counts", "10", "--published"], "--published has no --label-counts"),
    (["--jobs", "0"], "a number of 1 or more is needed"),
    (["--discretizers", "magic"], "invalid choice: 'magic'"),
    (["--classifiers", "svm"], "invalid choice: 'svm'"),
])
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["benchmark", "iris", *arguments])
    assert message in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="names must be Unicode")
def test_a_name_that_is_not_utf8(tmp_path):
    data = make_folder(tmp_path / "data", {os.fsdecode(b"caf\xe9"): GOOD})
    assert run(tmp_path / "out", "iris", data, *QUICK) == 0
    assert set(results(tmp_path / "out")["dataset"]) == {"iris", "caf\\xe9"}
