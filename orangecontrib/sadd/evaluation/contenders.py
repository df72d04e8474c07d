"""Contenders of a benchmark, and the classifiers that it evaluates as a whole.

The latter get rows with missing values and preprocess the rows on their own.
"""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.semi_supervised import LabelSpreading, SelfTrainingClassifier

from orangecontrib.sadd.core.classifiers import NaiveBayesClassifier, RNBPlusClassifier
from orangecontrib.sadd.core.discretizers import SADDDiscretizer
from orangecontrib.sadd.core.labelling.labellers import Labeller
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier
from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["NEIGHBOURS", "SADD_TABLES", "WHOLE", "Contender", "LabellerClassifier",
           "Whole", "shown_name"]

#: Name of the labeller of SADD among the discretizers
NEIGHBOURS = "k-NN"
SADD_TABLES = "SADD Tables"
WAYS = {"test": "transductive", "training": "semi-supervised", "none": "inductive"}


class Contender(NamedTuple):
    """
    What is compared: a discretizer with a classifier, or a classifier as a whole.

    Attributes
    ----------
    discretizer : str
        A key of `DISCRETIZERS`; `NEIGHBOURS`; or empty for a classifier as a whole.
    pool : str
        Source of the unlabelled rows: "none", "test" or "training".
    classifier : str
        Empty for the labeller, and where a figure belongs to the discretizer alone.
    """

    discretizer: str
    pool: str = "none"
    classifier: str = ""


def shown_name(discretizer: str, pool: str = "none", labelled: float = 1.0,
               classifier: str = "") -> str:
    """
    Return the name of a contender to show.

    Examples
    --------
    >>> shown_name("SADD", "test"), shown_name("MDLP", classifier="RNB")
    ('SADD transductive', 'RNB on MDLP')
    >>> shown_name("", "training", 10, "RNB+")
    'RNB+ with unlabelled rows'
    """
    if not discretizer:
        return classifier + (" with unlabelled rows" if pool != "none" else "")
    if discretizer == "SADD":
        is_only = pool == "none" and labelled < 1
        discretizer += " labelled only" if is_only else f" {WAYS[pool]}"
    return f"{classifier} on {discretizer}" if classifier else discretizer


class Whole(NamedTuple):
    """
    A classifier that is evaluated as a whole, by its probabilities.

    Attributes
    ----------
    name : str
        Name in the column ``classifier`` of the results.
    make : callable
        Returns the unfitted classifier for the parameters of SADD on a data set.
    pools : tuple of str
        Pools in learning curves: "none", "training", or both.
    is_rival : bool
        Whether only ``--rivals`` includes it.
    """

    name: str
    make: Callable[[dict[str, Any]], Any]
    pools: tuple[str, ...] = ("none",)
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

    def fit(self, X: Floats, y: Integers) -> "LabellerClassifier":
        """Fit the labeller to labelled rows."""
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.labeller_ = Labeller(self.labeller, X, codes, len(self.classes_),
                                  **self.parameters).fit()
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return probabilities of the classes."""
        return self.labeller_.predict(X).proba

    def predict(self, X: Floats) -> Integers:
        """Return the most likely classes."""
        return self.classes_[self.labeller_.predict(X).classes]


class SemiSupervised:
    """
    A semi-supervised classifier of scikit-learn, which gets the unlabelled rows.

    Parameters
    ----------
    pipeline : Pipeline
        Its last step takes -1 as the label of unlabelled rows.
    """

    def __init__(self, pipeline: BaseEstimator) -> None:
        self.pipeline = pipeline

    def fit(self, X: Floats, y: Integers, unlabelled: Floats) -> "SemiSupervised":
        """Fit the classifier."""
        y = np.concatenate([y, np.full(len(unlabelled), -1)])
        self.pipeline.fit(np.concatenate([X, unlabelled]), y)
        self.classes_ = self.pipeline.classes_
        return self

    def predict_proba(self, X: Floats) -> Floats:
        """Return probabilities; equal ones far from all labelled rows."""
        with np.errstate(invalid="ignore"):
            proba = self.pipeline.predict_proba(X)
        return np.nan_to_num(proba, nan=1 / len(self.classes_))


def _common(sadd):
    """Return the parameters of SADD that all classifiers have."""
    return {name: sadd[name] for name in ("categorical_features", "unlabelled_label")}


def _logistic_regression():
    return LogisticRegression(C=1.0, max_iter=1000)


def _encoded(classifier, wrap=lambda pipeline: pipeline):
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
        return wrap(make_pipeline(columns, made))

    return make


def _boosting_machine(**parameters):
    """Return a function that makes an EBM, which reads rows as they are."""
    def make(sadd):
        from interpret.glassbox import ExplainableBoostingClassifier

        return ExplainableBoostingClassifier(
            feature_types=["nominal" if is_categorical else "continuous"
                           for is_categorical in sadd["categorical_features"]],
            random_state=sadd["random_state"], n_jobs=1, **parameters)

    return make


# EBM is in the extra `bench`, and takes about a hundred times as long as SADD Tables
BOOSTING_MACHINES = (
    Whole("EBM", _boosting_machine(), is_rival=True),
    Whole("EBM, no interactions", _boosting_machine(interactions=0), is_rival=True),
) if find_spec("interpret") else ()

WHOLE = (
    Whole("RNB+", lambda sadd: RNBPlusClassifier(**sadd), ("none", "training")),
    Whole(SADD_TABLES, lambda sadd: SADDTablesClassifier(
        random_state=sadd["random_state"], **_common(sadd)), ("none", "training")),
    Whole("NB on MDLP", lambda sadd: NaiveBayesClassifier("MDLP", **_common(sadd))),
    Whole("NB on SADD", lambda sadd: NaiveBayesClassifier(
        SADDDiscretizer(**sadd), **_common(sadd))),
    Whole(NEIGHBOURS, lambda sadd: LabellerClassifier(
        "neighbours", sadd, k=sadd["k"], standardize=sadd["standardize"])),
    Whole("committee", lambda sadd: LabellerClassifier("committee", sadd)),
    Whole("logistic regression", _encoded(_logistic_regression)),
    Whole("SADD, logistic regression", lambda sadd: make_pipeline(
        SADDDiscretizer(**sadd), OneHotEncoder(handle_unknown="ignore"),
        _logistic_regression()), is_rival=True),
    Whole("self-training", _encoded(
        lambda: SelfTrainingClassifier(_logistic_regression()), SemiSupervised),
        ("training",), is_rival=True),
    Whole("label spreading", _encoded(
        lambda: LabelSpreading(kernel="knn"), SemiSupervised),
        ("training",), is_rival=True),
    Whole("Gaussian NB", _encoded(GaussianNB), is_rival=True),
    Whole("random forest", _encoded(RandomForestClassifier), is_rival=True),
    Whole("gradient boosting", _encoded(HistGradientBoostingClassifier), is_rival=True),
    *BOOSTING_MACHINES,
)
