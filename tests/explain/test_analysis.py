"""What widgets show: figures agree with the estimators and with plain counting."""

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd.core import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.pseudolabels.labellers import PseudoLabels
from orangecontrib.sadd.explain.analysis import Analysis, find_obstacle
from orangecontrib.sadd.explain.findings import find
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.picture import bin_edges


@pytest.fixture(name="iris")
def fixture_iris():
    return Table("iris")


def counts(analysis, found):
    """Rows between the cuts of each variable."""
    return [analysis.count(index, cuts) for index, cuts in enumerate(found.cut_points)]


def information(analysis, found):
    """Information kept by each variable."""
    return [count.information for count in counts(analysis, found)]


def shares(analysis, found):
    """The same as a fraction of the class entropy."""
    return [count.share for count in counts(analysis, found)]


def test_labelled_data_gives_the_figures_of_the_estimator(iris):
    analysis = Analysis(iris)
    found = analysis.find_cuts(Parameters())
    sadd = SADDDiscretizer(store_decisions=True).fit(iris.X, iris.Y)
    for own, cuts in zip(found.cut_points, sadd.cut_points_, strict=True):
        np.testing.assert_array_equal(own, cuts)
    np.testing.assert_allclose(information(analysis, found), sadd.mutual_information_)
    np.testing.assert_allclose(
        shares(analysis, found), sadd.mutual_information_ / np.log2(3))
    assert found.decisions == sadd.decisions_


def test_pictures_are_not_taken_for_those_of_other_labels(iris):
    analysis = Analysis(iris[::2], iris)
    for label in range(3):
        # Those before are gone, and these may well have their id
        labels = PseudoLabels(np.tile(np.eye(3)[label], (75, 1)))
        bars = analysis.picture(0, labels).unlabelled
        assert bars[label].sum() == 75 == bars.sum()
        drawn = analysis.thumbnails(labels)[0].counts
        assert drawn[label].sum() == 100 and drawn.sum() == 150
        del labels


def test_information_is_that_of_labelled_rows(iris):
    analysis = Analysis(iris[::2], iris)
    mdlp = analysis.find_cuts(Parameters("MDLP"))
    expected = MDLPDiscretizer().fit(iris.X[::2], iris.Y[::2])
    np.testing.assert_allclose(information(analysis, mdlp),
                               expected.mutual_information_)
    sadd = analysis.find_cuts(Parameters())
    counted = counts(analysis, sadd)
    for index, cuts in enumerate(sadd.cut_points):
        table = np.zeros((3, len(cuts) + 1))
        np.add.at(table, (iris.Y[::2].astype(int),
                          np.digitize(iris.X[::2, index], cuts)), 1)
        np.testing.assert_array_equal(counted[index].table[:-1], table)
        np.testing.assert_array_equal(
            counted[index].table[-1],
            np.bincount(np.digitize(iris.X[1::2, index], cuts),
                        minlength=len(cuts) + 1))


@pytest.mark.parametrize("cuts", [[], [2.], [1.4, 4.9, 5.1], [0., 100.]])
def test_picture_counts_like_the_analysis(iris, cuts):
    analysis = Analysis(iris[::2], iris)
    picture = analysis.picture(2, analysis.labels(Parameters()))
    np.testing.assert_array_equal(picture.count(cuts).table,
                                  analysis.count(2, cuts).table)
    assert picture.labelled.sum() == picture.unlabelled.sum() == 75


def test_weights_are_counted(iris):
    data = iris.copy()
    with data.unlocked():
        data.set_weights(2.)
    analysis = Analysis(data)
    np.testing.assert_allclose(analysis.count(2, [2.45]).table,
                               2 * Analysis(iris).count(2, [2.45]).table)
    picture = analysis.picture(2, None)
    np.testing.assert_allclose(picture.count([2.45]).table,
                               analysis.count(2, [2.45]).table)


def test_edited_cuts_replace_those_of_the_method(iris):
    findings, outputs = find(Analysis(iris), Parameters(), None, {2: [2.5]},
                             lambda *_: lambda _: None)
    assert outputs.data.domain[2].values == ("< 2.5", "≥ 2.5")
    points = [list(var.compute_value.points) for var in outputs.data.domain.attributes]
    assert points[2] != list(findings.found.cut_points[2])
    assert points[3] == list(findings.found.cut_points[3])
    rows = outputs.cut_points.metas[:, 1] == "< 2.5"
    np.testing.assert_array_equal(outputs.cut_points.X[rows, -3:], [[50, 0, 0]])


def test_results_are_remembered_but_not_for_ever(iris):
    analysis = Analysis(iris[::2], iris)
    first = analysis.find_cuts(Parameters(values={"n0": 1}))
    assert analysis.find_cuts(Parameters(values={"n0": 1})) is first
    for n0 in range(2, 12):
        analysis.find_cuts(Parameters(values={"n0": n0}))
    assert len(analysis._found) < 10
    assert len(analysis._labels) == 1


def test_pool_with_columns_of_the_same_name_but_made_anew(iris):
    twin = Table.from_numpy(
        Domain([ContinuousVariable(var.name) for var in iris.domain.attributes]),
        iris.X[1::2])
    analysis = Analysis(iris[::2], twin)
    assert analysis.missing == ()
    results = make_outputs(analysis, analysis.find_cuts(Parameters()), Parameters())
    assert len(results.unlabelled) == 75
    assert not np.isnan(results.unlabelled.X).any()
    assert len(results.pseudo_labelled) == 150


def test_class_named_like_a_column_of_the_cut_points():
    domain = Domain([ContinuousVariable("x")], DiscreteVariable("y", ("Rows", "From")))
    data = Table.from_numpy(domain, np.arange(20.)[:, None],
                            (np.arange(20) > 9).astype(float))
    analysis = Analysis(data)
    results = make_outputs(analysis, analysis.find_cuts(Parameters()), Parameters())
    names = [var.name for var in results.cut_points.domain.variables]
    assert len(names) == len(set(names)) == 6


def test_obstacles(iris):
    assert find_obstacle(iris) == ""
    assert find_obstacle(Table("titanic")) == "no_numeric"
    assert find_obstacle(Table("housing")) == "no_class"
    assert find_obstacle(iris[:0]) == "no_rows"
    data = iris.copy()
    with data.unlocked():
        data.set_weights(0.)
    assert find_obstacle(data) == "all_unlabelled"


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


def test_callback_may_stop_the_work(iris):
    class Stop(Exception):
        pass

    def stop(_):
        raise Stop

    analysis = Analysis(iris[::2], iris)
    with pytest.raises(Stop):
        analysis.find_cuts(Parameters(), stop)
    assert analysis.find_cuts(Parameters()).cut_points  # nothing half-done is kept
