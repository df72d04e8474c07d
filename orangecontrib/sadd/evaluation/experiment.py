"""The settings of a benchmark: what is compared, and how often."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from orangecontrib.sadd.core.registry import CLASSIFIERS, DISCRETIZERS
from orangecontrib.sadd.evaluation.contenders import (
    SADD_TABLES,
    WHOLE,
    Contender,
    Whole,
)
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.splits import label_numbers

__all__ = ["PUBLISHED", "Experiment"]

# The paper compares all discretizers by NB, and the other classifiers on these two.
FAMILY = ("SADD", "MDLP")

#: Settings of the paper
PUBLISHED: dict[str, Any] = {
    "published": True, "k": "validation", "standardize": False, "impute": True,
    "classifiers": tuple(name for name in CLASSIFIERS if name != SADD_TABLES),
    "label_fractions": (1.0, 0.4)}


@dataclass(frozen=True)
class Experiment:
    """
    Settings of a benchmark. Settings and data determine every figure except times.

    Attributes
    ----------
    discretizers : tuple of str
        Keys of `DISCRETIZERS`.
    classifiers : tuple of str
        Keys of `CLASSIFIERS`. SADD Tables discretizes on its own.
    all_pairs : bool
        Whether each classifier is evaluated on each discretizer. By default, NB is
        evaluated on each, and other classifiers on SADD and MDLP.
    folds, repeats : int
        Repeated stratified cross-validation.
    seed : int
    label_fractions : tuple of float
        Fractions of the training rows whose label the discretizer gets.
    k, n0 : str or int, float
        Number of neighbours and N0 of SADD.
    standardize : bool
        Whether SADD standardizes attributes; the paper does not.
    impute : bool
        Whether missing values become means and modes. They are those of the training
        rows; for transductive SADD, of all rows, as in the paper.
    published : bool
        Whether significance is counted by the paper's test, and transductive SADD is
        the first of its rows.
    label_counts : tuple of int
        Numbers of labelled rows in learning curves. If there are any, each repetition
        is a random split, and classifiers as a whole replace `discretizers` and
        `classifiers`.
    rivals : bool
        Whether classifiers of scikit-learn are evaluated on the same rows.
    """

    discretizers: tuple[str, ...] = tuple(DISCRETIZERS)
    classifiers: tuple[str, ...] = tuple(CLASSIFIERS)
    all_pairs: bool = False
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    label_fractions: tuple[float, ...] = (1.0,)
    k: str | int = "auto"
    n0: float = 2000.0
    standardize: bool = True
    impute: bool = False
    published: bool = False
    label_counts: tuple[int, ...] = ()
    rivals: bool = False

    def check(self, data: DataSet) -> None:
        """
        Raise a ValueError if a data set cannot be evaluated.

        Examples
        --------
        >>> from orangecontrib.sadd.evaluation.datasets import load
        >>> Experiment(folds=60).check(load("iris"))
        Traceback (most recent call last):
        ValueError: The largest class has 50 rows, fewer than the 60 folds.
        """
        facts, largest = data.facts, int(np.bincount(data.y, minlength=1).max())
        if not data.X.shape[1]:
            raise ValueError("There are no variables.")
        if facts["classes"] < 2:
            raise ValueError("There are fewer than two classes.")
        if self.label_counts and not label_numbers(data, self.label_counts):
            raise ValueError(
                f"{facts['rows']} rows of {facts['classes']} classes are too few for "
                "these --label-counts. Each class needs a labelled row, and as many "
                "training rows must stay unlabelled.")
        if not self.label_counts and largest < self.folds:
            raise ValueError(f"The largest class has {largest} rows, fewer than the "
                             f"{self.folds} folds.")

    def contenders(self, labelled: float) -> Iterator[Contender]:
        """Yield the discretizers to evaluate with a fraction of labels."""
        for name in self.discretizers:
            found = [Contender(name)]
            if DISCRETIZERS[name].uses_unlabelled:
                found.append(Contender(name, "test" if labelled == 1 else "training"))
            elif labelled < 1 and not DISCRETIZERS[name].uses_class:
                continue
            yield from reversed(found) if self.published else found

    def classifiers_of(self, discretizer: str, labelled: float) -> list[str]:
        """Return the classifiers to train on the intervals of a discretizer."""
        with_family = labelled == 1 and discretizer in FAMILY
        return [name for name in self.classifiers if name != SADD_TABLES
                and (name == "NB" or with_family or self.all_pairs)]

    def whole(self) -> list[Whole]:
        """Return the classifiers to evaluate as a whole."""
        if self.label_counts:
            return [one for one in WHOLE if self.rivals or not one.is_rival]
        chosen = {SADD_TABLES, "RNB+"} if SADD_TABLES in self.classifiers else set()
        more = {"logistic regression", "committee"} if self.rivals else set()
        return [one for one in WHOLE if "none" in one.pools and (
            one.name in chosen | more or self.rivals and one.is_rival)]

    def sadd_parameters(self, data: DataSet) -> dict[str, Any]:
        """Return the parameters of SADD for a data set."""
        return {
            "k": self.k, "n0": self.n0,
            "standardize": self.standardize, "random_state": self.seed,
            "categorical_features": data.categorical, "unlabelled_label": None,
        }
