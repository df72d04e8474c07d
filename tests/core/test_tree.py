"""MDLP and SADD against twins, oracles, and the properties they have to have."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris

from orangecontrib.sadd.core import MDLPDiscretizer, SADDDiscretizer
from orangecontrib.sadd.core.arithmetic import assign_intervals, contingency
from orangecontrib.sadd.core.methods import _tree
from orangecontrib.sadd.core.methods.criterion import mutual_information
from orangecontrib.sadd.core.methods.entropy import accept, grow
from tests.core.twins import partition
from tests.shared import data_set_names, load, manifest, needs_shared, oracles

# Lengths of blocks and of short intervals: those in use, and some that send a few rows
# along every way
SIZES = [{}, {"BLOCK": 1, "SHORT": 0}, {"BLOCK": 3, "SHORT": 4},
         {"BLOCK": 8, "SHORT": 16}]


def grow_trees(x, y, n_classes, n0=None, weights=None, sizes=None, **parameters):
    """Grow the trees of one column, or of several."""
    weights = np.ones(len(y)) if weights is None else weights
    used = weights > 0
    columns = np.ascontiguousarray(np.atleast_2d(x)[:, used])
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (sizes or {}).items():
            patch.setattr(_tree, name, value)
        return grow(columns, y[used].astype(np.intc), weights[used], n_classes, n0,
                    **parameters)


def cut_points(x, y, n_classes, n0=None, weights=None, sizes=None, any_n0=False,
               min_samples=None, max_intervals=None):
    trees = grow_trees(x, y, n_classes, n0, weights, sizes, any_n0=any_n0,
                       min_samples=min_samples)
    return accept(trees, n0, max_intervals).cut_points[0]


@st.composite
def columns(draw):
    """Tied, untied, symmetric, weighted columns of 2 to 30 classes."""
    n_classes = draw(st.sampled_from([2, 3, 4, 7, 30]))
    n_rows = draw(st.integers(0, 80))
    random = np.random.default_rng(draw(st.integers(0, 2 ** 32)))
    y = random.integers(0, n_classes, n_rows)
    x = random.normal(size=n_rows) + y * draw(st.sampled_from([0, 0.3, 1, 3]))
    kind = draw(st.sampled_from(["untied", 1, 0, "symmetric", "missing", "close"]))
    if kind in (0, 1):  # digits
        x = x.round(kind)
    elif kind == "symmetric":
        x, y = np.concatenate((x, -x)), np.concatenate((y, y))
    elif kind == "missing":
        x[random.random(n_rows) < 0.2] = np.nan
    elif kind == "close":  # equal in the highest four bytes
        x = 3 + 1e-9 * x
    weights = draw(st.sampled_from([None, "whole", "real"]))
    if weights == "whole":
        weights = random.integers(0, 4, len(x)).astype(float)
    elif weights == "real":
        # Multiples of a power of two: sums do not depend on the order
        weights = np.round(random.random(len(x)) * 3 * 1024) / 1024
    return x, y, n_classes, weights


LIMITS = st.fixed_dictionaries({
    "min_samples": st.sampled_from([None, 1, 2, 5, 0.1, 0.3]),
    "max_intervals": st.sampled_from([None, 1, 2, 3, 5])})


@settings(max_examples=1000)
@given(columns(), st.sampled_from([None, 10, 2000]), st.sampled_from(SIZES),
       st.booleans(), st.one_of(st.just({}), LIMITS))
def test_same_cuts_as_the_pseudo_code(column, n0, sizes, any_n0, limits):
    x, y, n_classes, weights = column
    np.testing.assert_allclose(
        cut_points(x, y, n_classes, n0, weights, sizes, any_n0, **limits),
        partition(x, y, n_classes, n0, weights, **limits), rtol=1e-12)


def sample(name, most):
    X, y = load(name)
    X = X.select_dtypes("number").to_numpy(dtype=float)
    random = np.random.default_rng(0)
    rows = random.permutation(len(X))[:most]
    features = random.permutation(X.shape[1])[:8]
    return X[np.ix_(rows, features)], np.unique(y[rows], return_inverse=True)[1]


@needs_shared
@pytest.mark.parametrize("name", data_set_names())
def test_same_cuts_as_the_pseudo_code_on_the_papers_data(name):
    X, y = sample(name, 400)
    for x in X.T:
        for n0 in (None, 2000):
            expected = partition(x, y, y.max() + 1, n0)
            for sizes in SIZES[:2]:
                np.testing.assert_allclose(
                    cut_points(x, y, y.max() + 1, n0, sizes=sizes), expected,
                    rtol=1e-12)


@needs_shared
@pytest.mark.parametrize("name", [
    name for name in data_set_names() if manifest().rows[name] <= 7200])
def test_mdlp_same_cuts_as_orange(name):
    from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
    from Orange.preprocess.discretize import EntropyMDL

    X, y = load(name)
    X = X.select_dtypes("number")
    classes, codes = np.unique(y, return_inverse=True)
    domain = Domain([ContinuousVariable(column) for column in X.columns],
                    DiscreteVariable("class", classes))
    table = Table.from_numpy(domain, X.to_numpy(dtype=float), codes.astype(float))
    ours = MDLPDiscretizer().fit(X, y).cut_points_
    for attribute, cuts in zip(domain.attributes, ours, strict=True):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = EntropyMDL()(table, attribute).compute_value.points
        np.testing.assert_allclose(cuts, theirs, rtol=1e-9, err_msg=attribute.name)


@needs_shared
@pytest.mark.parametrize("program", ["Weka_MDLP", "R_discretization_mdlp", "KEEL_MDLP",
                                     "Orange_EntropyMDL"])
def test_mdlp_on_iris_as_other_programs(program):
    X, y = load_iris(return_X_y=True)
    for ours, theirs in zip(MDLPDiscretizer().fit(X, y).cut_points_,
                            oracles()[program]["cuts"], strict=True):
        np.testing.assert_allclose(ours, theirs)


def test_sadd_on_iris():
    X, y = load_iris(return_X_y=True)
    sadd = SADDDiscretizer().fit(X, y)
    assert sadd.n_intervals_.tolist() == [5, 3, 4, 4]
    expected = [[5.45, 5.55, 6.15, 7.05], [2.95, 3.35], [2.45, 4.75, 5.15],
                [0.8, 1.35, 1.75]]
    for ours, theirs in zip(sadd.cut_points_, expected, strict=True):
        np.testing.assert_allclose(ours, theirs)


@needs_shared
def test_sadd_on_bupa():
    assert SADDDiscretizer().fit(*load("bupa")).n_intervals_.tolist() == [
        1, 3, 2, 2, 3, 2]


class TestByHand:
    def test_one_cut_between_two_classes(self):
        # G = 1, theta = (log2 7 + log2 7 - 2) / 8 = 0.452
        trees = grow_trees(np.arange(8.), np.repeat([0, 1], 4), 2)
        decision, = accept(trees).decisions(0)
        assert decision.gain == 1 and decision.accepted
        assert decision.theta == pytest.approx((2 * np.log2(7) - 2) / 8)
        assert decision.adapted_theta == decision.theta

    def test_the_adapted_threshold_is_the_papers(self):
        trees = grow_trees(np.arange(2000.), np.repeat([0, 1], 1000), 2)
        decision, = accept(trees, 2000).decisions(0)
        assert decision.adapted_theta / decision.theta == pytest.approx(
            1 / (1 + np.exp(-1)))

    def test_pure_and_tiny_columns_are_not_cut(self):
        for x, y in (([], []), ([1], [0]), ([1, 2, 3], [0, 0, 0]), ([2, 2], [0, 1])):
            cuts = cut_points(np.array(x, dtype=float), np.array(y, dtype=int), 2)
            assert not len(cuts)

    def test_two_rows_of_two_classes_are_cut(self):
        # G = 1 > theta = (0 + log2 7 - 2) / 2 = 0.404
        assert cut_points(np.array([1., 2.]), np.array([0, 1]), 2).tolist() == [1.5]

    def test_the_lower_of_mirror_images_is_cut_first(self):
        x, y = np.arange(40.), np.array([1] * 8 + [0] * 24 + [1] * 8)
        assert accept(grow_trees(x, y, 2, any_n0=True)).decisions(0)[0].cut == 7.5

    def test_infinite_values_are_values(self):
        x = np.array([-np.inf] * 9 + [0.] * 9 + [np.inf] * 9)
        y = np.repeat([0, 1, 2], 9)
        for sizes in SIZES:
            cuts = cut_points(x, y, 3, sizes=sizes)
            assert np.searchsorted(cuts, [-np.inf, 0, np.inf], "right").tolist() == [
                0, 1, 2]

    def test_a_thousand_classes(self):
        x = np.arange(3000.)
        assert len(cut_points(x, np.arange(3000) // 3, 1000)) == 999


class TestDecisions:
    X, y = load_iris(return_X_y=True)

    def test_accepted_decisions_are_the_cuts(self):
        sadd = SADDDiscretizer(store_decisions=True).fit(self.X, self.y)
        for cuts, decisions in zip(sadd.cut_points_, sadd.decisions_, strict=True):
            accepted = sorted(d.cut for d in decisions if d.accepted)
            assert accepted == cuts.tolist()
            assert decisions[0].rows == len(self.X)
            assert decisions == sorted(decisions, key=lambda d: d.lower)
            for decision in decisions:
                assert decision.lower < decision.cut < decision.upper
                assert decision.rows == decision.rows_left + decision.rows_right
                assert decision.accepted == (decision.gain > decision.adapted_theta)
                assert 0.5 * decision.theta < decision.adapted_theta < decision.theta

    @pytest.mark.parametrize("n0", [None, 1, 30, 2000, 1e9])
    def test_another_n0_is_a_walk_over_the_same_trees(self, n0):
        sadd = SADDDiscretizer(store_decisions=True, max_intervals=4)
        walked = sadd.fit(self.X, self.y).with_n0(n0)
        fitted = SADDDiscretizer(n0=n0, store_decisions=True, max_intervals=4).fit(
            self.X, self.y)
        for name in ("cut_points_", "counts_", "decisions_"):
            for ours, others in zip(
                    getattr(walked, name), getattr(fitted, name), strict=True):
                np.testing.assert_array_equal(ours, others)
        np.testing.assert_array_equal(walked.n_intervals_, fitted.n_intervals_)
        np.testing.assert_allclose(
            walked.mutual_information_, fitted.mutual_information_)

    def test_another_n0_needs_the_trees(self):
        with pytest.raises(ValueError, match="store_decisions=True"):
            SADDDiscretizer().fit(self.X, self.y).with_n0(5)


@settings(max_examples=200)
@given(columns(), st.sampled_from(SIZES), st.sampled_from([None, 2, 3]))
def test_counts_and_information_are_those_of_the_intervals(
        column, sizes, max_intervals):
    x, y, n_classes, weights = column
    found = accept(grow_trees(x, y, n_classes, 50, weights, sizes), 50, max_intervals)
    table = contingency(assign_intervals(x, found.cut_points[0]), y, n_classes,
                        np.ones(len(x)) if weights is None else weights,
                        len(found.cut_points[0]) + 1)
    np.testing.assert_allclose(found.counts()[0], table, atol=1e-9)
    np.testing.assert_allclose(
        found.mutual_information()[0], mutual_information(table), atol=1e-9)


@settings(max_examples=100)
@given(columns(), st.randoms(use_true_random=False))
def test_properties(column, random):
    x, y, n_classes, _ = column
    mdlp, sadd = (cut_points(x, y, n_classes, n0) for n0 in (None, 50))
    assert set(mdlp) <= set(sadd)
    assert len(sadd) <= max(0, len(np.unique(x[~np.isnan(x)])) - 1)

    order = np.arange(len(x))
    random.shuffle(order)
    np.testing.assert_array_equal(cut_points(x[order], y[order], n_classes, 50), sadd)

    classes = np.arange(n_classes)
    random.shuffle(classes)
    np.testing.assert_array_equal(cut_points(x, classes[y], n_classes, 50), sadd)

    increasing = np.exp(x / 2) * 7 - 1
    np.testing.assert_array_equal(
        np.searchsorted(cut_points(increasing, y, n_classes, 50), increasing, "right"),
        np.searchsorted(sadd, x, "right"))

    weights = np.array([random.randint(0, 3) for _ in x], dtype=int)
    np.testing.assert_array_equal(
        cut_points(x, y, n_classes, 50, weights.astype(float)),
        cut_points(np.repeat(x, weights), np.repeat(y, weights), n_classes, 50))


@pytest.mark.parametrize("n_classes", [2, 5])
@pytest.mark.parametrize("digits", [None, 2])
def test_long_columns_with_and_without_the_bound(n_classes, digits):
    random = np.random.default_rng(3)
    y = random.integers(0, n_classes, 60_000)
    x = random.normal(size=len(y)) + 0.2 * y
    x = x if digits is None else x.round(digits)
    expected = cut_points(x, y, n_classes, 2000, sizes={"SHORT": 10 ** 6})
    assert len(expected) >= 2
    np.testing.assert_array_equal(cut_points(x, y, n_classes, 2000), expected)
    np.testing.assert_array_equal(
        cut_points(x, y, n_classes, 2000, sizes={"SHORT": 0}), expected)
