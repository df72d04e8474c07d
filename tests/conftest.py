"""Settings of the whole test suite.

If the variable SADD_INTERPRETED is set, the compiled modules are imported from their
sources: ``SADD_INTERPRETED=1 pytest -m interpreted``.
"""

import os
import sys
from importlib.util import spec_from_file_location

import hypothesis
import pytest

from tests.shared import DATASETS, ROOT, SHARED

# Without a screen Qt draws offscreen. Set before Qt is imported
if sys.platform == "linux" and not {"DISPLAY", "WAYLAND_DISPLAY"} & set(os.environ):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("QTWEBENGINE_DISABLE_SANDBOX", "1")

IN_CI = os.environ.get("CI", "").lower() in ("1", "true")
INTERPRETED = bool(os.environ.get("SADD_INTERPRETED"))

# The machines are shared and slow at times, so no example has a deadline. In CI the
# same examples run every time; elsewhere new ones are searched.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True
)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.register_profile(
    "interpreted", deadline=None, derandomize=True, max_examples=30
)
hypothesis.settings.load_profile(
    "interpreted" if INTERPRETED else "ci" if IN_CI else "local"
)


@pytest.fixture(scope="module")
def few_samples():
    """Draw small samples in Bayesian tests, which take most of a report's time."""
    from orangecontrib.sadd.evaluation import significance

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(significance, "N_SAMPLES", 300)
        yield


# Compiled modules and their sources
PAGES = {".".join(path.relative_to(ROOT).with_suffix("").parts): path
         for path in (ROOT / "orangecontrib" / "sadd" / "core").glob("*/_[!_]*.py")}


class InterpretedFinder:
    """Finds the sources of compiled modules."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Return the specification of the source of a compiled module, or None."""
        return spec_from_file_location(name, PAGES[name]) if name in PAGES else None


def pytest_collection_modifyitems(items):
    # Coverage is that of the core by its own tests. Others take up to a third less time
    folders = [ROOT / "tests" / name for name in ("", "cli", "evaluation", "widgets")]
    for item in items:
        if item.path.parent in folders:
            item.add_marker("no_cover")


def pytest_configure(config):
    if IN_CI and not DATASETS.is_dir() and os.environ.get("SADD_SHARED") != "none":
        raise pytest.UsageError(
            f"The shared data sets are not in {SHARED}, and CI skips no test silently. "
            "Set SADD_SHARED to their folder, or to 'none' to run without them."
        )
    if INTERPRETED:
        sys.meta_path.insert(0, InterpretedFinder)
        config.addinivalue_line(
            "filterwarnings", "ignore:Orange3-SADD runs without its compiled modules")
        return
    for path in PAGES.values():
        built = list(path.parent.glob(f"{path.stem}.*.so"))
        if any(file.stat().st_mtime < path.stat().st_mtime for file in built):
            raise pytest.UsageError(
                f"{path.relative_to(ROOT)} is newer than the module that was compiled "
                "from it. Run: python setup.py build_ext --inplace")
