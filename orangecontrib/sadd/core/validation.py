"""Reading of matrices with missing and categorical values.

Convert input to float64 with NaN for missing values; raise an error that explains how
to fix bad input. Private functions of scikit-learn and pandas are used here and in
`parameters` only.
"""

import os

import numpy as np
import pandas as pd
import sklearn
from scipy.sparse import issparse
from sklearn.utils import _safe_indexing as safe_indexing
from sklearn.utils import check_array
from sklearn.utils._set_output import _get_output_config as output_config
from sklearn.utils.fixes import parse_version
from sklearn.utils.validation import _num_samples as count_rows

from orangecontrib.sadd.core.types import Floats, Matrix

__all__ = ["append_rows", "as_pandas", "categorical_mask",
           "category_array", "count_rows", "dense", "output_config", "read_matrix",
           "safe_indexing", "sorted_categories", "validate_data"]

if parse_version(sklearn.__version__) >= parse_version("1.6"):
    from sklearn.utils.validation import validate_data

    FINITE = {"ensure_all_finite": False}
else:
    FINITE = {"force_all_finite": False}

    def validate_data(estimator, X, *, reset, skip_check_array):
        """Do the same as the public function of scikit-learn 1.6."""
        estimator._check_feature_names(X, reset=reset)
        estimator._check_n_features(X, reset=reset)


def dense(X: Matrix) -> Floats:
    """
    Return a matrix as an ndarray of float64.

    Examples
    --------
    >>> from scipy.sparse import csr_array
    >>> dense(csr_array([[0, 1]]))
    array([[0., 1.]])
    """
    return np.asarray(X.toarray() if issparse(X) else X, dtype=np.float64)


def read_matrix(estimator, X, *, reset):
    """
    Return the input as float64; categorical columns as codes, NaN where missing.

    Parameters
    ----------
    estimator : estimator
        With a parameter `categorical_features`. If `reset`, sets the names and number
        of features, and their categories: `categorical_features_` (mask) and
        `categories_` (a list of arrays; None for numeric features). Unknown categories
        are NaN afterwards.
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
        ready = type(X) is np.ndarray and X.dtype == np.float64 and X.ndim == 2
        matrix = X if ready and X.size else _read_numbers(X, lambda: check_array(
            X, dtype=np.float64, estimator=estimator, input_name="X", **FINITE))
        # After the shape has been checked; only names and numbers of features here
        validate_data(estimator, X, reset=reset, skip_check_array=True)
        if reset:
            estimator.categorical_features_ = np.zeros(matrix.shape[1], dtype=bool)
            estimator.categories_ = [None] * matrix.shape[1]
        return matrix

    validate_data(estimator, X, reset=reset, skip_check_array=True)
    cells = X if hasattr(X, "iloc") else pd.DataFrame(
        check_array(X, dtype=None, **FINITE))
    matrix = np.empty(cells.shape)
    if not mask.all():
        numeric = cells.loc[:, ~mask]
        matrix[:, ~mask] = _read_numbers(numeric, lambda: check_array(
            numeric, dtype=np.float64, **FINITE))
    if not len(cells):
        check_array(cells, dtype=None)  # raises
    if reset:
        estimator.categorical_features_ = mask
        estimator.categories_ = [None] * len(mask)
    # OrdinalEncoder rejects text of pandas with missing values, takes None for a
    # category, and cannot be made of the categories in a JSON file without a fit
    for feature in np.flatnonzero(mask).tolist():
        codes, distinct = pd.factorize(cells.iloc[:, feature])
        distinct = distinct.tolist()
        if reset:
            estimator.categories_[feature] = sorted_categories(distinct)
        known = {category: code for code, category in enumerate(
            estimator.categories_[feature].tolist())}
        # A missing cell has the code -1, which is the last element
        matrix[:, feature] = np.array(
            [known.get(category, np.nan) for category in distinct] + [np.nan])[codes]
    return matrix


def _read_numbers(cells, read):
    """Return what `read` reads, or raise an error with advice if it is no number."""
    dtypes = cells.dtypes if hasattr(cells, "columns") \
        else [getattr(cells, "dtype", np.dtype(object))]
    try:
        if any(getattr(dtype, "kind", "") in ("m", "M") for dtype in dtypes):
            raise ValueError("could not convert dates or durations")
        return read()
    except (TypeError, ValueError) as error:
        if "could not convert" in str(error) or "float()" in str(error):
            raise type(error)(
                f"A numeric column holds something else ({error}). Convert it to "
                "numbers, leave it out, or name it in categorical_features."
            ) from error
        raise


def as_pandas(X):
    """Return a data frame of another library, such as polars, as one of pandas."""
    if isinstance(X, str | os.PathLike):
        raise ValueError("Pass data, not a path, for instance "
                         "dask.dataframe.read_parquet(path).")
    if type(X).__name__ == "LazyFrame":
        raise ValueError("X is a lazy frame, which has no rows yet; pass X.collect().")
    if hasattr(X, "iloc"):
        return _without_decimals(X)
    if not hasattr(X, "columns") or not hasattr(X, "to_pandas"):
        return X
    # Not X.to_pandas(), which needs pyarrow
    return pd.DataFrame({name: (
        X[name].cast(float) if str(X[name].dtype).startswith("Decimal") else X[name]
        ).to_numpy() for name in X.columns})


def append_rows(X, pool):
    """Append unlabelled rows to X."""
    X, pool = as_pandas(X), as_pandas(pool)
    if hasattr(X, "columns") and hasattr(pool, "columns"):
        absent = [name for name in X.columns if name not in pool.columns]
        if absent:
            raise ValueError(
                f"unlabelled lacks the columns {', '.join(map(repr, absent))}. Add "
                "them, with missing values if none are known.")
        if not pool.columns.is_unique:
            raise ValueError("unlabelled has columns of the same name. Rename them.")
        return pd.concat((X, pool[X.columns]), ignore_index=True)
    X = np.asarray(X)
    try:
        pool = np.asarray(pool)
        shape = pool.shape
    except ValueError:
        shape = "that of rows of several lengths"
    if X.shape[1:] != shape[1:]:
        raise ValueError(f"unlabelled must be a dense array or a data frame with "
                         f"{X.shape[1]} features, like X. Its shape is {shape}.")
    return _read_numbers(pool, lambda: np.concatenate((X, pool)))


def _without_decimals(frame):
    """Return decimal numbers of Arrow as float64; scikit-learn cannot do that."""
    if not hasattr(frame, "columns"):  # a single column
        return frame
    decimal = {name: np.float64 for name, dtype in frame.dtypes.items()
               if _is_decimal(dtype)}
    return frame.astype(decimal) if decimal else frame


def _is_decimal(dtype):
    return dtype.name.startswith("decimal")


def sorted_categories(distinct):
    """Return the categories in order, as an array."""
    try:
        return category_array(sorted(distinct))
    except TypeError as error:
        raise ValueError("A categorical column holds values of several types, such as "
                         "text and numbers. Make all of them text or numbers."
                         ) from error


def category_array(categories):
    """Return categories as an array of numbers or of objects."""
    plain = np.array(categories)
    if plain.dtype.kind in "biuf" and len(set(map(type, categories))) == 1 \
            and plain.tolist() == list(categories):  # rounded if beyond 64 bits
        return plain
    return np.array(categories, dtype=object)


def categorical_mask(features, X):
    """
    Return which columns are categorical, from the parameter `categorical_features`.

    Returns
    -------
    ndarray of bool
        Empty if all columns are numeric.
    """
    if features is None:
        return np.zeros(0, dtype=bool)
    if isinstance(features, str) and features == "from_dtype":
        # Arrow's decimal numbers are also objects
        return np.array([
            dtype.kind in "ObU" and not _is_decimal(dtype)
            for dtype in (X.dtypes if hasattr(X, "columns") else [])], dtype=bool)
    shape = np.shape(X)
    n_features = shape[1] if len(shape) == 2 else 0
    features = np.asarray(features)
    if features.ndim != 1 or features.size and features.dtype.kind not in "biuUO":
        raise ValueError("categorical_features must be a mask, whole numbers, names or "
                         f"'from_dtype', not {features.tolist()}.")
    if features.dtype == bool:
        if len(features) != n_features:
            raise ValueError(f"categorical_features is a mask of {len(features)} "
                             f"features, but X has {n_features}.")
        return features
    by_name = features.dtype.kind in "UO"
    known = list(getattr(X, "columns", ())) if by_name \
        else range(-n_features, n_features)
    absent = [feature for feature in features.tolist() if feature not in known]
    if absent:
        raise ValueError("categorical_features has columns that X does not have: "
                         f"{', '.join(map(repr, absent))}.")
    mask = np.zeros(n_features, dtype=bool)
    mask[np.isin(known, features) if by_name else features.astype(int)] = True
    return mask
