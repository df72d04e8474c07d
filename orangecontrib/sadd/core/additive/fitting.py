"""Fitting of the naive Bayes family to rows that are labelled and discretized."""

from typing import Any, NamedTuple

import numpy as np

from orangecontrib.sadd.core.additive.aiwnb import (
    LazyCounts,
    attribute_weights,
    eager_instance_weights,
)
from orangecontrib.sadd.core.additive.descent import descend
from orangecontrib.sadd.core.additive.model import BayesModel
from orangecontrib.sadd.core.additive.objective import Objective
from orangecontrib.sadd.core.additive.rowsums import IndexedRows
from orangecontrib.sadd.core.additive.tables import Tables, fit_tables
from orangecontrib.sadd.core.types import Callback, Floats, Integers, LossName

__all__ = ["CodedRows", "fit_aiwnb", "fit_weights"]


class CodedRows(NamedTuple):
    """
    Labelled rows that are discretized.

    `PartitionedCodedRows`, of Dask, has the same two methods.

    Attributes
    ----------
    codes : ndarray of float64, shape (n_rows, n_attributes)
        Integers from 0; NaN is a missing value.
    classes : ndarray of int, shape (n_rows,)
    n_classes : int
    weights : ndarray of float64, shape (n_rows,)
    """

    codes: Floats
    classes: Integers
    n_classes: int
    weights: Floats

    def tables(self) -> Tables:
        """Return the tables of naive Bayes."""
        return fit_tables(*self)

    def encode(self, tables: Tables) -> IndexedRows:
        """Return the rows with a weight as `Objective` takes them."""
        codes, classes, _, weights = self
        if not np.all(weights > 0):
            used = weights > 0
            codes, classes, weights = codes[used], classes[used], weights[used]
        # An attribute with a single value has P(a_j | c) = 1 and adds nothing
        columns = tables.encode(codes)[:, tables.n_values > 1]
        return IndexedRows(
            np.ascontiguousarray(columns), np.ascontiguousarray(weights),
            np.searchsorted(tables.present, classes).astype(np.int32))


def fit_weights(rows: Any, model: str, loss: LossName = "squared_error",
                max_iter: int = 100, tol: float = 1e-7,
                callback: Callback | None = None) -> BayesModel:
    """
    Fit WANBIA, CAWNB or RNB: minimize the loss with L-BFGS-B in the box [0, 1].

    Start, box, scale and memory are those of the code by the authors of RNB. The loss
    is not convex. With another scale or memory the search often ends in another
    minimum. The minimum may differ by tens of per cent, but the classifier is not more
    accurate.

    Parameters
    ----------
    rows : CodedRows or PartitionedCodedRows
    model : {"wanbia", "cawnb", "rnb"}
    loss : {"squared_error", "log_loss"}
    max_iter : int
    tol : float
        The search ends when no projected derivative of the mean loss of a row is above
        this.
    callback : callable, optional
        Called with the fraction of iterations done, after each of them. May raise an
        exception to stop the work.

    Examples
    --------
    >>> codes, y = np.array([[0., 0], [0, 1], [1, 0], [1, 1]]), np.array([0, 0, 1, 1])
    >>> fit_weights(CodedRows(codes, y, 2, np.ones(4)), "wanbia").weights
    array([1., 1.])
    """
    tables = rows.tables()
    objective = Objective(tables, rows.encode(tables), model, loss)
    layout = objective.layout
    total_weight = tables.class_counts.sum()
    if not layout.size:  # without attributes there is nothing to weight
        value, _ = objective(layout.start)
        return BayesModel(
            tables, *layout.unpack(layout.start), value,
            message="There are no parameters.", loss_history=np.array([value]))

    def is_done(theta, value, slope):
        # The test of scipy would also compare distances from bounds with a sum over
        # rows
        moved = np.minimum(np.maximum(theta - slope / total_weight, 0), 1)
        # A first step from many attributes may end where every posterior is 0 or 1.
        # There, derivatives vanish far from any minimum. Such a point is worse than a
        # model without attributes; L-BFGS-B uses their sum and leaves this point.
        return np.abs(moved - theta).max() <= tol \
            and value <= objective(np.zeros(layout.size))[0]

    theta, history, converged, message = descend(
        objective, layout.start, n_corrections=5, max_iter=max_iter, tol=tol,
        box=(0., 1.), is_done=is_done, callback=callback)
    return BayesModel(tables, *layout.unpack(theta), float(history[-1]),
                      len(history) - 1, converged, message, history)


def fit_aiwnb(rows: CodedRows, instance_weighting: str) -> BayesModel:
    """Fit AIWNB, with "eager" or "lazy" weights of rows."""
    tables = rows.tables()
    columns = tables.encode(rows.codes)
    weights = attribute_weights(tables, columns, rows.classes, rows.weights)
    if instance_weighting == "lazy":
        return BayesModel(tables, weights, lazy=LazyCounts(
            tables, columns, rows.classes, rows.weights))
    by_row = eager_instance_weights(tables, columns)
    weighted = rows._replace(weights=rows.weights * by_row)
    return BayesModel(weighted.tables(), weights, instance_weights=by_row)
