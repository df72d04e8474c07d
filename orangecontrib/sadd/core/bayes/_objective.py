# cython: boundscheck=False, wraparound=False, initializedcheck=False
# cython: cdivision=True, language_level=3
"""The objective of all models with tables: value and gradient, as sums over rows.

The score of a class is the sum of one table entry for each attribute of a row. Up to
two models with tables of their own are mixed, such as those of RNB:

    P(c | x) = (1 - alpha) softmax(s_0)_c + alpha softmax(s_1)_c,
    s_q = prior_q + sum over attributes j of table_q[entry of x_j].

Softmax depends only on differences of scores. Hence the score of the first class is 0,
and tables hold the differences of the other classes from it: one number per entry for
two classes. With a target t (0 and 1, or probabilities of the classes), the loss of a
row is its weight times

    sum_c (t_c - P_c)^2    or    - sum_c t_c ln P_c.

Its derivatives by the scores are those by the table entries of the row. So a pass over
rows reads ``width`` numbers for each attribute of a row, and adds as many to the
gradient, where ``width`` is (number of classes - 1) x (number of models). Time is
proportional to rows x attributes x width. There is no memory beyond the arguments.

A pass has three steps, for a block of rows that fits into the cache: `score_rows`,
then ``numpy.exp`` of all scores at once, then `add_rows`. The lock of Python is
released. Arrays are contiguous; "no array" is one with the shape (0, 0). Common to both
functions are:

columns : int32, (rows, attributes)
    The table entry of each value. The last entry is zero: a value that is unknown.
fractions : float64, (rows, attributes), or no array
    How far a value lies between its entry and the next one, from 0 to 1: the entry is
    then interpolated linearly. The next entry must exist even where this is 0.
scores : float64, (rows, models, classes)
    Scores of all classes, less the highest one of a row and model.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
else:
    from math import exp, log

COMPILED = cython.compiled


def score_rows(columns: cython.int[:, ::1], fractions: cython.double[:, ::1],
               prior: cython.double[::1], table: cython.double[:, ::1],
               total: cython.double[::1], scores: cython.double[:, :, ::1]):
    """
    Compute the scores of a block of rows.

    Parameters
    ----------
    columns, fractions
        As described above.
    prior : float64, (width,)
        Where scores begin: of the classes but the first one, model after model.
    table : float64, (entries, width)
    total : float64, (width,)
        Scratch memory.
    scores : float64, (rows, models, classes)
        The result.
    """
    n_attributes: cython.Py_ssize_t = columns.shape[1]
    width: cython.Py_ssize_t = table.shape[1]
    n_classes: cython.Py_ssize_t = scores.shape[2]
    interpolated: cython.bint = fractions.shape[0] > 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    a: cython.Py_ssize_t
    first: cython.Py_ssize_t
    part: cython.double
    highest: cython.double
    with cython.nogil:
        for i in range(columns.shape[0]):
            for k in range(width):
                total[k] = prior[k]
            for j in range(n_attributes):
                a = columns[i, j]
                if interpolated:
                    part = fractions[i, j]
                    for k in range(width):
                        total[k] += (1 - part) * table[a, k] + part * table[a + 1, k]
                else:
                    for k in range(width):
                        total[k] += table[a, k]
            for q in range(scores.shape[1]):
                first = q * (n_classes - 1) - 1
                highest = 0
                for k in range(1, n_classes):
                    highest = max(highest, total[first + k])
                scores[i, q, 0] = -highest
                for k in range(1, n_classes):
                    scores[i, q, k] = total[first + k] - highest


def add_rows(columns: cython.int[:, ::1], fractions: cython.double[:, ::1],
             classes: cython.int[::1], targets: cython.double[:, ::1],
             weights: cython.double[::1], mixture: cython.double[::1],
             squared: cython.bint, scores: cython.double[:, :, ::1],
             posterior: cython.double[:, :, ::1], target: cython.double[::1],
             slope: cython.double[::1], sums: cython.double[::1],
             gradient: cython.double[:, ::1]):
    """
    Add the losses of a block of rows, and their derivatives.

    Parameters
    ----------
    columns, fractions, scores
        As described above. Scores are overwritten.
    classes : int32, (rows,)
        Of each row, if there are no `targets`.
    targets : float64, (rows, classes), or no array
        The probabilities that the model should predict.
    weights : float64, (rows,)
        By which the loss of each row is multiplied.
    mixture : float64, (2,)
        Shares of the models: 1 - alpha and alpha, or 1 and 0 for a single model.
    squared : bool
        Whether the loss is the squared error; otherwise it is the log loss.
    posterior : float64, (rows, models, classes)
        ``exp(scores)``; overwritten by probabilities.
    target, slope : float64, (classes,) and (width,)
        Scratch memory.
    sums : float64, (2,)
        To which the loss, and its derivative by alpha, are added.
    gradient : float64, (entries, width)
        To which the derivatives by the table entries are added. Those by the last
        entry have no meaning.
    """
    width: cython.Py_ssize_t = gradient.shape[1]
    n_classes: cython.Py_ssize_t = scores.shape[2]
    soft: cython.bint = targets.shape[0] > 0
    interpolated: cython.bint = fractions.shape[0] > 0
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    a: cython.Py_ssize_t
    part: cython.double
    total: cython.double
    with cython.nogil:
        for i in range(columns.shape[0]):
            for k in range(n_classes):
                target[k] = targets[i, k] if soft else 0
            if not soft:
                target[classes[i]] = 1
            for q in range(scores.shape[1]):
                total = 0
                for k in range(n_classes):
                    total += posterior[i, q, k]
                for k in range(n_classes):
                    posterior[i, q, k] /= total
                if not squared:
                    total = log(total)
                    for k in range(n_classes):
                        scores[i, q, k] -= total
            if squared:
                _squared_error(i, target, weights[i], mixture, posterior, slope, sums)
            else:
                _log_loss(i, target, weights[i], mixture, scores, posterior, slope,
                          sums)
            for j in range(columns.shape[1]):
                a = columns[i, j]
                if interpolated:
                    part = fractions[i, j]
                    for k in range(width):
                        gradient[a, k] += (1 - part) * slope[k]
                        gradient[a + 1, k] += part * slope[k]
                else:
                    for k in range(width):
                        gradient[a, k] += slope[k]


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _squared_error(i: cython.Py_ssize_t, target: cython.double[::1],
                   weight: cython.double, mixture: cython.double[::1],
                   posterior: cython.double[:, :, ::1], slope: cython.double[::1],
                   sums: cython.double[::1]) -> cython.void:
    """
    Add the squared error of row i, and compute its derivatives by scores.

    With the residuals r = t - P, dL / ds_qc = -2 share_q P_qc (r_c - sum_k r_k P_qk).
    """
    n_classes: cython.Py_ssize_t = posterior.shape[2]
    last: cython.Py_ssize_t = posterior.shape[1] - 1
    k: cython.Py_ssize_t
    q: cython.Py_ssize_t
    mean: cython.double
    for k in range(n_classes):
        # The last model is the first one if there is only one, and its share is 0
        target[k] -= mixture[0] * posterior[i, 0, k]
        target[k] -= mixture[1] * posterior[i, last, k]
        sums[0] += weight * target[k] * target[k]
        sums[1] -= 2 * weight * target[k] * (posterior[i, last, k] - posterior[i, 0, k])
    for q in range(last + 1):
        mean = 0
        for k in range(n_classes):
            mean += target[k] * posterior[i, q, k]
        for k in range(1, n_classes):
            slope[q * (n_classes - 1) + k - 1] = (
                -2 * weight * mixture[q] * posterior[i, q, k] * (target[k] - mean))


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _log_loss(i: cython.Py_ssize_t, target: cython.double[::1],
              weight: cython.double, mixture: cython.double[::1],
              scores: cython.double[:, :, ::1], posterior: cython.double[:, :, ::1],
              slope: cython.double[::1], sums: cython.double[::1]) -> cython.void:
    """
    Add the log loss of row i, and compute its derivatives by scores.

    With the ratios R_qc = P_qc / P_c,
    dL / ds_qc = share_q (P_qc sum_k t_k R_qk - t_c R_qc).
    `scores` are ln P_qc. A ratio beyond exp(300), where the share of the only model
    that gives the class a chance is 0, counts as that.
    """
    n_classes: cython.Py_ssize_t = posterior.shape[2]
    last: cython.Py_ssize_t = posterior.shape[1] - 1
    k: cython.Py_ssize_t
    highest: cython.double
    total: cython.double
    first: cython.double
    second: cython.double
    by_first: cython.double = 0
    by_second: cython.double = 0
    for k in range(n_classes):
        first = second = 0
        if target[k] > 0:
            # ln P = highest + ln(sum of shares times exp(ln P_q - highest))
            first = scores[i, 0, k]
            second = scores[i, last, k]
            highest = first if mixture[0] > 0 else second
            if mixture[1] > 0 and second > highest:
                highest = second
            first = exp(min(first - highest, 300))
            second = exp(min(second - highest, 300))
            total = mixture[0] * first + mixture[1] * second
            sums[0] -= weight * target[k] * (highest + log(total))
            first *= weight * target[k] / total
            second *= weight * target[k] / total
            sums[1] += first - second
            first *= mixture[0]
            second *= mixture[1]
            by_first += first
            by_second += second
        if k > 0:
            slope[last * (n_classes - 1) + k - 1] = -second
            slope[k - 1] = -first
    for k in range(1, n_classes):
        slope[k - 1] += by_first * posterior[i, 0, k]
        if last:
            slope[n_classes + k - 2] += by_second * posterior[i, 1, k]
