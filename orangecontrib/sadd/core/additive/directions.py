"""Directions in which L-BFGS searches for the coefficients of SADD Tables.

A line and the ramps of the same variable say nearly the same. So the loss is a narrow
valley in their coefficients, and the search takes many steps. In the directions of the
principal components of each term it is rounder. The fourth root of the curvature, as a
scale, is a compromise: with the square root, terms that are correlated with each other
take more steps than without any scale.
"""

from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
import scipy.sparse as sp

from orangecontrib.sadd.core.types import Floats

__all__ = ["MOST_ROTATED", "Directions", "Part", "plain", "principal", "product"]

#: Terms with more coefficients are not rotated, as matrices grow with the square
MOST_ROTATED = 100

# The least curvature, and the least variance
LEAST = 1e-9

#: Variances and directions of the principal components of a term
Part: TypeAlias = tuple[Floats, sp.spmatrix | Floats]


def plain(size: int) -> Part:
    """Return the coefficients of a term as they are."""
    return np.full(size, 1 / size), sp.eye(size)


def principal(matrix: Floats, shares: Floats) -> Part:
    """
    Return the principal components of the basis of a variable.

    Parameters
    ----------
    matrix : ndarray of float64, shape (n_entries, n_coefficients)
        See `basis.matrix_of`.
    shares : ndarray of float64, shape (n_entries,)
        Share of the rows at each entry.

    Examples
    --------
    >>> variances, _ = principal(np.array([[.5, -.5], [-.5, .5]]), np.full(2, .5))
    >>> variances.round(3)
    array([0. , 0.5])
    """
    variances, directions = np.linalg.eigh((matrix * shares[:, None]).T @ matrix)
    return variances, directions


def product(first: Part, second: Part) -> Part:
    """Return the principal components of a pair, as if its variables were independent.
    """
    variances = np.multiply.outer(first[0], second[0]).ravel()
    if len(variances) > MOST_ROTATED:
        return plain(len(variances))
    return variances, np.kron(first[1], second[1])


class Directions:
    """
    Directions of all coefficients.

    Parameters
    ----------
    parts : iterable of Part
        Of each term.
    curvature : float
        Second derivative of the loss by a score.
    """

    def __init__(self, parts: Iterable[Part], curvature: float) -> None:
        variances, rotations = zip(*parts, strict=True)
        # Without any, lengths would be infinite
        self._curvatures = max(curvature, LEAST) * np.maximum(
            np.concatenate(variances), LEAST)[:, None]
        self._forth = sp.block_diag(rotations, format="csr")
        self._back = self._forth.T.tocsr()

    def scale(self, penalty: Floats) -> Floats:
        """Return the lengths of a step of 1 for the penalties of coefficients."""
        return (self._curvatures + penalty) ** -0.25

    def forth(self, steps: Floats) -> Floats:
        """Return changes of coefficients."""
        return self._forth @ steps

    def back(self, slopes: Floats) -> Floats:
        """Return the derivatives by steps, from those by coefficients."""
        return self._back @ slopes
