"""The objective of terms: tables that are linear between their entries.

A value has a *place*: the number of an entry of the table, plus the fraction of the way
to the next one. The score of a class is the prior, plus what the table of each
attribute has at the place of its value, plus what the tables of pairs of attributes
have at both places. Those are linear along either attribute.

`measure_intervals` computes where knots should be. `place_values` finds the places of a
block of rows. `score_places` adds up its scores,
`target_losses` computes losses and their derivatives by scores, and `add_at_places`
adds these to the derivatives by table entries, as in `_objective`.

A table has two numbers for each entry and score: the entry, and how much the next one
is above it. Derivatives have the same shape. All memory comes in as arguments,
contiguous, and the lock of Python is released. Indices are not checked. The types for
Cython are in `_places.pxd`. Arguments of several functions:

places : float64, (rows, attributes)
    Places in the tables of attributes. Where a value is missing, it is that of an entry
    of zeros.
pair_places : float64, (rows, attributes in pairs)
    Places in the tables of pairs, from 0; negative where a value is missing.
pairs : int32, (pairs, 4)
    The two columns of `pair_places`, the first entry of the table, and its number of
    entries for an entry of the first attribute.
"""

try:
    import cython
except ImportError:
    from orangecontrib.sadd.core import _cython as cython

if cython.compiled:
    from cython.cimports.libc.math import log
else:
    from math import log

INFINITY = float("inf")
# Differences of larger numbers might overflow
HUGE = 1e300


def measure_intervals(values, weights, cuts, starts, sums, total, ranges):
    """
    Compute the means of intervals, and those of attributes with their deviations.

    Values are shares of the range of the attribute, since sums of values with a large
    offset would be rounded, and squares might underflow or overflow. Infinities count
    as the ends of the range.

    Parameters
    ----------
    values : float64, (rows, attributes), of any strides
        NaN is missing.
    weights : float64, (rows,)
        Rows with a weight of 0 are left out.
    cuts : float64, (intervals - attributes,)
        Increasing cuts of each attribute. A value equal to a cut lies above it.
    starts : int32, (attributes + 1,)
        First interval of each attribute.
    sums : float64, (intervals, 2)
        Zeros, to which the weight and the sum of values of each interval are added.
    total : float64, (attributes,)
        Zeros, to which the weight of each attribute is added.
    ranges : float64, (attributes, 4)
        Zeros, which become the least and the largest finite value, the mean, and the
        sum of squared differences from it.
    """
    n_attributes = values.shape[1]
    with cython.nogil:
        for j in range(n_attributes):
            ranges[j, 0], ranges[j, 1] = INFINITY, -INFINITY
        for i in range(values.shape[0]):
            if weights[i] > 0:
                for j in range(n_attributes):
                    value = values[i, j]
                    if -INFINITY < value < INFINITY:
                        ranges[j, 0] = min(ranges[j, 0], value)
                        ranges[j, 1] = max(ranges[j, 1], value)
        for j in range(n_attributes):
            if ranges[j, 0] > ranges[j, 1]:
                ranges[j, 0] = ranges[j, 1] = 0
        for i in range(values.shape[0]):
            weight = weights[i]
            for j in range(n_attributes if weight > 0 else 0):
                value = values[i, j]
                low, high = ranges[j, 0], ranges[j, 1]
                if value == value and low < high:
                    a = starts[j]
                    n = starts[j + 1] - a
                    while n > 1:
                        half = n // 2
                        a += half if value >= cuts[a - j + half - 1] else 0
                        n -= half
                    factor = 0.5 if max(-low, high) > HUGE else 1.0
                    value = (min(max(value, low), high) * factor - low * factor) / (
                        high * factor - low * factor)
                    sums[a, 0] += weight
                    sums[a, 1] += weight * value
                    total[j] += weight
                    above = value - ranges[j, 2]
                    ranges[j, 2] += above * (weight / total[j])
                    ranges[j, 3] += weight * above * (value - ranges[j, 2])


def place_values(values, knots, slopes, starts, offsets, is_numeric, missing, places):
    """
    Find the places of a block of rows.

    Parameters
    ----------
    values : float64, (rows, attributes)
        NaN is missing. So are codes that are not below the number of categories.
    knots : float64, (entries,)
        Values of the entries of each numeric attribute, increasing.
    slopes : float64, (entries,)
        1 / (difference to the next knot), or 0 for a step at the next one.
    starts : int32, (attributes + 1,)
        First entry of each attribute in `knots`.
    offsets : int32, (attributes,)
        Place of this entry.
    is_numeric : int32, (attributes,)
        0 for codes of categories.
    missing : float
        Place of missing values.
    places : float64, (rows, attributes)
        The result.
    """
    with cython.nogil:
        for i in range(values.shape[0]):
            for j in range(values.shape[1]):
                value = values[i, j]
                first = starts[j]
                n = starts[j + 1] - first
                place = missing
                if is_numeric[j]:
                    if value == value:
                        # The last knot that is not above the value, or the first one
                        a = first
                        while n > 1:
                            half = n // 2
                            a += half if value >= knots[a + half] else 0
                            n -= half
                        place = offsets[j] + a - first
                        if slopes[a] > 0 and value > knots[a]:
                            place += min((value - knots[a]) * slopes[a], 1.0)
                elif 0 <= value < n:
                    a = cython.cast(cython.int, value)
                    place = offsets[j] + a
                places[i, j] = place


def score_places(places, pair_places, pairs, prior, table, scores):
    """
    Compute the scores of a block of rows.

    Parameters
    ----------
    places, pair_places, pairs
        See above.
    prior : float64, (width,)
        Scores of all classes but the first one, whose score is 0.
    table : float64, (entries, 2, width)
    scores : float64, (rows, 1, 1 + width)
        The result, less the highest score of each row.
    """
    width = table.shape[2]
    with cython.nogil:
        for i in range(places.shape[0]):
            if width == 1:  # for speed, without loops of one step
                total = prior[0]
                for j in range(places.shape[1]):
                    place = places[i, j]
                    a = cython.cast(cython.int, place)
                    total += table[a, 0, 0] + (place - a) * table[a, 1, 0]
                scores[i, 0, 1] = total
            else:
                for k in range(width):
                    scores[i, 0, k + 1] = prior[k]
                for j in range(places.shape[1]):
                    place = places[i, j]
                    a = cython.cast(cython.int, place)
                    part = place - a
                    for k in range(width):
                        scores[i, 0, k + 1] += table[a, 0, k] + part * table[a, 1, k]
            for q in range(pairs.shape[0]):
                place = pair_places[i, pairs[q, 0]]
                other = pair_places[i, pairs[q, 1]]
                if place >= 0 and other >= 0:
                    a = cython.cast(cython.int, place)
                    b = cython.cast(cython.int, other)
                    part, second = place - a, other - b
                    step = pairs[q, 3]
                    a = pairs[q, 2] + a * step + b
                    b = a + step if part > 0 else a  # there may be no next entry
                    for k in range(width):
                        low = table[a, 0, k] + second * table[a, 1, k]
                        high = table[b, 0, k] + second * table[b, 1, k]
                        scores[i, 0, k + 1] += low + part * (high - low)
            highest = 0
            for k in range(width):
                highest = max(highest, scores[i, 0, k + 1])
            scores[i, 0, 0] = -highest
            for k in range(width):
                scores[i, 0, k + 1] -= highest


def target_losses(targets, weights, scores, posterior, slopes):
    """
    Return the sum of log losses, - sum_c t_c ln P_c, and fill `slopes`.

    Parameters
    ----------
    targets : float64, (rows, classes)
        Probabilities that the model should predict.
    weights : float64, (rows,)
    scores : float64, (rows, 1, classes)
    posterior : float64, (rows, 1, classes)
        ``exp(scores)``: the posteriors before division by their sum.
    slopes : float64, (rows, width)
        Derivatives by scores, P_c sum_k t_k - t_c.
    """
    n_classes = targets.shape[1]
    value = 0
    with cython.nogil:
        for i in range(targets.shape[0]):
            norm = mass = inner = 0
            for k in range(n_classes):
                norm += posterior[i, 0, k]
                mass += targets[i, k]
                inner += targets[i, k] * scores[i, 0, k]
            value += weights[i] * (mass * log(norm) - inner)
            for k in range(1, n_classes):
                slopes[i, k - 1] = weights[i] * (
                    mass / norm * posterior[i, 0, k] - targets[i, k])
    return value


def add_at_places(places, pair_places, pairs, slopes, gradient):
    """
    Add the derivatives of a block of rows to those by table entries.

    Parameters
    ----------
    places, pair_places, pairs
        See above.
    slopes : float64, (rows, width)
        Derivatives of the loss of each row by its scores.
    gradient : float64, (entries, 2, width)
    """
    width = gradient.shape[2]
    with cython.nogil:
        for i in range(places.shape[0]):
            if width == 1:
                slope = slopes[i, 0]
                for j in range(places.shape[1]):
                    place = places[i, j]
                    a = cython.cast(cython.int, place)
                    gradient[a, 0, 0] += slope
                    gradient[a, 1, 0] += (place - a) * slope
            else:
                for j in range(places.shape[1]):
                    place = places[i, j]
                    a = cython.cast(cython.int, place)
                    part = place - a
                    for k in range(width):
                        gradient[a, 0, k] += slopes[i, k]
                        gradient[a, 1, k] += part * slopes[i, k]
            for q in range(pairs.shape[0]):
                place = pair_places[i, pairs[q, 0]]
                other = pair_places[i, pairs[q, 1]]
                if place >= 0 and other >= 0:
                    a = cython.cast(cython.int, place)
                    b = cython.cast(cython.int, other)
                    part, second = place - a, other - b
                    step = pairs[q, 3]
                    a = pairs[q, 2] + a * step + b
                    b = a + step if part > 0 else a
                    for k in range(width):
                        slope = slopes[i, k]
                        high = part * slope
                        low = slope - high
                        gradient[a, 0, k] += low
                        gradient[a, 1, k] += second * low
                        gradient[b, 0, k] += high
                        gradient[b, 1, k] += second * high
