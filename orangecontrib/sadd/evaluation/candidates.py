"""Classifiers that are evaluated as a whole, and the measures of their probabilities.

They get rows as they are, missing values included, and preprocess them on their own.
"""

import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from orangecontrib.sadd.core.classifiers import NaiveBayesClassifier, RNBPlusClassifier
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.pseudolabels.labellers import Labeller
from orangecontrib.sadd.core.types import Floats, Integers
from orangecontrib.sadd.evaluation.datasets import DataSet
from orangecontrib.sadd.evaluation.experiment import Experiment

__all__ = ["N_BINS", "Candidate", "LabellerClassifier", "brier_score",
           "calibration_bins", "calibration_error", "candidates_of",
           "evaluate_candidate", "probability_measures"]

Make = Callable[[DataSet, Experiment], BaseEstimator]

# Bins of equal width, of the probability of the predicted class
N_BINS = 15


@dataclass(frozen=True)
class Candidate:
    """
    A classifier, and whether it sees the unlabelled rows.

    Attributes
    ----------
    name : str
        What is in the column ``classifier`` of the results.
    make : callable
        Returns the classifier for a data set and an experiment, unfitted.
    pool : {"none", "training"}
        Where its unlabelled rows come from.
    """

    name: str
    make: Make
    pool: str = "none"


class LabellerClassifier(ClassifierMixin, BaseEstimator):
    """
    A labeller of pool rows as a classifier in its own right.

    Parameters
    ----------
    labeller, k, normalize, random_state, categorical
        As for `Labeller`.
    """

    def __init__(self, labeller: str, *, k: str | int = "auto", normalize: bool = True,
                 random_state: int = 0, categorical: Any = None) -> None:
        self.labeller = labeller
        self.k = k
        self.normalize = normalize
        self.random_state = random_state
        self.categorical = categorical

    def fit(self, X: Floats, y: Integers) -> "LabellerClassifier":
        """Learn from labelled rows."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.labeller_ = Labeller(
            self.labeller, X, codes, len(self.classes_), categorical=self.categorical,
            k=self.k, normalize=self.normalize, random_state=self.random_state)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return probabilities of the classes."""
        return self.labeller_(X).proba

    def predict(self, X: Floats) -> Integers:
        """Return the most likely classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _sadd_parameters(data, experiment):
    return {
        "k": experiment.k[0], "n0": experiment.n0[0],
        "normalize": experiment.normalize, "random_state": experiment.seed,
        "categorical_features": data.categorical, "unlabelled_label": None,
    }


def _published(data, experiment):
    return RNBPlusClassifier(**_sadd_parameters(data, experiment))


def _few_labels(data, experiment):
    # The recipe is that of the Orange learner, and Orange takes a second to import.
    from orangecontrib.sadd.classification import RECIPES

    parameters = _sadd_parameters(data, experiment) | {"normalize": True}
    return RNBPlusClassifier(**parameters, **RECIPES["few-labels"])


def _naive_bayes(method):
    def make(data, experiment):
        discretizer = method
        if method == "SADD":
            discretizer = SADDDiscretizer(**_sadd_parameters(data, experiment))
        return NaiveBayesClassifier(
            discretizer, categorical_features=data.categorical, unlabelled_label=None)

    return make


def _neighbours(data, experiment):
    return LabellerClassifier(
        "neighbours", k=experiment.k[0], normalize=experiment.normalize,
        random_state=experiment.seed, categorical=data.categorical)


def _committee(data, experiment):
    return LabellerClassifier(
        "committee", random_state=experiment.seed, categorical=data.categorical)


def _logistic_regression():
    return LogisticRegression(C=1.0, max_iter=1000)


def _scikit_learn(estimator):
    """Return a function that puts what a classifier needs in front of it."""
    def make(data, experiment):
        numeric = make_pipeline(SimpleImputer(keep_empty_features=True),
                                StandardScaler())
        categorical = make_pipeline(
            SimpleImputer(strategy="most_frequent", keep_empty_features=True),
            OneHotEncoder(handle_unknown="ignore", sparse_output=False))
        columns = ColumnTransformer([
            ("numeric", numeric, np.flatnonzero(~data.categorical)),
            ("categorical", categorical, np.flatnonzero(data.categorical)),
        ])
        made = estimator()
        if "random_state" in made.get_params():
            made.set_params(random_state=experiment.seed)
        return make_pipeline(columns, made)

    return make


def _intervals_to_logistic_regression(data, experiment):
    parameters = _sadd_parameters(data, experiment)
    return make_pipeline(
        SADDDiscretizer(**parameters),
        OneHotEncoder(handle_unknown="ignore"),
        _logistic_regression())


PUBLISHED = Candidate("RNB+", _published)
FEW_LABELS = Candidate("RNB+ few labels", _few_labels)
LOGISTIC = Candidate("logistic regression", _scikit_learn(_logistic_regression))

#: Those of learning curves
CURVES = (
    PUBLISHED,
    Candidate(PUBLISHED.name, _published, "training"),
    FEW_LABELS,
    Candidate(FEW_LABELS.name, _few_labels, "training"),
    Candidate("NB on MDLP", _naive_bayes("MDLP")),
    Candidate("NB on SADD", _naive_bayes("SADD")),
    Candidate("k-NN labeller", _neighbours),
    Candidate("committee", _committee),
    LOGISTIC,
)

#: Those that `--rivals` adds to the ordinary run
RIVALS = (
    PUBLISHED,
    FEW_LABELS,
    Candidate("SADD, logistic regression", _intervals_to_logistic_regression),
    LOGISTIC,
    Candidate("k-NN", _scikit_learn(KNeighborsClassifier)),
    Candidate("Gaussian NB", _scikit_learn(GaussianNB)),
    Candidate("random forest", _scikit_learn(RandomForestClassifier)),
    Candidate("gradient boosting", _scikit_learn(HistGradientBoostingClassifier)),
)


def candidates_of(experiment: Experiment) -> tuple[Candidate, ...]:
    """Return the candidates of an experiment; none in that of the paper."""
    if experiment.labels:
        return CURVES
    return RIVALS if experiment.rivals else ()


def evaluate_candidate(
    candidate: Candidate, data: DataSet, experiment: Experiment, known: Integers,
    pool: Integers, test: Integers,
) -> tuple[dict[str, object], list[dict]]:
    """
    Fit a candidate and test it on rows that it has not seen.

    Parameters
    ----------
    candidate : Candidate
    data : DataSet
    experiment : Experiment
    known, pool, test : ndarray of int
        Labelled, unlabelled and test rows. Classes of the pool are not read.

    Returns
    -------
    figures : dict
        Measures and time.
    bins : list of dict
        Those of `calibration_bins`.
    """
    model = candidate.make(data, experiment)
    more = {} if candidate.pool == "none" else {"X_unlabelled": data.X[pool]}
    started = time.perf_counter()
    with warnings.catch_warnings():
        # A limited number of iterations is part of the published method.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(data.X[known], data.y[known], **more)
    found = model.predict_proba(data.X[test])
    seconds = time.perf_counter() - started
    # A class without a labelled row has no chance.
    proba = np.zeros((len(test), int(data.y.max()) + 1))
    proba[:, model.classes_] = found
    y = data.y[test]
    bins = calibration_bins(y, proba).to_dict("records")
    return {**probability_measures(y, proba), "error": "",
            "seconds_classify": seconds}, bins


def brier_score(y: Integers, proba: Floats) -> float:
    """
    Return the squared error of probabilities: summed over classes, mean over rows.

    It is between 0 and 2. With two classes it is twice that of scikit-learn, which
    then counts one of them.

    Examples
    --------
    >>> brier_score(np.array([0, 1]), np.array([[1., 0.], [0.5, 0.5]]))
    0.25
    """
    truth = np.eye(proba.shape[1])[y]
    return float(np.mean(np.sum((proba - truth) ** 2, axis=1)))


def probability_measures(y: Integers, proba: Floats) -> dict[str, float]:
    """
    Return accuracy, log loss and Brier score of predictions.

    Parameters
    ----------
    y : ndarray of int, shape (n_rows,)
        Classes from 0.
    proba : ndarray of float, shape (n_rows, n_classes)
        Probabilities. For the log loss they are kept away from 0 and 1 by 2.2e-16, as
        scikit-learn does it, so that a class held impossible costs 36.

    Examples
    --------
    >>> found = probability_measures(np.array([0, 1]), np.array([[1., 0], [0.5, 0.5]]))
    >>> {name: round(value, 3) for name, value in found.items()}
    {'accuracy': 0.5, 'log_loss': 0.347, 'brier': 0.25}
    """
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y)),
        "log_loss": float(log_loss(y, proba, labels=np.arange(proba.shape[1]))),
        "brier": brier_score(y, proba),
    }


def calibration_bins(y: Integers, proba: Floats) -> pd.DataFrame:
    """
    Count rows, and those predicted right, by the probability of the predicted class.

    Returns
    -------
    DataFrame
        ``bin`` from 0, ``rows`` in it, the sum of their ``confidence``, and how many
        are ``right``; bins without rows are left out.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> calibration_bins(np.array([0, 1, 0]), proba).to_dict("records")[0]
    {'bin': 9, 'rows': 2, 'confidence': 1.25, 'right': 1}
    """
    confidence = proba.max(axis=1)
    bins = np.clip((confidence * N_BINS).astype(int), 0, N_BINS - 1)
    frame = pd.DataFrame({
        "bin": bins, "rows": 1, "confidence": confidence,
        "right": (proba.argmax(axis=1) == y).astype(int),
    })
    return frame.groupby("bin", as_index=False).sum()


def calibration_error(bins: pd.DataFrame) -> float:
    """
    Return the expected calibration error (ECE).

    The mean over rows of the distance, in their bin, between the mean confidence and
    the fraction predicted right.

    Parameters
    ----------
    bins : DataFrame
        As from `calibration_bins`; bins of several tests count as one.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> round(calibration_error(calibration_bins(np.array([0, 1, 0]), proba)), 4)
    0.0833
    """
    sums = bins.groupby("bin")[["rows", "confidence", "right"]].sum()
    gaps = (sums["confidence"] - sums["right"]).abs()
    return float(gaps.sum() / sums["rows"].sum())
