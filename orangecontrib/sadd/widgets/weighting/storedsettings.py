"""Settings of RNB+ from a workflow: made valid, whatever is stored."""

from orangecontrib.sadd.widgets.common import controls
from orangecontrib.sadd.widgets.common.labelling import VALID_LABELLING
from orangecontrib.sadd.widgets.common.parametercontrols import valid_values
from orangecontrib.sadd.widgets.weighting.weightings import (
    OBJECTIVES,
    RECIPE_TITLES,
    WEIGHTINGS,
)

__all__ = ["VERSION", "migrate"]

VERSION = 3

# Settings that workflows of the first version lack
PUBLISHED = {"recipe": 0, "labeller": 0, "min_confidence": 0, "counts_pool": False,
             "shrinkage": 0.}


def migrate(settings, version):
    """Change settings of an older version, or of a damaged file, in place."""
    if version < 2:  # not what the user chose last in a newer workflow
        for name, value in PUBLISHED.items():
            settings.setdefault(name, value)
    if version < 3 and "n0" in settings:
        settings["method_parameters"] = {"SADD": {"n0": settings.pop("n0")}}
    # What is not valid gets its default; an unknown method gets a message, too
    controls.keep_valid(settings, {
        "discretization": lambda method: isinstance(method, str),
        "weighting": controls.is_whole(0, len(WEIGHTINGS) - 1),
        "objective": controls.is_whole(0, len(OBJECTIVES) - 1),
        "max_iter": controls.is_whole(1, 10 ** 5),
        "recipe": controls.is_whole(0, len(RECIPE_TITLES) - 1),
        "counts_pool": lambda value: isinstance(value, bool),
        "shrinkage": lambda value: isinstance(value, float | int)
        and 0 <= value <= 1000, **VALID_LABELLING})
    if "method_parameters" in settings:
        settings["method_parameters"] = valid_values(settings["method_parameters"])
