"""Settings of SADD Discretize from a workflow: made valid, whatever is stored."""

from itertools import product

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.widgets.common import controls
from orangecontrib.sadd.widgets.common.labelling import VALID_LABELLING
from orangecontrib.sadd.widgets.common.parametercontrols import valid_values
from orangecontrib.sadd.widgets.cutting.cutedits import is_stored_edit

__all__ = ["VERSION", "migrate"]

VERSION = 3


def migrate(settings, version):
    """Change settings of an older version, or of a damaged file, in place."""
    if version < 2:  # not what the user chose last in a newer workflow
        for name in ("labeller", "min_confidence"):
            settings.setdefault(name, 0)
    if version < 3:
        settings.pop("splitter_state", None)  # of other parts
        if settings.get("sorting") in product(range(1, 5), (0, 1)):
            column, order = settings["sorting"]  # distributions were added
            settings["sorting"] = column + 1, order
        if "n0" in settings:
            settings["method_parameters"] = {"SADD": {"n0": settings.pop("n0")}}
    # What is not valid gets its default; an unknown method gets a message, too
    controls.keep_valid(settings, {
        "method": lambda method: isinstance(method, str),
        "compared_method": lambda method: method in ("", *DISCRETIZERS),
        **VALID_LABELLING,
        "normalize": lambda value: isinstance(value, bool),
        "carry_edits": lambda value: isinstance(value, bool),
        "sorting": lambda value: value in product(range(-1, 6), (0, 1)),
        "splitter_state": lambda value: isinstance(value, bytes),
        "edited_cuts": lambda value: isinstance(value, list),
        "selected_variable": lambda value: isinstance(value, str)})
    if "method_parameters" in settings:
        settings["method_parameters"] = valid_values(settings["method_parameters"])
    if "edited_cuts" in settings:
        settings["edited_cuts"] = list(filter(is_stored_edit, settings["edited_cuts"]))
