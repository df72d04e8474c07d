"""The bases of SADD Tables: from coefficients to the entries of tables.

Entries are linear in coefficients, and the penalty keeps coefficients small. The
coefficients of a curve are a slope along its knots and a step at each cut, or a number
for each category. All are centred by the shares of rows. The basis of a pair is the
product of those of its two variables: so its means along both variables are 0.
"""

from collections.abc import Sequence

import numpy as np

from orangecontrib.sadd.core.additive.axes import Axis
from orangecontrib.sadd.core.types import Floats

__all__ = ["CurveBasis", "PairBasis", "matrix_of"]


class CurveBasis:
    """
    The bases of the curves of all variables at once, in time linear in their entries.

    The last coefficient and entry of each class is its intercept.

    Parameters
    ----------
    axes : sequence of Axis
    smoothness : float
        Height of the basis function of a step, times the square root of the number of
        cuts. Larger values allow steeper steps.

    Attributes
    ----------
    starts : ndarray of int, shape (n_features + 1,)
        First entry of each feature, and the entry of the intercept.
    unseen : ndarray of bool, shape (size,)
        Entries of categories that no row has.
    """

    def __init__(self, axes: Sequence[Axis], smoothness: float) -> None:
        sizes = [*(len(axis) for axis in axes), 1]
        self.starts = np.append(0, np.cumsum(sizes))[:-1]
        self._feature = np.repeat(np.arange(len(sizes)), sizes)
        self._first = self.starts[self._feature]
        self._last = self._first + np.take(sizes, self._feature) - 1
        self._shares = np.concatenate([*(axis.shares for axis in axes), [0]])[:, None]
        self.unseen = np.concatenate(
            [*((axis.shares == 0) & (axis.knots is None) for axis in axes), [False]])
        self._slope = np.concatenate([*(axis.slope for axis in axes), [0]])[:, None]
        self._step = np.concatenate(
            [*(axis.steps * _height(axis, smoothness) for axis in axes), [0]])[:, None]
        self._direct = np.concatenate([*(
            np.full(len(axis), axis.knots is None) for axis in axes), [1]])[:, None]

    @property
    def size(self) -> int:
        """Number of entries, and of coefficients, for each class."""
        return len(self._feature)

    def entries(self, coefficients: Floats) -> Floats:
        """Return entries, shape (size, n_classes), of coefficients of this shape."""
        steps = np.cumsum(self._step * coefficients, axis=0)
        found = self._direct * coefficients + self._slope * coefficients[self._first]
        found += steps - steps[self._first]
        means = self._sum(self._shares * found)
        return found - means[self._feature]

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by coefficients for a gradient by entries."""
        gradient = gradient - self._shares * self._sum(gradient)[self._feature]
        below = np.cumsum(gradient, axis=0)
        from_here = below[self._last] - below + gradient
        found = self._direct * gradient + self._step * from_here
        found[self.starts] += self._sum(self._slope * gradient)
        return found

    def _sum(self, entries):
        """Return the sum over the entries of each feature."""
        return np.add.reduceat(entries, self.starts)


def _height(axis, smoothness):
    return smoothness / np.sqrt(max(1, np.count_nonzero(axis.steps)))


def matrix_of(axis: Axis, smoothness: float) -> Floats:
    """
    Return the basis of a single variable as a matrix of entries x coefficients.

    Examples
    --------
    >>> matrix_of(Axis(None, np.zeros(2), np.zeros(2, bool), np.array([.75, .25])), 2)
    array([[ 0.25, -0.25],
           [-0.75,  0.75]])
    """
    return CurveBasis([axis], smoothness).entries(np.eye(len(axis) + 1))[:-1, :-1]


class PairBasis:
    """
    The bases of pairs of variables.

    Parameters
    ----------
    matrices : sequence of pair of ndarray
        `matrix_of` the axes of each pair.

    Attributes
    ----------
    starts : ndarray of int, shape (n_pairs + 1,)
        First entry of each pair, and the number of entries.
    """

    def __init__(self, matrices: Sequence[tuple[Floats, Floats]]) -> None:
        shapes = [(len(first), len(second)) for first, second in matrices]
        self.starts = np.cumsum([0, *(first * second for first, second in shapes)])
        # Pairs of the same shape are computed together
        self._groups = []
        for shape in dict.fromkeys(shapes):
            chosen = [pair for pair, own in enumerate(shapes) if own == shape]
            entries = self.starts[chosen][:, None] + np.arange(shape[0] * shape[1])
            self._groups.append((shape, entries, *(
                np.array([matrices[pair][side] for pair in chosen])
                for side in range(2))))

    @property
    def size(self) -> int:
        """Number of entries, and of coefficients, for each class."""
        return int(self.starts[-1])

    def entries(self, coefficients: Floats) -> Floats:
        """Return entries, shape (size, n_classes), of coefficients of this shape."""
        return self._multiply(coefficients, False)

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by coefficients for a gradient by entries."""
        return self._multiply(gradient, True)

    def _multiply(self, numbers, is_transposed):
        found = np.empty_like(numbers)
        for (n_first, n_second), entries, first, second in self._groups:
            if is_transposed:
                first, second = first.swapaxes(1, 2), second.swapaxes(1, 2)
            part = first @ numbers[entries].reshape(len(entries), n_first, -1)
            part = part.reshape(len(entries), n_first, n_second, -1)
            part = second[:, None] @ part
            found[entries] = part.reshape(*entries.shape, -1)
        return found
