"""A fitted discretizer as saved cuts, and saved cuts as a fitted discretizer."""

from typing import Any, TypeVar

import numpy as np

from orangecontrib.sadd.core.intervals.cutsjson import SavedCuts, SavedVariable

__all__ = ["plain_labels", "restore", "save"]

_Fitted = TypeVar("_Fitted")


def save(discretizer: Any) -> SavedCuts:
    """Return the cuts of a fitted discretizer as they are saved."""
    names = getattr(discretizer, "feature_names_in_", None)
    classes = plain_labels(discretizer.classes_.tolist())
    variables = []
    for feature, (cuts, categories, intervals) in enumerate(zip(
            discretizer.cut_points_, discretizer.categories_,
            discretizer.interval_names(), strict=True)):
        counts = None if classes is None else discretizer.counts_[feature]
        bits = discretizer.mutual_information_[feature]
        low, high = discretizer.ranges_[feature].tolist()
        numeric = categories is None
        variables.append(SavedVariable(
            f"x{feature}" if names is None else str(names[feature]),
            "numeric" if numeric else "categorical", tuple(cuts.tolist()),
            None if np.isnan(bits) else float(bits),
            intervals if numeric else None,
            numeric and discretizer.missing == "interval",
            None if np.isnan(low) else (low, high),
            None if numeric else _plain_categories(categories.tolist()),
            None if counts is None else tuple(map(tuple, counts.tolist())),
            None if counts is None
            else tuple(discretizer.missing_counts_[feature].tolist())))
    return SavedCuts(tuple(variables), {
        "method": discretizer.short_name, "parameters": _parameters(discretizer),
        "named": names is not None, "classes": classes})


def plain_labels(labels: list | None) -> list | None:
    """Return labels that JSON can hold; None if it cannot hold all of them."""
    return None if labels is None or not all(map(_is_plain, labels)) else labels


def _plain_categories(categories):
    """Return categories that JSON can hold, or raise a ValueError."""
    if plain_labels(categories) is None:
        odd = next(value for value in categories if not _is_plain(value))
        raise ValueError(f"JSON cannot hold the category {odd!r}; make categories "
                         "text or finite numbers, and fit again.")
    return tuple(categories)


def _parameters(discretizer):
    """Return the parameters that are numbers, texts, truth values, or none."""
    given = {name: value.item() if isinstance(value, np.generic) else value
             for name, value in discretizer.get_params(deep=False).items()}
    return {name: value for name, value in given.items()
            if value is None or _is_plain(value)}


def _is_plain(value):
    return isinstance(value, bool | int | float | str) and value == value \
        and abs(value if isinstance(value, float) else 0) < np.inf


def restore(cls: type[_Fitted], saved: SavedCuts) -> _Fitted:
    """
    Return a fitted discretizer.

    Parameters
    ----------
    cls : type
        Of the discretizer.
    saved : SavedCuts

    Returns
    -------
    instance of `cls`
    """
    discretizer: Any = cls(**_known_parameters(cls, saved))
    variables = saved.variables
    n_features = len(variables)
    discretizer.n_features_in_ = n_features
    if saved.about.get("named", True):
        discretizer.feature_names_in_ = np.array(
            [var.name for var in variables], dtype=object)
    discretizer.categorical_features_ = np.array(
        [var.type == "categorical" for var in variables], dtype=bool)
    discretizer.categories_ = [
        None if var.categories is None else _category_array(var.categories)
        for var in variables]
    discretizer.cut_points_ = [np.array(var.cuts, dtype=np.float64)
                               for var in variables]
    discretizer.n_intervals_ = np.array([
        len(var.cuts) + 1 + var.missing if var.categories is None
        else len(var.categories) for var in variables], dtype=int)
    discretizer.mutual_information_ = np.array([
        np.nan if var.information is None else var.information for var in variables])
    discretizer.ranges_ = np.array([
        var.range or (np.nan, np.nan) for var in variables]).reshape(n_features, 2)
    classes = saved.about.get("classes")
    discretizer.classes_ = np.array([] if classes is None else classes)
    discretizer.counts_ = [None if var.counts is None else np.array(var.counts)
                           for var in variables]
    discretizer.missing_counts_ = np.array([
        var.missing_counts or [0] * len(discretizer.classes_) for var in variables]
    ).reshape(n_features, len(discretizer.classes_))
    discretizer._saved_names = [var.intervals for var in variables]
    return discretizer


def _known_parameters(cls, saved):
    """Return the parameters of the discretizer, or raise a ValueError."""
    method = saved.about.get("method", cls.short_name)
    if method != cls.short_name:
        raise ValueError(f"The cut points are those of {method}, and {cls.__name__} "
                         "cannot take them.")
    missing = {var.missing for var in saved.cut_variables}
    given = saved.about.get("parameters", {})
    parameters = {name: value for name, value in given.items()
                  if name in cls._get_param_names()}
    if True in missing or "missing" in parameters:
        parameters["missing"] = "interval" if True in missing else "ignore"
    cls(**parameters).check_parameters()
    return parameters


def _category_array(categories):
    plain = np.array(categories)
    return plain if plain.dtype.kind in "biuf" else np.array(categories, dtype=object)
