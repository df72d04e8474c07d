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


def mutual_informations(order, ends, rows, first, weights, attribute, found, counts,
                        totals, by_value, known, result):
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
    counts, totals : float64, (values,)
        Scratch memory: n_uv of one u, and n_.v. They must be zero.
    by_value, known : float64, (attributes + 1,)
        Scratch memory: n_u. of one u, and N. They must be zero.
    result : float64, (attributes + 1,)
        In nats; it must be zero. The last number has no meaning.
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
                    if counts[v] == 0:
                        found[n_found] = v
                        n_found += 1
                    counts[v] += weights[i]
                t += 1
            while n_found > 0:
                n_found -= 1
                v = found[n_found]
                n = counts[v]
                counts[v] = 0
                totals[v] += n
                by_value[attribute[v]] += n
                result[attribute[v]] += n * log(n)
            for k in range(first, n_attributes):
                if by_value[k] > 0:
                    result[k] -= by_value[k] * log(by_value[k])
                    known[k] += by_value[k]
                    by_value[k] = 0
        for v in range(totals.shape[0]):
            if totals[v] > 0:
                result[attribute[v]] -= totals[v] * log(totals[v])
        for k in range(first, n_attributes):
            if known[k] > 0:
                result[k] = result[k] / known[k] + log(known[k])


def count_pairs(rows, classes, weights, pairs):
    """
    Count pairs of values by class, of each attribute with itself and those after it.

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
        for j in range(n_attributes):  # whose part of `pairs` stays in the cache
            for i in range(rows.shape[0]):
                if rows[i, j] >= 0:
                    for k in range(j, n_attributes):
                        if rows[i, k] >= 0:
                            pairs[rows[i, j], rows[i, k], classes[i]] += weights[i]


def look_up(queries, pairs, by_attribute, counts, totals):
    """
    Compute the sums of `compare` from counts of pairs.

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


def compare(queries, rows, classes, weights, counts, totals):
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
