"""The loops of AIWNB: information of pairs of attributes, and lazy counts.

A negative value is missing. All memory comes in as arguments, contiguous, and the lock
of Python is released. The types for Cython are in `_aiwnb.pxd`.
"""

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import log
else:
    from math import log


def mutual_informations(order, ends, rows, first, weights, attribute, found, by_value,
                        by_attribute):
    """
    Compute the mutual information of one attribute and each of those from `first` on.

    With the weight n_uv of rows with the values u and v, and the sum N of all n_uv, it
    is

        (sum n_uv ln n_uv - sum n_u. ln n_u. - sum n_.v ln n_.v + N ln N) / N.

    For one u at a time, the n_uv need as much memory as there are values v. Time is
    proportional to rows x attributes.

    Parameters
    ----------
    order : int32, (known rows,)
        Rows in which the one attribute has a value, sorted by it.
    ends : int32, (values,)
        Where the rows of each value u end.
    rows : int32, (rows, attributes)
        Values; no two attributes have a value in common. The last value is missing.
    first : int
    weights : float64, (rows,)
        Above 0.
    attribute : int32, (values,)
        The attribute of each value; that of the last one is the number of attributes.
    found : int32, (values,)
        Scratch memory: values v beside one u.
    by_value : float64, (values, 2)
        Scratch memory: n_uv of one u, and n_.v. It must be zero.
    by_attribute : float64, (attributes + 1, 3)
        For each attribute n_u. of one u, N, and the information in nats. It must be
        zero. The last row has no meaning.
    """
    n_attributes = rows.shape[1]
    with cython.nogil:
        t = 0
        for u in range(ends.shape[0]):
            n_found = 0
            while t < ends[u]:
                i = order[t]
                for k in range(first, n_attributes):
                    v = rows[i, k]
                    if by_value[v, 0] == 0:
                        found[n_found] = v
                        n_found += 1
                    by_value[v, 0] += weights[i]
                t += 1
            while n_found > 0:
                n_found -= 1
                v = found[n_found]
                n = by_value[v, 0]
                by_value[v, 0] = 0
                by_value[v, 1] += n
                by_attribute[attribute[v], 0] += n
                by_attribute[attribute[v], 2] += n * log(n)
            for k in range(first, n_attributes):
                n = by_attribute[k, 0]
                if n > 0:
                    by_attribute[k, 0] = 0
                    by_attribute[k, 1] += n
                    by_attribute[k, 2] -= n * log(n)
        for v in range(by_value.shape[0]):
            n = by_value[v, 1]
            if n > 0:
                by_attribute[attribute[v], 2] -= n * log(n)
        for k in range(first, n_attributes):
            n = by_attribute[k, 1]
            if n > 0:
                by_attribute[k, 2] = by_attribute[k, 2] / n + log(n)


def compare(queries, rows, classes, weights, counts, totals):
    """
    Add up how many values training rows and queries have in common.

    Time is proportional to queries x rows x attributes.

    Parameters
    ----------
    queries : int32, (queries, attributes)
        Unknown values are -2.
    rows : int32, (rows, attributes)
        Training rows. Unknown values are -1; no two attributes have a value in common.
    classes : int32, (rows,)
    weights : float64, (rows,)
    counts : float64, (queries, classes, attributes)
        Filled by rows of a class with the query's value of an attribute. Each row adds
        its number of equal values times its weight.
    totals : float64, (queries, classes, attributes)
        The same for all rows with a value of the attribute.
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
