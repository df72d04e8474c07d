"""Files of the subcommand discretize: which are read and written, and which never."""

import io
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from Orange.data import Table
from Orange.data.io import TabReader

from orangecontrib.sadd.cli import discretize, files, workers
from orangecontrib.sadd.cli.files import new_files
from orangecontrib.sadd.cli.jobs import JobSettings, plan_jobs, split_suffix
from orangecontrib.sadd.cli.terminal import CommandError
from tests.signals import INTERRUPTIBLE
from tests.waiting import PATIENCE

PROGRAM = [sys.executable, "-m", "orangecontrib.sadd", "discretize"]

needs_posix = pytest.mark.skipif(os.name != "posix", reason="for POSIX systems")


class TestPlan:
    def test_suffix(self):
        assert split_suffix("a.b/c.d.csv.GZ") == ("c.d", ".csv.GZ")
        assert split_suffix("a.gz") == ("a", ".gz")
        assert split_suffix("a") == ("a", "")

    def test_folders_patterns_and_files(self, folder):
        (folder / "there").mkdir()
        inputs = ["x/a.tab", "b.csv.gz"]

        def outputs(output, **options):
            jobs = plan_jobs(inputs, output, **options)
            return [(os.path.normpath(job.output), job.output_suffix) for job in jobs]

        expected = [(os.path.join("there", "a.tab"), ".tab"),
                    (os.path.join("there", "b.csv.gz"), ".csv.gz")]
        assert outputs("there") == outputs("there/") == expected
        assert outputs("{name}.out", output_format=".csv") == [
            ("a.out", ".csv"), ("b.out", ".csv")]
        assert [job.cuts for job in plan_jobs(inputs, cuts="c-{name}.json")] == [
            "c-a.json", "c-b.json"]

    @pytest.mark.parametrize(["arguments", "message"], [
        (["iris.tab"], "Say where to write: -o for data, --cuts for cut points."),
        (["iris.tab", "heart.tab", "-o", "out.tab"], "would both become out.tab"),
        (["iris.tab", "a/iris.tab", "-o", "out/"], "and a/iris.tab would both become"),
        (["iris.tab", "-o", "x.json", "--cuts", "x.json"], "would both become x.json"),
        (["iris.tab", "-o", "./iris.tab", "--force"], "is read; write to another"),
        (["a.tab", "-o", "b.tab", "--unlabelled", "b.tab"], "b.tab is read"),
        (["-", "-o", "out.tab"], "input needs --from"),
        (["-", "-", "--from", "csv", "-o", "out/"], "can be read only once"),
        (["iris.tab", "-o", "o.tab", "--unlabelled", "-"], "input needs --from"),
        (["-", "-o", "o.tab", "--unlabelled", "-", "--from", "tab"], "only once"),
        (["iris.tab", "-o", "o.tab", "--apply", "-"], "are read from a file"),
        (["a.parquet", "-o", "b.parquet", "--unlabelled", "-", "--from", "parquet"],
         "Parquet is in files and folders"),
        (["a.parquet", "-o", "-", "--to", "parquet"], "Parquet is in files and"),
        (["-", "-o", "b.parquet", "--from", "parquet"], "Parquet is in files and"),
        (["iris.tab", "-o", "-"], "Standard output needs --to"),
        (["iris.tab", "heart.tab", "-o", "-", "--to", "tab"], "takes a single table"),
        (["iris.tab", "--cuts", "-"], "Cut points are written to a file"),
        (["iris.tab", "-o", "o.tab", "--method", "ID3"], "there is no method 'ID3'"),
        (["iris.tab", "-o", "o.tab", "--n-bins", "3"],
         "--n-bins is for EW and EF, not for SADD."),
        (["iris.tab", "-o", "o.tab", "--n0", "-1"], "The 'n0' parameter of SADD"),
        (["iris.tab", "-o", "o.tab", "--k", "some"], "The 'k' parameter of SADD"),
        (["iris.tab", "-o", "o.tab", "--method", "EW", "--unlabelled", "heart.tab"],
         "EW does not use unlabelled data."),
        (["iris.tab", "-o", "o.tab", "--apply", "c.json", "--method", "EW"],
         "--method is for learning, and --apply does not learn."),
        (["iris.tab", "-o", "o.tab", "--apply", "c.json", "--no-normalize"],
         "--normalize is for learning, and --apply does not learn."),
        (["iris.tab", "-o", "o.tab", "--force", "--skip-existing"], "not allowed with"),
        (["iris.tab", "-o", "o.tab", "--meth", "EW"], "unrecognized arguments"),
        (["-o", "o.tab"], "arguments are required: FILE"),
    ])
    def test_wrong_arguments(self, command, folder, arguments, message):
        before = sorted(os.listdir(folder))
        said = command(*arguments, status=2)
        assert message in said.splitlines()[-1]
        assert sorted(os.listdir(folder)) == before


class TestReading:
    @pytest.mark.parametrize(["name", "message"], [
        ("nothing.tab", "cannot be read: No such file or directory."),
        ("iris.what", "Orange does not know files .what; --from takes one of tab, "),
        ("noname", "the name does not tell the format; --from takes one of tab, "),
        ("folder.tab", "is a folder; name the files in it."),
        ("empty.tab", "There are no numeric variables."),
        ("broken.xlsx", "cannot be read: "),
        ("broken.pkl", "cannot be read: "),
        ("words.tab", "There are no numeric variables."),
        ("header.tab", "There are no labelled rows."),
        ("one.tab", "All labelled rows are of the same class."),
    ])
    def test_wrong_files(self, command, folder, name, message):
        (folder / "iris.what").write_text("a,b\n1,2\n")
        (folder / "noname").write_text("a,b\n1,2\n")
        (folder / "folder.tab").mkdir()
        for path in ("empty.tab", "broken.xlsx", "broken.pkl"):
            (folder / path).write_text("" if path == "empty.tab" else "no such thing")
        (folder / "words.tab").write_text("a\tb\nd\td\n\tclass\nu\tv\nw\tx\n")
        Table("iris")[:0].save("header.tab")
        Table("iris")[:50].save("one.tab")
        said = command(name, "-o", "out.tab", status=1)
        assert said.startswith(f"{name}: ") and message in said
        assert said.count("\n") == 1
        assert not (folder / "out.tab").exists()

    def test_formats_by_option(self, command, folder):
        (folder / "iris.tab").rename(folder / "iris.data")
        command("iris.data", "-o", "out.dat", "--from", ".tab", "--to", "csv")
        text = (folder / "out.dat").read_text(encoding="utf-8")
        assert text.startswith("iris,sepal length,")

    def test_formats_that_are_not_written(self, command):
        said = command("iris.tab", "-o", "out.xls", status=1)
        assert "Orange does not write files .xls; --to takes one of tab, tsv" in said
        assert "files without a suffix" in command("iris.tab", "-o", "out", status=1)

    @pytest.mark.parametrize("name", ["pool", "pool.data", "pool.csv"])
    def test_format_of_the_pool(self, command, name):
        # --from is for names that do not show the format
        iris = Table("iris")
        iris[::2].save("few.tab")
        iris[1::2].save("pool.csv" if name == "pool.csv" else "pool.tab")
        if name != "pool.csv":
            os.rename("pool.tab", name)
        said = command("few.tab", "--unlabelled", name, "--from", "tab", "--cuts",
                       "cuts.json")
        assert "75 rows, 75 more unlabelled" in said

    def test_pool_from_standard_input(self, command, folder, monkeypatch):
        stdin = io.TextIOWrapper(io.BytesIO((folder / "iris.tab").read_bytes()))
        monkeypatch.setattr("sys.stdin", stdin)
        said = command("iris.tab", "--unlabelled", "-", "--from", "tab", "--cuts",
                       "cuts.json")
        assert "150 rows, 150 more unlabelled" in said

    def test_unlabelled_file_is_missing(self, command):
        said = command("iris.tab", "-o", "o.tab", "--unlabelled", "no.csv", status=1)
        assert said == "discretize: no.csv cannot be read: No such file or directory.\n"


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

    def test_a_file_made_meanwhile_is_not_replaced(self, folder):
        path = folder / "out.tab"
        with pytest.raises(CommandError, match="exists"), new_files(path) as temporary:
            (temporary / "new").write_text("new")
            path.write_text("of another program")
        assert path.read_text() == "of another program"

    def test_file_systems_without_links(self, folder, monkeypatch):
        def link(*_):
            raise PermissionError

        monkeypatch.setattr(files.os, "link", link)
        with new_files(folder / "out.tab") as temporary:
            (temporary / "new").write_text("new")
        assert (folder / "out.tab").read_text() == "new"

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
        said = command("iris.tab", "-o", os.devnull, "--to", "tab", "--force", status=1)
        assert f"{os.devnull} is not a regular file; - is standard output." in said
        assert not os.path.isfile(os.devnull)

    @pytest.mark.parametrize("error", [KeyboardInterrupt, OSError(28, "No space left")])
    def test_nothing_remains_of_an_interrupted_run(
            self, command, folder, monkeypatch, error):
        def write(filename, data, annotations):
            with open(filename, "w") as file:
                file.write("half")
            raise error

        (folder / "out.tab").write_text("old")
        monkeypatch.setattr(TabReader, "write", write)
        said = command("iris.tab", "-o", "out.tab", "--force",
                       status=130 if error is KeyboardInterrupt else 1)
        assert "interrupted" in said or \
            "out.tab cannot be written: No space left." in said
        assert (folder / "out.tab").read_text() == "old"

    def test_writers_that_fail(self, command, monkeypatch):
        def write(*_):
            raise NotImplementedError

        monkeypatch.setattr(TabReader, "write", write)
        assert "Orange cannot write this table as .tab: NotImplementedError." in \
            command("iris.tab", "-o", "out.tab", status=1)

    def test_folders(self, command, folder):
        assert "There is no folder no" in \
            command("iris.tab", "-o", "no/out.tab", status=1)
        command("iris.tab", "-o", "new/deep/", "--cuts", "new/deep/")
        assert sorted(os.listdir("new/deep"))[:2] == ["iris.json", "iris.tab"]
        assert "cannot be made" in command("iris.tab", "-o", "iris.tab/", status=1)
        (folder / "x-heart.tab").mkdir()
        assert "x-heart.tab is a folder" in \
            command("heart.tab", "-o", "x-{name}.tab", status=1)


class TestBatch:
    def test_a_failure_does_not_stop_the_others(self, command, folder):
        (folder / "bad.tab").write_text("")
        said = command("bad.tab", "iris.tab", "nothing.tab", "-o", "out/", status=1)
        assert said.startswith("bad.tab: There are no numeric variables.\n")
        assert "1 of 3 files discretized, 2 failed, in " in said
        assert [name for name in os.listdir("out") if name.endswith(".tab")] == \
            ["iris.tab"]

    def test_taken_up_again(self, command, folder):
        command("iris.tab", "-o", "out/")
        before = (folder / "out" / "iris.tab").stat()
        said = command("iris.tab", "heart.tab", "-o", "out/", "--skip-existing")
        assert said.startswith("1 of 2 files discretized, 1 skipped, in ")
        assert (folder / "out" / "iris.tab").stat() == before
        # A file of which something is missing is not finished
        assert "exists" in command("iris.tab", "-o", "out/", "--cuts", "out/",
                                   "--skip-existing", status=1)

    def test_faults_of_ours_are_reported(self, folder, monkeypatch, capsys):
        def fail(*_):
            raise ZeroDivisionError("half\nof it")

        monkeypatch.setattr(workers, "find_cuts", fail)
        jobs = plan_jobs(["iris.tab", "heart.tab"], "{name}.csv")
        assert discretize.Batch(JobSettings(), jobs).run() == 1
        said = capsys.readouterr().err
        assert "iris.tab: unexpected ZeroDivisionError: half; please report it" in said
        assert "Traceback" not in said and "2 failed" in said
        assert discretize.Batch(JobSettings(), jobs, verbosity=2).run() == 1
        assert "Traceback" in capsys.readouterr().err

    def test_other_workers_by_suffix(self, command, folder, monkeypatch):
        made = []

        class Worker:
            def __init__(self, settings):
                made.append(settings)

            def __call__(self, job):
                raise CommandError(f"no {job.source_suffix}")

        monkeypatch.setitem(discretize.WORKERS, ".parquet", Worker)
        said = command("a.parquet", "b.parquet", "iris.tab", "-o", "out/", status=1)
        assert "a.parquet: no .parquet\nb.parquet: no .parquet\n" in said
        assert len(made) == 1


class TestProcess:
    """The program as a shell sees it."""

    @staticmethod
    def start(*arguments, **options):
        return subprocess.Popen(
            [*PROGRAM, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, **INTERRUPTIBLE, **options)

    def test_streams(self, folder):
        process = self.start("-", "--from", "tab", "-o", "-", "--to", "csv", "-q")
        out, err = process.communicate((folder / "iris.tab").read_bytes())
        assert (process.returncode, err) == (0, b"")
        assert out.count(b"\n") == 153 and out.startswith(b"iris,sepal length,")

    def test_status_of_errors(self, folder):
        process = self.start("nothing.tab", "-o", "out.tab")
        _, err = process.communicate()
        assert process.returncode == 1
        assert err == b"nothing.tab: cannot be read: No such file or directory.\n"
        process = self.start("iris.tab")
        _, err = process.communicate()
        assert process.returncode == 2
        assert err.startswith(b"usage: python -m orangecontrib.sadd discretize FILE")

    @needs_posix
    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_signals(self, folder, number):
        os.mkfifo("pipe.tab")
        temporary = folder / "temporary"
        temporary.mkdir()
        process = self.start("pipe.tab", "-o", "out.tab",
                             env={**os.environ, "TMPDIR": str(temporary)})
        with open("pipe.tab", "wb") as pipe:  # waits until the program reads it
            pipe.write(b"half of")
            pipe.flush()
            time.sleep(1)
            process.send_signal(number)
            # Python notices a signal that comes just before it waits for data only
            # when there are some, or no more of them
            with suppress(subprocess.TimeoutExpired):
                process.wait(30)
        _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 128 + number
        assert err == b"discretize: interrupted\n"
        assert os.listdir(temporary) == []
        assert sorted(path.name for path in folder.glob("*.tab")) == \
            ["heart.tab", "iris.tab", "pipe.tab"]

    @needs_posix
    def test_reader_of_the_output_leaves(self, folder):
        process = self.start("iris.tab", "-o", "-", "--to", "tab", "-q")
        process.stdout.close()
        assert process.wait(PATIENCE) == 1
        assert process.stderr.read() == b""
