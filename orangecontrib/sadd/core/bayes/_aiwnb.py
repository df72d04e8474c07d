# cython: infer_types=True
"""The loops of AIWNB: information of pairs of attributes, and lazy counts.

A negative value is unknown. All memory comes in as arguments, contiguous, and the lock
of Python is released.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import log
else:
    from math import log


@cython.locals(n=cython.double, by_value=cython.double, total=cython.double)
def mutual_informations(order: cython.const[cython.int][::1],
                        ends: cython.const[cython.int][::1],
                        columns: cython.const[cython.int][:, ::1],
                        weights: cython.const[cython.double][::1],
                        found: cython.int[::1], counts: cython.double[::1],
                        totals: cython.double[::1], result: cython.double[::1]) -> None:
    """
    Compute the mutual information of one attribute and each of several others.

    With n_uv the weight of the rows that have the values u and v, both of them known,
    and N the sum of all n_uv, it is

        (sum n_uv ln n_uv - sum n_u. ln n_u. - sum n_.v ln n_.v + N ln N) / N.

    For one u at a time, the n_uv need as much memory as there are values v. Time is
    proportional to rows x columns.

    Parameters
    ----------
    order : int32, (known rows,)
        Rows in which the one attribute is known, sorted by its value.
    ends : int32, (values,)
        Where the rows of each value u end.
    columns : int32, (others, rows)
        Values of the other attributes, each from 0.
    weights : float64, (rows,)
        Above 0.
    found : int32, (values v,)
    counts, totals : float64, (values v,)
        Scratch memory: n_uv of one u, and n_.v. They must be zero, and are so again.
    result : float64, (others,)
        In nats.
    """
    with cython.nogil:
        for k in range(columns.shape[0]):
            result[k] = total = 0
            t = 0
            for u in range(ends.shape[0]):
                n_found = 0
                while t < ends[u]:
                    i = order[t]
                    v = columns[k, i]
                    if v >= 0:
                        if counts[v] == 0:
                            found[n_found] = v
                            n_found += 1
                        counts[v] += weights[i]
                    t += 1
                by_value = 0
                while n_found > 0:
                    n_found -= 1
                    v = found[n_found]
                    n = counts[v]
                    result[k] += n * log(n)
                    by_value += n
                    totals[v] += n
                    counts[v] = 0
                if by_value > 0:
                    result[k] -= by_value * log(by_value)
                    total += by_value
            for v in range(totals.shape[0]):
                if totals[v] > 0:
                    result[k] -= totals[v] * log(totals[v])
                    totals[v] = 0
            if total > 0:
                result[k] = result[k] / total + log(total)


def count_pairs(rows: cython.const[cython.int][:, ::1],
                classes: cython.const[cython.int][::1],
                weights: cython.const[cython.double][::1],
                pairs: cython.double[:, :, ::1]) -> None:
    """
    Count pairs of values by class.

    Parameters
    ----------
    rows : int32, (rows, attributes)
        Values; no two attributes have a value in common.
    classes : int32, (rows,)
    weights : float64, (rows,)
    pairs : float64, (values, values, classes)
        Weights of rows are added here.
    """
    n_attributes = rows.shape[1]
    with cython.nogil:
        for i in range(rows.shape[0]):
            for j in range(n_attributes):
                if rows[i, j] >= 0:
                    for k in range(n_attributes):
                        if rows[i, k] >= 0:
                            pairs[rows[i, j], rows[i, k], classes[i]] += weights[i]


def look_up(queries: cython.const[cython.int][:, ::1],
            pairs: cython.const[cython.double][:, :, ::1],
            by_attribute: cython.const[cython.double][:, :, ::1],
            counts: cython.double[:, :, ::1], totals: cython.double[:, :, ::1]) -> None:
    """
    Add up what `compare` does, from counts of pairs.

    Parameters
    ----------
    queries, counts, totals
        As for `compare`.
    pairs : float64, (values, values, classes)
    by_attribute : float64, (values, attributes, classes)
        Sums of `pairs` over the values of each attribute.
    """
    with cython.nogil:
        for i in range(queries.shape[0]):
            for k in range(queries.shape[1]):
                u = queries[i, k]
                for j in range(queries.shape[1]):
                    v = queries[i, j]
                    if u >= 0 and v >= 0:
                        for c in range(counts.shape[1]):
                            counts[i, c, j] += pairs[u, v, c]
                            totals[i, c, j] += by_attribute[u, j, c]


@cython.locals(n_equal=cython.Py_ssize_t, equal=cython.double)
def compare(queries: cython.const[cython.int][:, ::1],
            rows: cython.const[cython.int][:, ::1],
            classes: cython.const[cython.int][::1],
            weights: cython.const[cython.double][::1],
            counts: cython.double[:, :, ::1], totals: cython.double[:, :, ::1]) -> None:
    """
    Add up how many values training rows and queries have in common.

    Time is proportional to queries x rows x attributes.

    Parameters
    ----------
    queries : int32, (queries, attributes)
        Unknown values are -2.
    rows, classes, weights
        Training rows, as for `count_pairs`. Unknown values are -1.
    counts : float64, (queries, classes, attributes)
        For rows of each class that have the query's value of an attribute, the number
        of equal values, times the weight of the row, is added here.
    totals : float64, (queries, classes, attributes)
        The same for rows whose value of an attribute is known.
    """
    n_attributes = queries.shape[1]
    with cython.nogil:
        for i in range(queries.shape[0]):
            for t in range(rows.shape[0]):
                n_equal = 0
                for j in range(n_attributes):
                    n_equal += 1 if rows[t, j] == queries[i, j] else 0
                if n_equal > 0:
                    c = classes[t]
                    equal = n_equal * weights[t]
                    for j in range(n_attributes):
                        counts[i, c, j] += equal if rows[t, j] == queries[i, j] else 0.0
                        totals[i, c, j] += equal if rows[t, j] >= 0 else 0.0
