"""Orange tables as arrays.

Missing values are NaN, categorical attributes are codes, rows without a class are NaN
in the vector of classes. Nothing here writes into a table. Only the attributes of the
table with unlabelled rows are read, so its labels cannot leak.
"""

import warnings
from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
from Orange.data import Domain, Table, Variable
from Orange.preprocess.transformation import Identity, Lookup

from orangecontrib.sadd.core.labels import UNLABELLED, LabelSummary, scale_weights
from orangecontrib.sadd.core.rows import Rows
from orangecontrib.sadd.core.types import Floats, Matrix

__all__ = ["class_codes", "id_note", "match_columns",
           "row_weights", "rows_of", "set_attributes", "summarize_classes"]


def rows_of(data: Table, unlabelled: Table | None = None) -> Rows:
    """
    Return the rows of a table and, if there is one, of a table of unlabelled rows.

    Parameters
    ----------
    data : Table
        Rows whose class is missing are unlabelled.
    unlabelled : Table, optional
        The pool. Its columns are matched by `match_columns`; a warning names those that
        it lacks. If it lacks all of them, it is ignored. Rows with an id of a row in
        the data are left out, and labels are not read.

    Returns
    -------
    Rows
        Of all attributes, which are its `variables`. Classes are codes; none are given
        if the data has no class, several, or a numeric one.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> rows = rows_of(iris[::3], iris)
    >>> len(rows), rows.n_data, rows.n_pool, rows.n_known
    (150, 50, 100, 50)
    """
    attributes, n_known = data.domain.attributes, 0
    X, given, weights = _matrix(data), _given(data), row_weights(data)
    if unlabelled is not None:
        known = np.isin(unlabelled.ids, data.ids)
        n_known = int(np.count_nonzero(known))
        if n_known:
            unlabelled = unlabelled[~known]
        pool, missing = match_columns(unlabelled, attributes)
        if missing and len(missing) == len(attributes):
            warnings.warn("The unlabelled data lacks all variables of the data, so it "
                          "is ignored.", stacklevel=2)
            unlabelled, pool = unlabelled[:0], pool[:0]
        elif missing:
            warnings.warn(
                "The unlabelled data lacks variables of the data, which therefore do "
                f"not gain from it: {', '.join(var.name for var in missing)}.",
                stacklevel=2)
        weights = np.append(weights, row_weights(unlabelled, labels=False))
        X = _stack(X, pool)
        given = np.append(given, np.full(len(unlabelled), UNLABELLED))
    return Rows(
        X, given, weights, _summary(data, given, weights),
        [np.arange(len(var.values)) if var.is_discrete else None for var in attributes],
        attributes, len(data), n_known)


def summarize_classes(data: Table) -> LabelSummary:
    """
    Return the labels of a table in a few numbers, as those of `rows_of`.

    Examples
    --------
    >>> from Orange.data import Table
    >>> summarize_classes(Table("iris")).n_used
    150
    """
    return _summary(data, _given(data), row_weights(data))


def _given(data):
    """Return the index of the class of each row; `UNLABELLED` without one."""
    codes = class_codes(data)
    return np.where(np.isnan(codes), UNLABELLED, codes).astype(np.int64)


def _summary(data, given, weights):
    has_class = data.domain.has_discrete_class
    # A variable made by hand may have fewer values than its column
    n_classes = max(len(data.domain.class_var.values) if has_class else 1,
                    given.max(initial=0) + 1)
    return LabelSummary.of(np.arange(n_classes), given, weights, given=has_class)


def match_columns(table: Table, attributes: Sequence[Variable]
                  ) -> tuple[Matrix, tuple[Variable, ...]]:
    """
    Return the values of attributes for the rows of another table.

    An attribute is the same in both tables if it is equal or can be computed, as
    everywhere in Orange. Otherwise a column of the same name and type is used. For
    instance, separate but equal steps may make the columns of both tables.

    Parameters
    ----------
    table : Table
    attributes : sequence of Variable

    Returns
    -------
    X : ndarray of float64 or scipy.sparse.csc_matrix, shape (n_rows, n_attributes)
        Codes of categorical attributes are those of `attributes`.
    missing : tuple of Variable
        Attributes that the table lacks. Their columns are NaN. A table without rows
        lacks none.

    Examples
    --------
    >>> from Orange.data import ContinuousVariable, Table
    >>> iris = Table("iris")
    >>> X, missing = match_columns(iris, [iris.domain[2], ContinuousVariable("z")])
    >>> X[:2]
    array([[1.4, nan],
           [1.4, nan]])
    >>> missing
    (ContinuousVariable(name='z', number_of_decimals=3),)
    """
    if not len(table):  # some steps, such as a projection, fail for no rows
        return np.empty((0, len(attributes))), ()
    with np.errstate(invalid="ignore"):  # Orange casts NaN to int, and corrects it
        X = _matrix(table.transform(Domain(attributes)))
    matched, missing = list(attributes), []
    for index, var in enumerate(attributes):
        # Only the result shows whether a column can be computed
        if var in table.domain or var.compute_value is not None \
                and not _all_missing(X[:, [index]]):
            continue
        if var.name in table.domain and type(table.domain[var.name]) is type(var):
            matched[index] = var.copy(compute_value=_same_values(
                var, table.domain[var.name]))
        else:
            missing.append(var)
    if matched != list(attributes):
        with np.errstate(invalid="ignore"):
            X = _matrix(table.transform(Domain(matched)))
    return X, tuple(missing)


def class_codes(data: Table) -> Floats:
    """
    Return the index of the class of each row; NaN where it is missing.

    All are NaN if the data has no class, several, or a numeric one.

    Examples
    --------
    >>> from Orange.data import Table
    >>> class_codes(Table("iris")[48:52])
    array([0., 0., 1., 1.])
    """
    if not data.domain.has_discrete_class:
        return np.full(len(data), np.nan)
    return np.asarray(data.get_column(data.domain.class_var), dtype=np.float64)


def row_weights(data: Table, *, labels: bool = True) -> Floats:
    """
    Return the weights of rows; ones if there are none.

    Missing, infinite and negative weights count as 0. Weights with a mean below 1 are
    scaled to mean 1. The mean is over rows with a class, or over all rows if no row has
    one; see `scale_weights`.

    Parameters
    ----------
    data : Table
    labels : bool
        Whether the mean is over rows with a class.

    Examples
    --------
    >>> from Orange.data import Table
    >>> row_weights(Table("iris")[:3])
    array([1., 1., 1.])
    """
    if not data.has_weights():
        return np.ones(len(data))
    weights = np.asarray(data.W, dtype=np.float64).reshape(len(data))
    weights = np.where(np.isfinite(weights) & (weights > 0), weights, 0)
    # A common factor keeps sums from overflowing, and logarithms defined
    largest = weights.max(initial=0)
    if largest > 1e50 or 0 < largest < 1e-50:
        weights = weights / largest
    counted = ~np.isnan(class_codes(data)) if labels else np.zeros(len(data), bool)
    counted &= weights > 0
    return scale_weights(weights, counted if counted.any() else weights > 0)


def id_note(data: Table) -> str:
    """
    Return a warning if the class seems to be an id, otherwise an empty text.

    Examples
    --------
    >>> from Orange.data import Table
    >>> id_note(Table("iris"))
    ''
    """
    labels = summarize_classes(data)
    # If there are few rows, each may have a class of its own
    if labels.n_used < 10 or labels.n_occurring < labels.n_used:
        return ""
    return "This class has as many values as rows: is it an id?"


def set_attributes(table: Table, domain: Domain, X: Matrix, Y: Floats | None = None
                   ) -> Table:
    """
    Give a new table, without attributes, the attributes of a domain.

    `Table.from_numpy` and `Table.concatenate` write NaN over infinite values, even
    those of the arrays that they get.

    Parameters
    ----------
    table : Table
        Is changed.
    domain : Domain
    X : ndarray or sparse matrix
    Y : ndarray of float64, optional
        By default, classes remain.

    Examples
    --------
    >>> from Orange.data import Table
    >>> iris = Table("iris")
    >>> empty = iris.transform(Domain((), iris.domain.class_var))
    >>> set_attributes(empty, iris.domain, iris.X)[0]
    [5.1, 3.5, 1.4, 0.2 | Iris-setosa]
    """
    with table.unlocked_reference():
        table.domain, table.X = domain, X
        if Y is not None:
            table.Y = Y
    return table


def _matrix(data):
    """Return X as float64, or as csc for fast access to columns."""
    if sp.issparse(data.X):
        return sp.csc_matrix(data.X, dtype=np.float64)
    X = np.asarray(data.X, dtype=np.float64)
    # Some preprocessors impute the mean of a categorical attribute. Orange shows it
    # rounded down to a value.
    categorical = [var.is_discrete for var in data.domain.attributes]
    codes = X[:, categorical]
    if np.any(codes % 1 > 0):
        X = X.copy()
        X[:, categorical] = np.floor(codes)
    return X


def _stack(X, pool):
    if sp.issparse(X) or sp.issparse(pool):
        return sp.vstack([sp.csc_matrix(X), sp.csc_matrix(pool)], format="csc")
    return np.concatenate((X, pool))


def _all_missing(column):
    if sp.issparse(column):  # values that are not stored are 0, not missing
        return column.nnz == column.shape[0] and np.isnan(column.data).all()
    return bool(np.isnan(column).all())


def _same_values(var, twin):
    """Return the transformation of a variable to another with the same name."""
    if not var.is_discrete:
        return Identity(twin)
    codes = {value: code for code, value in enumerate(var.values)}
    return Lookup(twin, np.array([codes.get(value, np.nan) for value in twin.values]))
