"""The weighted naive Bayes family: loss, gradient, optimum, memory, threads."""

import tracemalloc
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn import datasets
from threadpoolctl import threadpool_info, threadpool_limits

from orangecontrib.sadd.core import MDLPDiscretizer
from orangecontrib.sadd.core.additive import _objective, _places, fitting, rowsums
from orangecontrib.sadd.core.additive.fitting import CodedRows, Objective, fit_weights
from orangecontrib.sadd.core.additive.rowsums import (
    IndexedRows,
    PlacedRows,
    differences,
    log_posteriors,
    with_steps,
    without_steps,
)
from orangecontrib.sadd.core.additive.tables import fit_tables
from orangecontrib.sadd.core.threads import use_threads
from tests.core.pages import interpreted
from tests.core.twins import random_problem

MODELS = ["wanbia", "cawnb", "rnb"]
OBJECTIVES = ["squared_error", "log_loss"]


def make(codes, y, weight=None, model="rnb", loss="squared_error"):
    weight = np.ones(len(y)) if weight is None else weight
    rows = CodedRows(codes, y, int(y.max()) + 1, weight)
    return objective_of(rows.tables(), rows, model, loss)


def objective_of(tables, rows, *options, **named):
    return Objective(tables, rows.encode(tables), *options, **named)


def fit(codes, y, model="rnb", loss="squared_error", **parameters):
    rows = CodedRows(codes, y, int(y.max()) + 1, np.ones(len(y)))
    return fit_weights(rows, model, loss, **parameters)


def assert_same(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


class Literal:
    """
    The published formulas, on a dense tensor of logarithms.

    Parameters are [w, W, alpha] for any model; those that it lacks are fixed.
    """

    def __init__(self, codes, y, model, objective="squared_error", weight=None):
        self.weight = np.ones(len(y)) if weight is None else weight
        tables = fit_tables(codes, y, int(y.max()) + 1, self.weight)
        self.log_p = np.moveaxis(tables.log_likelihood[:, tables.encode(codes)], 0, 1)
        self.log_prior = tables.log_prior
        self.truth = np.eye(tables.n_classes)[y]
        self.objective = objective
        _, c, m = self.log_p.shape
        self.start = np.append(np.ones(m + c * m),
                               {"wanbia": 0, "cawnb": 1, "rnb": 0.5}[model])
        self.free = {"wanbia": slice(m), "cawnb": slice(m, -1),
                     "rnb": slice(None)}[model]

    def __call__(self, free):
        theta = self.start.copy()
        theta[self.free] = free
        _, c, m = self.log_p.shape
        w, big_w, alpha = theta[:m], theta[m:-1].reshape(c, m), theta[-1]
        log_i = log_softmax(self.log_prior + self.log_p @ w, axis=1)
        log_d = log_softmax(
            self.log_prior + np.einsum("ncm,cm->nc", self.log_p, big_w), axis=1)
        p_i, p_d = np.exp(log_i), np.exp(log_d)
        p = alpha * p_d + (1 - alpha) * p_i
        if self.objective == "squared_error":
            losses, q = (self.truth - p) ** 2, -2 * (self.truth - p)
        else:
            own = (self.truth * p).sum(axis=1, keepdims=True)
            losses, q = -np.log(own), -self.truth / own
        q = self.weight[:, None] * q
        d_i = (1 - alpha) * p_i * (q - (q * p_i).sum(axis=1, keepdims=True))
        d_d = alpha * p_d * (q - (q * p_d).sum(axis=1, keepdims=True))
        gradient = np.concatenate((
            np.einsum("nc,ncm->m", d_i, self.log_p),
            np.einsum("nc,ncm->cm", d_d, self.log_p).ravel(),
            [(q * (p_d - p_i)).sum()]))
        return self.weight @ losses.sum(axis=1), gradient[self.free]

    def minimize(self, max_iter):
        """Do what the authors' code does, but for their truncated gradient."""
        with threadpool_limits(1):
            return minimize(
                self, self.start[self.free], jac=True, method="L-BFGS-B",
                bounds=[(0, 1)] * len(self.start[self.free]),
                options={"maxcor": 5, "ftol": 0, "gtol": 1e-7, "maxiter": max_iter,
                         "maxfun": 5000}).fun


def points(objective, seed=0):
    """Draw parameters inside the box, on its boundary, and both."""
    rng = np.random.default_rng(seed)
    inside = rng.uniform(0.1, 0.9, len(objective.start))
    at_bounds = rng.integers(2, size=len(objective.start)).astype(float)
    if objective.model == "rnb":
        at_bounds[-1] = 0.3
    mixed = np.where(rng.random(len(objective.start)) < 0.5, at_bounds, inside)
    return [objective.start, inside, at_bounds, mixed]


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
def test_loss_agrees_with_the_literal_definition_and_finite_differences(
        n_classes, model, objective):
    codes, y = random_problem(n_classes, n_classes=n_classes)
    weight = np.random.default_rng(0).uniform(0, 3, len(y))
    target = make(codes, y, weight, model, objective)
    literal = Literal(codes, y, model, objective, weight)
    step = 1e-6
    for theta in points(target):
        value, gradient = target(theta)
        expected, expected_gradient = literal(theta)
        assert value == pytest.approx(expected, rel=1e-12)
        assert_same(gradient, expected_gradient)
        # The loss is defined beyond the box, so differences can be central on it
        differences = [(target(theta + e)[0]
                        - target(theta - e)[0]) / (2 * step)
                       for e in step * np.eye(len(theta))]
        np.testing.assert_allclose(gradient, differences, rtol=1e-5, atol=1e-5)


def sets():
    """Data sets, and how many iterations do not yet amplify rounding errors."""
    generate = datasets.make_classification
    return {
        "iris": (datasets.load_iris(return_X_y=True), 100),
        "cancer": (datasets.load_breast_cancer(return_X_y=True), 40),
        "digits": (datasets.load_digits(return_X_y=True), 40),
        "two": (generate(600, 12, n_informative=6, flip_y=0.1, random_state=0), 100),
        "five": (generate(800, 10, n_informative=6, n_classes=5, flip_y=0.1,
                          random_state=0), 100),
        "wide": (generate(300, 40, n_informative=8, n_classes=3, flip_y=0.1,
                          random_state=0), 100),
    }


@pytest.mark.parametrize("name, model, objective", [
    *product(sets(), MODELS, ["squared_error"]),
    *product(["iris", "two", "five"], ["wanbia", "rnb"], ["log_loss"])])
def test_optimum_is_that_of_the_literal_definition(name, model, objective):
    (X, y), max_iter = sets()[name]
    codes = MDLPDiscretizer().fit_transform(X, y)
    fitted = fit(codes, y, model, objective, max_iter=max_iter)
    expected = Literal(codes, y, model, objective).minimize(max_iter)
    assert fitted.loss <= 1.001 * expected


class TestMinimizer:
    def test_tolerance_is_about_the_mean_row(self):
        codes, y = random_problem(4)
        rows = CodedRows(codes, y, 3, np.full(len(y), 1000.))
        target = objective_of(rows.tables(), rows)
        fitted = fit_weights(rows, "rnb", tol=1e-4)
        assert fitted.converged
        theta = np.concatenate(
            (fitted.weights, fitted.class_weights.ravel(), [fitted.alpha]))
        _, gradient = target(theta)
        step = np.clip(theta - gradient / rows.weights.sum(), 0, 1) - theta
        assert np.abs(step).max() <= 1e-4

    def test_blas_has_one_thread_until_a_callback_stops_the_search(self):
        seen, before = [], blas_threads()

        def stop(done):
            seen.append(blas_threads())
            if done > 0.01:
                raise InterruptedError

        with pytest.raises(InterruptedError):
            fit(*random_problem(3), callback=stop)
        assert len(seen) == 2 and np.all(np.array(seen) == 1)
        assert blas_threads() == before

    @pytest.mark.parametrize("model", MODELS)
    def test_loss_is_that_of_the_prior_when_there_are_no_attributes(self, model):
        fitted = fit(np.zeros((3, 0)), np.array([0, 0, 1]), model)
        p = np.array([2.5, 1.5]) / 4
        assert fitted.converged
        assert fitted.loss == pytest.approx(2 * 2 * p[1] ** 2 + 2 * p[0] ** 2)


def losses(target, seed=0):
    """Value and gradient at some points, in one array."""
    rng = np.random.default_rng(seed)
    return np.concatenate([
        np.append(*target(rng.random(len(target.start)))[::-1])
        for _ in range(3)])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
def test_loss_is_the_same_in_small_blocks_and_threads(model, objective, monkeypatch):
    codes, y = random_problem(6, n_rows=2000)
    target = make(codes, y, model=model, loss=objective)
    expected = losses(target)
    monkeypatch.setattr(rowsums, "BLOCK_VALUES", 50)
    monkeypatch.setattr(rowsums, "PART_VALUES", 500)
    in_blocks = losses(target)
    np.testing.assert_allclose(in_blocks, expected, rtol=1e-11, atol=1e-9)
    for n_jobs in (2, 3):
        with use_threads(n_jobs):
            np.testing.assert_array_equal(losses(target), in_blocks)


def random_rows(seed, n_classes, n_models, kind, n_rows=40):
    """Rows of five attributes with four entries each, and tables."""
    rng = np.random.default_rng(seed)
    weights, targets = rng.uniform(0, 3, n_rows), rng.dirichlet(
        np.ones(n_classes), n_rows)
    if kind == "placed":
        def places(*sizes):
            found = np.column_stack([rng.uniform(0, size - 1, n_rows)
                                     for size in sizes])
            found[rng.random(found.shape) < 0.2] = 1
            found[rng.random(found.shape) < 0.1] = np.nan
            return found

        single = places(4, 4, 4, 4, 4) + np.arange(1, 20, 4)
        rows = PlacedRows(
            np.nan_to_num(single), np.nan_to_num(places(2, 3, 4), nan=-1), weights,
            targets,
            np.array([[0, 1, 22, 3], [2, 1, 28, 3]], dtype=np.int32), 21)
    else:
        columns = rng.integers(4, size=(n_rows, 5)) + 4 * np.arange(5)
        columns[rng.random(columns.shape) < 0.1] = 39
        rows = IndexedRows(
            columns.astype(np.int32), weights,
            rng.integers(n_classes, size=n_rows).astype(np.int32))
    table = rng.normal(scale=0.5, size=(40, n_models, n_classes))
    table[-1] = 0
    return rows, rng.normal(size=(n_models, n_classes)), table


def by_class(slopes, n_models, n_classes):
    """Return derivatives by scores of all classes, (..., n_models, n_classes)."""
    *shape, _ = slopes.shape
    found = np.empty((*shape, n_models, n_classes))
    found[..., 1:] = slopes[..., :n_models * (n_classes - 1)].reshape(
        *shape, n_models, n_classes - 1)
    # A number added to the scores of all classes changes nothing
    found[..., 0] = -found[..., 1:].sum(axis=-1)
    return found


def sums(rows, prior, table, alpha, squared):
    """Return the loss, and derivatives by alpha and by the entries of all classes."""
    if isinstance(rows, IndexedRows):
        value, by_alpha, slopes = rows.sums(
            differences(prior), differences(table), prior.shape, alpha, squared=squared)
        return value, by_alpha, by_class(slopes, *prior.shape)
    less_first = (table[:, 0, 1:] - table[:, 0, :1])[:-1]
    value, by_alpha, slopes = rows.sums(
        prior[0, 1:] - prior[0, 0] + less_first[20], with_steps(less_first),
        prior.shape, alpha, squared=squared)
    slopes = np.append(without_steps(slopes), np.zeros((1, prior.shape[1] - 1)), axis=0)
    return value, by_alpha, by_class(slopes, *prior.shape)


def hat(column, size):
    """Return the shares of entries in interpolated values."""
    found = np.maximum(0, 1 - np.abs(column[:, None] - np.arange(size)))
    return np.where(np.isnan(found), 0, found)


def product(first, second):
    return (first[:, :, None] * second[:, None]).reshape(len(first), -1)


def literal_loss(rows, prior, table, alpha, squared):
    """The formulas of the page, on dense arrays."""
    if isinstance(rows, IndexedRows):
        entries = table[rows.columns]
    else:
        hats = [hat(np.where(column, column - first, np.nan), 4)
                for first, column in zip(range(1, 20, 4), rows.places.T, strict=True)]
        known = np.where(rows.pair_places < 0, np.nan, rows.pair_places)
        first, second, third = map(hat, known.T, (2, 3, 4))
        hats += [np.ones((len(rows.weights), 1)), product(first, second),
                 product(third, second), np.zeros((len(rows.weights), 1))]
        entries = np.einsum("ie,emc->imc", np.hstack(hats), table)[:, None]
    posterior = np.exp(log_softmax(prior + entries.sum(axis=1), axis=2))
    mixed = (1 - alpha) * posterior[:, 0] + alpha * posterior[:, -1]
    target = np.eye(prior.shape[1])[rows.classes] if isinstance(
        rows, IndexedRows) else rows.targets
    terms = (target - mixed) ** 2 if squared else -target * np.log(mixed)
    return float(rows.weights @ terms.sum(axis=1))


@pytest.mark.parametrize("kind, n_models, alpha, squared", [
    *(("hard", *models, squared) for squared in (True, False)
      for models in ((1, 0.), (2, 0.3), (2, 0.), (2, 1.))),
    ("placed", 1, 0., False)])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 6])
def test_sums_agree_with_finite_differences(n_classes, kind, n_models, alpha, squared):
    rows, prior, table = random_rows(n_classes, n_classes, n_models, kind)
    value, by_alpha, gradient = sums(rows, prior, table, alpha, squared)
    assert value == pytest.approx(literal_loss(rows, prior, table, alpha, squared))
    step = 1e-6

    def difference(way):
        return (literal_loss(rows, prior, table + step * way, alpha, squared)
                - literal_loss(rows, prior, table - step * way, alpha, squared)) / 2e-6

    rng = np.random.default_rng(0)
    for _ in range(5):
        way = rng.normal(size=table.shape)
        way[-1] = 0  # unknown values have no table
        assert np.vdot(gradient, way) == pytest.approx(
            difference(way), rel=1e-6, abs=1e-6)
    if n_models == 2:
        assert by_alpha == pytest.approx(
            (literal_loss(rows, prior, table, alpha + step, squared)
             - literal_loss(rows, prior, table, alpha - step, squared)) / 2e-6,
            rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("kind, squared", [
    ("hard", True), ("hard", False), ("placed", False)])
@pytest.mark.parametrize("n_classes", [2, 3])
def test_interpreted_page_agrees_with_the_compiled_page(
        n_classes, squared, kind, monkeypatch):
    n_models, alpha = (2, 0.3) if kind == "hard" else (1, 0.)
    rows, prior, table = random_rows(1, n_classes, n_models, kind)
    columns = random_rows(1, n_classes, n_models, "hard")[0].columns
    value, by_alpha, gradient = sums(rows, prior, table, alpha, squared)
    logs = log_posteriors(columns, prior, table)
    page, places = interpreted(_objective), interpreted(_places)
    assert not page.COMPILED
    for name in ("add_slopes", "log_losses", "score_rows", "squared_errors"):
        monkeypatch.setattr(rowsums, name, getattr(page, name))
    for name in ("add_at_places", "score_places", "target_losses"):
        monkeypatch.setattr(rowsums, name, getattr(places, name))
    found = sums(rows, prior, table, alpha, squared)
    assert found[:2] == pytest.approx((value, by_alpha))
    assert_same(found[2], gradient)
    assert_same(log_posteriors(columns, prior, table), logs)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_derivatives_are_precise_when_classes_are_separable(objective, n_classes):
    y = np.arange(200) % n_classes
    codes = np.repeat(y[:, None].astype(float), 4, axis=1)
    target = make(codes, y, loss=objective)
    theta = target.start
    value, gradient = target(theta)
    literal = Literal(codes, y, "rnb", objective)
    literal.log_p = literal.log_p.astype(np.longdouble)
    expected, expected_gradient = literal(theta)
    assert 0 < value < 1e-4
    assert value == pytest.approx(float(expected), rel=1e-6)
    np.testing.assert_allclose(
        gradient, expected_gradient.astype(float), rtol=1e-6,
        atol=1e-6 * np.abs(gradient).max())


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("weight", [1e6, 1e13, 1e90, 1e-90])
def test_loss_is_proportional_to_weights(objective, weight):
    codes, y = random_problem(14, n_rows=500)
    # Tables are smoothed with fixed counts, so they must not change
    tables = fit_tables(codes, y, 3)
    expected, found = (
        losses(objective_of(tables, CodedRows(codes, y, 3, weights), loss=objective))
        for weights in (np.ones(500), np.full(500, weight)))
    np.testing.assert_allclose(found / weight, expected, rtol=1e-8, atol=1e-8)


class TestExtremes:
    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("objective", OBJECTIVES)
    def test_loss_is_finite_when_attributes_are_many(self, objective, n_classes):
        rng = np.random.default_rng(0)
        codes = rng.integers(20, size=(60, 5000)).astype(float)
        y = rng.permutation(np.arange(60) % n_classes)
        target = make(codes, y, loss=objective)
        for theta in (target.start, rng.random(len(target.start))):
            value, gradient = target(theta)
            assert np.isfinite(value)
            assert np.all(np.isfinite(gradient))

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("alpha", [0, 0.5, 1])
    def test_loss_is_finite_when_the_probability_of_a_row_is_zero(
            self, n_classes, alpha):
        codes = np.zeros((400, 300))
        y = np.arange(400) % n_classes
        codes[y == 1] = 1
        codes[0] = 1
        target = make(codes, y, loss="log_loss")
        theta = target.start
        theta[-1] = alpha
        value, gradient = target(theta)
        assert 500 < value < 1e5
        assert np.all(np.isfinite(gradient))
        assert fit(codes, y, loss="log_loss").loss < value

    def test_derivatives_are_finite_when_alpha_excludes_the_only_chance_of_a_class(
            self):
        rows = IndexedRows(np.array([[0]], dtype=np.int32), np.ones(1),
                           np.array([0], dtype=np.int32))
        table = np.zeros((2, 2, 2))
        table[0, 0, 1] = 5000  # the first model is certain, and wrong
        value, by_alpha, gradient = sums(
            rows, np.zeros((2, 2)), table, 0., squared=False)
        assert value == pytest.approx(5000)
        assert -np.inf < by_alpha < -1e100
        assert np.all(np.isfinite(gradient))

    @pytest.mark.parametrize("n_rows, n_attributes", [(50_000, 50), (500, 5000)])
    def test_memory_is_that_of_columns_and_tables(self, n_rows, n_attributes):
        """The dense tensor of logarithms would take 200 MB."""
        rng = np.random.default_rng(0)
        codes = rng.integers(8, size=(n_rows, n_attributes)).astype(float)
        y = rng.integers(10, size=n_rows)
        tables = fit_tables(codes, y, 10)
        tracemalloc.start()
        try:
            target = objective_of(tables, CodedRows(codes, y, 10, np.ones(n_rows)))
            kept, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            target(target.start)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert kept < codes.nbytes + 12 * tables.log_likelihood.nbytes
        assert peak - kept < 15e6 + 12 * tables.log_likelihood.nbytes

    def test_loss_is_zero_when_there_are_no_rows(self):
        """As a worker of a cluster may have."""
        codes, y = random_problem()
        target = objective_of(fit_tables(codes, y, 3),
                              CodedRows(codes[:0], y[:0], 3, np.zeros(0)))
        value, gradient = target(target.start)
        assert value == 0
        assert np.all(gradient == 0)


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info()
            if pool["user_api"] == "blas"]


class Cliff:
    """A loss that hardly falls where the search starts, and falls steeply later on."""

    start = np.ones(1)

    @staticmethod
    def unpack(theta):
        return theta, None, 0.0

    @staticmethod
    def tables():
        return SimpleNamespace(class_counts=np.array([1e6]))

    @staticmethod
    def encode(tables):
        return None

    def __call__(self, theta):
        step = 1 / (1 + np.exp(-100 * (theta[0] - 0.3)))
        return (9 + 0.05 * theta[0] + 5 * step,
                np.array([0.05 + 500 * step * (1 - step)]))


def test_search_goes_on_when_it_is_on_a_plateau(monkeypatch):
    monkeypatch.setattr(fitting, "Objective", lambda *_: Cliff())
    # The derivative of the mean is below the tolerance from the start; but the point
    # is worse than no attributes, so the search must go on, to the foot of the cliff.
    fitted = fit_weights(Cliff, "wanbia", tol=1e-7)
    assert fitted.loss == pytest.approx(9, abs=0.1)
    assert fitted.weights[0] < 0.2
