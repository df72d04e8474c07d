"""Settings from workflows: conversion of older versions, and validation."""

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.parameters import (
    is_valid_number,
    main_parameters,
    valid_limits,
)
from orangecontrib.sadd.widgets.common.folds import FIRST_K, LABELLERS, LARGEST_K

__all__ = ["is_whole", "migrate", "migrate_labelling", "valid_labelling", "version_of"]


def migrate(settings, version, method, checks):
    """
    Convert settings of older versions, and remove invalid ones, in place.

    Parameters
    ----------
    settings : dict
    version : int
    method : str
        The name of the setting for the method of discretization.
    checks : dict
        Functions that return whether a setting is valid, by its name.
    """
    checks = {"savedWidgetGeometry": lambda value: isinstance(value, bytes), **checks}
    for name, is_valid in checks.items():
        if name in settings and not is_valid(settings[name]):
            del settings[name]
    if version < 3 and "n0" in settings:
        settings["method_parameters"] = {"SADD": {"n0": settings.pop("n0")}}
    if version < 4:
        stored = settings.get("method_parameters")
        stored = stored if isinstance(stored, dict) else {}
        settings["labelling"] = migrate_labelling(settings)
        settings["limits"] = stored.get(settings.get(method, "SADD"))
        if isinstance(stored.get("ChiMerge"), dict):
            stored["ChiMerge"]["significance"] = stored["ChiMerge"].get("alpha")
    for name, valid in (("method_parameters", valid_values), ("limits", valid_limits),
                        ("labelling", valid_labelling), ("folds", valid_folds)):
        if name in settings:
            settings[name] = valid(settings[name])


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
    return valid_labelling(stored)


def valid_labelling(stored):
    """Return the valid entries of `PseudoLabelsFold.stored`."""
    return _valid(stored, {
        "k": lambda k: k in ("auto", "validation") if isinstance(k, str)
        else type(k) is int and 1 <= k <= LARGEST_K,
        "labeller": lambda value: isinstance(value, str) and value in LABELLERS,
        "min_confidence": lambda value: isinstance(value, float | int)
        and 0 <= value <= 1,
        "standardize": lambda value: isinstance(value, bool)})


def valid_values(stored):
    """Return the valid entries of `MainParameters.stored`."""
    return {method: _valid(stored.get(method), {
        parameter.name: lambda value, parameter=parameter:
        is_valid_number(parameter, value) for parameter in main_parameters(method)})
        for method in DISCRETIZERS} if isinstance(stored, dict) else {}


def valid_folds(stored):
    """Return the valid entries of the setting `folds`."""
    return {key: opened for key, opened in stored.items()
            if isinstance(key, str) and isinstance(opened, bool)} \
        if isinstance(stored, dict) else {}


def _valid(stored, checks):
    """Return the valid entries of a dictionary; empty if it is not a dictionary."""
    return {key: stored[key] for key, is_valid in checks.items()
            if key in stored and is_valid(stored[key])} \
        if isinstance(stored, dict) else {}


def is_whole(low, high):
    """Return a function that checks whether a value is a whole number in a range."""
    return lambda value: isinstance(value, int) and not isinstance(value, bool) \
        and low <= value <= high
