"""The command: from names of data sets to a folder with a report."""

import json

import pandas as pd
import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main
from orangecontrib.sadd.benchmark.settings import Settings

QUICK = ["--folds", "2", "--labelled", "1", "--methods", "SADD", "MDLP",
         "--classifiers", "NB"]


def run(folder, *arguments):
    return main(["benchmark", *map(str, arguments), "-o", str(folder)])


def results(folder):
    return pd.read_csv(folder / "results.csv", keep_default_na=False)


def test_own_table_and_bundled_one(tmp_path, capsys):
    own = tmp_path / "my <flowers> & more.tab"
    Table("iris").save(str(own))
    assert run(tmp_path / "out", own, "wine", *QUICK) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert output.out.startswith("4 folds in ")
    page = tmp_path / "out" / "report.html"
    assert f"The report is {page}." in output.out
    assert results(tmp_path / "out")["dataset"].unique().tolist() == [
        "my <flowers> & more", "wine"]
    text = page.read_text(encoding="utf-8")
    assert "my &lt;flowers&gt; &amp; more" in text
    assert "<flowers>" not in text


def test_same_files_again(tmp_path, capsys):
    run(tmp_path, "iris", *QUICK)
    first = (tmp_path / "results.csv").read_bytes()
    assert run(tmp_path, "iris", *QUICK) == 0
    assert "0 folds in 0 s, 2 were known" in capsys.readouterr().out
    assert (tmp_path / "results.csv").read_bytes() == first


def test_options_become_settings(tmp_path):
    options = ["--all-pairs", "--repeats", "2", "--seed", "3", "--k", "auto", "5",
               "--n0", "500", "--normalize", "--keep-missing", "--jobs", "2"]
    assert run(tmp_path, "iris", *QUICK, *options) == 0
    settings = json.loads((tmp_path / "run.json").read_text())["settings"]
    expected = Settings(
        methods=("SADD", "MDLP"), classifiers=("NB",), all_pairs=True, folds=2,
        repeats=2, seed=3, labelled=(1.0,), k=("auto", 5), n0=(500.0,),
        normalize=True, impute=False)
    assert json.loads(expected.as_json()) == settings
    assert set(results(tmp_path)["repeat"]) == {0, 1}


def test_files_of_the_same_name(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        Table("iris").save(str(tmp_path / folder / "iris.tab"))
    status = run(tmp_path / "out", tmp_path / "a" / "iris.tab",
                 tmp_path / "b" / "iris.tab", *QUICK)
    assert status == 0
    assert results(tmp_path / "out")["dataset"].unique().tolist() == [
        "iris", "iris (2)"]


def test_what_cannot_be_read_is_told_and_the_rest_is_done(tmp_path, capsys):
    assert run(tmp_path, "moon", "housing", "iris", *QUICK) == 1
    errors = capsys.readouterr().err
    assert "There is no data set 'moon'" in errors
    assert "is numeric; discretization needs a categorical one" in errors
    assert results(tmp_path)["dataset"].unique().tolist() == ["iris"]


def test_nothing_to_work_on(tmp_path, capsys):
    assert run(tmp_path / "out", "moon") == 1
    assert "There is no data set to work on." in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_failed_cells_are_listed(tmp_path, capsys, monkeypatch):
    from orangecontrib.sadd.core import MDLPDiscretizer

    def fail(self, *args, **kwargs):
        raise ValueError("out of luck")

    monkeypatch.setattr(MDLPDiscretizer, "fit", fail)
    assert run(tmp_path, "iris", *QUICK) == 1
    assert "failed: iris, fold 1, MDLP, NB: ValueError: out of luck" in (
        capsys.readouterr().err)
    assert "out of luck" in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(["arguments", "message"], [
    (["--folds", "1"], "a number of 2 or more is needed"),
    (["--labelled", "0"], "a share above 0, at most 1, is needed, not '0'"),
    (["--labelled", "half"], "a share above 0"),
    (["--k", "0"], "auto or a number of 1 or more is needed"),
    (["--k", "many"], "auto or a number of 1 or more is needed"),
    (["--n0", "-5"], "a number above 0 is needed"),
    (["--n0", "inf"], "a number above 0 is needed"),
    (["--jobs", "0"], "a number of 1 or more is needed"),
    (["--methods", "magic"], "invalid choice: 'magic'"),
    (["--classifiers", "svm"], "invalid choice: 'svm'"),
])
def test_wrong_arguments(arguments, message, capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["benchmark", "iris", *arguments])
    assert message in capsys.readouterr().err
