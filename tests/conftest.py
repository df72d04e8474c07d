"""Settings of the whole test suite."""

import os

import hypothesis
import pytest

from tests.shared import DATASETS, SHARED

IN_CI = os.environ.get("CI", "").lower() in ("1", "true")

# The machines are shared and slow at times, so no example has a deadline. In CI the
# same examples run every time; elsewhere new ones are searched.
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile(
    "ci", deadline=None, derandomize=True, print_blob=True
)
hypothesis.settings.load_profile("ci" if IN_CI else "local")


@pytest.fixture(scope="module")
def few_samples():
    """Draw small samples in Bayesian tests, which take most of a report's time."""
    from orangecontrib.sadd.evaluation import tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "N_SAMPLES", 300)
        yield


def pytest_configure():
    if IN_CI and not DATASETS.is_dir() and os.environ.get("SADD_SHARED") != "none":
        raise pytest.UsageError(
            f"The shared data sets are not in {SHARED}, and CI skips no test silently. "
            "Set SADD_SHARED to their folder, or to 'none' to run without them."
        )
