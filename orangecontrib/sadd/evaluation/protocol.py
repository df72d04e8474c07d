"""One fold of a cross-validation: every method and classifier, fitted and tested.

Training never sees the label of a test row. It may see the row itself, unlabelled, if
a method is transductive, as SADD is in the paper.
"""

import time
import warnings
from dataclasses import asdict, dataclass, field

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.cluster import contingency_matrix
from sklearn.model_selection import StratifiedKFold, train_test_split
from sklearn.preprocessing import FunctionTransformer

from orangecontrib.sadd.core.pseudolabels.neighbours import pseudo_label
from orangecontrib.sadd.core.splitting.criterion import mutual_information
from orangecontrib.sadd.core.types import ArrayLike, Floats, Integers, RandomState
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.settings import FAMILY, Settings, Variant

__all__ = [
    "NEIGHBOURS", "UNLABELLED", "Cell", "check_folds", "evaluate_fold", "information",
    "stratified_folds",
]

# The label of rows whose class is not known. scikit-learn's -1 would not do: it might
# be a class, as far as a discretizer can tell, if there is but one other.
UNLABELLED = np.nan

# What stands for a method in the cells of the k-NN that makes the pseudo-labels
NEIGHBOURS = "k-NN"


@dataclass(frozen=True)
class Cell:
    """
    What came out of one method and classifier on one fold.

    Attributes
    ----------
    labelled : float
        Share of the training rows whose label the discretizer has seen.
    classifier_labels : {"all", "labelled"}
        Whether the classifier was trained on all training rows, as in the paper's
        experiment with few labels, or on those labelled ones only.
    method, pool, k, n0
        See `Variant`. The method may be `NEIGHBOURS`.
    classifier : str
        A key of `FAMILY`; empty for `NEIGHBOURS`.
    accuracy : float
        Share of test rows that are predicted right; NaN if it failed.
    intervals : str
        Numbers of intervals of the numeric attributes.
    information : str
        Mutual information, in bits, of the numeric attributes' intervals and the class
        in the training rows; empty unless all of these are labelled.
    chosen_k : int or None
        Number of neighbours that gave the pseudo-labels.
    error : str
        Why it failed; empty if it did not.
    seconds_discretize, seconds_classify : float
        Time to find the cut points; to train the classifier and to test it.
    """

    labelled: float
    classifier_labels: str
    method: str
    pool: str
    k: str | int | None
    n0: float | None
    classifier: str
    accuracy: float = float("nan")
    intervals: str = ""
    information: str = ""
    chosen_k: int | None = None
    error: str = ""
    seconds_discretize: float = field(default=0.0, compare=False)
    seconds_classify: float = field(default=0.0, compare=False)


def stratified_folds(y: ArrayLike, n_folds: int = 10, random_state: RandomState = 0
                     ) -> list[tuple[Integers, Integers]]:
    """
    Split rows into folds in which the classes have about the same shares.

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
    if data.n_classes < 2:
        raise ValueError("There are fewer than two classes.")
    largest = int(np.bincount(data.y).max())
    if largest < n_folds:
        raise ValueError(
            f"The largest class has {largest} rows, fewer than the {n_folds} folds."
        )


def evaluate_fold(
    data: DataSet, settings: Settings, repeat: int = 0, fold: int = 0
) -> list[Cell]:
    """
    Fit and test every method and classifier on one fold.

    Parameters
    ----------
    data : DataSet
    settings : Settings
    repeat, fold : int
        Which fold of which repetition.

    Returns
    -------
    list of Cell
        In an order that depends on the settings only. A method or classifier that
        fails gives cells with an error, and does not stop the others.
    """
    if settings.impute:
        data = data.imputed()
    folds = stratified_folds(data.y, settings.folds, settings.seed + repeat)
    train, test = folds[fold]
    cells = []
    for labelled in settings.labelled:
        seed = [settings.seed, repeat, fold]
        known = _labelled_rows(train, data.y, labelled, seed)
        work = _Work(data, settings, labelled, known, train, test)
        for variant in settings.variants(labelled):
            cells += work.cells(variant)
    return cells


def _labelled_rows(train, y, share, seed):
    """Choose a share of the training rows, of each class as nearly as possible."""
    if share == 1:
        return train
    state = np.random.default_rng(seed).integers(2**31)
    # A class that has a single row cannot be stratified; it stays unlabelled or not
    # as the others of its kind would.
    counts = np.bincount(y[train])
    strata = np.where(counts[y[train]] > 1, y[train], -1)
    if np.sum(strata == -1) == 1:
        strata[strata == -1] = np.argmax(counts)
    n_strata = len(np.unique(strata))
    n_known = int(np.clip(round(share * len(train)), n_strata, len(train) - n_strata))
    known, _ = train_test_split(
        train, train_size=n_known, stratify=strata, random_state=state
    )
    return np.sort(known)


class _Work:
    """What is done on a fold with one share of labels."""

    def __init__(self, data, settings, labelled, known, train, test):
        self.data, self.settings, self.labelled = data, settings, labelled
        self.known, self.train, self.test = known, train, test
        # The rows that train a classifier. With few labels, the paper's classifier
        # still has them all; without such luxury it has as many as the discretizer.
        self.training = {"all": train}
        if labelled < 1:
            self.training["labelled"] = known

    def cells(self, variant: Variant) -> list[Cell]:
        """Discretize by a method, and classify."""
        common = {"labelled": self.labelled, **asdict(variant)}
        started = time.perf_counter()
        try:
            discretizer = self._discretize(variant)
            common["seconds_discretize"] = time.perf_counter() - started
            common |= self._figures(discretizer, variant)
        except Exception as error:
            return [
                Cell(**common, classifier=classifier, classifier_labels=labels,
                     error=_sentence(error))
                for classifier in self.settings.classifiers_of(variant, self.labelled)
                for labels in self.training
            ]
        test_codes = discretizer.transform(self.data.X[self.test])
        cells = []
        for labels, rows in self.training.items():
            codes = discretizer.transform(self.data.X[rows])
            for classifier in self.settings.classifiers_of(variant, self.labelled):
                cells.append(Cell(
                    **common, classifier=classifier, classifier_labels=labels,
                    **self._classify(classifier, codes, rows, test_codes)))
        if self.settings.with_neighbours(variant):
            cells.append(self._neighbours(common, discretizer))
        return cells

    def _discretize(self, variant):
        rows, y = self.known, self.data.y[self.known].astype(float)
        if variant.pool != "none":
            # Rows of a data set are distinct, even if their values are not.
            pool = self.test
            if variant.pool == "training":
                pool = np.setdiff1d(self.train, self.known)
            rows = np.concatenate([rows, pool])
            y = np.concatenate([y, np.full(len(pool), UNLABELLED)])
        discretizer = variant.make(
            self.data, self.settings.normalize, self.settings.seed)
        return discretizer.fit(self.data.X[rows], y)

    def _figures(self, discretizer, variant):
        """What is told about the intervals."""
        numeric = ~self.data.categorical
        intervals = discretizer.n_intervals_[numeric]
        figures = {
            "intervals": " ".join(map(str, intervals)),
            "chosen_k": getattr(discretizer, "k_", None),
        }
        if self.labelled == 1:
            bits = discretizer.mutual_information_[numeric]
            if variant.pool != "none":
                # That of the discretizer counts pseudo-labels as labels.
                codes = discretizer.transform(self.data.X[self.train])[:, numeric]
                y = self.data.y[self.train]
                bits = [information(column, y) for column in codes.T]
            figures["information"] = " ".join(f"{max(b, 0):.6f}" for b in bits)
        return figures

    def _classify(self, classifier, codes, rows, test_codes):
        """Train and test a classifier; everything is discretized already."""
        started = time.perf_counter()
        model = FAMILY[classifier](FunctionTransformer(), unlabelled_label=None)
        try:
            with warnings.catch_warnings():
                # A limited number of iterations is part of the published method.
                warnings.simplefilter("ignore", ConvergenceWarning)
                model.fit(codes, self.data.y[rows])
            predictions = model.predict(test_codes)
        except Exception as error:
            return {"error": _sentence(error)}
        return {
            "accuracy": float(np.mean(predictions == self.data.y[self.test])),
            "seconds_classify": time.perf_counter() - started,
        }

    def _neighbours(self, common, discretizer):
        """The accuracy of the k-NN that makes the pseudo-labels."""
        started = time.perf_counter()
        if common["pool"] == "test":
            predictions = discretizer.pseudo_labels_
        else:
            known, codes = np.unique(self.data.y[self.known], return_inverse=True)
            found = pseudo_label(
                self.data.X[self.known], codes, len(known), self.data.X[self.test],
                categorical=self.data.categorical, k=discretizer.k_,
                normalize=self.settings.normalize)
            predictions = known[found.classes]
        own = {"method": NEIGHBOURS, "intervals": "", "information": "", "n0": None}
        return Cell(**{
            **common, **own, "classifier": "",
            "classifier_labels": "all" if self.labelled == 1 else "labelled",
            "accuracy": float(np.mean(predictions == self.data.y[self.test])),
            "seconds_discretize": 0.0,
            "seconds_classify": time.perf_counter() - started,
        })


def information(values: Floats, y: Integers) -> float:
    """
    Compute the mutual information of an attribute and the class, in bits.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Values or codes of intervals; equal ones belong together. NaN is left out.
    y : ndarray of shape (n_rows,)
        Classes.

    Returns
    -------
    float

    Examples
    --------
    >>> information(np.array([0.5, 0.5, 2, 2]), np.array([0, 0, 1, 1]))
    1.0
    """
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    return float(mutual_information(contingency_matrix(y[known], values[known])))


def _sentence(error):
    """An exception in one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())}"
