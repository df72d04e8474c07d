"""A folder with data, and the command run in it."""

import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with iris.tab and heart.tab, where the program is run."""
    monkeypatch.chdir(tmp_path)
    Table("iris").save("iris.tab")
    Table("heart_disease").save("heart.tab")
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
