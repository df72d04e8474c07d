"""Settings from workflows: conversion of older versions, and validation."""

from functools import partial

from Orange.widgets.settings import Setting

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import LIMITS, adjustable, is_valid_number
from orangecontrib.sadd.widgets.common.folds import FIRST_K, LABELLERS, LARGEST_K

__all__ = ["migrate", "version_of"]

# Checks of parameters of the labeller, by name
LABELLING = {
    "k": lambda k: k in ("auto", "validation")
    or type(k) is int and 1 <= k <= LARGEST_K,
    "labeller": lambda value: value in tuple(LABELLERS),
    "min_confidence": lambda value: isinstance(value, float | int) and 0 <= value <= 1,
    "standardize": lambda value: isinstance(value, bool),
}


def migrate(window, settings, version):
    """
    Convert settings of older versions, and remove invalid ones, in place.

    Parameters
    ----------
    window : type
        A window; its `VALID` are functions that check a setting, by its name.
    settings : dict
    version : int
    """
    for name in list(settings):
        if not is_valid(window, name, settings[name]):
            del settings[name]
    parameters = settings.setdefault("method_parameters", {})
    if version < 3 and "n0" in settings:
        parameters["SADD"] = {"n0": settings.pop("n0")}
    if version < 4:
        settings["labelling"] = migrate_labelling(settings)
        settings["limits"] = parameters.get(
            settings.get(window.method_setting, "SADD"), {})
        if isinstance(parameters.get("ChiMerge"), dict):
            parameters["ChiMerge"]["significance"] = parameters["ChiMerge"].get("alpha")
    numbers = {method: {parameter.name: partial(is_valid_number, parameter)
                        for parameter in adjustable(method)} for method in DISCRETIZERS}
    settings["method_parameters"] = {
        method: valid_items(parameters.get(method), checks)
        for method, checks in numbers.items()}
    limits = {name: numbers["SADD"].get(name, lambda value: value is True)
              for name in LIMITS}
    settings["limits"] = valid_items(settings.get("limits"), limits)
    settings["labelling"] = valid_items(settings.get("labelling"), LABELLING)
    folds = settings.get("folds", {})
    settings["folds"] = {key: opened for key, opened in folds.items()
                         if isinstance(opened, bool)}


def is_valid(window, name, value):
    """Return whether a setting has the type of its default and passes its check."""
    setting = getattr(window, name, None)
    if not isinstance(setting, Setting):  # of an older version
        return True
    kind = bytes if name == "savedWidgetGeometry" else type(setting.default)
    return type(value) is kind and (name not in window.VALID
                                    or window.VALID[name](value))


def version_of(stored):
    """Return a stored version, and the first version if it is invalid."""
    return stored if isinstance(stored, int) and stored else 1


def migrate_labelling(settings):
    """Return the parameters of labellers of versions 1 to 3, and remove them."""
    old = {name: settings.pop(name, None) for name in (
        "choose_k", "fixed_k", "labeller", "min_confidence", "normalize")}
    stored = {"standardize": old["normalize"]}
    if old["choose_k"] == 1:
        stored["k"] = FIRST_K if old["fixed_k"] is None else old["fixed_k"]
    if old["labeller"] in (0, 1):
        stored["labeller"] = list(LABELLERS)[old["labeller"]]
    if isinstance(old["min_confidence"], int):
        stored["min_confidence"] = old["min_confidence"] / 100
    return stored


def valid_items(stored, checks):
    """Return the valid entries of a dictionary; empty if it is not a dictionary."""
    return {key: stored[key] for key, is_valid in checks.items()
            if key in stored and is_valid(stored[key])} \
        if isinstance(stored, dict) else {}
