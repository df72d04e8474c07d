"""RNB+ as a scikit-learn classifier: RNB on features discretized by SADD."""

from typing import Self

from orangecontrib.sadd.core.classifiers import RNBClassifier
from orangecontrib.sadd.core.registry import make_discretizer
from orangecontrib.sadd.core.types import (
    Callback,
    CategoricalFeatures,
    Data,
    LabellerLike,
    LossName,
    Missing,
    Neighbours,
    PoolUse,
    RandomState,
)

__all__ = ["RNBPlusClassifier"]

# Parameters of SADD, which it checks
SADD_PARAMETERS = ("k", "n0", "normalize", "random_state", "labeller", "min_confidence",
                   "max_labelled", "min_samples", "max_intervals", "missing")


class RNBPlusClassifier(RNBClassifier):
    """
    RNB+: regularized naive Bayes on features discretized by SADD.

    Parameters
    ----------
    k, n0, normalize, random_state, labeller, min_confidence, max_labelled
        As for `SADDDiscretizer`.
    min_samples, max_intervals, missing
        As for `MDLPDiscretizer`.
    objective, max_iter, tol, pool_use, shrinkage, n_jobs
        As for `RNBClassifier`. With few labels we recommend ``labeller="committee",
        pool_use="counts", objective="cll", shrinkage=1``.
    categorical_features : mask, indices, names, "from_dtype", or None
        Columns that are categorical already.
    unlabelled_label : label or None
        Rows with this label, and those with a missing one, are unlabelled: they take
        part in discretization, with the labels of their nearest neighbours. None if
        all labels are real.

    Attributes
    ----------
    discretizer_ : SADDDiscretizer
    weights_, class_weights_, alpha_, loss_, loss_history_, n_iter_, converged_
        As for `RNBClassifier`.
    classes_, model_, tables_, n_features_in_, feature_names_in_
        As for `NaiveBayesClassifier`.

    References
    ----------
    Wang, S., Ren, J., Bai, R. (2023). A semi-supervised adaptive discriminative
    discretization method improving discrimination power of regularized naive Bayes.
    Expert Systems with Applications 225, 120094.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> rnb = RNBPlusClassifier(k=5, max_iter=1000).fit(
    ...     X[::2], y[::2], X_unlabelled=X[1::2])
    >>> round(rnb.score(X[1::2], y[1::2]), 2)
    0.93
    """

    _parameter_constraints = {
        **{name: constraint
           for name, constraint in RNBClassifier._parameter_constraints.items()
           if name != "discretizer"},
        **dict.fromkeys(SADD_PARAMETERS, "no_validation"),
    }

    def __init__(self, *, k: Neighbours = "auto", n0: float | None = 2000,
                 normalize: bool = True, random_state: RandomState = 0,
                 objective: LossName = "mse", max_iter: int = 100, tol: float = 1e-7,
                 categorical_features: CategoricalFeatures = "from_dtype",
                 unlabelled_label: object = -1, labeller: LabellerLike = "neighbours",
                 min_confidence: float = 0, max_labelled: int | None = None,
                 pool_use: PoolUse = "intervals", shrinkage: float = 0,
                 min_samples: float | None = None, max_intervals: int | None = None,
                 missing: Missing = "ignore", n_jobs: int | None = None) -> None:
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.random_state = random_state
        self.labeller = labeller
        self.min_confidence = min_confidence
        self.max_labelled = max_labelled
        self.min_samples = min_samples
        self.max_intervals = max_intervals
        self.missing = missing
        self.shrinkage = shrinkage
        self.objective = objective
        self.max_iter = max_iter
        self.tol = tol
        self.categorical_features = categorical_features
        self.n_jobs = n_jobs
        self.unlabelled_label = unlabelled_label
        self.pool_use = pool_use

    def fit(self, X: Data, y: Data, sample_weight: Data = None, *,
            X_unlabelled: Data = None, callback: Callback | None = None) -> Self:
        """
        Discretize with the help of unlabelled rows, and find weights.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) contribute nothing. Also a Dask array or data frame,
            or the path of a parquet folder.
        y : array_like, shape (n_rows,)
            Labels of any type. Rows without a label, see `unlabelled_label`, are seen
            by the discretizer only. With Dask, as for `SADDDiscretizer.fit`.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice.
        X_unlabelled : array_like or data frame, shape (n_unlabelled, n_features)
            More rows without labels, each of weight 1. For Dask if X is.
        callback : callable, optional
            Called with the fraction of work done, from 0 to 1. May raise an exception
            to stop the work.

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight, X_unlabelled, callback)

    def _make_discretizer(self):
        return make_discretizer(
            "SADD", categorical_features=self.categorical_features,
            **{name: getattr(self, name) for name in SADD_PARAMETERS})
