"""Measures of probabilities agree with scikit-learn and with sums by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import brier_score_loss, log_loss

from orangecontrib.sadd.evaluation.measures import (
    N_BINS,
    calibration_rows,
    probability_measures,
)
from orangecontrib.sadd.evaluation.summaries import calibration_error


def calibration_bins(y, proba):
    return pd.DataFrame.from_dict(calibration_rows(y, proba), orient="index")


@pytest.fixture(scope="module")
def predictions():
    random = np.random.default_rng(0)
    return random.integers(3, size=200), random.dirichlet([0.5, 1, 2], size=200)


def test_measures_agree_with_scikit_learn(predictions):
    y, proba = predictions
    found = probability_measures(y, proba)
    assert found["log_loss"] == pytest.approx(log_loss(y, proba), rel=1e-12)
    assert found["accuracy"] == np.mean(proba.argmax(axis=1) == y)
    two = np.column_stack([proba[:, 0], 1 - proba[:, 0]])
    assert probability_measures(y.clip(0, 1), two)["brier"] == pytest.approx(
        2 * brier_score_loss(y.clip(0, 1), two[:, 1]), rel=1e-12)


def test_measures_by_hand():
    proba = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]])
    found = probability_measures(np.array([0, 2]), proba)
    assert found["accuracy"] == 0.5
    assert found["log_loss"] == pytest.approx(-(np.log(0.7) + np.log(0.3)) / 2)
    assert found["brier"] == pytest.approx(
        (0.09 + 0.04 + 0.01 + 0.01 + 0.36 + 0.49) / 2)


def test_log_loss_when_a_class_has_no_test_row():
    found = probability_measures(np.array([0, 0]), np.array([[0.5, 0.5], [1.0, 0.0]]))
    assert found["log_loss"] == pytest.approx(np.log(2) / 2)


class TestCalibration:
    def test_bins_by_hand(self):
        confidence = np.array([0.91, 0.92, 0.93, 0.55, 1.0])
        proba = np.column_stack([confidence, 1 - confidence])
        y = np.array([0, 0, 1, 1, 0])
        bins = calibration_bins(y, proba)
        assert bins.index.tolist() == [8, 13, 14]
        assert bins["rows"].tolist() == [1, 3, 1]
        assert bins["right"].tolist() == [0, 2, 1]
        gaps = 0.55 + abs(0.91 + 0.92 + 0.93 - 2) + 0
        assert calibration_error(bins) == pytest.approx(gaps / 5)

    def test_error_by_its_definition(self, predictions):
        y, proba = predictions
        confidence, right = proba.max(axis=1), proba.argmax(axis=1) == y
        error = 0.0
        for b in range(N_BINS):
            inside = (confidence >= b / N_BINS) & (confidence < (b + 1) / N_BINS)
            if inside.any():
                gap = confidence[inside].mean() - right[inside].mean()
                error += inside.mean() * abs(gap)
        assert calibration_error(calibration_bins(y, proba)) == pytest.approx(error)
