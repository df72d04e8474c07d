"""Measures of predicted probabilities: log loss, Brier score and calibration."""

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss

from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["N_BINS", "brier_score", "calibration_bins", "calibration_error",
           "probability_measures"]

# Bins of equal width, of the probability of the predicted class
N_BINS = 15


def brier_score(y: Integers, proba: Floats) -> float:
    """
    Return the squared error of probabilities: summed over classes, mean over rows.

    It is between 0 and 2. With two classes it is twice that of scikit-learn, which
    then counts one of them.

    Examples
    --------
    >>> brier_score(np.array([0, 1]), np.array([[1., 0.], [0.5, 0.5]]))
    0.25
    """
    truth = np.eye(proba.shape[1])[y]
    return float(np.mean(np.sum((proba - truth) ** 2, axis=1)))


def probability_measures(y: Integers, proba: Floats) -> dict[str, float]:
    """
    Return accuracy, log loss and Brier score of predictions.

    Parameters
    ----------
    y : ndarray of int, shape (n_rows,)
        Classes from 0.
    proba : ndarray of float, shape (n_rows, n_classes)
        Probabilities. For the log loss they are kept away from 0 and 1 by 2.2e-16, as
        scikit-learn does it, so that a class held impossible costs 36.

    Examples
    --------
    >>> found = probability_measures(np.array([0, 1]), np.array([[1., 0], [0.5, 0.5]]))
    >>> {name: round(value, 3) for name, value in found.items()}
    {'accuracy': 0.5, 'log_loss': 0.347, 'brier': 0.25}
    """
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y)),
        "log_loss": float(log_loss(y, proba, labels=np.arange(proba.shape[1]))),
        "brier": brier_score(y, proba),
    }


def calibration_bins(y: Integers, proba: Floats) -> pd.DataFrame:
    """
    Count rows, and those predicted right, by the probability of the predicted class.

    Returns
    -------
    DataFrame
        ``bin`` from 0, ``rows`` in it, the sum of their ``confidence``, and how many
        are ``right``; bins without rows are left out.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> calibration_bins(np.array([0, 1, 0]), proba).to_dict("records")[0]
    {'bin': 9, 'rows': 2, 'confidence': 1.25, 'right': 1}
    """
    confidence = proba.max(axis=1)
    bins = np.clip((confidence * N_BINS).astype(int), 0, N_BINS - 1)
    frame = pd.DataFrame({
        "bin": bins, "rows": 1, "confidence": confidence,
        "right": (proba.argmax(axis=1) == y).astype(int),
    })
    return frame.groupby("bin", as_index=False).sum()


def calibration_error(bins: pd.DataFrame) -> float:
    """
    Return the expected calibration error (ECE).

    The mean over rows of the distance, in their bin, between the mean confidence and
    the fraction predicted right.

    Parameters
    ----------
    bins : DataFrame
        As from `calibration_bins`; bins of several tests count as one.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> round(calibration_error(calibration_bins(np.array([0, 1, 0]), proba)), 4)
    0.0833
    """
    sums = bins.groupby("bin")[["rows", "confidence", "right"]].sum()
    gaps = (sums["confidence"] - sums["right"]).abs()
    return float(gaps.sum() / sums["rows"].sum())
