"""The objective of all models that add up entries of tables: value and gradient.

The score of a class is the sum of one table entry for each attribute of a row. One
model, or a mixture of two, such as that of RNB, predicts

    P_c = (1 - alpha) softmax(s_0)_c + alpha softmax(s_1)_c,
    s_q = prior_q + sum over attributes j of table_q[entry of x_j].

A target t is 0 or 1 for each class. The loss of a row is

    sum_c (t_c - P_c)^2    or    - sum_c t_c ln P_c,    times the weight of the row.

Softmax depends only on differences of scores. So the score of the first class is 0, and
tables hold the differences of the other classes from it. With two classes this is a
single number. An entry of all models has ``width`` numbers, (classes - 1) x models,
rounded up to an even number.

Four steps compute a block of rows. `score_rows` adds up the entries of each row.
``numpy.exp`` takes the exponentials of all scores at once. `squared_errors` or
`log_losses` computes losses, and their derivatives by scores, which are those by table
entries. `add_slopes` adds these derivatives to the gradient of each entry.

Terms, whose tables are linear between entries, have steps of their own in `_places`.

Time is proportional to rows x entries of a row x width. All memory comes in as
arguments: blocks of rows whose scores fit into the cache. The lock of Python is
released. The types for Cython are in `_objective.pxd`.

Arrays are contiguous. Indices are not checked. Arguments of several functions:

columns : int32, (rows, attributes)
    The table entry of each value. The last entry, for unknown values, is zero.
classes : int32, (rows,)
    The class of each row.
weights : float64, (rows,)
alpha : float
    The share of the second model; 0 if there is only one.
scores : float64, (rows, models, classes)
    Scores of all classes, less the highest one of the row and model.
posterior : float64, (rows, models, classes)
    ``exp(scores)``: the posteriors before division by their sum.
slopes : float64, (rows, width)
    Derivatives of the loss of each row by its scores.
"""

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import exp, log
else:
    from math import exp, log

COMPILED = cython.compiled


def score_rows(columns, prior, table, total, scores):
    """
    Compute the scores of a block of rows.

    Parameters
    ----------
    columns
        See above.
    prior : float64, (width,)
        The scores of a row without attributes, model after model.
    table : float64, (entries, width)
    total : float64, (width,)
        Scratch memory.
    scores : float64, (rows, models, classes)
        The result.
    """
    n_attributes = columns.shape[1]
    n_classes = scores.shape[2]
    width = table.shape[1]
    with cython.nogil:
        for i in range(columns.shape[0]):
            for k in range(0, width, 2):
                total[k], total[k + 1] = prior[k], prior[k + 1]
            j = 0
            # Four entries for each access to `total`, two numbers at a time, for speed
            while j + 4 <= n_attributes:
                a, b = columns[i, j], columns[i, j + 1]
                c, d = columns[i, j + 2], columns[i, j + 3]
                for k in range(0, width, 2):
                    first = table[a, k] + table[b, k]
                    second = table[a, k + 1] + table[b, k + 1]
                    first += table[c, k] + table[d, k]
                    second += table[c, k + 1] + table[d, k + 1]
                    total[k] += first
                    total[k + 1] += second
                j += 4
            while j < n_attributes:
                a = columns[i, j]
                for k in range(0, width, 2):
                    total[k] += table[a, k]
                    total[k + 1] += table[a, k + 1]
                j += 1
            for m in range(scores.shape[1]):
                before = m * (n_classes - 1) - 1  # class k is at before + k
                highest = 0
                for k in range(1, n_classes):
                    highest = max(highest, total[before + k])
                scores[i, m, 0] = -highest
                for k in range(1, n_classes):
                    scores[i, m, k] = total[before + k] - highest


def norm(posterior, i, m):
    """Return the sum over classes for a row and a model."""
    total = 0
    for k in range(posterior.shape[2]):
        total += posterior[i, m, k]
    return total


def squared_errors(classes, weights, alpha, scores, posterior, slopes):
    """
    Return the sum of squared errors and its derivative by alpha; fill `slopes`.

    With P_qc = softmax(s_q)_c, residuals r = t - P, and the share of each model q,
    1 - alpha or alpha,

        dL / ds_qc = -2 share_q P_qc (r_c - sum_k r_k P_qk),
        dL / dalpha = 2 sum_c r_c (P_0c - P_1c).

    If there is one model, it is the first and the last one.
    """
    n_classes = posterior.shape[2]
    last = posterior.shape[1] - 1
    after = last * (n_classes - 1)  # slopes of the last model
    value = by_alpha = 0
    with cython.nogil:
        for i in range(posterior.shape[0]):
            norm_first, norm_second = norm(posterior, i, 0), norm(posterior, i, last)
            norm_first, norm_second = 1 / norm_first, 1 / norm_second
            total = mixed = mean_first = mean_second = 0
            for k in range(n_classes):
                p_first = norm_first * posterior[i, 0, k]
                p_second = norm_second * posterior[i, last, k]
                r = (1.0 if k == classes[i] else 0.0) - (
                    (1 - alpha) * p_first + alpha * p_second)
                total += r * r
                mixed += r * (p_first - p_second)
                mean_first += r * p_first
                mean_second += r * p_second
                if k > 0:
                    slopes[i, k - 1] = r
            value += weights[i] * total
            by_alpha += 2 * weights[i] * mixed
            norm_first *= -2 * weights[i] * (1 - alpha)
            norm_second *= -2 * weights[i] * alpha
            for k in range(1, n_classes):
                r = slopes[i, k - 1]
                # A single model is both: its own slope is written last
                slopes[i, after + k - 1] = (
                    norm_second * posterior[i, last, k] * (r - mean_second))
                slopes[i, k - 1] = norm_first * posterior[i, 0, k] * (r - mean_first)
    return value, by_alpha


def log_losses(classes, weights, alpha, scores, posterior, slopes):
    """
    Return the sum of log losses and its derivative by alpha; fill `slopes`.

    With the class t of a row and the ratios R_q = P_qt / P_t,

        dL / ds_qc = share_q R_q (P_qc - 1[c = t]),
        dL / dalpha = R_0 - R_1.

    Where the share of a model is 0, R_q has no bound; it is cut off at exp(300).
    """
    n_classes = posterior.shape[2]
    last = posterior.shape[1] - 1
    after = last * (n_classes - 1)  # slopes of the last model
    value = by_alpha = 0
    with cython.nogil:
        for i in range(posterior.shape[0]):
            norm_first, norm_second = norm(posterior, i, 0), norm(posterior, i, last)
            t = classes[i]
            log_p = scores[i, 0, t] - log(norm_first)
            first, second = 1, 0
            if last > 0:
                # ln P_t = log_p + ln(sum_q share_q exp(ln P_qt - log_p)), with the
                # highest ln P_qt of models that have a share
                first, second = log_p, scores[i, last, t] - log(norm_second)
                if alpha == 1 or alpha > 0 and second > first:
                    log_p = second
                first = exp(min(first - log_p, 300))
                second = exp(min(second - log_p, 300))
                total = (1 - alpha) * first + alpha * second
                log_p += log(total)
                first *= 1 / total
                second *= 1 / total
            value -= weights[i] * log_p
            by_alpha += weights[i] * (first - second)
            first *= weights[i] * (1 - alpha)
            second *= weights[i] * alpha
            for k in range(1, n_classes):
                # A single model is both: its own slope is written last
                slopes[i, after + k - 1] = second / norm_second * posterior[
                    i, last, k] - (second if k == t else 0)
                slopes[i, k - 1] = first / norm_first * posterior[i, 0, k] - (
                    first if k == t else 0)
    return value, by_alpha


def add_slopes(columns, slopes, gradient):
    """
    Add the derivatives of a block of rows to those by table entries.

    Parameters
    ----------
    columns, slopes
        See above.
    gradient : float64, (entries, width)
        Derivatives by the last entry have no meaning.
    """
    width = gradient.shape[1]
    with cython.nogil:
        for i in range(columns.shape[0]):
            for j in range(columns.shape[1]):
                a = columns[i, j]
                for k in range(0, width, 2):
                    first, second = slopes[i, k], slopes[i, k + 1]
                    gradient[a, k] += first
                    gradient[a, k + 1] += second
