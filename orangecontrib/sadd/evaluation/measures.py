"""Measures of predictions: information, log loss, Brier score and calibration."""

import numpy as np
import pandas as pd
from sklearn.metrics import log_loss, mutual_info_score

from orangecontrib.sadd.core.types import Floats, Integers

__all__ = ["N_BINS", "calibration_rows", "information", "probability_measures"]

#: Bins of the probability of the predicted class, of equal width
N_BINS = 15


def information(values: Floats, y: Integers) -> float:
    """
    Compute the mutual information of an attribute and the class, in bits.

    Parameters
    ----------
    values : ndarray of shape (n_rows,)
        Values or codes of intervals. Rows with NaN are left out.
    y : ndarray of shape (n_rows,)
        Classes.

    Returns
    -------
    float

    Examples
    --------
    >>> round(information(np.array([0.5, 0.5, 2, 2]), np.array([0, 0, 1, 1])), 6)
    1.0
    """
    known = ~np.isnan(values)
    if not known.any():
        return 0.0
    codes = np.unique(values[known], return_inverse=True)[1]
    return float(mutual_info_score(y[known], codes) / np.log(2))


def probability_measures(y: Integers, proba: Floats) -> dict[str, float]:
    """
    Compute accuracy, log loss and Brier score of predictions.

    Parameters
    ----------
    y : ndarray of int, shape (n_rows,)
        Classes from 0.
    proba : ndarray of float, shape (n_rows, n_classes)
        Probabilities. As in scikit-learn, a true class with probability 0 costs a log
        loss of 36.

    Returns
    -------
    dict
        The Brier score is summed over classes and lies between 0 and 2.

    Examples
    --------
    >>> found = probability_measures(np.array([0, 1]), np.array([[1., 0], [0.5, 0.5]]))
    >>> {name: round(value, 3) for name, value in found.items()}
    {'accuracy': 0.5, 'log_loss': 0.347, 'brier': 0.25}
    """
    truth = np.eye(proba.shape[1])[y]
    return {
        "accuracy": float(np.mean(proba.argmax(axis=1) == y)),
        "log_loss": float(log_loss(y, proba, labels=np.arange(proba.shape[1]))),
        "brier": float(np.mean(np.sum((proba - truth) ** 2, axis=1))),
    }


def calibration_rows(y: Integers, proba: Floats) -> dict[int, dict[str, float]]:
    """
    Count rows and correct predictions by the probability of the predicted class.

    Returns
    -------
    dict
        For each bin with rows: the number of ``rows``, their summed ``confidence``, and
        the number of ``right`` predictions.

    Examples
    --------
    >>> proba = np.array([[1., 0.], [0.6, 0.4], [0.65, 0.35]])
    >>> calibration_rows(np.array([0, 1, 0]), proba)[9]
    {'rows': 2.0, 'confidence': 1.25, 'right': 1.0}
    """
    confidence = proba.max(axis=1)
    frame = pd.DataFrame({
        "rows": 1.0, "confidence": confidence,
        "right": (proba.argmax(axis=1) == y).astype(float)})
    bins = np.clip((confidence * N_BINS).astype(int), 0, N_BINS - 1)
    return frame.groupby(bins).sum().to_dict("index")
