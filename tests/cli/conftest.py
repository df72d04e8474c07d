"""A folder with data, and the command run in it."""

import shutil

import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main


@pytest.fixture(scope="session")
def saved(tmp_path_factory):
    """A folder with iris.tab and heart.tab."""
    folder = tmp_path_factory.mktemp("saved")
    Table("iris").save(str(folder / "iris.tab"))
    Table("heart_disease").save(str(folder / "heart.tab"))
    return folder


@pytest.fixture
def folder(saved, tmp_path, monkeypatch):
    """A copy of the folder with the data, where the program is run."""
    shutil.copytree(saved, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def command(folder, capsys):
    """Runs the command with arguments, expects a status, and returns its output."""

    def run(*arguments, status=0):
        try:
            result = main(["discretize", *arguments])
        except SystemExit as end:
            result = end.code
        said = capsys.readouterr()
        assert result == status, said.err
        assert not list(folder.rglob(".sadd-*")), "temporary files remain"
        assert "Traceback" not in said.err
        run.out = said.out
        return said.err

    return run
