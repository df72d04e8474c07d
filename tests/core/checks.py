"""Comparison of cuts, and scikit-learn's own checks of estimators."""

import inspect
from unittest import SkipTest

import numpy as np
from sklearn.utils.estimator_checks import check_estimator

from orangecontrib.sadd.core import RNBPlusClassifier, SADDTablesClassifier
from orangecontrib.sadd.core.registry import CLASSIFIERS, DISCRETIZERS

#: All discretizers and classifiers
ESTIMATORS = {
    **{name: method.make()
       for name, method in (DISCRETIZERS | CLASSIFIERS).items()},
    "RNB+": RNBPlusClassifier(),
    "SADD Tables": SADDTablesClassifier(labeller="neighbours", penalty=1, pairs=0)}


def same_cuts(one, other):
    """Return whether two discretizers have the same cuts."""
    return all(np.array_equal(a, b) for a, b
               in zip(one.cut_points_, other.cut_points_, strict=True))


def run_checks(estimator, expected_failures=None):
    """
    Run all checks; raise what the first that fails raises.

    Parameters
    ----------
    estimator : estimator
    expected_failures : dict, optional
        Name of each check that is bound to fail, and why.

    Returns
    -------
    set of str
        Names of the checks that were skipped by scikit-learn itself.
    """
    expected_failures = expected_failures or {}
    if "on_skip" in inspect.signature(check_estimator).parameters:
        results = check_estimator(
            estimator, expected_failed_checks=expected_failures, on_skip=None)
        return {result["check_name"] for result in results
                if result["status"] == "skipped"}
    skipped = set()  # scikit-learn 1.5
    for instance, check in check_estimator(estimator, generate_only=True):
        if check.func.__name__ not in expected_failures:
            try:
                check(instance)
            except SkipTest:
                skipped.add(check.func.__name__)
    return skipped
