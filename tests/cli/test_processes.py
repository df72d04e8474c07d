"""The program in a shell: exit status, interrupts at random moments.

Set the number of interrupts with SADD_INTERRUPTS, and their seed with SADD_MONKEY_SEED.
"""

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from Orange.data import Table

from orangecontrib.sadd.__main__ import main
from tests.seeds import monkey_seed
from tests.signals import INTERRUPTIBLE
from tests.waiting import TIMEOUT

PROGRAM = [sys.executable, "-m", "orangecontrib.sadd"]
INTERRUPTS = int(os.environ.get("SADD_INTERRUPTS", 4))
SEED = monkey_seed()

needs_posix = pytest.mark.skipif(os.name != "posix", reason="for POSIX systems")


def start(*arguments, **options):
    return subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, **INTERRUPTIBLE, **options)


@pytest.mark.parametrize(["arguments", "status", "pattern"], [
    ([], 2, "demo,discretize,benchmark"),
    (["--version"], 0, r"Orange3-SADD 0\..*, (compiled|interpreted \(slow\))$")])
def test_commands_and_version_are_listed(arguments, status, pattern, capsys):
    with pytest.raises(SystemExit, match=str(status)):
        main(arguments)
    out, err = capsys.readouterr()
    assert re.search(pattern, (out or err).strip())


@needs_posix
def test_closed_streams(folder):
    run = subprocess.run(
        ["/bin/sh", "-c", 'exec "$0" -m orangecontrib.sadd discretize no.tab -o '
         "out.tab >&- 2>&-", sys.executable], capture_output=True, text=True)
    assert run.returncode == 1 and run.stderr + run.stdout == "", run


@needs_posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_while_modules_are_imported(folder, number):
    process = start("discretize", "iris.tab", "-o", "out.tab",
                    env={**os.environ, "PYTHONVERBOSE": "1"})
    for line in process.stderr:  # when Python lists the first large module
        if b"import 'numpy" in line:
            break
    process.send_signal(number)
    _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 128 + number
    assert err.endswith(b"\ninterrupted\n") and b"Traceback" not in err


@needs_posix
def test_interrupts_at_random_moments(folder):
    """Nothing is lost or half written; a second one changes nothing."""
    random.seed(SEED)
    iris = Path("iris.tab").read_bytes()
    for number in range(6):
        Path(f"{number}.tab").write_bytes(iris)
    sources = [f"{number}.tab" for number in range(6)]
    Path("out").mkdir()
    start("discretize", *sources, "-o", "out/").communicate()
    expected = Path("out/0.tab").read_bytes()
    began = time.monotonic()
    start("discretize", *sources, "-o", "out/", "--force").communicate()
    longest = time.monotonic() - began
    for step in range(INTERRUPTS):
        force = random.random() < .5
        for path in Path("out").iterdir():
            if force:
                path.write_bytes(b"old")
            else:
                path.unlink()
        process = start("discretize", *sources, "-o", "out/", *["--force"] * force)
        # Python itself handles Ctrl-C until it runs the program
        wait = random.uniform(.3, longest)
        story = f"seed {SEED}, step {step}, after {wait} s"
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            kind = random.choice([signal.SIGINT, signal.SIGTERM])
            process.send_signal(kind)
            if random.random() < .3:
                time.sleep(random.uniform(0, .01))
                process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=TIMEOUT)
        story += f": {process.returncode}\n{err.decode()}"
        assert process.returncode in (0, 130, 143), story
        assert b"Traceback" not in err, story
        assert process.returncode == 0 or b"interrupted\n" in err, story
        assert all(path.read_bytes() == iris for path in map(Path, sources)), story
        for path in Path("out").rglob("*"):
            assert path.read_bytes() in (expected, *[b"old"] * force), (path, story)
            assert path.suffix == ".tab", story
    assert len(Table("0.tab")) == 150
