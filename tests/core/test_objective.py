"""The weighted naive Bayes family: loss, gradient, optimum, memory, threads."""

import tracemalloc
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax
from sklearn import datasets
from threadpoolctl import threadpool_info, threadpool_limits

from orangecontrib.sadd.core import EqualFrequencyDiscretizer, MDLPDiscretizer
from orangecontrib.sadd.core.bayes.fitting import minimize_objective
from orangecontrib.sadd.core.bayes.objective import Layout, Objective, RowObjective
from orangecontrib.sadd.core.bayes.rowblocks import group_rows, join_columns, one_hot
from orangecontrib.sadd.core.bayes.tables import fit_tables
from orangecontrib.sadd.core.exactsums import add_parts, round_weights

MODELS = ["wanbia", "cawnb", "rnb"]
OBJECTIVES = ["mse", "cll"]


def random_problem(seed=0, n_rows=150, n_attributes=6, n_classes=3, missing=0.1):
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    y[:n_classes] = np.arange(n_classes)
    codes = rng.integers(4, size=(n_rows, n_attributes)) + y[:, None] % 2
    codes = codes.astype(float)
    codes[rng.random(codes.shape) < missing] = np.nan
    return codes, y


def make(codes, y, n_classes=None, weight=None, **parameters):
    tables = fit_tables(codes, y, n_classes or int(y.max()) + 1, weight)
    return RowObjective(tables, tables.encode(codes), y, weight, **parameters)


def assert_same(one, other):
    np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-10)


class Literal:
    """
    The published formulas, on a dense tensor of logarithms.

    Parameters are [w, W, alpha], whatever the model; those that it lacks are fixed.
    """

    def __init__(self, codes, y, model, objective="mse"):
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
        if self.objective == "mse":
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
        if layout.has_alpha:
            at_bounds[-1] = 0.3
        mixed = np.where(rng.random(layout.size) < 0.5, at_bounds, inside)
        return [layout.start, inside, at_bounds, mixed]

    def test_against_finite_differences(self, n_classes, model, objective):
        codes, y = random_problem(n_classes, n_classes=n_classes)
        weight = np.random.default_rng(0).uniform(0, 3, len(y))
        target = make(codes, y, weight=weight, model=model, loss=objective)
        step = 1e-6
        for theta in self.points(target.layout):
            _, gradient = target.value_and_gradient(theta)
            # The loss is defined beyond the box, so differences can be central on it
            expected = [(target.value_and_gradient(theta + e)[0]
                         - target.value_and_gradient(theta - e)[0]) / (2 * step)
                        for e in step * np.eye(len(theta))]
            np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-5)

    def test_against_literal_definition(self, n_classes, model, objective):
        codes, y = random_problem(n_classes, n_classes=n_classes)
        target = make(codes, y, model=model, loss=objective)
        literal = Literal(codes, y, model, objective)
        for theta in self.points(target.layout, 1):
            value, gradient = target.value_and_gradient(theta)
            expected, expected_gradient = literal(theta)
            assert value == pytest.approx(expected, rel=1e-12)
            assert_same(gradient, expected_gradient)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_alpha_at_its_bound(objective):
    """There the gradient is one-sided, and that by weights of the other part is 0."""
    codes, y = random_problem()
    target = make(codes, y, model="rnb", loss=objective)
    single = make(codes, y, model="cawnb", loss=objective)
    rng = np.random.default_rng(1)
    theta = rng.random(target.layout.size)
    theta[-1] = 1
    value, gradient = target.value_and_gradient(theta)
    expected, expected_gradient = single.value_and_gradient(theta[6:-1])
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(gradient[6:-1], expected_gradient)
    assert np.all(gradient[:6] == 0)
    inside = theta - np.append(np.zeros(len(theta) - 1), 1e-7)
    assert (value - target.value_and_gradient(inside)[0]) / 1e-7 == pytest.approx(
        gradient[-1], rel=1e-3)


def sets():
    """Ten data sets, and how many iterations do not yet amplify rounding errors."""
    generate = datasets.make_classification
    return {
        "iris": (datasets.load_iris(return_X_y=True), 100),
        "wine": (datasets.load_wine(return_X_y=True), 100),
        "cancer": (datasets.load_breast_cancer(return_X_y=True), 40),
        "digits": (datasets.load_digits(return_X_y=True), 40),
        "moons": (datasets.make_moons(400, noise=0.3, random_state=0), 100),
        "blobs": (datasets.make_blobs(500, 6, centers=5, cluster_std=4, random_state=0),
                  100),
        "two": (generate(600, 12, n_informative=6, flip_y=0.1, random_state=0), 100),
        "five": (generate(800, 10, n_informative=6, n_classes=5, flip_y=0.1,
                          random_state=0), 100),
        "wide": (generate(300, 40, n_informative=8, n_classes=3, flip_y=0.1,
                          random_state=0), 100),
        "quantiles": (datasets.make_gaussian_quantiles(
            n_samples=600, n_features=6, n_classes=4, random_state=0), 100),
    }


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", sets())
def test_optimum_is_that_of_the_literal_reference(name, model):
    (X, y), max_iter = sets()[name]
    codes = MDLPDiscretizer().fit_transform(X, y)
    fitted = minimize_objective(make(codes, y, model=model), max_iter=max_iter)
    assert fitted.loss <= 1.001 * Literal(codes, y, model).minimize(max_iter)


@pytest.mark.parametrize("model", ["wanbia", "rnb"])
@pytest.mark.parametrize("name", ["iris", "two", "five"])
def test_optimum_of_cll(name, model):
    (X, y), max_iter = sets()[name]
    codes = MDLPDiscretizer().fit_transform(X, y)
    fitted = minimize_objective(make(codes, y, model=model, loss="cll"), max_iter)
    assert fitted.loss <= 1.001 * Literal(codes, y, model, "cll").minimize(max_iter)


class TestMinimizer:
    def fit(self, model="rnb", **parameters):
        codes, y = random_problem(3)
        return minimize_objective(make(codes, y, model=model), **parameters)

    def test_result(self):
        fitted = self.fit()
        assert fitted.weights.shape == (6,)
        assert fitted.class_weights.shape == (3, 6)
        for part in (fitted.weights, fitted.class_weights, fitted.alpha):
            assert np.all((0 <= np.asarray(part)) & (np.asarray(part) <= 1))
        assert len(fitted.loss_history) == fitted.n_iter + 1
        assert np.all(np.diff(fitted.loss_history) <= 0)
        assert fitted.loss == fitted.loss_history[-1]

    @pytest.mark.parametrize("model, absent, alpha", [
        ("wanbia", "class_weights", 0), ("cawnb", "weights", 1)])
    def test_single_models(self, model, absent, alpha):
        fitted = self.fit(model)
        assert getattr(fitted, absent) is None
        assert fitted.alpha == alpha

    def test_running_out_of_iterations(self):
        fitted = self.fit(max_iter=2)
        assert not fitted.converged
        assert fitted.n_iter == 2
        assert self.fit(max_iter=2000).converged

    def test_tolerance_is_about_the_mean_row(self):
        codes, y = random_problem(4)
        target = make(codes, y, weight=np.full(len(y), 1000.))
        fitted = minimize_objective(target, tol=1e-4)
        assert fitted.converged
        theta = target.layout.pack(fitted.weights, fitted.class_weights, fitted.alpha)
        _, gradient = target.value_and_gradient(theta)
        step = np.clip(theta - gradient / target.total_weight, 0, 1) - theta
        assert np.abs(step).max() <= 1e-4

    def test_callback(self):
        calls = []
        fitted = self.fit(callback=lambda *call: calls.append(call))
        assert [i for i, _ in calls] == list(range(1, fitted.n_iter + 1))
        assert [loss for _, loss in calls] == list(fitted.loss_history[1:])

    def test_callback_can_stop_and_threads_are_restored(self):
        def stop(iteration, _):
            if iteration == 2:
                raise InterruptedError

        before = blas_threads()
        with pytest.raises(InterruptedError):
            self.fit(callback=stop)
        assert blas_threads() == before

    def test_anything_that_has_sums(self):
        """The sum over two halves, as of two workers, is minimized as the whole is."""
        codes, y = random_problem(5)
        tables = fit_tables(codes, y, 3)
        columns = tables.encode(codes)
        halves = [RowObjective(tables, columns[i::2], y[i::2]) for i in range(2)]

        class Workers(Objective):
            def sums(self, theta, precision=None):
                return add_parts(
                    lambda half, precision: half.sums(theta, precision), halves,
                    precision)

        whole = minimize_objective(RowObjective(tables, columns, y))
        found = minimize_objective(Workers(tables))
        np.testing.assert_array_equal(found.class_weights, whole.class_weights)
        np.testing.assert_array_equal(found.loss_history, whole.loss_history)

    @pytest.mark.parametrize("model", MODELS)
    def test_no_attributes(self, model):
        y = np.array([0, 0, 1])
        fitted = minimize_objective(make(np.zeros((3, 0)), y, model=model))
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
    """However rows are cut, joined, grouped, weighted or ordered."""

    def test_blocks(self, model, objective):
        codes, y = random_problem(6, n_rows=5000)
        parameters = {"model": model, "loss": objective}
        whole = make(codes, y, block_bytes=2 ** 40, **parameters)
        blocks = make(codes, y, block_bytes=1, **parameters)
        assert len(whole._blocks) == 1
        assert len(blocks._blocks) > 5
        np.testing.assert_array_equal(losses(blocks), losses(whole))

    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_joining_and_grouping(self, model, objective, n_classes):
        codes, y = random_problem(7, n_rows=3000, n_attributes=4, n_classes=n_classes)
        parameters = {"model": model, "loss": objective}
        plain = make(codes, y, join=False, group=False, **parameters)
        joined = make(codes, y, group=False, **parameters)
        both = make(codes, y, **parameters)
        n_ones = [target._blocks[0].onehot[:1].nnz for target in (plain, joined, both)]
        assert n_ones[0] == 4 > n_ones[1]
        assert sum(map(len, both._blocks)) < 3000
        np.testing.assert_array_equal(losses(joined), losses(plain))
        np.testing.assert_array_equal(losses(both), losses(plain))

    @pytest.mark.parametrize("group", [True, False])
    def test_weight_two_is_the_row_twice(self, model, objective, group):
        codes, y = random_problem(8)
        weight = np.random.default_rng(8).integers(4, size=len(y))
        parameters = {"model": model, "loss": objective, "group": group}
        np.testing.assert_array_equal(
            losses(make(codes, y, weight=weight, **parameters)),
            losses(make(np.repeat(codes, weight, axis=0), np.repeat(y, weight),
                        **parameters)))

    @pytest.mark.parametrize("n_classes", [2, 3, 12])
    @pytest.mark.parametrize("weighted", [False, True])
    def test_order_of_rows(self, model, objective, n_classes, weighted):
        codes, y = random_problem(12, n_rows=400, n_classes=n_classes)
        rng = np.random.default_rng(12)
        weight = round_weights(rng.random(len(y))) if weighted else None
        order = rng.permutation(len(y))
        parameters = {"model": model, "loss": objective}
        expected = losses(make(codes, y, weight=weight, **parameters))
        found = losses(make(codes[order], y[order], block_bytes=1, **parameters,
                            weight=None if weight is None else weight[order]))
        np.testing.assert_array_equal(found, expected)

    @pytest.mark.parametrize("size", [1, 2, 7, 150])
    @pytest.mark.parametrize("n_classes", [2, 3, 12])
    def test_sums_over_parts(self, model, objective, n_classes, size):
        """As over partitions of a cluster, which may have a single row."""
        codes, y = random_problem(13, n_classes=n_classes)
        tables = fit_tables(codes, y, n_classes)
        columns = tables.encode(codes)
        parameters = {"model": model, "loss": objective}
        whole = RowObjective(tables, columns, y, **parameters)
        parts = [RowObjective(tables, columns[start:start + size],
                              y[start:start + size], **parameters)
                 for start in range(0, 150 + size, size)]
        whole_sums = self.sums_at_a_point([whole])
        parts_sums = self.sums_at_a_point(parts)
        assert parts_sums.value == whole_sums.value
        assert parts_sums.by_alpha == whole_sums.by_alpha
        np.testing.assert_array_equal(parts_sums.by_column, whole_sums.by_column)

    @staticmethod
    def sums_at_a_point(parts):
        theta = np.random.default_rng(0).random(parts[0].layout.size)
        return add_parts(
            lambda part, precision: part.sums(theta, precision), parts)

    def test_order_of_columns_and_classes(self, model, objective):
        codes, y = random_problem(9)
        rng = np.random.default_rng(9)
        columns, classes = rng.permutation(6), np.array([1, 2, 0])
        one = make(codes, y, model=model, loss=objective)
        other = make(codes[:, columns], classes[y], model=model, loss=objective)
        w, big_w = rng.random(6), rng.random((3, 6))
        value, gradient = one.value_and_gradient(one.layout.pack(w, big_w, 0.4))
        inverse = np.argsort(classes)
        other_value, other_gradient = other.value_and_gradient(
            other.layout.pack(w[columns], big_w[inverse][:, columns], 0.4))
        assert other_value == pytest.approx(value, rel=1e-12)
        d_w, d_big_w, d_alpha = one.layout.unpack(gradient)
        expected = other.layout.pack(
            d_w[columns] if d_w is not None else None,
            d_big_w[inverse][:, columns] if d_big_w is not None else None, d_alpha)
        assert_same(other_gradient, expected)

    def test_absent_classes(self, model, objective):
        codes, y = random_problem(10)
        parameters = {"model": model, "loss": objective}
        one = make(codes, y, **parameters)
        other = make(codes, 2 * y, n_classes=5, **parameters)
        rng = np.random.default_rng(10)
        w, big_w = rng.random(6), rng.random((5, 6))
        value, gradient = one.value_and_gradient(one.layout.pack(w, big_w[::2], 0.4))
        other_value, other_gradient = other.value_and_gradient(
            other.layout.pack(w, big_w, 0.4))
        assert other_value == pytest.approx(value)
        d_w, d_big_w, d_alpha = other.layout.unpack(other_gradient)
        if d_big_w is not None:
            assert np.all(d_big_w[1::2] == 0)
            d_big_w = d_big_w[::2]
        np.testing.assert_allclose(one.layout.pack(d_w, d_big_w, d_alpha), gradient)

    def test_one_of_two_classes_is_absent(self, model, objective):
        codes, y = random_problem(11)
        target = make(codes, np.zeros_like(y), n_classes=2, model=model,
                      loss=objective)
        value, gradient = target.value_and_gradient(target.layout.start)
        assert value == 0
        assert np.all(gradient == 0)


class TestSmallDerivatives:
    """Rounding must not be too coarse for them."""

    def separable(self, n_rows=200, n_classes=3):
        y = np.arange(n_rows) % n_classes
        return np.repeat(y[:, None].astype(float), 4, axis=1), y

    @pytest.mark.parametrize("objective", OBJECTIVES)
    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_relative_precision(self, objective, n_classes):
        codes, y = self.separable(n_classes=n_classes)
        target = make(codes, y, loss=objective)
        theta = target.layout.start
        assert target.sums(theta).precision >= 2
        value, gradient = target.value_and_gradient(theta)
        literal = Literal(codes, y, "rnb", objective)
        literal.log_p = literal.log_p.astype(np.longdouble)
        expected, expected_gradient = literal(theta)
        assert 0 < value < 1e-4
        assert value == pytest.approx(float(expected), rel=1e-6)
        np.testing.assert_allclose(
            gradient, expected_gradient.astype(float), rtol=1e-6,
            atol=1e-8 * np.abs(gradient).max())

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("at_end", [True, False])
    def test_a_row_that_is_different(self, n_classes, at_end):
        """The precision is that of this row, whichever block it is in."""
        codes, y = self.separable(n_classes=n_classes)
        codes[-1 if at_end else 0] = np.nan
        rows = {"group": False, "join": False}
        blocks = make(codes, y, block_bytes=1, **rows)
        assert len(blocks._blocks) > 5
        theta = blocks.layout.start
        assert blocks.sums(theta).precision == 0
        expected = make(codes, y, **rows).value_and_gradient(theta)
        for mine, yours in zip(blocks.value_and_gradient(theta), expected, strict=True):
            np.testing.assert_array_equal(mine, yours)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("weight", [1e6, 1e10, 1e13, 1e90, 1e-90])
def test_weights_of_any_size(objective, weight):
    """If all weights are multiplied by a number, so are loss and gradient."""
    codes, y = random_problem(14, n_rows=500)
    expected = losses(make(codes, y, loss=objective, weight=np.full(500, 1.)))
    # Tables are smoothed with fixed counts, so they must not change
    tables = fit_tables(codes, y, 3)
    large = replace(tables, class_counts=tables.class_counts * weight)
    found = losses(RowObjective(large, large.encode(codes), y, np.full(500, weight),
                                loss=objective))
    np.testing.assert_allclose(found / weight, expected, rtol=1e-8, atol=1e-8)


class TestExtremes:
    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("objective", OBJECTIVES)
    def test_five_thousand_attributes(self, objective, n_classes):
        rng = np.random.default_rng(0)
        codes = rng.integers(20, size=(60, 5000)).astype(float)
        y = rng.permutation(np.arange(60) % n_classes)
        target = make(codes, y, loss=objective)
        for theta in (target.layout.start, rng.random(target.layout.size)):
            value, gradient = target.value_and_gradient(theta)
            assert np.isfinite(value)
            assert np.all(np.isfinite(gradient))

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("alpha", [0, 0.5, 1])
    def test_log_of_zero(self, n_classes, alpha):
        """A row so unlikely that its probability is 0 has a finite loss."""
        codes = np.zeros((400, 300))
        y = np.arange(400) % n_classes
        codes[y == 1] = 1
        codes[0] = 1
        target = make(codes, y, loss="cll")
        theta = target.layout.start
        theta[-1] = alpha
        value, gradient = target.value_and_gradient(theta)
        assert 500 < value < 1e5
        assert np.all(np.isfinite(gradient))
        fitted = minimize_objective(target)
        assert fitted.loss < value

    @pytest.mark.parametrize("n_rows, n_attributes", [(50_000, 50), (500, 5000)])
    def test_memory(self, n_rows, n_attributes):
        """The dense tensor of logarithms would take 200 MB."""
        rng = np.random.default_rng(0)
        codes = rng.integers(8, size=(n_rows, n_attributes)).astype(float)
        y = rng.integers(10, size=n_rows)
        tables = fit_tables(codes, y, 10)
        columns = tables.encode(codes)
        tracemalloc.start()
        try:
            target = RowObjective(tables, columns, y)
            kept, _ = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            target.value_and_gradient(target.layout.start)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        tables_bytes = 2 * tables.log_likelihood.nbytes
        assert kept < 4 * columns.nbytes
        assert peak - kept < 15e6 + 6 * tables_bytes

    def test_ones_of_a_block_are_limited(self, monkeypatch):
        codes, y = random_problem(n_rows=3000)
        whole = make(codes, y, join=False, group=False)
        monkeypatch.setattr("orangecontrib.sadd.core.bayes.rowblocks.MAX_ONES", 1000)
        blocks = make(codes, y, join=False, group=False)
        assert max(block.onehot.nnz for block in blocks._blocks) <= 1000
        np.testing.assert_array_equal(losses(blocks), losses(whole))

    def test_no_rows(self):
        """As a worker of a cluster may have."""
        codes, y = random_problem()
        tables = fit_tables(codes, y, 3)
        target = RowObjective(tables, tables.encode(codes[:0]), y[:0])
        value, gradient = target.value_and_gradient(target.layout.start)
        assert value == 0
        assert np.all(gradient == 0)


class TestRowBlocks:
    def test_factors_of_the_one_hot_matrix(self):
        rng = np.random.default_rng(0)
        n_values = np.array([2, 3, 0, 5, 2, 30])
        starts = np.cumsum(n_values) - n_values
        columns = starts + rng.integers(np.maximum(n_values, 1), size=(2000, 6))
        n_columns = n_values.sum() + 1
        columns[:, 2] = n_columns - 1
        columns[rng.random(columns.shape) < 0.1] = n_columns - 1
        columns = columns.astype(np.int32)
        joined, expand, n_first = join_columns(columns, n_values, n_columns)
        assert joined.shape[1] < 6
        np.testing.assert_array_equal(
            (one_hot(joined, expand.shape[0]) @ expand).toarray(),
            one_hot(columns, n_columns).toarray())
        assert joined[:, 0].max() == n_first - 1
        assert np.all(joined[:, 1:] >= n_first)

    def test_groups(self):
        rng = np.random.default_rng(0)
        rows, y = rng.integers(3, size=(500, 3)), rng.integers(2, size=500)
        weight = rng.choice([0.25, 1.1], 500)
        found = group_rows(rows, y, weight)
        both = np.column_stack(found[:3])
        assert len(np.unique(both, axis=0)) == len(both) <= 27 * 2 * 2
        for row, own, weighs, count in zip(*found, strict=True):
            same = np.all(rows == row, axis=1) & (y == own) & (weight == weighs)
            assert count == same.sum()
        *_, weights, count = group_rows(rows, y, None, np.full(500, 2.))
        assert weights is None
        assert len(count) <= 27 * 2
        assert count.sum() == 1000

    def test_different_rows_stay(self):
        rows = np.arange(100)[:, None]
        y = np.zeros(100, dtype=int)
        assert group_rows(rows, y)[0] is rows
        same = np.zeros((100, 1), dtype=int)
        assert group_rows(same, y, np.arange(1., 101))[0] is same

    def test_collisions_are_noticed(self, monkeypatch):
        class NotRandom:
            def integers(self, *_, size):
                return np.zeros(size, dtype=np.int64)

        monkeypatch.setattr("numpy.random.default_rng", lambda _: NotRandom())
        rows = np.arange(100)[:, None]
        y = np.zeros(100, dtype=int)
        assert group_rows(rows, y)[0] is rows


def blas_threads():
    return [pool["num_threads"] for pool in threadpool_info()
            if pool["user_api"] == "blas"]


def test_blas_runs_on_one_thread_inside_and_as_before_after():
    seen = []
    before = blas_threads()
    codes, y = random_problem()
    minimize_objective(make(codes, y), max_iter=2,
                       callback=lambda *_: seen.append(blas_threads()))
    assert len(seen) == 2
    assert np.all(np.array(seen) == 1)
    assert blas_threads() == before


@pytest.mark.parametrize("parameters, message", [
    ({"model": "tan"}, "must be 'wanbia', 'cawnb' or 'rnb'"),
    ({"loss": "mae"}, "must be 'mse' or 'cll'")])
def test_bad_parameters(parameters, message):
    with pytest.raises(ValueError, match=message):
        make(*random_problem(), **parameters)


def test_layout_round_trip():
    for model in MODELS:
        layout = Layout(model, 3, 4)
        theta = np.random.default_rng(0).random(layout.size)
        np.testing.assert_array_equal(layout.pack(*layout.unpack(theta)), theta)


def test_columns_of_many_values():
    """Attributes with too many values to be joined are left alone."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 3)), rng.integers(3, size=400)
    codes = EqualFrequencyDiscretizer(n_bins=100).fit_transform(X)
    target = make(codes, y)
    value, gradient = target.value_and_gradient(target.layout.start)
    expected, expected_gradient = Literal(codes, y, "rnb")(target.layout.start)
    assert value == pytest.approx(expected)
    np.testing.assert_allclose(gradient, expected_gradient)


class Cliff:
    """A loss that hardly falls where the search starts, and falls steeply later on."""

    total_weight = 1e6
    tables = None
    layout = SimpleNamespace(
        size=1, start=np.ones(1), unpack=lambda theta: (theta, None, 0.0))

    @staticmethod
    def value_and_gradient(theta):
        step = 1 / (1 + np.exp(-100 * (theta[0] - 0.3)))
        return (9 + 0.05 * theta[0] + 5 * step,
                np.array([0.05 + 500 * step * (1 - step)]))


def test_a_plateau_is_not_a_minimum():
    # The derivative of the mean is below the tolerance from the start; but the point
    # is worse than no attributes, so the search must go on, to the foot of the cliff.
    fitted = minimize_objective(Cliff, tol=1e-7)
    assert fitted.loss == pytest.approx(9, abs=0.1)
    assert fitted.weights[0] < 0.2
