"""Folds of labelled rows, with unlabelled rows in every training part."""

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.semi_supervised import SelfTrainingClassifier

from orangecontrib.sadd.core import RNBPlusClassifier, SemiSupervisedKFold

X, Y = load_iris(return_X_y=True)
y = Y.copy()
y[np.random.default_rng(0).random(150) < 0.6] = -1


@given(st.lists(st.sampled_from([-1, 0, 1, 2]), min_size=8, max_size=60),
       st.integers(2, 4), st.booleans(), st.booleans())
def test_folds_divide_labelled_rows_only(labels, n_splits, shuffle, stratified):
    labels = np.array(labels)
    labelled = np.flatnonzero(labels >= 0)
    folds = SemiSupervisedKFold(n_splits, shuffle=shuffle, stratified=stratified,
                                random_state=0 if shuffle else None)
    few = len(labelled) < n_splits or stratified and np.bincount(
        labels[labelled]).max() < n_splits
    if few:
        with pytest.raises(ValueError):
            list(folds.split(labels, labels))
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of classes with fewer rows than folds
        parts = list(folds.split(labels, labels))
    assert len(parts) == folds.get_n_splits() == n_splits
    tested = np.concatenate([test for _, test in parts])
    assert sorted(tested) == labelled.tolist()
    for train, test in parts:
        assert sorted([*train, *test]) == list(range(len(labels)))


def check_same(folds, others):
    for parts, other_parts in zip(folds, others, strict=True):
        for rows, other_rows in zip(parts, other_parts, strict=True):
            np.testing.assert_array_equal(rows, other_rows)


def test_without_unlabelled_rows_it_is_stratified_folds():
    check_same(SemiSupervisedKFold(5, shuffle=True, random_state=3).split(X, Y),
               StratifiedKFold(5, shuffle=True, random_state=3).split(X, Y))


@pytest.mark.parametrize("labels, label", [
    (np.where(y == -1, None, y.astype(object)), None),
    (np.where(y == -1, np.nan, y), None),
    (np.where(y == -1, "?", np.array(["a", "b", "c"])[y]), "?"),
    (pd.Series(np.where(y == -1, None, np.array(["a", "b", "c"])[y])), None)])
def test_any_labels(labels, label):
    check_same(SemiSupervisedKFold(3, unlabelled_label=label).split(X, labels),
               SemiSupervisedKFold(3).split(X, y))


@pytest.mark.parametrize("model", [
    RNBPlusClassifier(),
    SelfTrainingClassifier(LogisticRegression(max_iter=1000))])
def test_scores_equal_those_of_a_loop(model):
    folds = SemiSupervisedKFold(3, shuffle=True, random_state=0)
    scores = cross_val_score(model, X, y, cv=folds)
    assert len(scores) == 3 and scores.mean() > 0.85
    again = []
    for train, test in folds.split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        again.append(np.mean(fitted.predict(X[test]) == Y[test]))
    np.testing.assert_allclose(scores, again)


def test_repr_and_wrong_parameters():
    assert repr(SemiSupervisedKFold(3)).startswith("SemiSupervisedKFold(n_splits=3")
    with pytest.raises(ValueError):
        SemiSupervisedKFold(1)
    with pytest.raises(ValueError, match="too few for 5 folds"):
        list(SemiSupervisedKFold().split(X, np.full(150, -1)))
    with pytest.raises(ValueError, match="y is None"):
        list(SemiSupervisedKFold().split(X))
