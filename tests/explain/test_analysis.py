"""Results that widgets show agree with the estimators and with plain counting."""

from dataclasses import replace

import numpy as np
import pytest
from Orange.data import ContinuousVariable, Domain, Table

from orangecontrib.sadd.core import SADDDiscretizer
from orangecontrib.sadd.core.labelling.pseudolabels import PseudoLabels
from orangecontrib.sadd.explain.analysis import Analysis, Findings, table_obstacle
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.picture import bin_edges


@pytest.fixture(name="iris")
def fixture_iris():
    return Table("iris")


@pytest.mark.parametrize("n0", [1, 100, 2000, 10 ** 6])
def test_cuts_of_any_n0_are_those_of_the_estimator(iris, n0):
    analysis = Analysis(iris)
    analysis.find_cuts(Parameters())
    found = analysis.find_cuts(Parameters(values={"n0": n0, "max_intervals": 4}))
    sadd = SADDDiscretizer(n0=n0, max_intervals=4, store_decisions=True)
    for own, cuts in zip(
            found.cut_points, sadd.fit(iris.X, iris.Y).cut_points_, strict=True):
        np.testing.assert_array_equal(own, cuts)
    assert [found.decisions(index) for index in range(4)] == sadd.decisions_


def test_pictures_are_not_taken_for_those_of_other_labels(iris):
    found = Findings.of(Analysis(iris[::2], iris), Parameters())
    for label in range(3):
        # Those before are gone, and these may well have their id
        findings = replace(
            found, labels=PseudoLabels(
                    np.tile(np.eye(3)[label], (75, 1)), np.full(75, label)))
        bars = findings.picture(0).unlabelled
        assert bars[label].sum() == 75 == bars.sum()
        drawn = findings.thumbnails()[0].counts
        assert drawn[label].sum() == 100 and drawn.sum() == 150
        del findings


@pytest.mark.parametrize("cuts", [[], [2.], [1.4, 4.9, 5.1], [0., 100.]])
def test_picture_counts_rows_between_cuts(iris, cuts):
    findings = Findings.of(Analysis(iris[::2], iris), Parameters())
    picture, labels = findings.picture(2), findings.labels
    for counts, values, classes in (
            (picture.count(cuts)[0], iris.X[::2, 2], iris.Y[::2].astype(int)),
            (picture.count(cuts)[1], iris.X[1::2, 2], labels.classes)):
        expected = np.zeros((3, len(cuts) + 1))
        np.add.at(expected, (classes, np.digitize(values, cuts)), 1)
        np.testing.assert_array_equal(counts, expected)
    assert picture.labelled.sum() == picture.unlabelled.sum() == 75


def test_weights_are_counted(iris):
    data = iris.copy()
    with data.unlocked():
        data.set_weights(2.)
    weighted, plain = (Findings.of(Analysis(table), Parameters("EW")).picture(2)
                       for table in (data, iris))
    np.testing.assert_allclose(weighted.count([2.45])[0], 2 * plain.count([2.45])[0])


def test_results_are_cached_but_not_for_ever(iris):
    analysis = Analysis(iris[::2], iris)
    first = analysis.find_cuts(Parameters(values={"n0": 1}))
    assert analysis.find_cuts(Parameters(values={"n0": 1})) is first
    for n0 in range(2, 12):
        analysis.find_cuts(Parameters(values={"n0": n0}))
    assert max(map(len, analysis._kept.values())) < 10
    assert len(analysis._kept["labels"]) == len(analysis._kept["cuts, any N0"]) == 1


def test_pool_with_columns_of_the_same_name_that_are_not_equal(iris):
    twin = Table.from_numpy(
        Domain([ContinuousVariable(var.name) for var in iris.domain.attributes]),
        iris.X[1::2])
    analysis = Analysis(iris[::2], twin)
    assert analysis.missing == ()
    result = make_outputs(Findings.of(analysis, Parameters()))
    assert len(result["unlabelled"]) == 75
    assert not np.isnan(result["unlabelled"].X).any()
    assert len(result["pseudo_labelled"]) == 150


@pytest.mark.parametrize("method, expected", [
    ("SADD", ["", "no_numeric", "no_class", "no_rows", "all_unlabelled"]),
    ("EW", ["", "no_numeric", "", "no_rows", ""]),
    (None, ["", "", "no_class", "no_rows", "all_unlabelled"])])
def test_obstacles(iris, method, expected):
    weightless = iris.copy()
    with weightless.unlocked():
        weightless.set_weights(0.)
    tables = iris, Table("titanic"), Table("housing"), iris[:0], weightless
    assert [table_obstacle(table, method) for table in tables] == expected


@pytest.mark.parametrize("values, n_bins", [
    (np.array([]), None), (np.array([3.]), 1), (np.array([1., 2, 2, 4]), 4),
    (np.random.RandomState(0).normal(size=100_000), 80),
    (np.random.RandomState(0).normal(size=30), 12),
    (np.array([0., 1e-300, 1.]), 10)])
def test_bins(values, n_bins):
    edges = bin_edges(values)
    if n_bins is None:
        assert edges is None
    else:
        assert len(edges) == n_bins + 1
        assert edges[0] <= values.min() and values.max() <= edges[-1]
        assert np.all(np.diff(edges) > 0)
