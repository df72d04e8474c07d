"""Files of the subcommand discretize: which are read and written, and which never."""

import os
import re
import shutil
from unittest.mock import Mock

import pytest
from Orange.data import Table
from Orange.data.io import TabReader

from orangecontrib.sadd.cli import onefile

needs_posix = pytest.mark.skipif(os.name != "posix", reason="for POSIX systems")


class TestPlan:
    @pytest.mark.parametrize(["arguments", "message"], [
        (["iris.tab"], "Choose where to write: -o for data, --cuts for cut points."),
        (["iris.tab", "heart.tab", "-o", "out.tab"], "out.tab is used twice"),
        (["iris.tab", "a/iris.tab", "-o", "out/"], "out/iris.tab is used twice"),
        (["iris.tab", "-o", "x.json", "--cuts", "x.json"], "x.json is used twice"),
        (["iris.tab", "-o", "./iris.tab", "--force"], "iris.tab is used twice"),
        (["a.tab", "-o", "b.tab", "--unlabelled", "b.tab"], "b.tab is used twice"),
        (["iris.tab", "-o", "o.tab", "--method", "ID3"],
         "There is no discretization method 'ID3'"),
        (["iris.tab", "-o", "o.tab", "--n-bins", "3"],
         "--n-bins is for EW and EF, not for SADD."),
        (["iris.tab", "-o", "o.tab", "--n0", "-1"], "The 'n0' parameter of SADD"),
        (["iris.tab", "-o", "o.tab", "--min-samples", "1.5"], "min_samples"),
        (["iris.tab", "-o", "o.tab", "--min-samples", "5", "--method", "EW"],
         "--min-samples is for SADD and MDLP and CAIM and CACC"),
        (["iris.tab", "-o", "o.tab", "--labeller", "x"], "The labeller must be"),
        (["iris.tab", "-o", "o.tab", "--method", "EW", "--unlabelled", "heart.tab"],
         "EW does not use unlabelled data."),
        (["iris.tab", "-o", "o.tab", "--apply", "c.json", "--n0", "5"],
         "--n0 has no effect with --apply."),
        (["iris.tab", "-o", "o.tab", "--apply", "c.json", "--evidence", "x"],
         "--evidence has no effect with --apply."),
        (["iris.tab", "-o", "o.tab", "--meth", "EW"], "unrecognized arguments"),
        (["iris.tab", "-o", "o.tab", "--encode", "x"], "invalid choice: 'x'"),
        (["-o", "o.tab"], "arguments are required: FILE"),
    ])
    def test_wrong_arguments(self, command, folder, arguments, message):
        before = sorted(os.listdir(folder))
        said = command(*arguments, status=2)
        assert message in said.splitlines()[-1]
        assert sorted(os.listdir(folder)) == before


class TestReading:
    @pytest.mark.parametrize(["arguments", "message"], [
        (["no.tab"], "no.tab: cannot be read: No such file or directory."),
        (["folder.tab"], "folder.tab: is a folder; name the files in it."),
        pytest.param(["pipe.tab"], "pipe.tab: is not a regular file.",
                     marks=needs_posix),
        (["iris.tab", "--unlabelled", "no.csv"], "iris.tab: The unlabelled data no.csv "
         "cannot be read: No such file or directory."),
        (["iris.tab", "--apply", "no.json"],
         "discretize: no.json cannot be read: No such file or directory."),
    ])
    def test_paths_that_are_no_files(self, command, folder, arguments, message):
        (folder / "folder.tab").mkdir()
        if os.name == "posix":
            os.mkfifo("pipe.tab")
        assert command(*arguments, "-o", "out.tab", status=1) == f"{message}\n"


class TestWriting:
    def test_nothing_is_replaced_unless_forced(self, command, folder):
        (folder / "out.tab").write_text("precious")
        (folder / "cuts.json").write_text("precious")
        for option in (["-o", "out.tab"], ["--cuts", "cuts.json"],
                       ["-o", "new.tab", "--cuts", "cuts.json"]):
            assert "exists; --force replaces it." in \
                command("iris.tab", *option, status=1)
        assert not (folder / "new.tab").exists()
        assert (folder / "out.tab").read_text() == "precious"
        assert (folder / "cuts.json").read_text() == "precious"
        command("iris.tab", "-o", "out.tab", "--cuts", "cuts.json", "--force")
        assert len(Table("out.tab")) == 150

    def test_file_made_meanwhile_is_not_replaced(self, command, folder, monkeypatch):
        write = TabReader.write
        monkeypatch.setattr(TabReader, "write", lambda *arguments: (
            write(*arguments), (folder / "out.tab").write_text("of another program")))
        assert "exists" in command("iris.tab", "-o", "out.tab", status=1)
        assert (folder / "out.tab").read_text() == "of another program"

    def test_permissions_are_the_usual_ones(self, command, folder):
        command("iris.tab", "-o", "out.tab", "--cuts", "cuts.json")
        (folder / "usual").touch()
        modes = {(folder / name).stat().st_mode
                 for name in ("usual", "out.tab", "cuts.json")}
        assert len(modes) == 1

    @needs_posix
    def test_links_and_devices(self, command, folder):
        (folder / "true.tab").write_text("old")
        (folder / "link.tab").symlink_to("true.tab")
        command("iris.tab", "-o", "link.tab", "--force")
        assert (folder / "link.tab").is_symlink()
        assert len(Table("true.tab")) == 150
        (folder / "null.tab").symlink_to(os.devnull)
        said = command("iris.tab", "-o", "null.tab", "--force", status=1)
        assert "null.tab is not a regular file." in said

    def test_nothing_remains_of_an_interrupted_run(self, command, folder, monkeypatch):
        def write(filename, data, annotations):
            with open(filename, "w") as file:
                file.write("half")
            raise KeyboardInterrupt

        (folder / "out.tab").write_text("old")
        monkeypatch.setattr(TabReader, "write", write)
        assert "interrupted" in command(
            "iris.tab", "-o", "out.tab", "--force", status=130)
        assert (folder / "out.tab").read_text() == "old"

    @pytest.mark.skipif(not os.path.exists("/dev/full"), reason="of Linux")
    def test_full_disk(self, command, folder, monkeypatch):
        write = TabReader.write
        monkeypatch.setattr(TabReader, "write", lambda path, *others: (
            os.symlink("/dev/full", path), write(path, *others)))
        said = command("iris.tab", "-o", "out.tab", status=1)
        assert said == ("iris.tab: The data cannot be written: No space left on "
                        "device.\n")
        assert not (folder / "out.tab").exists()

    def test_formats_that_are_not_written(self, command, monkeypatch):
        said = command("iris.tab", "-o", "out.xls", status=1)
        assert "Orange does not write files .xls; choose one of .tab, .tsv" in said
        assert "files without a suffix" in command("iris.tab", "-o", "out", status=1)
        monkeypatch.setattr(TabReader, "write", Mock(side_effect=NotImplementedError))
        assert "Orange cannot write this table as .tab: NotImplementedError." in \
            command("iris.tab", "-o", "out.tab", status=1)

    def test_folders(self, command, folder):
        assert "There is no folder no" in \
            command("iris.tab", "-o", "no/out.tab", status=1)
        command("iris.tab", "-o", "new/deep/", "--cuts", "new/deep/")
        assert sorted(os.listdir("new/deep")) == ["iris.json", "iris.tab"]
        assert "cannot be made" in command("iris.tab", "-o", "heart.tab/", status=1)
        (folder / "new" / "heart.tab").mkdir()
        assert "heart.tab is a folder" in command("heart.tab", "-o", "new/", status=1)

    def test_notes_on_a_table_are_not_written(self, command, folder):
        (folder / "iris.tab.metadata").write_text("source: garden")
        command("iris.tab", "-o", "out/")
        assert os.listdir("out") == ["iris.tab"]


class TestBatch:
    def test_a_failure_does_not_stop_the_others(self, command, folder):
        (folder / "bad.tab").write_text("")
        shutil.copy("iris.tab", "copy.tab")
        said = command("bad.tab", "iris.tab", "nothing.tab", "copy.tab", "-o", "out/",
                       status=1)
        assert said.startswith("bad.tab: There are no numeric variables.\n")
        assert "2 of 4 files discretized, 2 failed, in " in said
        assert sorted(os.listdir("out")) == ["copy.tab", "iris.tab"]
        assert (folder / "out" / "copy.tab").read_bytes() == \
            (folder / "out" / "iris.tab").read_bytes()

    def test_faults_of_ours_are_reported(self, command, monkeypatch):
        monkeypatch.setattr(onefile, "find_cuts", Mock(
            side_effect=ZeroDivisionError("half\nof it")))
        said = command("iris.tab", "heart.tab", "-o", "out/", status=1)
        assert re.search(r"iris.tab: unexpected ZeroDivisionError: half \(\w+\.py, "
                         r"line \d+\); please report it", said)
        assert "2 failed" in said
