"""Data sets that come with Orange and scikit-learn, as arrays."""

from dataclasses import dataclass
from functools import partial

import numpy as np

__all__ = ["BUNDLED", "DataSet", "load_bundled"]


@dataclass(frozen=True, eq=False)
class DataSet:
    """
    A classification problem.

    Attributes
    ----------
    name : str
        Name to show.
    X : ndarray of float of shape (n_rows, n_attributes)
        Values; those of categorical attributes are codes; NaN where missing.
    y : ndarray of int of shape (n_rows,)
        Classes from 0 on, so that -1 is free to mark an unlabelled row.
    categorical : ndarray of bool of shape (n_attributes,)
        Which attributes are categorical.
    """

    name: str
    X: np.ndarray
    y: np.ndarray
    categorical: np.ndarray

    @property
    def n_classes(self):
        """Number of classes that occur."""
        return len(np.unique(self.y))

    @property
    def summary(self):
        """The data set in one line."""
        n_categorical = int(self.categorical.sum())
        kinds = f"{len(self.categorical) - n_categorical} numeric"
        if n_categorical:
            kinds += f" and {n_categorical} categorical"
        return (
            f"{self.name}: {len(self.y)} rows, {kinds} attributes, "
            f"{self.n_classes} classes"
        )


def _from_sklearn(name, every=1):
    import sklearn.datasets

    bunch = getattr(sklearn.datasets, f"load_{name}")()
    X = np.asarray(bunch.data, dtype=float)[::every]
    y = bunch.target.astype(int)[::every]
    if every > 1:
        name = f"{name} (one row in {every})"
    return DataSet(name, X, y, np.zeros(X.shape[1], dtype=bool))


def _from_orange(name):
    # Orange takes a second to import and is not needed for scikit-learn's data.
    from Orange.data import Table

    table = Table(name)
    return DataSet(
        name,
        np.array(table.X, dtype=float),
        table.Y.astype(int),
        np.array([attribute.is_discrete for attribute in table.domain.attributes]),
    )


# Those with a categorical target and numeric attributes; none needs a network. A third
# of the digits will do, so that the demo does not take longer for it than for the rest.
BUNDLED = {
    "iris": partial(_from_sklearn, "iris"),
    "wine": partial(_from_sklearn, "wine"),
    "breast_cancer": partial(_from_sklearn, "breast_cancer"),
    "digits": partial(_from_sklearn, "digits", every=3),
    "heart_disease": partial(_from_orange, "heart_disease"),
    "brown-selected": partial(_from_orange, "brown-selected"),
}


def load_bundled(name):
    """
    Return a data set that comes with Orange or scikit-learn.

    Parameters
    ----------
    name : str
        One of the names in `BUNDLED`.

    Returns
    -------
    DataSet

    Examples
    --------
    >>> load_bundled("heart_disease").summary
    'heart_disease: 303 rows, 6 numeric and 7 categorical attributes, 2 classes'
    """
    try:
        load = BUNDLED[name]
    except KeyError:
        raise ValueError(
            f"There is no bundled data set {name!r}; choose from {', '.join(BUNDLED)}."
        ) from None
    return load()
