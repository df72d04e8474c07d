"""The weighted naive Bayes family: loss, gradient, optimum, memory, threads."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn import datasets
from threadpoolctl import threadpool_info, threadpool_limits

from orangecontrib.sadd.core import MDLPDiscretizer
from orangecontrib.sadd.core.bayes import _objective, rowsums
from orangecontrib.sadd.core.bayes.fitting import RowsInMemory, minimize_loss
from orangecontrib.sadd.core.bayes.objective import Layout, Objective
from orangecontrib.sadd.core.bayes.rowsums import (
    EncodedRows,
    log_posteriors,
    sum_rows,
)
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.threads import use_threads
from tests.core.pages import interpreted

MODELS = ["wanbia", "cawnb", "rnb"]
OBJECTIVES = ["squared_error", "log_loss"]


def random_problem(seed=0, n_rows=150, n_attributes=6, n_classes=3, missing=0.1):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    y[:n_classes] = np.arange(n_classes)
    codes = rng.integers(4, size=(n_rows, n_attributes)) + y[:, None] % 2
    codes = codes.astype(float)
    codes[rng.random(codes.shape) < missing] = np.nan
    return codes, y


def make(codes, y, n_classes=None, weight=None, model="rnb", loss="squared_error"):
    weight = np.ones(len(y)) if weight is None else weight
    rows = RowsInMemory(codes, y, n_classes or int(y.max()) + 1, weight)
    return rows.objective(rows.tables(), model, loss)


def fit(codes, y, model="rnb", loss="squared_error", **parameters):
    rows = RowsInMemory(codes, y, int(y.max()) + 1, np.ones(len(y)))
    tables = rows.tables()
    return minimize_loss(rows.objective(tables, model, loss), tables, **parameters)


def assert_same(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


class Literal:
    """
    The published formulas, on a dense tensor of logarithms.

    Parameters are [w, W, alpha], whatever the model; those that it lacks are fixed.
    """

    def __init__(self, codes, y, model, objective="squared_error"):
        tables = fit_tables(codes, y, int(y.max()) + 1)
        self.log_p = np.moveaxis(tables.log_likelihood[:, tables.encode(codes)], 0, 1)
        self.log_prior = tables.log_prior
        self.truth = np.eye(tables.n_classes)[y]
        self.objective = objective
        _, c, m = self.log_p.shape
        self.start = np.append(np.ones(m + c * m),
                               {"wanbia": 0, "cawnb": 1, "rnb": 0.5}[model])
        self.free = {"wanbia": np.arange(m + c * m + 1) < m,
                     "cawnb": (np.arange(m + c * m + 1) >= m)
                     & (np.arange(m + c * m + 1) < m + c * m),
                     "rnb": np.ones(m + c * m + 1, dtype=bool)}[model]

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
            value, q = ((self.truth - p) ** 2).sum(), -2 * (self.truth - p)
        else:
            own = (self.truth * p).sum(axis=1, keepdims=True)
            value, q = -np.log(own).sum(), -self.truth / own
        d_i = (1 - alpha) * p_i * (q - (q * p_i).sum(axis=1, keepdims=True))
        d_d = alpha * p_d * (q - (q * p_d).sum(axis=1, keepdims=True))
        gradient = np.concatenate((
            np.einsum("nc,ncm->m", d_i, self.log_p),
            np.einsum("nc,ncm->cm", d_d, self.log_p).ravel(),
            [(q * (p_d - p_i)).sum()]))
        return value, gradient[self.free]

    def minimize(self, max_iter):
        """Do what the authors' code does, but for their truncated gradient."""
        with threadpool_limits(1):
            return minimize(
                self, self.start[self.free], jac=True, method="L-BFGS-B",
                bounds=[(0, 1)] * self.free.sum(),
                options={"maxcor": 5, "ftol": 0, "gtol": 1e-7, "maxiter": max_iter,
                         "maxfun": 5000}).fun


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n_classes", [2, 3, 5])
class TestGradient:
    def points(self, layout, seed=0):
        rng = np.random.default_rng(seed)
        inside = rng.uniform(0.1, 0.9, layout.size)
        at_bounds = rng.integers(2, size=layout.size).astype(float)
        if layout.model == "rnb":
            at_bounds[-1] = 0.3
        mixed = np.where(rng.random(layout.size) < 0.5, at_bounds, inside)
        return [layout.start, inside, at_bounds, mixed]

    def test_loss_agrees_with_the_literal_definition(self, n_classes, model, objective):
        codes, y = random_problem(n_classes, n_classes=n_classes)
        target = make(codes, y, model=model, loss=objective)
        literal = Literal(codes, y, model, objective)
        for theta in self.points(target.layout, 1):
            value, gradient = target.value_and_gradient(theta)
            expected, expected_gradient = literal(theta)
            assert value == pytest.approx(expected, rel=1e-12)
            assert_same(gradient, expected_gradient)


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


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sets())
def test_optimum_is_that_of_the_literal_definition(name, model, objective):
    (X, y), max_iter = sets()[name]
    codes = MDLPDiscretizer().fit_transform(X, y)
    fitted = fit(codes, y, model, objective, max_iter=max_iter)
    assert fitted.loss <= 1.001 * Literal(codes, y, model, objective).minimize(max_iter)


class TestMinimizer:
    def fit(self, model="rnb", **parameters):
        return fit(*random_problem(3), model, **parameters)

    def test_tolerance_is_about_the_mean_row(self):
        codes, y = random_problem(4)
        rows = RowsInMemory(codes, y, 3, np.full(len(y), 1000.))
        target = rows.objective(rows.tables(), "rnb", "squared_error")
        fitted = minimize_loss(target, rows.tables(), tol=1e-4)
        assert fitted.converged
        theta = target.layout.pack(fitted.weights, fitted.class_weights, fitted.alpha)
        _, gradient = target.value_and_gradient(theta)
        step = np.clip(theta - gradient / rows.weights.sum(), 0, 1) - theta
        assert np.abs(step).max() <= 1e-4

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
        np.append(*target.value_and_gradient(rng.random(target.layout.size))[::-1])
        for _ in range(3)])


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("model", MODELS)
class TestSameResult:
    def test_loss_is_the_same_in_small_blocks(self, model, objective, monkeypatch):
        codes, y = random_problem(6, n_rows=2000)
        target = make(codes, y, model=model, loss=objective)
        expected = losses(target)
        monkeypatch.setattr(rowsums, "BLOCK_SCORES", 50)
        monkeypatch.setattr(rowsums, "PART_VALUES", 500)
        np.testing.assert_allclose(losses(target), expected, rtol=1e-11, atol=1e-9)

    def test_loss_has_the_same_bits_with_threads(self, model, objective, monkeypatch):
        monkeypatch.setattr(rowsums, "PART_VALUES", 1000)
        codes, y = random_problem(6, n_rows=3000)
        target = make(codes, y, model=model, loss=objective)
        expected = losses(target)
        for n_jobs in (2, 3):
            with use_threads(n_jobs):
                np.testing.assert_array_equal(losses(target), expected)


def random_rows(seed, n_classes, n_models, soft, interpolated, n_rows=40):
    """Rows of five attributes with four entries each, and tables."""
    rng = np.random.default_rng(seed)
    columns = rng.integers(3, size=(n_rows, 5)) + 4 * np.arange(5)
    unknown = rng.random(columns.shape) < 0.1
    columns[unknown] = 20
    fractions = np.where(unknown | (rng.random(columns.shape) < 0.2), 0,
                         rng.random(columns.shape))
    rows = EncodedRows(
        columns.astype(np.int32), rng.uniform(0, 3, n_rows),
        rng.integers(n_classes, size=n_rows).astype(np.int32),
        rng.dirichlet(np.ones(n_classes), n_rows) if soft else np.empty((0, 0)),
        fractions if interpolated else np.empty((0, 0)))
    # After the entry of unknown values comes one more, as interpolation needs it
    table = rng.normal(scale=0.5, size=(22, n_models, n_classes))
    table[-2:] = 0
    return rows, rng.normal(size=(n_models, n_classes)), table


def literal_loss(rows, prior, table, alpha, squared):
    """The formulas of the page, on dense arrays."""
    fractions = rows.fractions if rows.fractions.size else np.zeros(rows.columns.shape)
    following = table[np.minimum(rows.columns + 1, len(table) - 1)]
    entries = table[rows.columns] \
        + fractions[..., None, None] * (following - table[rows.columns])
    posterior = np.exp(log_softmax(prior + entries.sum(axis=1), axis=2))
    mixed = (1 - alpha) * posterior[:, 0] + alpha * posterior[:, -1]
    target = rows.targets if rows.targets.size else np.eye(prior.shape[1])[rows.classes]
    terms = (target - mixed) ** 2 if squared else -target * np.log(mixed)
    return float(rows.weights @ terms.sum(axis=1))


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("n_models, alpha", [(1, 0.), (2, 0.3), (2, 0.), (2, 1.)])
@pytest.mark.parametrize("n_classes", [1, 2, 3, 6])
@pytest.mark.parametrize("soft, interpolated", [
    (False, False), (True, False), (False, True), (True, True)])
def test_sums_agree_with_finite_differences(
        n_classes, n_models, alpha, squared, soft, interpolated):
    rows, prior, table = random_rows(n_classes, n_classes, n_models, soft, interpolated)
    value, by_alpha, gradient = sum_rows(rows, prior, table, alpha, squared=squared)
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


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("soft, interpolated", [(False, False), (True, True)])
def test_interpreted_page_agrees_with_the_compiled_page(
        n_classes, squared, soft, interpolated, monkeypatch):
    rows, prior, table = random_rows(1, n_classes, 2, soft, interpolated)
    value, by_alpha, gradient = sum_rows(rows, prior, table, 0.3, squared=squared)
    logs = log_posteriors(rows.columns, prior, table, rows.fractions)
    page = interpreted(_objective)
    assert not page.COMPILED
    monkeypatch.setattr(rowsums, "add_rows", page.add_rows)
    monkeypatch.setattr(rowsums, "score_rows", page.score_rows)
    found = sum_rows(rows, prior, table, 0.3, squared=squared)
    assert found[:2] == pytest.approx((value, by_alpha))
    assert_same(found[2], gradient)
    assert_same(log_posteriors(rows.columns, prior, table, rows.fractions), logs)


class TestSmallDerivatives:
    def separable(self, n_rows=200, n_classes=3):
        y = np.arange(n_rows) % n_classes
        return np.repeat(y[:, None].astype(float), 4, axis=1), y

    @pytest.mark.parametrize("objective", OBJECTIVES)
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_derivatives_are_precise_when_classes_are_separable(
            self, objective, n_classes):
        codes, y = self.separable(n_classes=n_classes)
        target = make(codes, y, loss=objective)
        theta = target.layout.start
        value, gradient = target.value_and_gradient(theta)
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
    expected = losses(Objective(tables, codes, y, np.ones(500), loss=objective))
    found = losses(Objective(tables, codes, y, np.full(500, weight), loss=objective))
    np.testing.assert_allclose(found / weight, expected, rtol=1e-8, atol=1e-8)


class TestExtremes:
    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("alpha", [0, 0.5, 1])
    def test_loss_is_finite_when_the_probability_of_a_row_is_zero(
            self, n_classes, alpha):
        codes = np.zeros((400, 300))
        y = np.arange(400) % n_classes
        codes[y == 1] = 1
        codes[0] = 1
        target = make(codes, y, loss="log_loss")
        theta = target.layout.start
        theta[-1] = alpha
        value, gradient = target.value_and_gradient(theta)
        assert 500 < value < 1e5
        assert np.all(np.isfinite(gradient))
        assert fit(codes, y, loss="log_loss").loss < value

    def test_derivatives_are_finite_when_alpha_excludes_the_only_chance_of_a_class(
            self):
        rows = EncodedRows(np.array([[0]], dtype=np.int32), np.ones(1),
                           np.array([0], dtype=np.int32))
        table = np.zeros((2, 2, 2))
        table[0, 0, 1] = 5000  # the first model is certain, and wrong
        value, by_alpha, gradient = sum_rows(
            rows, np.zeros((2, 2)), table, 0., squared=False)
        assert value == pytest.approx(5000)
        assert -np.inf < by_alpha < -1e100
        assert np.all(np.isfinite(gradient))

    def test_loss_is_zero_when_there_are_no_rows(self):
        """As a worker of a cluster may have."""
        codes, y = random_problem()
        target = Objective(fit_tables(codes, y, 3), codes[:0], y[:0], np.zeros(0))
        value, gradient = target.value_and_gradient(target.layout.start)
        assert value == 0
        assert np.all(gradient == 0)


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info()
            if pool["user_api"] == "blas"]


def test_blas_has_one_thread_during_the_search():
    seen = []
    with threadpool_limits(2):
        before = blas_threads()
        fit(*random_problem(), max_iter=2,
            callback=lambda _: seen.append(blas_threads()))
        assert blas_threads() == before
    assert len(seen) == 2
    assert np.all(np.array(seen) == 1)


def test_layout_raises_when_the_model_is_unknown():
    with pytest.raises(ValueError, match="must be 'wanbia', 'cawnb' or 'rnb'"):
        Layout("tan", 2, 3)


class Cliff:
    """A loss that hardly falls where the search starts, and falls steeply later on."""

    tables = SimpleNamespace(class_counts=np.array([1e6]))
    layout = SimpleNamespace(
        size=1, start=np.ones(1), unpack=lambda theta: (theta, None, 0.0))

    @staticmethod
    def value_and_gradient(theta):
        step = 1 / (1 + np.exp(-100 * (theta[0] - 0.3)))
        return (9 + 0.05 * theta[0] + 5 * step,
                np.array([0.05 + 500 * step * (1 - step)]))


def test_search_goes_on_when_it_is_on_a_plateau():
    # The derivative of the mean is below the tolerance from the start; but the point
    # is worse than no attributes, so the search must go on, to the foot of the cliff.
    fitted = minimize_loss(Cliff, Cliff.tables, tol=1e-7)
    assert fitted.loss == pytest.approx(9, abs=0.1)
    assert fitted.weights[0] < 0.2
