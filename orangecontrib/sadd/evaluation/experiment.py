"""What a benchmark evaluates: methods, classifiers, and which rows train and test."""

import json
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold, train_test_split

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.discretizer_base import Discretizer
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.types import ArrayLike, Integers, RandomState
from orangecontrib.sadd.evaluation.datasets import DataSet

__all__ = ["FAMILY", "Experiment", "Variant", "check_folds", "label_numbers",
           "labelled_part", "random_split", "stratified_folds", "stratified_order"]

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

# Test rows of a random split: a third, and not more than this
MOST_TEST_ROWS = 2000


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


def stratified_folds(y: ArrayLike, n_folds: int = 10, random_state: RandomState = 0
                     ) -> list[tuple[Integers, Integers]]:
    """
    Split rows into folds in which the classes are about equally frequent.

    A class may have fewer rows than there are folds; some folds then lack it.

    Parameters
    ----------
    y : array-like of shape (n_rows,)
        Classes.
    n_folds : int
        Number of folds.
    random_state : int
        Seed of the shuffle.

    Returns
    -------
    list of (ndarray, ndarray)
        Training and test rows of each fold.

    Examples
    --------
    >>> folds = stratified_folds([0] * 6 + [1] * 3, n_folds=3)
    >>> [len(test) for train, test in folds]
    [3, 3, 3]
    """
    y = np.asarray(y)
    splitter = StratifiedKFold(n_folds, shuffle=True, random_state=random_state)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(np.zeros(len(y)), y))


def check_folds(data: DataSet, n_folds: int) -> None:
    """
    Raise a ValueError if a data set cannot be evaluated.

    Parameters
    ----------
    data : DataSet
    n_folds : int

    Examples
    --------
    >>> from orangecontrib.sadd.evaluation.datasets import load_bundled
    >>> check_folds(load_bundled("iris"), 60)
    Traceback (most recent call last):
    ValueError: The largest class has 50 rows, fewer than the 60 folds.
    """
    if not data.X.shape[1]:
        raise ValueError("There are no attributes.")
    if data.n_classes < 2:
        raise ValueError("There are fewer than two classes.")
    largest = int(np.bincount(data.y).max())
    if largest < n_folds:
        raise ValueError(
            f"The largest class has {largest} rows, fewer than the {n_folds} folds."
        )


def labelled_part(train: Integers, y: Integers, fraction: float, seed: list[int]
                  ) -> Integers:
    """Choose a fraction of the training rows, about the same of each class."""
    if fraction == 1:
        return train
    state = np.random.default_rng(seed).integers(2**31)
    # A class with a single row cannot be stratified, so all such classes form one
    # stratum; if there is only one, its row joins the largest class.
    counts = np.bincount(y[train])
    strata = np.where(counts[y[train]] > 1, y[train], -1)
    if np.sum(strata == -1) == 1:
        strata[strata == -1] = np.argmax(counts)
    n_strata = len(np.unique(strata))
    n_known = round(fraction * len(train))
    n_known = int(np.clip(n_known, n_strata, len(train) - n_strata))
    known, _ = train_test_split(
        train, train_size=n_known, stratify=strata, random_state=state
    )
    return np.sort(known)


def stratified_order(rows: Integers, y: Integers, random: np.random.Generator,
                     *, each_class_first: bool = False) -> Integers:
    """
    Shuffle rows so that classes are about equally frequent in every beginning.

    Parameters
    ----------
    rows : ndarray of int
        Indices of rows.
    y : ndarray of int
        Classes of all rows.
    random : Generator
    each_class_first : bool
        Begin with one row of each class, the most frequent class first.

    Returns
    -------
    ndarray of int
        The same rows.

    Examples
    --------
    >>> y = np.array([0] * 8 + [1] * 4)
    >>> order = stratified_order(np.arange(12), y, np.random.default_rng(0))
    >>> np.bincount(y[order[:6]])
    array([4, 2])
    """
    rows = random.permutation(rows)
    groups = pd.Series(rows).groupby(y[rows])
    rank = groups.cumcount().to_numpy()
    size = groups.transform("size").to_numpy()
    start = random.random(int(y.max()) + 1)[y[rows]]
    first = np.where(each_class_first & (rank == 0), -size, 0)
    return rows[np.lexsort(((rank + start) / size, first))]


def random_split(y: Integers, seed: list[int]) -> tuple[Integers, Integers]:
    """
    Return training and test rows of a random stratified split.

    A third of the rows, but at most 2,000, are for testing.

    Examples
    --------
    >>> train, test = random_split(np.repeat([0, 1], [60, 30]), [0])
    >>> len(train), len(test)
    (60, 30)
    """
    order = stratified_order(np.arange(len(y)), y, np.random.default_rng(seed))
    n_test = min(len(y) // 3, MOST_TEST_ROWS)
    return np.sort(order[n_test:]), np.sort(order[:n_test])


def label_numbers(data: DataSet, wanted: tuple[int, ...]) -> list[int]:
    """
    Return those numbers of labelled rows that make sense for a data set.

    There must be one for each class, and at least as many unlabelled training rows.

    Examples
    --------
    >>> from orangecontrib.sadd.evaluation.datasets import load_bundled
    >>> label_numbers(load_bundled("iris"), (2, 10, 50, 100))
    [10, 50]
    """
    n_train = len(data.y) - min(len(data.y) // 3, MOST_TEST_ROWS)
    return [n for n in wanted if data.n_classes <= n <= n_train // 2]
