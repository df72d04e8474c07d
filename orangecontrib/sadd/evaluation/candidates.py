"""Classifiers that are evaluated as a whole, by their probabilities.

They get rows with missing values and preprocess the rows on their own.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from orangecontrib.sadd.core.classifiers import NaiveBayesClassifier, RNBPlusClassifier
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier
from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["CANDIDATES", "REFERENCES", "Candidate", "LabellerClassifier"]


class Candidate(NamedTuple):
    """
    A classifier in learning curves, among the rivals, or both.

    Attributes
    ----------
    name : str
        Name in the column ``classifier`` of the results.
    make : callable
        Returns the unfitted classifier for the parameters of SADD on a data set.
    pools : tuple of str
        Pools in learning curves: "none", "training", or both; empty if left out.
    is_rival : bool
        Whether ``--rivals`` includes it.
    """

    name: str
    make: Callable[[dict[str, Any]], Any]
    pools: tuple[str, ...] = ()
    is_rival: bool = False


class LabellerClassifier:
    """
    A labeller of unlabelled rows as a classifier.

    Parameters
    ----------
    labeller : str
        As for `Labeller`.
    sadd : dict
        Parameters of SADD.
    **parameters
        Further parameters of `Labeller`.
    """

    def __init__(self, labeller: str, sadd: dict[str, Any], **parameters: Any) -> None:
        self.labeller = labeller
        self.parameters = parameters | {
            "categorical": sadd["categorical_features"],
            "random_state": sadd["random_state"]}

    def fit(self, X: Floats, y: Integers, unlabelled: Floats | None = None
            ) -> "LabellerClassifier":
        """Fit the labeller to labelled rows, which may be scaled with others."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.labeller_ = Labeller(self.labeller, X, codes, len(self.classes_),
                                  unlabelled=unlabelled, **self.parameters)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return probabilities of the classes."""
        return self.labeller_(X).proba

    def predict(self, X: Floats) -> Integers:
        """Return the most likely classes."""
        return self.classes_[self.predict_proba(X).argmax(axis=1)]


def _common(sadd):
    """Return the parameters of SADD that all classifiers have."""
    return {name: sadd[name] for name in ("categorical_features", "unlabelled_label")}


def _neighbours(sadd):
    return LabellerClassifier(
        "neighbours", sadd, k=sadd["k"], standardize=sadd["standardize"])


def _logistic_regression():
    return LogisticRegression(C=1.0, max_iter=1000)


def _encoded(classifier: BaseEstimator) -> Callable[[dict[str, Any]], BaseEstimator]:
    """Return a function that adds imputation, scaling and one-hot encoding."""
    def make(sadd):
        is_categorical = sadd["categorical_features"]
        numeric = make_pipeline(SimpleImputer(keep_empty_features=True),
                                StandardScaler())
        categorical = make_pipeline(
            SimpleImputer(strategy="most_frequent", keep_empty_features=True),
            OneHotEncoder(handle_unknown="ignore", sparse_output=False))
        columns = ColumnTransformer([
            ("numeric", numeric, np.flatnonzero(~is_categorical)),
            ("categorical", categorical, np.flatnonzero(is_categorical))])
        made = classifier()
        if "random_state" in made.get_params():
            made.set_params(random_state=sadd["random_state"])
        return make_pipeline(columns, made)

    return make


#: Candidates with which all others are compared
REFERENCES = ("RNB+", "SADD Tables")

CANDIDATES = (
    Candidate("RNB+", lambda sadd: RNBPlusClassifier(**sadd), ("none", "training"),
              is_rival=True),
    Candidate("SADD Tables", lambda sadd: SADDTablesClassifier(
        random_state=sadd["random_state"], **_common(sadd)), ("none", "training"),
        is_rival=True),
    Candidate("NB on MDLP", lambda sadd: NaiveBayesClassifier("MDLP", **_common(sadd)),
              ("none",)),
    Candidate("NB on SADD", lambda sadd: NaiveBayesClassifier(
        SADDDiscretizer(**sadd), **_common(sadd)), ("none",)),
    Candidate("k-NN labeller", _neighbours, ("none",)),
    Candidate("committee", lambda sadd: LabellerClassifier("committee", sadd),
              ("training",)),
    Candidate("SADD, logistic regression", lambda sadd: make_pipeline(
        SADDDiscretizer(**sadd), OneHotEncoder(handle_unknown="ignore"),
        _logistic_regression()), is_rival=True),
    Candidate("logistic regression", _encoded(_logistic_regression), ("none",),
              is_rival=True),
    Candidate("k-NN", _encoded(KNeighborsClassifier), is_rival=True),
    Candidate("Gaussian NB", _encoded(GaussianNB), is_rival=True),
    Candidate("random forest", _encoded(RandomForestClassifier), is_rival=True),
    Candidate("gradient boosting", _encoded(HistGradientBoostingClassifier),
              is_rival=True),
)
