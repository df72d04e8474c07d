"""What a benchmark evaluates: methods, classifiers, folds and labels."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.evaluation.datasets import DataSet

__all__ = ["FAMILY", "Experiment", "Variant"]

FAMILY = {
    "NB": NaiveBayesClassifier,
    "WANBIA": WANBIAClassifier,
    "CAWNB": CAWNBClassifier,
    "AIWNB eager": partial(AIWNBClassifier, instance_weighting="eager"),
    "AIWNB lazy": partial(AIWNBClassifier, instance_weighting="lazy"),
    "RNB": RNBClassifier,
}

# The paper compares all discretizers by NB, and the other classifiers on these two.
FAMILY_METHODS = ("SADD", "MDLP")


@dataclass(frozen=True)
class Variant:
    """
    A discretization method as it is evaluated.

    Attributes
    ----------
    method : str
        A key of `DISCRETIZERS`.
    pool : str
        Where its unlabelled rows come from: "none", "test" or "training".
    k, n0 : str or int, float
        Parameters of SADD; None for others.
    """

    method: str
    pool: str = "none"
    k: str | int | None = None
    n0: float | None = None

    def make(self, data: DataSet, normalize: bool, seed: int) -> Discretizer:
        """Return the discretizer for a data set, unfitted."""
        parameters: dict[str, object] = {"categorical_features": data.categorical}
        if self.k is not None:
            parameters |= {
                "k": self.k, "n0": self.n0, "normalize": normalize,
                "unlabelled_label": None, "random_state": seed,
            }
        return make_discretizer(self.method, **parameters)


@dataclass(frozen=True)
class Experiment:
    """
    What is evaluated, and how; together with the data it determines every number.

    Attributes
    ----------
    methods, classifiers : tuple of str
        Keys of `DISCRETIZERS` and `FAMILY`.
    all_pairs : bool
        Whether each classifier is run with each method; if not, NB is run with each
        and the others with SADD and MDLP, as in the paper.
    folds, repeats : int
        Repeated stratified cross-validation.
    seed : int
    labelled : tuple of float
        Fractions of the training rows whose label the discretizer may see.
    k : tuple of str or int
        Numbers of neighbours of SADD.
    n0 : tuple of float
        Values of N0.
    normalize : bool
        Whether SADD standardizes attributes; its authors' code does not.
    impute : bool
        Whether missing values become means and modes of all rows, as published.
    labels : tuple of int
        Numbers of labelled rows for learning curves. If there are any, each repetition
        is one random split, `folds` and `labelled` do not matter, and whole classifiers
        are evaluated instead of `methods` with `classifiers`.
    rivals : bool
        Whether other classifiers are evaluated on the same folds.
    """

    methods: tuple[str, ...] = tuple(DISCRETIZERS)
    classifiers: tuple[str, ...] = tuple(FAMILY)
    all_pairs: bool = False
    folds: int = 10
    repeats: int = 1
    seed: int = 0
    labelled: tuple[float, ...] = (1.0, 0.4)
    k: tuple[str | int, ...] = ("validation",)
    n0: tuple[float, ...] = (2000.0,)
    normalize: bool = False
    impute: bool = True
    labels: tuple[int, ...] = ()
    rivals: bool = False

    def as_json(self) -> str:
        """Return it as text, which is equal for equal experiments."""
        return json.dumps(asdict(self), sort_keys=True)

    @property
    def n_parts(self) -> int:
        """Number of folds in a repetition; one if it is a random split."""
        return 1 if self.labels else self.folds

    @property
    def n_fits(self) -> int:
        """Number of fits of methods in a fold, those of the neighbours included."""
        return sum(
            len(list(self.classifiers_of(variant, labelled))) * (1 + (labelled < 1))
            + self.with_neighbours(variant)
            for labelled in self.labelled for variant in self.variants(labelled)
        )

    def with_neighbours(self, variant: Variant) -> bool:
        """Return whether the neighbours behind this variant are evaluated as well."""
        # They do not depend on N0.
        return variant.pool != "none" and variant.n0 == self.n0[0]

    def variants(self, labelled: float) -> Iterator[Variant]:
        """Yield the methods to evaluate with this fraction of labels."""
        for name in self.methods:
            method = DISCRETIZERS[name]
            if method.uses_unlabelled:
                pool = "test" if labelled == 1 else "training"
                for n0 in self.n0:
                    for k in self.k:
                        yield Variant(name, pool, k, n0)
                    # Without unlabelled rows there are no neighbours, and k does not
                    # matter.
                    yield Variant(name, "none", self.k[0], n0)
            elif labelled == 1 or method.uses_class:
                # For methods that need no labels it makes no difference.
                yield Variant(name)

    def classifiers_of(self, variant: Variant, labelled: float) -> Iterator[str]:
        """Yield the classifiers that are trained on the intervals of this method."""
        # In a sweep over k and N0, all but the first are compared by NB only.
        with_family = (
            labelled == 1
            and variant.method in FAMILY_METHODS
            and variant.k in (None, self.k[0])
            and variant.n0 in (None, self.n0[0])
        )
        for classifier in self.classifiers:
            if classifier == "NB" or with_family or self.all_pairs:
                yield classifier
