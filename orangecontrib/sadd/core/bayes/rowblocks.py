"""Discretized rows as sparse one-hot matrices, as few ones in them as possible.

In a row of discretized data each attribute points at a column of the tables of naive
Bayes. The scores of all rows are then the product of a one-hot matrix Z and the
(weighted) tables, and derivatives by the tables come from the transpose of Z. It takes
n m additions per class, as with a dense tensor of logarithms (8 n m C bytes), but no
such tensor, and less time than reading it.

Two things make it cheaper still. Rows that are equal, class included, become one row
that counts several times. And *parts* of rows recur even where rows do not: adjacent
attributes are joined into one, with the combinations that occur for values, as long as
these are few. Thus Z = H E, where H has fewer ones than Z, and E is small.
"""

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

__all__ = ["RowBlock", "group_rows", "join_columns", "one_hot", "row_blocks"]

# Attributes are joined while combinations are at most this many, and while the cells
# that this adds to E are fewer than this share of those that vanish from H. Both were
# chosen by time, for 1,000 to 100,000 rows, 10 to 500 attributes, 5 to 25 values.
MAX_COMBINATIONS = 2048
JOIN_SHARE = 1 / 8

# A block has at most this many ones, which are 8 bytes each and shared by all blocks.
MAX_ONES = 2 ** 23

# Rows are grouped when at most this share of them is distinct.
GROUP_SHARE = 0.8


def one_hot(columns, n_columns):
    """
    Return the sparse matrix with ones at the given columns of each row.

    Parameters
    ----------
    columns : ndarray of int32, shape (n_rows, k)
        A column may occur more than once in a row: the ones add up.
    n_columns : int

    Returns
    -------
    scipy.sparse.csr_array, shape (n_rows, n_columns)

    Examples
    --------
    >>> import numpy as np
    >>> one_hot(np.array([[0, 2], [1, 2]], dtype=np.int32), 3).toarray()
    array([[1., 0., 1.],
           [0., 1., 1.]])
    """
    n_rows, k = columns.shape
    starts = np.arange(n_rows + 1) * k
    return sp.csr_array((np.ones(n_rows * k), columns.ravel(), starts),
                        shape=(n_rows, n_columns))


def join_columns(columns, n_values, n_columns, max_combinations=MAX_COMBINATIONS):
    """
    Join adjacent attributes whose values occur in few combinations.

    Parameters
    ----------
    columns : ndarray of int32, shape (n_rows, n_attributes)
        From `Tables.encode`: the columns of an attribute are adjacent, and the
        last one of all, `n_columns` - 1, stands for an unknown value.
    n_values : ndarray of int, shape (n_attributes,)
        The number of columns of each attribute.
    n_columns : int
    max_combinations : int
        1 joins nothing.

    Returns
    -------
    joined : ndarray of int32, shape (n_rows, n_joined)
        Each row's combinations: the ones of H.
    expand : csr_array, shape (n_combinations, n_columns)
        The columns that make a combination: E.
    n_first : int
        The combinations before this one are those of the first joined attribute.

    Examples
    --------
    >>> import numpy as np
    >>> columns = np.array([[0, 2, 4], [1, 3, 4]] * 20, dtype=np.int32)
    >>> joined, expand, _ = join_columns(columns, np.array([2, 2, 0]), 5)
    >>> joined[:2]
    array([[0],
           [1]], dtype=int32)
    >>> expand.toarray()
    array([[1., 0., 1., 0., 1.],
           [0., 1., 0., 1., 1.]])
    """
    n_rows, n_attributes = columns.shape
    starts = np.cumsum(n_values) - n_values
    groups = []
    for j in range(n_attributes):
        # the last of these values is the unknown one
        code = np.minimum(columns[:, j] - starts[j], n_values[j]).astype(np.intp)
        own = np.append(np.arange(starts[j], starts[j] + n_values[j]), n_columns - 1)
        joint = _join(*groups[-1], code, own, max_combinations) if groups else None
        if joint is None:
            groups.append((code, own[:, None]))
        else:
            groups[-1] = joint
    if not groups:  # even without attributes, a row has a combination: of nothing
        groups = [(np.zeros(n_rows, dtype=np.intp), np.array([[n_columns - 1]]))]

    joined = np.empty((n_rows, len(groups)), dtype=np.int32)
    n_combinations = 0
    for g, (code, members) in enumerate(groups):
        joined[:, g] = code + n_combinations
        n_combinations += len(members)
    lengths = np.concatenate(
        [np.full(len(members), members.shape[1]) for _, members in groups])
    indices = np.concatenate([members.ravel() for _, members in groups])
    expand = sp.csr_array(
        (np.ones(len(indices)), indices, np.append(0, np.cumsum(lengths))),
        shape=(n_combinations, n_columns))
    return joined, expand, len(groups[0][1])


def _join(code, members, other, own, max_combinations):
    """Join one more attribute to a group; return None if that does not pay."""
    n_keys = len(members) * len(own)
    if max_combinations <= 1 or n_keys > 4 * max(len(code), max_combinations):
        return None
    key = code * len(own) + other
    present = np.bincount(key, minlength=n_keys) > 0
    keys = np.flatnonzero(present)
    added = len(keys) * (members.shape[1] + 1) - members.size
    if len(keys) > max_combinations or added > len(code) * JOIN_SHARE:
        return None
    number = np.cumsum(present) - 1
    first, second = np.divmod(keys, len(own))
    return number[key], np.column_stack((members[first], own[second]))


def group_rows(joined, y, weight=None, count=None):
    """
    Unite rows that are equal, class and weight included, if enough of them are.

    Parameters
    ----------
    joined : ndarray of int32, shape (n_rows, n_joined)
    y : ndarray of int, shape (n_rows,)
    weight : ndarray of float64, shape (n_rows,), optional
    count : ndarray of float64, shape (n_rows,), optional
        How often each of them occurs; once by default.

    Returns
    -------
    joined, y, weight
        The distinct rows, or those given.
    count : ndarray of float64, or None
        How often each of these occurs.

    Examples
    --------
    >>> import numpy as np
    >>> group_rows(np.array([[3], [3], [3]]), np.array([0, 0, 0]))
    (array([[3]]), array([0]), None, array([3.]))
    """
    # A hash, fast to compute and to count, decides whether it pays; then it is checked.
    factors = np.random.default_rng(0).integers(2 ** 62, size=joined.shape[1] + 1)
    key = y.astype(np.int64)
    if weight is not None:
        key += weight.view(np.int64) * factors[-1]
    for g, factor in enumerate(factors[:-1]):
        key += joined[:, g] * factor
    ordered = np.sort(key)
    n_distinct = 1 + np.count_nonzero(ordered[1:] != ordered[:-1])
    if n_distinct > GROUP_SHARE * len(key):
        return joined, y, weight, count
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    for rows in (joined, y, weight):
        if rows is not None and not np.array_equal(rows[first][group], rows):
            return joined, y, weight, count
    return (joined[first], y[first], None if weight is None else weight[first],
            np.bincount(group, count).astype(np.float64))


@dataclass(frozen=True, eq=False)
class RowBlock:
    """
    Some rows.

    Attributes
    ----------
    onehot, transposed : csr_array, csc_array
        H, for these rows, and its transpose; they share memory.
    y : ndarray of int, shape (n_rows,)
    factor : float or ndarray of float64, shape (n_rows,)
        By which what a row adds is multiplied.
    count : ndarray of float64, shape (n_rows,), or None
        How many rows each stands for; None if that is one.
    """

    onehot: sp.csr_array
    transposed: sp.csc_array
    y: np.ndarray
    factor: float | np.ndarray
    count: np.ndarray | None

    def __len__(self):
        return len(self.y)

    def sum_by_combination(self, terms):
        """
        Sum over rows what each of them adds to its combinations.

        Parameters
        ----------
        terms : ndarray, shape (..., n_rows)

        Returns
        -------
        ndarray, shape (n_combinations, number of terms of a row)
        """
        return self.transposed @ np.ascontiguousarray(terms.reshape(-1, len(self)).T)


def row_blocks(joined, y, factor, count, n_combinations, size):
    """
    Cut rows into blocks of two or more.

    Besides the rows given here, which are not copied, a block needs no memory: ones and
    numbers of rows are the same for all blocks.

    Parameters
    ----------
    joined : ndarray of int32, shape (n_rows, n_joined)
    y : ndarray of int, shape (n_rows,)
    factor, count
        As for `RowBlock`.
    n_combinations : int
    size : int
        The largest number of rows in a block; fewer if they have many ones, but never
        below three.

    Returns
    -------
    list of RowBlock
    """
    if len(y) == 1:
        # NumPy adds the classes of a single row in another order than those of several,
        # but what a row adds must not depend on its block: a second row that counts 0
        joined, y = joined.repeat(2, axis=0), y.repeat(2)
        factor = factor.repeat(2) if np.ndim(factor) else factor
        count = np.append(1. if count is None else count, 0.)
    n_rows, n_joined = joined.shape
    size = max(3, min(n_rows, size, MAX_ONES // n_joined))
    # Blocks of about the same length: then the last one does not have a single row
    ends = np.linspace(0, n_rows, 1 + -(-n_rows // size)).astype(int)
    ones = np.ones(min(n_rows, size) * n_joined)
    # the type of indices must be the same, or scipy copies them
    starts = np.arange(min(n_rows, size) + 1, dtype=np.int32) * np.int32(n_joined)
    blocks = []
    for start, end in zip(ends[:-1], ends[1:], strict=True):
        rows, length = slice(start, end), end - start
        onehot = sp.csr_array(
            (ones[:length * n_joined], joined[rows].reshape(-1), starts[:length + 1]),
            shape=(length, n_combinations))
        blocks.append(RowBlock(
            onehot, onehot.T, y[rows], factor[rows] if np.ndim(factor) else factor,
            None if count is None else count[rows]))
    return blocks
