"""Reading of input: matrices with missing and categorical values, labels, weights.

Whatever a user passes ends here as float64 with NaN for missing values, as class
indices, and as non-negative weights, or as an error that says what to do.
"""

import numbers

import numpy as np
import sklearn
from sklearn.utils import check_array, column_or_1d
from sklearn.utils.fixes import parse_version

__all__ = ["TagsMixin", "as_pandas", "categorical_mask", "check_one_class",
           "check_total_weight", "encode_labels", "is_unlabelled",
           "nonnegative_weights", "read_matrix", "read_target", "read_weights"]

# Weights with a sum below this, or above its inverse, are beyond computing
TINY = 1e-100

if parse_version(sklearn.__version__) >= parse_version("1.6"):
    from sklearn.utils.validation import validate_data

    FINITE = {"ensure_all_finite": False}
else:
    FINITE = {"force_all_finite": False}

    def validate_data(estimator, X, *, skip_check_array=False, reset=True, **params):
        """Do what scikit-learn 1.6 has a public function for."""
        if skip_check_array:
            estimator._check_feature_names(X, reset=reset)
            estimator._check_n_features(X, reset=reset)
            return X
        return estimator._validate_data(X, reset=reset, **params)


class TagsMixin:
    """What scikit-learn must know of our estimators: NaN and infinity are fine."""

    requires_target = True

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.target_tags.required = self.requires_target
        return tags

    def _more_tags(self):  # scikit-learn 1.5
        return {"allow_nan": True, "requires_y": self.requires_target}


def read_matrix(estimator, X, *, reset):
    """
    Return the input as float64; categorical columns as codes, NaN where missing.

    Parameters
    ----------
    estimator : estimator
        With a parameter `categorical_features`. Learns, if `reset`, the names and
        number of features, which of them are categorical, and their categories:
        `categorical_features_` (mask) and `categories_` (a list of arrays; None for
        numeric features). Unknown categories are NaN afterwards.
    X : array_like or data frame
    reset : bool
        Whether to learn (in `fit`) or to compare (in `transform`).

    Returns
    -------
    ndarray of float64, shape (n_rows, n_features)
    """
    X = as_pandas(X)
    if reset:
        mask = categorical_mask(estimator.categorical_features, X)
    else:
        mask = estimator.categorical_features_
    if not mask.any():
        try:
            matrix = validate_data(
                estimator, X, reset=reset, dtype=np.float64, **FINITE)
        except ValueError as error:
            if "could not convert string" in str(error):
                raise ValueError(
                    f"A numeric column holds text ({error}). Convert it to numbers, or "
                    "name it in categorical_features.") from error
            raise
        if reset:
            estimator.categorical_features_ = np.zeros(matrix.shape[1], dtype=bool)
            estimator.categories_ = [None] * matrix.shape[1]
        return matrix

    validate_data(estimator, X, reset=reset, skip_check_array=True)
    cells = X if hasattr(X, "iloc") else check_array(X, dtype=None, **FINITE)
    matrix = np.empty(cells.shape)
    if not mask.all():
        try:
            matrix[:, ~mask] = check_array(
                _column(cells, ~mask), dtype=np.float64, **FINITE)
        except (ValueError, TypeError) as error:
            raise ValueError(
                f"A numeric column holds something else ({error}). Convert it to "
                "numbers, or name it in categorical_features.") from error
    if not len(cells):
        check_array(_column(cells, mask), dtype=None)  # raises
    if reset:
        estimator.categorical_features_ = mask
        estimator.categories_ = [None] * len(mask)
    for feature in np.flatnonzero(mask).tolist():
        codes, distinct = _factorize(_column(cells, feature))
        if reset:
            estimator.categories_[feature] = _sorted_categories(distinct)
        known = {category: code for code, category in enumerate(
            estimator.categories_[feature].tolist())}
        # A missing cell has the code -1, which is the last element
        matrix[:, feature] = np.array(
            [known.get(category, np.nan) for category in distinct] + [np.nan])[codes]
    return matrix


def as_pandas(X):
    """Return a data frame of another library, such as polars, as one of pandas."""
    if hasattr(X, "iloc"):
        return _without_decimals(X)
    if not hasattr(X, "columns") or not hasattr(X, "to_pandas"):
        return X
    import pandas as pd

    # Not X.to_pandas(), which needs pyarrow
    return pd.DataFrame({name: X[name].to_numpy() for name in X.columns})


def _without_decimals(frame):
    """Return decimal numbers of Arrow as float64; scikit-learn cannot do that."""
    if not hasattr(frame, "dtypes"):
        return frame
    decimal = {name: np.float64 for name, dtype in frame.dtypes.items()
               if _is_decimal(dtype)}
    return frame.astype(decimal) if decimal else frame


def _is_decimal(dtype):
    return dtype.name.startswith("decimal")


def _column(cells, which):
    return cells.iloc[:, which] if hasattr(cells, "iloc") else cells[:, which]


def _factorize(column):
    """Return codes of cells, -1 for missing ones, and the list of distinct cells."""
    import pandas as pd

    codes, distinct = pd.factorize(column)
    distinct = distinct.tolist()
    if any(isinstance(cell, list | dict) for cell in distinct):
        raise ValueError("A categorical column holds lists.")
    return codes, distinct


def _sorted_categories(distinct):
    """Return the categories in order, as an array of numbers or of objects."""
    if len({isinstance(category, str) for category in distinct}) > 1:
        raise ValueError("A categorical column holds both text and numbers; make "
                         "them all text or all numbers.")
    plain = np.array(sorted(distinct))
    return plain if plain.dtype.kind in "biuf" else np.array(
        sorted(distinct), dtype=object)


def categorical_mask(features, X):
    """
    Return which columns are categorical, from the parameter `categorical_features`.

    Returns
    -------
    ndarray of bool
        Empty if no parameter and no type says that any column is.
    """
    if features is None:
        return np.zeros(0, dtype=bool)
    if isinstance(features, str):
        if features != "from_dtype":
            raise ValueError(
                "categorical_features must be a mask, indices, names, or 'from_dtype', "
                f"not {features!r}.")
        if not hasattr(X, "dtypes"):
            return np.zeros(0, dtype=bool)
        # Arrow's decimal numbers are objects, too
        return np.array([
            dtype.kind in "ObU" and not _is_decimal(dtype)
            for dtype in X.dtypes], dtype=bool)
    shape = X.shape if hasattr(X, "shape") else np.shape(X)
    n_features = shape[1] if len(shape) == 2 else 0
    features = np.asarray(features)
    if features.dtype == bool:
        if len(features) != n_features:
            raise ValueError(f"categorical_features is a mask of {len(features)} "
                             f"features, but X has {n_features}.")
        return features
    if features.dtype.kind in "UO":
        names = list(getattr(X, "columns", ()))
        absent = [name for name in features if name not in names]
        if absent:
            raise ValueError("categorical_features names columns that X does not have: "
                             f"{', '.join(map(repr, absent))}.")
        return np.isin(names, features)
    mask = np.zeros(n_features, dtype=bool)
    if features.size:
        if features.dtype.kind not in "iu":
            raise ValueError("categorical_features must be a mask, whole numbers, "
                             f"names or 'from_dtype', not {features.tolist()}.")
        if features.min() < -n_features or features.max() >= n_features:
            raise ValueError("categorical_features has an index outside the "
                             f"{n_features} columns of X.")
        mask[features.astype(int)] = True
    return mask


def _is_missing(labels):
    """Return which elements are None or NaN, in an array of any type."""
    if labels.dtype.kind == "f":
        return np.isnan(labels)
    if labels.dtype.kind in "mM":
        return np.isnat(labels)
    if labels.dtype != object:
        return np.zeros(labels.shape, dtype=bool)

    def missing(label):
        # pandas' NA is neither equal to itself nor unequal
        return label is None or type(label).__name__ in ("NAType", "NaTType") or (
            isinstance(label, numbers.Number) and label != label)

    # Not by np.frompyfunc, in which NaN raises a warning from Python 3.13 on
    return np.fromiter(map(missing, labels.flat), bool, labels.size).reshape(
        labels.shape)


def read_target(estimator, y, n_rows):
    """Return the labels as a 1-d array of any type, one for each row."""
    if y is None:
        raise ValueError(
            f"This {type(estimator).__name__} estimator requires y to be passed, but "
            "the target y is None.")
    y = column_or_1d(_plain(y), warn=True)
    if len(y) != n_rows:
        raise ValueError(f"X has {n_rows} rows, but y has {len(y)}.")
    return y


def _plain(y):
    """Return labels of types of a data frame as they are, not as float64."""
    if isinstance(getattr(y, "dtype", np.dtype(object)), np.dtype) \
            or not hasattr(y, "to_numpy"):
        return y
    labels = np.fromiter(iter(y), object, len(y))
    if _is_missing(labels).any():
        return labels
    plain = np.array(labels.tolist())
    return plain if plain.shape == labels.shape else labels


def is_unlabelled(y, unlabelled_label=None):
    """Return which rows have no label: a missing one, or `unlabelled_label`."""
    missing = _is_missing(y)
    if unlabelled_label is not None:
        known = ~missing
        missing[known] = np.asarray(y[known] == unlabelled_label, dtype=bool)
    return missing


def encode_labels(y):
    """
    Number the labels.

    Returns
    -------
    classes : ndarray
        The distinct labels, sorted.
    codes : ndarray of int
        Index of each label.
    """
    if y.dtype.kind == "f" and np.any(y != np.floor(y)):
        raise ValueError(
            "Unknown label type: continuous. Discretize the target first, or pass "
            "labels as whole numbers or text.")
    try:
        return np.unique(y, return_inverse=True)
    except TypeError as error:
        raise ValueError(
            "Labels of several types cannot be put in order; make them all text or all "
            "numbers.") from error


def check_one_class(labels, unlabelled_label):
    """Raise a ValueError if a real label, of two, was taken for that of no label."""
    if len(labels.classes) == 1 and labels.n_marked:
        raise ValueError(
            f"Only one class remains, {labels.classes.tolist()[0]!r}, since rows "
            f"labelled {unlabelled_label!r} were read as unlabelled. If this is a "
            "label like any other, pass unlabelled_label=None.")


def read_weights(sample_weight, n_rows):
    """Return the weights as float64, or None if there are none."""
    weights = nonnegative_weights(sample_weight, n_rows)
    if weights is not None:
        check_total_weight(weights.sum())
    return weights


def nonnegative_weights(sample_weight, n_rows):
    """Return the weights, which may all be zero, as float64, or None."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, numbers.Number):
        weights = np.full(n_rows, float(sample_weight))
    else:
        weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight has the shape {weights.shape}, but it must be "
                         f"one weight for each of {n_rows} rows.")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        raise ValueError("sample_weight has missing, infinite or negative values; give "
                         "each row a weight of 0 or more.")
    return weights


def check_total_weight(total):
    """Raise a ValueError if one cannot compute with weights of this sum."""
    if not total > 0:
        raise ValueError(
            "sample_weight is zero for every row; give at least one a weight.")
    if not TINY < total < 1 / TINY:
        raise ValueError(
            "The sum of sample_weight is too large, or too small, to compute with; "
            "multiply all weights by the same number to fix it.")
