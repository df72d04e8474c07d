"""The nine discretizers as scikit-learn transformers."""

from numbers import Integral, Real

import numpy as np
from sklearn.base import BaseEstimator, OneToOneFeatureMixin, TransformerMixin
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

from orangecontrib.sadd.core.bins import (
    equal_frequency_cuts,
    equal_width_cuts,
    fixed_frequency_cuts,
    proportional_cuts,
)
from orangecontrib.sadd.core.chimerge import chimerge_cuts
from orangecontrib.sadd.core.cuts import assign_intervals
from orangecontrib.sadd.core.entropy import mutual_information
from orangecontrib.sadd.core.interdependence import cacc_cuts, caim_cuts
from orangecontrib.sadd.core.pseudolabels import pseudo_label
from orangecontrib.sadd.core.runs import ClassGroups
from orangecontrib.sadd.core.splitter import Splitter
from orangecontrib.sadd.core.validation import (
    TagsMixin,
    encode_labels,
    is_unlabelled,
    read_matrix,
    read_target,
    read_weights,
)

__all__ = [
    "CACCDiscretizer", "CAIMDiscretizer", "ChiMergeDiscretizer",
    "EqualFrequencyDiscretizer", "EqualWidthDiscretizer", "FFDDiscretizer",
    "MDLPDiscretizer", "PKIDDiscretizer", "SADDDiscretizer",
]

# Columns are copied in blocks of about so many cells: reading a matrix column by
# column would read it from memory as often as a cache line has room for numbers
BLOCK_CELLS = 2 ** 21


class _Discretizer(OneToOneFeatureMixin, TagsMixin, TransformerMixin, BaseEstimator):
    """What all discretizers have in common."""

    _parameter_constraints = {
        "categorical_features": ["array-like", StrOptions({"from_dtype"}), None],
    }

    def fit(self, X, y=None, sample_weight=None, *, callback=None):
        """
        Find the cut points.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)
            Missing values (NaN) are ignored; infinite ones are values like others.
        y : array_like, shape (n_rows,)
            Labels of any type. Methods that do not use them take them only to compute
            `mutual_information_`.
        sample_weight : array_like, shape (n_rows,), optional
            A weight of 2 is the same as the row twice.
        callback : callable, optional
            Is told the share of work done, from 0 to 1. May raise an exception to
            stop the work.

        Returns
        -------
        self
        """
        self._validate_params()
        X = read_matrix(self, X, reset=True)
        weights = read_weights(sample_weight, len(X))
        classes = self._read_classes(X, y, weights, callback)
        groups = ClassGroups(classes, len(self.classes_), weights)
        n_features = X.shape[1]
        self.cut_points_ = [np.zeros(0) for _ in range(n_features)]
        self.mutual_information_ = np.full(n_features, np.nan)
        self._find_cuts(X, groups, callback)
        for feature in np.flatnonzero(self.categorical_features_):
            self.mutual_information_[feature] = _code_information(
                X[:, feature], classes, len(self.classes_), weights)
        if y is None:
            self.mutual_information_[:] = np.nan
        self.n_intervals_ = np.array([
            len(cuts) + 1 if categories is None else len(categories)
            for cuts, categories in zip(
                self.cut_points_, self.categories_, strict=True)])
        return self

    def transform(self, X):
        """
        Give the interval of each value.

        Parameters
        ----------
        X : array_like or data frame, shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features)
            Index of the interval or of the category, NaN where a value is missing or
            a category is unknown. A value equal to a cut belongs to the upper interval.
        """
        check_is_fitted(self)
        X = read_matrix(self, X, reset=False)
        codes = np.empty(X.shape)
        for feature, cuts in enumerate(self.cut_points_):
            column = X[:, feature]
            if not self.categorical_features_[feature]:
                column = assign_intervals(column, cuts)
            codes[:, feature] = column
        return codes

    def _read_classes(self, X, y, weights, callback):
        """Class index of each row; also sets `classes_`."""
        y = read_target(self, y, len(X))
        if is_unlabelled(y).any():
            raise ValueError(
                f"y has missing labels, which {type(self).__name__} cannot use. Remove "
                "these rows, or use SADDDiscretizer, which learns from them, too.")
        self.classes_, classes = encode_labels(y)
        return classes

    def _find_cuts(self, X, groups, callback):
        for feature, column in _numeric_columns(X, self.categorical_features_, callback):
            values, counts = groups.runs(column).distinct()
            cuts = np.zeros(0)
            if len(values):
                cuts = self._column_cuts(values, counts)
            self.cut_points_[feature] = cuts
            starts = np.concatenate(([0], np.searchsorted(values, cuts)))
            # An interval may be empty if cuts are not chosen by values
            cumulative = np.concatenate(
                (np.zeros((len(counts), 1)), np.cumsum(counts, axis=1)), axis=1)
            edges = cumulative[:, np.append(starts, len(values))]
            self.mutual_information_[feature] = mutual_information(
                np.diff(edges, axis=1))

    def _column_cuts(self, values, counts):
        """Cut points of a column with these distinct values and counts by class."""
        raise NotImplementedError


def _numeric_columns(X, categorical, callback=None):
    """Yield index and contents of each numeric column, contiguous in memory."""
    for block in _blocks(X, categorical, callback):
        yield from zip(block, np.ascontiguousarray(X[:, block].T), strict=True)


def _blocks(X, categorical, callback=None):
    """Yield indices of numeric columns, some at a time, and tell the progress."""
    features = np.flatnonzero(~categorical)
    step = max(1, BLOCK_CELLS // max(1, len(X)))
    for start in range(0, len(features), step):
        yield features[start:start + step]
        if callback is not None:
            callback(min(1., (start + step) / len(features)))


def _code_information(codes, classes, n_classes, weights):
    known = ~np.isnan(codes)
    if not known.any():
        return 0.
    codes = codes[known].astype(int)
    n_values = codes.max() + 1
    counts = np.bincount(classes[known] * n_values + codes,
                         None if weights is None else weights[known],
                         minlength=n_classes * n_values)
    return mutual_information(counts.reshape(n_classes, n_values))


class _EntropyDiscretizer(_Discretizer):
    """MDLP and SADD: the same, but for N0."""

    _parameter_constraints = {
        **_Discretizer._parameter_constraints, "store_decisions": ["boolean"],
    }

    def _find_cuts(self, X, groups, callback):
        splitter = Splitter(
            getattr(self, "n0", None),
            largest=len(X) if groups.weights is None else None,
            explain=self.store_decisions)
        for block in _blocks(X, self.categorical_features_, callback):
            splitter.add_columns(np.ascontiguousarray(X[:, block].T), groups)
        numeric = np.flatnonzero(~self.categorical_features_)
        for feature, cuts in zip(numeric, splitter.cut_points(), strict=True):
            self.cut_points_[feature] = cuts
        self.mutual_information_[numeric] = splitter.mutual_information()
        if self.store_decisions:
            self.decisions_ = [[] for _ in self.cut_points_]
            for feature, decisions in zip(numeric, splitter.decisions(), strict=True):
                self.decisions_[feature] = decisions


class MDLPDiscretizer(_EntropyDiscretizer):
    """
    Minimum description length principle, MDLP.

    Cuts where the class information entropy is least, and goes on as long as the
    information gain pays for the description of the cut.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional
        Columns that are categorical already. They become codes.
    store_decisions : bool
        Keep `decisions_`.

    Attributes
    ----------
    cut_points_ : list of ndarray
        Cut points of each feature; none for categorical ones.
    n_intervals_ : ndarray of int
        Number of intervals, or of categories.
    mutual_information_ : ndarray of float64
        Between intervals and class, in bits, over rows whose value is known.
    decisions_ : list of list of Decision
        For each feature, what was decided about each interval: see `Decision`.
    classes_ : ndarray
    categories_ : list of ndarray or None
    categorical_features_ : ndarray of bool
    n_features_in_ : int
    feature_names_in_ : ndarray of str

    References
    ----------
    Fayyad, U. M., Irani, K. B. (1993). Multi-interval discretization of
    continuous-valued attributes for classification learning. IJCAI, 1022-1027.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> MDLPDiscretizer().fit(X, y).cut_points_[2]
    array([2.45, 4.75])
    """

    def __init__(self, *, categorical_features=None, store_decisions=False):
        self.categorical_features = categorical_features
        self.store_decisions = store_decisions


class SADDDiscretizer(_EntropyDiscretizer):
    """
    Semi-supervised adaptive discriminative discretization, SADD.

    Unlabelled rows get pseudo-labels from their nearest neighbours. Then all rows are
    discretized as by MDLP, with a threshold that is lower where rows are few: it is
    multiplied by s(N / N0), where s is the logistic function and N the number of rows
    in the interval to be cut.

    Parameters
    ----------
    k : "auto", int, or sequence of int
        Number of neighbours. "auto" and a sequence choose the k, out of 1, 3, 5, 7, 9,
        11, 15, 21, 31 or of the sequence, that is the most accurate on a stratified
        ninth of the labelled rows; the smallest of equals; 1 if rows are too few.
    n0 : float or None
        N0, the number of rows above which the threshold approaches that of MDLP. None
        for the threshold of MDLP itself.
    normalize : bool
        Standardize numeric columns before distances are computed. The published code
        does not.
    unlabelled_label : label or None
        Rows with this label, and those with a missing one, are unlabelled. None if
        all labels are real.
    random_state : int, RandomState instance or None
        For the choice of rows that choose k.
    categorical_features : mask, indices, names, or "from_dtype", optional
        Columns that are categorical already. They become codes, and take part in the
        search for neighbours.
    store_decisions : bool
        Keep `decisions_`.

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, decisions_, classes_
        As for `MDLPDiscretizer`. Pseudo-labels count as labels.
    k_ : int or None
        Number of neighbours; None if there was no unlabelled row.
    k_scores_ : dict
        Accuracy of each k that was tried.
    pseudo_labels_ : ndarray
        Labels of the unlabelled rows, in their order.
    pseudo_label_confidence_ : ndarray of float64
        Share of the votes for these labels.

    References
    ----------
    Wang, S., Ren, J., Bai, R. (2023). A semi-supervised adaptive discriminative
    discretization method improving discrimination power of regularized naive Bayes.
    Expert Systems with Applications 225, 120094.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> y[::2] = -1
    >>> sadd = SADDDiscretizer(k=5).fit(X, y)
    >>> sadd.cut_points_[3]
    array([0.8 , 1.35, 1.75])
    >>> len(sadd.pseudo_labels_)
    75
    """

    _parameter_constraints = {
        **_EntropyDiscretizer._parameter_constraints,
        "k": [StrOptions({"auto"}), Interval(Integral, 1, None, closed="left"),
              "array-like"],
        "n0": [Interval(Real, 0, None, closed="neither"), None],
        "normalize": ["boolean"],
        "unlabelled_label": "no_validation",
        "random_state": ["random_state"],
    }

    def __init__(self, k="auto", n0=2000, normalize=True, *, unlabelled_label=-1,
                 random_state=0, categorical_features=None, store_decisions=False):
        self.k = k
        self.n0 = n0
        self.normalize = normalize
        self.unlabelled_label = unlabelled_label
        self.random_state = random_state
        self.categorical_features = categorical_features
        self.store_decisions = store_decisions

    def _read_classes(self, X, y, weights, callback):
        y = read_target(self, y, len(X))
        unlabelled = is_unlabelled(y, self.unlabelled_label)
        # A row without weight counts neither as a neighbour nor as a row
        used = ~unlabelled if weights is None else ~unlabelled & (weights > 0)
        if not used.any():
            raise ValueError("All rows are unlabelled; SADD needs some labelled rows, "
                             "from which it takes labels for the others.")
        self.classes_, known = encode_labels(y[~unlabelled])
        if len(self.classes_) == 1 and not np.array_equal(
                unlabelled, is_unlabelled(y)):
            raise ValueError(
                f"Only one class remains, {self.classes_[0]!r}, since rows labelled "
                f"{self.unlabelled_label!r} were read as unlabelled. If this is a label "
                "like any other, pass unlabelled_label=None.")
        classes = np.empty(len(y), dtype=np.int64)
        classes[~unlabelled] = known
        self._check_k()
        self.k_, self.k_scores_ = None, {}
        self.pseudo_label_confidence_ = np.zeros(0)
        if unlabelled.any():
            found = pseudo_label(
                X[used], classes[used], len(self.classes_), X[unlabelled],
                categorical=self.categorical_features_, k=self.k,
                normalize=self.normalize,
                weights=None if weights is None else weights[used],
                random_state=self.random_state, callback=callback)
            classes[unlabelled] = found.classes
            self.k_, self.k_scores_ = found.k, found.k_scores
            self.pseudo_label_confidence_ = found.confidence
        self.pseudo_labels_ = self.classes_[classes[unlabelled]]
        return classes

    def _check_k(self):
        if isinstance(self.k, str | Integral):
            return
        ks = np.asarray(self.k)
        if ks.ndim != 1 or not len(ks) or ks.dtype.kind not in "iu" or ks.min() < 1:
            raise ValueError("k must be 'auto', a whole number above 0, or a sequence of "
                             f"such numbers to choose from, not {self.k!r}.")


class CAIMDiscretizer(_Discretizer):
    """
    Class-attribute interdependence maximization, CAIM.

    Adds the cut that raises the criterion most, as long as it rises, and until there
    are at least as many intervals as classes.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Kurgan, L. A., Cios, K. J. (2004). CAIM discretization algorithm. IEEE Transactions
    on Knowledge and Data Engineering 16(2), 145-153.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CAIMDiscretizer().fit(X, y).cut_points_[0]
    array([5.55, 6.25])
    """

    def __init__(self, *, categorical_features=None):
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return caim_cuts(values, counts)


class CACCDiscretizer(_Discretizer):
    """
    Class-attribute contingency coefficient, CACC.

    Proceeds like CAIM, with a criterion derived from chi-square.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Tsai, C.-J., Lee, C.-I., Yang, W.-P. (2008). A discretization algorithm based on
    class-attribute contingency coefficient. Information Sciences 178(3), 714-731.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> CACCDiscretizer().fit(X, y).cut_points_[0]
    array([5.45, 6.15])
    """

    def __init__(self, *, categorical_features=None):
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return cacc_cuts(values, counts)


class ChiMergeDiscretizer(_Discretizer):
    """
    ChiMerge: merges neighbouring intervals whose classes are distributed alike.

    Parameters
    ----------
    alpha : float
        Significance level; intervals stay apart if chi-square is at least the
        1 - alpha quantile.
    max_intervals : int, optional
        Goes on merging as long as there are more intervals than this.
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_, classes_
        As for `MDLPDiscretizer`.

    References
    ----------
    Kerber, R. (1992). ChiMerge: Discretization of numeric attributes. AAAI, 123-128.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> ChiMergeDiscretizer(max_intervals=3).fit(X, y).n_intervals_
    array([3, 3, 3, 3])
    """

    _parameter_constraints = {
        **_Discretizer._parameter_constraints,
        "alpha": [Interval(Real, 0, 1, closed="neither")],
        "max_intervals": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(self, alpha=0.05, max_intervals=None, *, categorical_features=None):
        self.alpha = alpha
        self.max_intervals = max_intervals
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return chimerge_cuts(values, counts, self.alpha, self.max_intervals)


class _UnsupervisedDiscretizer(_Discretizer):
    """Discretizers that do not look at the class."""

    requires_target = False

    def _read_classes(self, X, y, weights, callback):
        if y is not None:
            return super()._read_classes(X, y, weights, callback)
        self.classes_ = np.zeros(1)
        return np.zeros(len(X), dtype=np.int64)


class EqualWidthDiscretizer(_UnsupervisedDiscretizer):
    """
    Intervals of equal width.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualWidthDiscretizer(n_bins=4).fit([[0], [1], [8]]).cut_points_
    [array([2., 4., 6.])]
    """

    _parameter_constraints = {
        **_Discretizer._parameter_constraints,
        "n_bins": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, n_bins=10, *, categorical_features=None):
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return equal_width_cuts(values, self.n_bins)


class EqualFrequencyDiscretizer(_UnsupervisedDiscretizer):
    """
    Intervals of equal frequency, as nearly as ties allow.

    Parameters
    ----------
    n_bins : int
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    Examples
    --------
    >>> EqualFrequencyDiscretizer(n_bins=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    _parameter_constraints = EqualWidthDiscretizer._parameter_constraints

    def __init__(self, n_bins=10, *, categorical_features=None):
        self.n_bins = n_bins
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return equal_frequency_cuts(values, counts.sum(axis=0), self.n_bins)


class PKIDDiscretizer(_UnsupervisedDiscretizer):
    """
    Proportional k-interval discretization: sqrt(n) intervals of sqrt(n) rows.

    Parameters
    ----------
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    References
    ----------
    Yang, Y., Webb, G. I. (2001). Proportional k-interval discretization for naive-Bayes
    classifiers. ECML, 564-575.

    Examples
    --------
    >>> PKIDDiscretizer().fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    def __init__(self, *, categorical_features=None):
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return proportional_cuts(values, counts.sum(axis=0))


class FFDDiscretizer(_UnsupervisedDiscretizer):
    """
    Fixed frequency discretization: intervals of a given number of rows.

    Parameters
    ----------
    frequency : int
    categorical_features : mask, indices, names, or "from_dtype", optional

    Attributes
    ----------
    cut_points_, n_intervals_, mutual_information_
        As for `MDLPDiscretizer`; the last is NaN without y.

    References
    ----------
    Yang, Y., Webb, G. I. (2009). Discretization for naive-Bayes learning: managing
    discretization bias and variance. Machine Learning 74(1), 39-74.

    Examples
    --------
    >>> FFDDiscretizer(frequency=2).fit([[0], [1], [8], [9]]).cut_points_
    [array([4.5])]
    """

    _parameter_constraints = {
        **_Discretizer._parameter_constraints,
        "frequency": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, frequency=30, *, categorical_features=None):
        self.frequency = frequency
        self.categorical_features = categorical_features

    def _column_cuts(self, values, counts):
        return fixed_frequency_cuts(values, counts.sum(axis=0), self.frequency)
