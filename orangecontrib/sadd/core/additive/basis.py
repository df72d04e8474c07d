"""The bases of SADD Tables: from coefficients to the entries of tables.

Entries are linear in coefficients, and the penalty keeps coefficients small. The
coefficients of a curve are a slope along its knots and a step at each cut, or a number
for each category. All are centred by the shares of rows. The basis of a pair is the
product of those of its two variables: so its means along both variables are 0.

A line and the ramps of the same variable say nearly the same. So the loss is a narrow
valley in their coefficients, and the search takes many steps. It is rounder in the
*components* of each term, the coefficients of its principal components. The penalty of
components is that of coefficients, because the directions are orthogonal.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from orangecontrib.sadd.core.additive.axes import Axis
from orangecontrib.sadd.core.types import Floats

__all__ = ["Basis", "CurveBasis", "PairBasis", "bases_of"]

# Terms with more coefficients have no components: matrices grow with the square
MOST_ROTATED = 100


class Basis(NamedTuple):
    """
    The basis of a variable.

    Attributes
    ----------
    matrix : ndarray of float64, shape (n_entries, n_coefficients)
    variances : ndarray of float64, shape (n_components,)
        Of the principal components over the rows.
    directions : ndarray of float64, shape (n_coefficients, n_components)
    """

    matrix: Floats
    variances: Floats
    directions: Floats


def bases_of(axes: Sequence[Axis], smoothness: float) -> list[Basis]:
    """
    Return the basis of each variable.

    Parameters
    ----------
    axes : sequence of Axis
    smoothness : float
        Height of the basis function of a step, times the square root of the number of
        cuts. Larger values allow steeper steps.

    Examples
    --------
    >>> axis = Axis(None, np.zeros(2), np.zeros(2, bool), np.array([.5, .5]))
    >>> basis, = bases_of([axis], 2)
    >>> basis.matrix, basis.variances.round(3)
    (array([[ 0.5, -0.5],
           [-0.5,  0.5]]), array([0. , 0.5]))
    """
    found: dict[int, Basis] = {}
    for size in set(map(len, axes)):
        chosen = [index for index, axis in enumerate(axes) if len(axis) == size]
        own = [axes[index] for index in chosen]
        heights = np.array([axis.steps * _height(axis, smoothness) for axis in own])
        matrices = np.tri(size) * heights[:, None]
        matrices[:, :, 0] += [axis.slope for axis in own]
        matrices[[axis.knots is None for axis in own]] = np.eye(size)
        shares = np.array([axis.shares for axis in own])
        matrices -= shares[:, None] @ matrices
        variances, directions = np.linalg.eigh(
            matrices.swapaxes(1, 2) @ (shares[:, :, None] * matrices))
        found.update(zip(chosen, map(Basis, matrices, variances, directions),
                         strict=True))
    return [found[index] for index in range(len(axes))]


def _height(axis, smoothness):
    return smoothness / np.sqrt(max(1, np.count_nonzero(axis.steps)))


class CurveBasis:
    """
    The bases of the curves of all variables at once.

    The last component and entry is the intercept.

    Parameters
    ----------
    axes : sequence of Axis
    smoothness : float
        As for `bases_of`.

    Attributes
    ----------
    variances : ndarray of float64, shape (size,)
        Of components.
    unseen : ndarray of bool, shape (size,)
        Entries of categories that no row has.
    """

    def __init__(self, axes: Sequence[Axis], smoothness: float) -> None:
        short = [axis for axis in axes if len(axis) <= MOST_ROTATED]
        bases = iter(bases_of(short, smoothness))
        blocks, turns, variances = [], [], []
        self._long, end = [], 0
        for axis in axes:
            size = len(axis)
            if size <= MOST_ROTATED:
                matrix, own, directions = next(bases)
                blocks.append(matrix @ directions)
            else:
                self._long.append((slice(end, end + size), axis, smoothness))
                own, directions = np.full(size, 1 / size), np.ones(size)
                blocks.append(directions)
            turns.append(directions)
            variances.append(own)
            end += size
        one = np.ones(1)
        self._matrix = _block_diagonal([*blocks, one])
        self._turn = _block_diagonal([*turns, one])
        self._transposed = self._matrix.T
        self.variances = np.concatenate((*variances, one))
        self.unseen = np.concatenate(
            [*((axis.shares == 0) & (axis.knots is None) for axis in axes), [False]])

    @property
    def size(self) -> int:
        """Number of entries, and of components, for each class."""
        return len(self.variances)

    def entries(self, components: Floats) -> Floats:
        """Return entries, shape (size, n_classes), of components of this shape."""
        found = self._matrix @ components
        for own, axis, smoothness in self._long:
            found[own] = _long_entries(axis, smoothness, found[own])
        return found

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by components for a gradient by entries."""
        if self._long:
            gradient = gradient.copy()
        for own, axis, smoothness in self._long:
            gradient[own] = _long_pull_back(axis, smoothness, gradient[own])
        return self._transposed @ gradient

    def turn(self, components: Floats) -> Floats:
        """Return coefficients for components."""
        return self._turn @ components


def _block_diagonal(blocks):
    """Return a sparse matrix of square blocks; those of one dimension are diagonals."""
    sizes = np.array([len(block) for block in blocks])
    is_full = np.repeat([block.ndim == 2 for block in blocks], sizes)
    rows = np.arange(sizes.sum())
    first = np.where(is_full, np.repeat(sizes.cumsum() - sizes, sizes), rows)
    widths = np.where(is_full, np.repeat(sizes, sizes), 1)
    starts = np.append(0, widths.cumsum())
    columns = np.arange(starts[-1]) - np.repeat(starts[:-1] - first, widths)
    return csr_array((np.concatenate([block.ravel() for block in blocks]), columns,
                      starts), shape=(len(rows), len(rows)))


def _long_entries(axis, smoothness, coefficients):
    """Return the entries of a curve in time linear in their number."""
    found = coefficients
    if axis.knots is not None:
        steps = (axis.steps * _height(axis, smoothness))[:, None]
        found = np.cumsum(steps * found, axis=0) + axis.slope[:, None] * found[0]
    return found - axis.shares @ found


def _long_pull_back(axis, smoothness, gradient):
    """Return the gradient by the coefficients of a curve, likewise."""
    found = gradient - axis.shares[:, None] * gradient.sum(axis=0)
    if axis.knots is not None:
        by_slope = axis.slope @ found
        steps = (axis.steps * _height(axis, smoothness))[:, None]
        found = steps * np.cumsum(found[::-1], axis=0)[::-1]
        found[0] += by_slope
    return found


class PairBasis:
    """
    The bases of pairs of variables.

    Parameters
    ----------
    pairs : sequence of pair of int
    axes : dict of int to Axis
        Of features in pairs.
    smoothness : float
        As for `bases_of`.

    Attributes
    ----------
    starts : ndarray of int, shape (n_pairs + 1,)
        First entry of each pair, and the number of entries.
    variances : ndarray of float64, shape (size,)
        Of components, as if the two variables were independent.
    """

    def __init__(self, pairs: Sequence[tuple[int, int]], axes: Mapping[int, Axis],
                 smoothness: float) -> None:
        features = list({feature for pair in pairs for feature in pair})
        bases = dict(zip(features, bases_of(
            [axes[feature] for feature in features], smoothness), strict=True))
        shapes = [(len(axes[first]), len(axes[second])) for first, second in pairs]
        self.starts = np.cumsum([0, *(first * second for first, second in shapes)])
        self.variances = np.empty(self.starts[-1])
        # Pairs of the same shape are computed together
        self._groups = []
        for shape in dict.fromkeys(shapes):
            chosen = [pair for pair, own in enumerate(shapes) if own == shape]
            size = shape[0] * shape[1]
            entries = self.starts[chosen][:, None] + np.arange(size)
            sides = [[bases[pairs[pair][side]] for pair in chosen] for side in range(2)]
            matrices, variances, turns = (
                [np.array([basis[part] for basis in side]) for side in sides]
                for part in range(3))
            if size <= MOST_ROTATED:
                matrices = [a @ b for a, b in zip(matrices, turns, strict=True)]
                self.variances[entries] = (
                    variances[0][:, :, None] * variances[1][:, None]).reshape(-1, size)
            else:
                turns = [np.eye(side)[None] for side in shape]
                self.variances[entries] = 1 / size
            self._groups.append((shape, entries, matrices, turns))

    def entries(self, components: Floats) -> Floats:
        """Return entries, shape (size, n_classes), of components of this shape."""
        return self._multiply(components, lambda matrices, _: matrices)

    def pull_back(self, gradient: Floats) -> Floats:
        """Return the gradient by components for a gradient by entries."""
        return self._multiply(gradient, lambda matrices, _: [
            matrix.swapaxes(1, 2) for matrix in matrices])

    def turn(self, components: Floats) -> Floats:
        """Return coefficients for components."""
        return self._multiply(components, lambda _, turns: turns)

    def _multiply(self, numbers, factors):
        found = np.empty_like(numbers)
        for (n_first, n_second), entries, *matrices in self._groups:
            first, second = factors(*matrices)
            part = first @ numbers[entries].reshape(len(entries), n_first, -1)
            part = part.reshape(len(entries), n_first, n_second, -1)
            part = second[:, None] @ part
            found[entries] = part.reshape(*entries.shape, -1)
        return found
