"""Cross-validation against literal computations, and resamples of labelled rows."""

import numpy as np
import pytest
from Orange.data import Table
from Orange.evaluation.testing import Validation

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.explain import resampling
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.resampling import (
    cross_validate,
    resample,
    resampled_cuts,
    split_rows,
)
from orangecontrib.sadd.scripting.classification import NBLearner
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from orangecontrib.sadd.scripting.tables import read_rows


@pytest.fixture(name="heart", scope="module")
def fixture_heart():
    """Thirty labelled patients, and a pool without them."""
    heart = Table("heart_disease")
    order = np.random.RandomState(1).permutation(len(heart))
    return heart[order[:30]], heart[order[30:]]


@pytest.fixture(name="rows")
def fixture_rows():
    iris = Table("iris")
    return read_rows(iris[::5], iris)


def literal_information(data, tests, preprocessor):
    """Information as the manual defines it, a row and a variable at a time."""
    names = [var.name for var in data.domain.attributes if var.is_continuous]
    total, classes = dict.fromkeys(names, 0.), data.domain.class_var.values
    for test in tests:
        train = np.setdiff1d(np.arange(len(data)), test)
        seen = preprocessor(data[train])
        left_out = data[test].transform(seen.domain)
        prior = {label: sum(row.get_class() == label for row in seen)
                 for label in classes}
        for name in names:
            if name not in seen.domain:
                continue  # no cuts, no information
            for row in left_out:
                if np.isnan(row[name]):
                    continue
                inside = [other for other in seen if other[name] == row[name]]
                own = sum(other.get_class() == row.get_class() for other in inside)
                posterior = (own + 1 / len(classes)) / (len(inside) + 1)
                before = (prior[str(row.get_class())] + 1 / len(classes)) \
                    / (len(seen) + 1)
                total[name] += np.log2(posterior) - np.log2(before)
    return [total[name] / len(data) for name in names]


class GivenFolds(Validation):
    """Orange's cross-validation on the folds of a table."""

    tests = ()

    @classmethod
    def of(cls, analysis):
        folds = cls()  # arguments would start it
        folds.tests = split_rows(analysis.rows)
        return folds

    def get_indices(self, data):
        rows = np.arange(len(data))
        return [(np.setdiff1d(rows, test), test) for test in self.tests]


@pytest.mark.parametrize("method", ["SADD", "MDLP", "EW", "EF", "ChiMerge"])
def test_figures_agree_with_a_literal_computation_and_with_orange(heart, method):
    data, pool = heart
    analysis, preprocessor = Analysis(data, pool), SADDDiscretize(pool, method=method)
    result = cross_validate(analysis, Parameters(method))
    np.testing.assert_allclose(result.information, literal_information(
        data, split_rows(analysis.rows), preprocessor))
    scored = GivenFolds.of(analysis)(data, [NBLearner()], preprocessor=preprocessor)
    assert result.right == (scored.predicted[0] == scored.actual).sum()
    assert (result.total, result.n_folds) == (30, 10)


def test_treatments_stay_in_each_fold(heart):
    data, pool = heart
    analysis = Analysis(data, pool)
    treatments = {("age", "continuous"): [50., 60.], ("max HR", "continuous"): "MDLP",
                  ("rest SBP", "continuous"): "remove",
                  ("cholesterol", "continuous"): "numeric"}
    result = cross_validate(analysis, Parameters(), treatments)
    preprocessor = SADDDiscretize(pool, treatments=[
        (*key, value) for key, value in treatments.items()
        if value not in ("numeric", "remove")])
    expected = literal_information(data, split_rows(analysis.rows), preprocessor)
    names = [var.name for var in analysis.variables]
    for name in ("rest SBP", "cholesterol"):
        expected[names.index(name)] = 0
    np.testing.assert_allclose(result.information, expected)


def test_no_label_of_the_pool_is_read(heart):
    data, pool = heart
    shuffled = pool.copy()
    with shuffled.unlocked(shuffled.Y):
        np.random.RandomState(0).shuffle(shuffled.Y)
    own, other = (cross_validate(Analysis(data, table), Parameters())
                  for table in (pool, shuffled))
    np.testing.assert_array_equal(own.information, other.information)
    assert own.right == other.right


def test_cuts_of_a_fold_do_not_depend_on_labels_of_left_out_rows(heart, monkeypatch):
    data, pool = heart
    tests = split_rows(Analysis(data, pool).rows)
    monkeypatch.setattr(resampling, "split_rows", lambda _: tests)
    changed = data.copy()
    with changed.unlocked(changed.Y):
        changed.Y[tests[0]] = 1 - changed.Y[tests[0]]
    found = []
    for table in (data, changed):
        analysis = Analysis(table, pool)
        cross_validate(analysis, Parameters())
        found.extend(analysis._kept["fold 0"].values())
    for cuts, again in zip(found[0].cut_points, found[1].cut_points, strict=True):
        np.testing.assert_array_equal(cuts, again)


def test_information_is_zero_without_cuts_and_negative_for_chance():
    rng = np.random.RandomState(0)
    iris = Table("iris")
    noise = Table.from_numpy(iris.domain, rng.normal(size=(40, 4)),
                             rng.randint(3, size=40))
    analysis = Analysis(noise)
    assert not cross_validate(analysis, Parameters("MDLP")).information.any()
    assert (cross_validate(analysis, Parameters("EW")).information < 0).all()


def test_weights_count_as_repeated_rows(heart):
    data = heart[0].copy()
    with data.unlocked():
        data.set_weights(2.)
    plain, weighted = (cross_validate(Analysis(table), Parameters("EW"))
                       for table in (heart[0], data))
    assert (weighted.total, plain.total) == (60, 30)
    assert not np.allclose(plain.information, weighted.information)


@pytest.mark.parametrize("n_rows, n_folds", [(2, 2), (7, 7), (30, 10), (1200, 5)])
def test_folds_are_of_labelled_rows_and_stratified(n_rows, n_folds):
    iris = Table("iris")
    classes = np.arange(n_rows) % 2
    data = Table.from_numpy(iris.domain, np.random.RandomState(0).normal(
        size=(n_rows, 4)), classes)
    tests = split_rows(read_rows(data, iris))
    assert len(tests) == n_folds
    np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(n_rows))
    assert all(abs(np.sum(classes[test]) - len(test) / 2) <= 1 for test in tests)
    cross_validate(Analysis(data), Parameters())


def test_resample_has_as_many_labelled_rows_and_all_others(rows):
    before = rows.X.copy(), rows.y.copy(), rows.weights.copy()
    drawn = resample(rows, np.random.RandomState(1))
    labelled = ~np.isnan(drawn.y)
    assert drawn.weights[labelled].sum() == 30
    assert drawn.weights[labelled].max() > 1
    assert labelled.sum() < 30
    assert (~labelled).sum() == np.isnan(rows.y).sum()
    assert drawn.n_data == labelled.sum()
    for array, old in zip((rows.X, rows.y, rows.weights), before, strict=True):
        np.testing.assert_array_equal(array, old)


@pytest.mark.parametrize("method", DISCRETIZERS)
def test_resampled_cuts_of_every_method(rows, method):
    cuts = list(resampled_cuts(rows, Parameters(method), 2))
    assert [len(columns) for columns in cuts] == [4, 4]


def test_resamples_differ_and_are_the_same_again(rows):
    first, second = (list(resampled_cuts(rows, Parameters(), 3)) for _ in range(2))
    for one, other in zip(first, second, strict=True):
        for cuts, again in zip(one, other, strict=True):
            np.testing.assert_array_equal(cuts, again)
    assert any(not np.array_equal(cuts, other) for cuts, other
               in zip(first[0], first[1], strict=True))


def test_callback_may_stop_the_work(rows):
    class Stop(Exception):
        pass

    def stop(_):
        raise Stop

    analysis = Analysis(Table("iris")[::2], Table("iris"))
    for compute in (lambda: list(resampled_cuts(rows, Parameters(), callback=stop)),
                    lambda: cross_validate(analysis, Parameters(), callback=stop),
                    lambda: analysis.find_cuts(Parameters(), stop)):
        with pytest.raises(Stop):
            compute()
    assert analysis.find_cuts(Parameters()).cut_points  # nothing half-done is kept
