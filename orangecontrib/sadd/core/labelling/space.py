"""Rows as points: standardized, one-hot, imputed."""

import numpy as np

__all__ = ["Space"]

# Squares of larger numbers might overflow
HUGE = 1e100

# Maximum distance of a value from labelled rows, in units of their range
FAR = 1e6


class Space:
    """
    Coordinates of rows.

    Numeric columns are standardized if `standardize`, categorical ones are one-hot;
    missing values are the mean or the most frequent category.

    Scikit-learn's scalers and encoders are not used, for three reasons. Weights count
    as repeated rows here. Infinite and very large values must not overflow. The result
    must not depend on the order of rows.

    Parameters
    ----------
    X : ndarray of float64, shape (n_rows, n_features)
        Rows of which mean, deviation and categories are computed. NaN where missing;
        codes in categorical columns.
    categorical : ndarray of bool, shape (n_features,)
    standardize : bool
    weights : ndarray of float64, optional
    """

    def __init__(self, X, categorical, standardize=True, weights=None):
        weights = np.ones(len(X)) if weights is None else weights
        self.categorical = categorical
        self.lowest, self.highest = _finite_range(X[:, ~categorical])
        magnitude = np.maximum(-self.lowest, self.highest)
        if not standardize:  # a common unit leaves the neighbours as they are
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
        if standardize:
            centred = np.where(known, numeric - self.mean, 0)
            self.scale = np.sqrt(weights @ centred ** 2 / mass)
        # A constant column is equally far from all labelled rows. Its deviation may be
        # a rounding error, and division by it would give the column a huge weight.
        self.scale[(self.scale == 0) | (self.lowest == self.highest)] = np.inf
        self.n_values, self.mode = [], []
        for column in X[:, categorical].T:
            some = ~np.isnan(column)
            counts = np.bincount(column[some].astype(int), weights[some], minlength=1)
            self.n_values.append(len(counts))
            self.mode.append(counts.argmax())

    def __call__(self, X):
        """Return the coordinates of rows."""
        numeric = self._finite(X)
        np.copyto(numeric, self.mean, where=np.isnan(numeric))
        numeric -= self.mean
        numeric /= self.scale
        parts = [numeric]
        for column, n_values, mode in zip(
                X[:, self.categorical].T, self.n_values, self.mode, strict=True):
            codes = np.where(np.isnan(column), mode, column).astype(int)
            # A new category is equally far from all other categories
            parts.append((codes[:, None] == np.arange(n_values)).astype(np.float64))
        if not X.shape[1]:
            return np.zeros((len(X), 1))  # all rows are in the same place
        return np.concatenate(parts, axis=1) if len(parts) > 1 else numeric

    def _finite(self, X):
        """Return a copy of numeric columns, without infinite values."""
        numeric = np.ascontiguousarray(X[:, ~self.categorical], dtype=np.float64)
        # Infinite values would be infinitely far from each other, and from the mean;
        # squares of values far from all labelled ones would overflow
        infinite = np.isinf(numeric)
        if infinite.any():
            np.copyto(numeric, np.clip(numeric, self.lowest, self.highest),
                      where=infinite)
        np.clip(numeric, *self.limits, out=numeric)
        if np.any(self.unit != 1):
            numeric /= self.unit
        return numeric


def _finite_range(numeric):
    finite = np.isfinite(numeric)
    lowest = np.where(finite, numeric, np.inf).min(axis=0, initial=np.inf)
    highest = np.where(finite, numeric, -np.inf).max(axis=0, initial=-np.inf)
    some = finite.any(axis=0)
    return np.where(some, lowest, 0), np.where(some, highest, 0)
