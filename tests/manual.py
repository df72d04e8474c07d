"""The manual, built once in a run of the tests, whichever worker needs it first."""

import subprocess
import sys

import pytest

from tests.shared import ROOT
from tests.waiting import wait_until


@pytest.fixture(scope="session")
def manual(tmp_path_factory):
    """Folder with the HTML of the manual, built from the sources as they are."""
    base = tmp_path_factory.getbasetemp()
    if base.name.startswith("popen-"):
        base = base.parent  # the folder of a worker is in that of all workers
    html, errors = base / "manual", base / "manual-errors"
    try:
        (base / "manual-lock").touch(exist_ok=False)
    except FileExistsError:  # another worker builds it
        wait_until(lambda: html.exists() or errors.exists())
    else:
        build = tmp_path_factory.mktemp("manual") / "html"
        result = subprocess.run(
            [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html",
             "-d", str(build.with_name("doctrees")), str(ROOT / "doc"), str(build)],
            capture_output=True, text=True, check=False)
        if result.returncode:
            errors.write_text(result.stderr, encoding="utf-8")
        else:
            build.rename(html)
    assert html.exists(), errors.read_text(encoding="utf-8")
    return html
