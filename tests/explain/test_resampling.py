"""Cross-validation against literal computations: figures, bands of cuts, chance."""

import tracemalloc
from math import comb

import numpy as np
import pytest
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.evaluation.testing import Validation

from orangecontrib.sadd.explain import resampling
from orangecontrib.sadd.explain.analysis import Analysis
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.resampling import (
    CrossValidated,
    cross_validate,
    find_bands,
    split_folds,
)
from orangecontrib.sadd.scripting.classification import NBLearner
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from orangecontrib.sadd.scripting.tables import rows_of


@pytest.fixture(name="heart", scope="module")
def fixture_heart():
    """Thirty labelled patients, and a pool without them."""
    heart = Table("heart_disease")
    order = np.random.RandomState(1).permutation(len(heart))
    return heart[order[:30]], heart[order[30:]]


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
        folds.tests = split_folds(analysis.rows)
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
        data, split_folds(analysis.rows), preprocessor))
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
    expected = literal_information(data, split_folds(analysis.rows), preprocessor)
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
    tests = split_folds(Analysis(data, pool).rows)
    monkeypatch.setattr(resampling, "split_folds", lambda _: tests)
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
    tests = split_folds(rows_of(data, iris))
    assert len(tests) == n_folds
    np.testing.assert_array_equal(np.sort(np.concatenate(tests)), np.arange(n_rows))
    assert all(abs(np.sum(classes[test]) - len(test) / 2) <= 1 for test in tests)
    cross_validate(Analysis(data), Parameters())


def literal_bands(values, cuts, folds):
    """Where folds put cuts, a fold and a cut at a time."""
    values = [value for value in values if np.isfinite(value)]

    def rows_between(first, second):
        return sum(min(first, second) <= value < max(first, second)
                   for value in values)

    found = [[] for _ in cuts]
    for own in folds:
        for index, cut in enumerate(cuts):
            closest = [other for other in own if index == min(
                range(len(cuts)),
                key=lambda place, other=other: rows_between(other, cuts[place]))]
            near = min(closest, key=lambda other, cut=cut: rows_between(other, cut),
                       default=None)
            if near is not None and rows_between(near, cut) <= .1 * len(values):
                found[index].append(near)
    return found


@pytest.mark.parametrize("method", ["SADD", "MDLP", "EF", "ChiMerge"])
def test_bands_agree_with_a_literal_search_in_each_fold(heart, method):
    data, pool = heart
    analysis, parameters = Analysis(data, pool), Parameters(method)
    result = cross_validate(analysis, parameters)
    preprocessor = SADDDiscretize(pool, method=method, remove_const=False)
    domains = [preprocessor(data[np.setdiff1d(np.arange(30), test)]).domain
               for test in split_folds(analysis.rows)]
    in_use = analysis.find_cuts(parameters).cut_points
    assert sum(map(len, in_use)) > 1
    for index, variable in enumerate(analysis.variables):
        folds = [getattr(domain[variable.name].compute_value, "points", [])
                 for domain in domains]
        for cuts, expected in zip(result.cut_points[index], folds, strict=True):
            np.testing.assert_array_equal(cuts, expected)
        bands = result.bands[index]
        expected = literal_bands(analysis.column(index), in_use[index], folds)
        assert (bands.n_folds, len(bands.n_found)) == (10, len(in_use[index]))
        for cut, found in enumerate(expected):
            assert bands.n_found[cut] == len(found)
            assert bands.is_weak[cut] == (len(found) < 5)
            if found:
                assert (bands.low[cut], bands.high[cut]) == (min(found), max(found))
            else:
                assert np.isnan([bands.low[cut], bands.high[cut]]).all()


def test_bands_of_random_cuts_agree_with_a_literal_search():
    rng = np.random.RandomState(0)
    for _ in range(50):
        values = rng.choice([*range(12), np.nan], 30).astype(float)
        cuts, *folds = (np.unique(rng.randint(12, size=rng.randint(5))) + .5
                        for _ in range(6))
        bands = find_bands(values, cuts, folds)
        expected = literal_bands(values, cuts, folds)
        # Equally near cuts: any of them may count
        assert bands.n_found.tolist() == list(map(len, expected))


def test_bands_of_edited_cuts_are_those_of_the_method(heart):
    data, pool = heart
    analysis = Analysis(data, pool)
    plain = cross_validate(analysis, Parameters())
    for cuts in ([50., 60.], [], [1e9]):
        edited = cross_validate(analysis, Parameters(), {("age", "continuous"): cuts})
        assert len(edited.bands[0].n_found) == len(cuts)
        for own, method in zip(edited.cut_points[0], plain.cut_points[0], strict=True):
            np.testing.assert_array_equal(own, method)
    assert edited.bands[0].n_found.tolist() == [0]


@pytest.mark.parametrize("n_first, n_second", [
    (0, 0), (5, 0), (6, 0), (9, 1), (10, 3), (40, 20), (23, 23)])
def test_differences_that_are_due_to_chance(n_first, n_second):
    first = np.repeat([True, False, True], [n_first, n_second, 4])
    second = np.repeat([False, True, True], [n_first, n_second, 4])

    def validated(is_right, weight):
        return CrossValidated(
            None, None, is_right, np.full(len(is_right), weight), [], [])

    n_rows = n_first + n_second

    def p_value(difference):
        fewer = (n_rows - difference) // 2
        return min(1., 2 * sum(comb(n_rows, k) for k in range(fewer + 1)) / 2 ** n_rows)

    possible = range(n_rows % 2, n_rows + 1, 2)
    expected = next((number for number in possible if p_value(number) <= .05), 6)
    for weight in (1., 2.):
        assert validated(first, weight).least_difference(
            validated(second, weight)) == weight * expected


def test_memory_of_cross_validation():
    rng, n_rows, n_columns = np.random.RandomState(0), 10_000, 100
    classes = rng.randint(2, size=n_rows)
    data = Table.from_numpy(
        Domain([ContinuousVariable(f"x{i}") for i in range(n_columns)],
               DiscreteVariable("y", "ab")),
        rng.normal(size=(n_rows, n_columns)) + classes[:, None], classes)
    analysis = Analysis(data)
    analysis.find_cuts(Parameters())
    tracemalloc.start()
    cross_validate(analysis, Parameters())
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < .5 * data.X.nbytes  # without the rows of any fold
    assert peak < 2 * data.X.nbytes


def test_callback_may_stop_the_work():
    class Stop(Exception):
        pass

    def stop(_):
        raise Stop

    analysis = Analysis(Table("iris")[::2], Table("iris"))
    for compute in (lambda: cross_validate(analysis, Parameters(), callback=stop),
                    lambda: analysis.find_cuts(Parameters(), stop)):
        with pytest.raises(Stop):
            compute()
    assert analysis.find_cuts(Parameters()).cut_points  # nothing half-done is kept
