"""What widgets say about their data: obstacles, and how the pool fits."""

from typing import NamedTuple

import numpy as np

from orangecontrib.sadd.tables import labelled_classes, match_columns

__all__ = ["Pool", "find_obstacle", "inspect_pool", "listed"]

# Names that a message lists
LISTED_NAMES = 5


class Pool(NamedTuple):
    """What became of the pool: rows that Data has, too, and columns that it lacks."""

    n_known: int
    missing: tuple
    has_columns: bool


def find_obstacle(data):
    """Tell why no model can be learned from a table with a class, in a sentence."""
    if not data.domain.has_discrete_class:
        return ("The target of Data is numeric. Use Select Columns to choose a "
                "categorical one, or make it so with Discretize.")
    if not len(data):
        return "Data has no rows. Connect a table that has some."
    n_classes = len(np.unique(labelled_classes(data)))
    if not n_classes:
        return ("No row of Data has a class. Connect data in which some rows of at "
                "least two classes are labelled.")
    if n_classes == 1:
        return ("All labelled rows are of one class. Connect data with rows of at "
                "least two classes.")
    if not data.domain.attributes:
        return ("Data has no features to learn from. Use Select Columns to choose "
                "some.")
    return ""


def listed(variables):
    """Names of variables, not too many."""
    names = ", ".join(var.name for var in variables[:LISTED_NAMES])
    rest = len(variables) - LISTED_NAMES
    return f"{names} and {rest} more" if rest > 0 else names


def inspect_pool(data, unlabelled):
    """Tell how well the pool, if there is any, fits the data."""
    if not unlabelled:
        return None
    known = np.isin(unlabelled.ids, data.ids)
    if known.all():  # what is left out needs no columns
        return Pool(len(unlabelled), (), True)
    attributes = data.domain.attributes
    _, missing = match_columns(unlabelled[~known], attributes)
    return Pool(int(known.sum()), missing, len(missing) < len(attributes))
