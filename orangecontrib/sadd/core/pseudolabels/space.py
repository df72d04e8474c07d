"""The space in which labellers see rows: numbers, none of them missing or infinite.

Scikit-learn's scalers and encoders are not used, since weights count as repeated rows
here, infinite values and those far from all labelled ones must not overflow, and the
result must not depend on the order of rows.
"""

import numpy as np

__all__ = ["Space", "own_order"]

# Squares of larger numbers might overflow
HUGE = 1e100

# No value is farther from those of labelled rows than so many times their range
FAR = 1e6


class Space:
    """
    Coordinates of rows.

    Numeric columns are standardized if `normalize`, categorical ones are one-hot;
    missing values are the mean or the most frequent category. All of this is learned
    from the labelled rows.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        Labelled rows. NaN where missing; codes in categorical columns.
    categorical : ndarray of bool, shape (n_features,)
    normalize : bool
    weights : ndarray of float64, optional
    """

    def __init__(self, X, categorical, normalize=True, weights=None):
        weights = np.ones(len(X)) if weights is None else weights
        self.categorical = categorical
        self.lowest, self.highest = _finite_range(X[:, ~categorical])
        magnitude = np.maximum(-self.lowest, self.highest)
        if not normalize:  # a common unit leaves the neighbours as they are
            magnitude = np.full_like(magnitude, magnitude.max(initial=0))
        self.unit = np.where(magnitude > HUGE, magnitude, 1)
        with np.errstate(over="ignore"):
            margin = FAR * (self.highest - self.lowest)
            self.limits = self.lowest - margin, self.highest + margin
        numeric = self._finite(X)
        known = ~np.isnan(numeric)
        mass = weights @ known
        mass[mass == 0] = 1
        self.mean = weights @ np.where(known, numeric, 0) / mass
        self.scale = np.ones(numeric.shape[1])
        if normalize:
            centred = np.where(known, numeric - self.mean, 0)
            self.scale = np.sqrt(weights @ centred ** 2 / mass)
        # A constant column is equally far from all labelled rows. Its deviation may
        # be a rounding error, which would make it infinitely important.
        self.scale[(self.scale == 0) | (self.lowest == self.highest)] = np.inf
        codes = X[:, categorical]
        self.n_values = np.array(
            [_largest_code(column) + 1 for column in codes.T], dtype=int)
        self.mode = np.array(
            [np.argmax(np.bincount(column[known].astype(int), weights[known],
                                   minlength=1))
             for column in codes.T for known in (~np.isnan(column),)], dtype=int)

    def __call__(self, X):
        """Return the coordinates of rows."""
        numeric = self._finite(X)
        numeric = np.where(np.isnan(numeric), self.mean, numeric)
        parts = [(numeric - self.mean) / self.scale]
        for column, n_values, mode in zip(
                X[:, self.categorical].T, self.n_values, self.mode, strict=True):
            codes = np.where(np.isnan(column), mode, column).astype(int)
            # A category never seen is as far from one as from any other
            parts.append((codes[:, None] == np.arange(n_values)).astype(np.float64))
        if not X.shape[1]:
            return np.zeros((len(X), 1))  # all rows are in the same place
        return np.ascontiguousarray(np.concatenate(parts, axis=1))

    def _finite(self, X):
        numeric = X[:, ~self.categorical]
        # Infinite values would be infinitely far from each other, and from the mean;
        # squares of values far from all labelled ones would overflow
        return np.where(np.isinf(numeric),
                        np.clip(numeric, self.lowest, self.highest),
                        np.clip(numeric, *self.limits)) / self.unit


def _finite_range(numeric):
    finite = np.isfinite(numeric)
    lowest = np.where(finite, numeric, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(finite, numeric, -np.inf).max(axis=0, initial=-np.inf)
    some = finite.any(axis=0)
    return np.where(some, lowest, 0), np.where(some, highest, 0)


def _largest_code(column):
    return int(np.nanmax(column, initial=0)) if len(column) else 0


def own_order(X, classes):
    """Return an order of rows that depends on what they are, not on where they are."""
    direction = np.random.RandomState(0).uniform(1, 2, X.shape[1])
    finite = np.nan_to_num(X, nan=0.5, posinf=1e9, neginf=-1e9)
    with np.errstate(over="ignore", invalid="ignore"):
        projection = np.einsum("ij,j->i", finite, direction)
    return np.lexsort((projection, classes))
