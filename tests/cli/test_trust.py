"""Files of plain data run no code, with any files beside them."""

import pickle
from pathlib import Path

import pytest
from Orange.data import Table
from Orange.data.io import FileFormat

from orangecontrib.sadd.__main__ import main

QUICK = ["--folds", "2", "--label-fraction", "1", "--discretizers", "MDLP",
         "--classifiers", "NB"]
# Formats that Orange both reads and writes, without pickles
SUFFIXES = [suffix for suffix in FileFormat.readers if suffix in FileFormat.writers
            and not suffix.startswith((".pkl", ".pickle"))]


class Evil:
    """Makes a file when it is unpickled."""

    def __reduce__(self):
        return Path.touch, (Path("pwned").absolute(),)


@pytest.fixture
def pwned(folder):
    """Whether a pickle was opened; there is a malicious one."""
    (folder / "evil.pkl").write_bytes(pickle.dumps(Evil()))

    def was_opened():
        path = folder / "pwned"
        found = path.exists()
        path.unlink(missing_ok=True)
        return found

    return was_opened


def add_side_file(path, content=None):
    Path(f"{path}.metadata").write_bytes(content or Path("evil.pkl").read_bytes())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_side_files(command, pwned, suffix):
    FileFormat.writers[suffix].write(f"data{suffix}", Table("iris"))
    add_side_file(f"data{suffix}")
    command(f"data{suffix}", "-o", "out.tab", "--method", "EW")
    assert not pwned()
    assert len(Table("out.tab")) == 150


def test_of_the_pool(command, pwned):
    Table("iris")[::2].save("pool.csv")
    add_side_file("pool.csv")
    command("iris.tab", "-o", "out.tab", "--unlabelled", "pool.csv")
    assert "evil.pkl cannot be read: a pickle can run any program" in command(
        "iris.tab", "-o", "out2.tab", "--unlabelled", "evil.pkl", status=1)
    assert not pwned()


@pytest.mark.parametrize("name", ["evil.pkl", "evil.PICKLE", "evil.pkl.gz"])
def test_pickles(command, pwned, folder, name):
    if name != "evil.pkl":
        (folder / "evil.pkl").rename(folder / name)
    said = command(name, "-o", "out.tab", status=1)
    assert said == f"{name}: cannot be read: a pickle can run any program; " \
        "--trust-metadata reads it, if you trust its source.\n"
    assert not pwned()


def test_pickles_that_are_trusted(command):
    Table("iris").save("flowers.pkl")
    command("flowers.pkl", "-o", "out.tab", "--trust-metadata")
    assert len(Table("out.tab")) == 150


def test_side_files_in_a_benchmark(pwned):
    add_side_file("iris.tab")
    assert main(["benchmark", "iris.tab", *QUICK]) == 0
    assert not pwned()


@pytest.mark.parametrize("name", ["evil.pkl", "evil"])
def test_pickles_in_a_benchmark(pwned, name, capsys):
    assert main(["benchmark", name, *QUICK]) == 1
    assert f"{name}: a pickle can run any program" in capsys.readouterr().err
    assert not pwned()


def test_pickles_that_are_trusted_in_a_benchmark(folder):
    Table("iris").save("flowers.pkl")
    assert main(["benchmark", "flowers.pkl", *QUICK, "--trust-metadata"]) == 0
