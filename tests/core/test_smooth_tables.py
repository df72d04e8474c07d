"""SADD Tables: the model, its fit, and the scikit-learn classifier."""

import warnings

import numpy as np
import pytest
from scipy.optimize import check_grad
from scipy.special import log_softmax, logit, softmax
from sklearn.datasets import load_breast_cancer, load_iris, make_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.preprocessing import StandardScaler

from orangecontrib.sadd.core import (
    DISCRETIZERS,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FFDDiscretizer,
    SADDDiscretizer,
    SADDTablesClassifier,
)
from orangecontrib.sadd.core.additive import _places, axes, basis, knots
from orangecontrib.sadd.core.additive.axes import Places
from orangecontrib.sadd.core.additive.basis import bases_of
from orangecontrib.sadd.core.additive.choice import (
    LeftOut,
    choose,
    rank_pairs,
    split_rows,
)
from orangecontrib.sadd.core.additive.knots import measure_axes
from orangecontrib.sadd.core.additive.termfit import TermFit
from orangecontrib.sadd.core.additive.termrows import TrainingRows
from tests.core import twins
from tests.core.checks import same_cuts
from tests.core.pages import interpreted
from tests.core.work import peak_of

X, Y = load_iris(return_X_y=True)
pytestmark = pytest.mark.filterwarnings(
    "ignore::sklearn.exceptions.ConvergenceWarning")
EXACT = {"tol": 1e-11, "max_iter": 10 ** 5}


def mixed(n_rows=120, n_classes=3, seed=0):
    """Return two numeric columns, two categorical ones, and classes."""
    random = np.random.default_rng(seed)
    values, classes = make_classification(
        n_rows, 4, n_informative=4, n_redundant=0, n_classes=n_classes, flip_y=0.1,
        n_clusters_per_class=1, random_state=seed)
    codes = np.column_stack((np.digitize(values[:, 2], [0, 1]),
                             random.integers(0, 4, n_rows)))
    rows = np.column_stack((values[:, :2], codes))
    rows[random.random(rows.shape) < 0.1] = np.nan
    return rows, classes


def fit(*data, sample_weight=None, unlabelled=None, **parameters):
    """Fit without a choice of penalty and pairs, unless they are given."""
    return SADDTablesClassifier(**{"penalty": 1, "pairs": 0, **parameters}).fit(
        *data, sample_weight, unlabelled=unlabelled)


def assert_close(one, other, rows, atol=1e-4):
    """Compare the probabilities that two models predict."""
    np.testing.assert_allclose(
        one.predict_proba(rows), other.predict_proba(rows), atol=atol)


class TestLiteralTwin:
    def twin(self, fitted, rows, targets, weights, everything, all_weights, **given):
        cuts = [None if values is not None else cuts for cuts, values in zip(
            fitted.discretizer_.cut_points_, fitted.categories_, strict=True)]
        sizes = [0 if values is None else len(values) for values in fitted.categories_]
        return twins.smooth_tables(
            rows, cuts, sizes, targets, weights, everything, all_weights, **given)

    def compare(self, fitted, tables, intercept, loss):
        np.testing.assert_allclose(fitted.loss_, loss, atol=1e-9)
        np.testing.assert_allclose(fitted.intercept_, intercept, atol=1e-5)
        for term, table in zip(fitted.terms_, tables, strict=True):
            np.testing.assert_allclose(term.table, table, atol=1e-5)

    @pytest.mark.parametrize("n_classes", [2, 3])
    @pytest.mark.parametrize("pairs", [0, 4])
    @pytest.mark.parametrize("discretizer", [
        "SADD", EqualFrequencyDiscretizer(6), EqualWidthDiscretizer(9)], ids=str)
    def test_tables_agree(self, discretizer, pairs, n_classes):
        rows, classes = mixed(n_classes=n_classes)
        weights = np.random.default_rng(1).integers(1, 4, len(rows)).astype(float)
        fitted = fit(rows, classes, sample_weight=weights, discretizer=discretizer,
                     categorical_features=[2, 3], smoothness=1.3, penalty=0.5,
                     pairs=pairs, **EXACT)
        assert len(fitted.pairs_) == pairs
        self.compare(fitted, *self.twin(
            fitted, rows, np.eye(n_classes)[classes], weights, rows, weights,
            smoothness=1.3, penalty=0.5, pairs=fitted.pairs_))

    @pytest.mark.parametrize("confidence", [0, 0.6])
    def test_tables_agree_when_a_committee_labels_the_pool(self, confidence):
        rows, classes = mixed(200)
        rows, labelled = np.nan_to_num(rows[:, :2]), np.arange(200) < 60
        scaled = StandardScaler().fit_transform(rows)
        members = [LogisticRegression(C=1., max_iter=1000),
                   ExtraTreesClassifier(100, random_state=0)]
        order = np.lexsort((rows[:60, 0], classes[:60]))
        proba = np.mean([
            member.fit(scaled[:60][order], classes[:60][order])
            .predict_proba(scaled[60:]) for member in members], axis=0)
        fitted = fit(rows[labelled], classes[labelled], unlabelled=rows[60:],
                     min_confidence=confidence, **EXACT)
        np.testing.assert_allclose(fitted.pseudo_label_proba_, proba, atol=1e-5)
        proba = fitted.pseudo_label_proba_
        used = np.append(np.ones(60, bool), proba.max(axis=1) >= confidence)
        assert confidence == 0 or 60 < used.sum() < 200
        labels = np.append(classes[:60], proba.argmax(axis=1))
        expected = SADDDiscretizer().fit(rows[used], labels[used])
        assert same_cuts(fitted.discretizer_, expected)
        targets = np.concatenate((np.eye(3)[classes[:60]], proba))
        self.compare(fitted, *self.twin(
            fitted, rows[used], targets[used], np.ones(used.sum()), rows,
            np.ones(200)))


class TestLiteralChoice:
    def parts(self, seed, n_classes, n_noise=0, n_rows=120, is_additive=False):
        """Return parts for the twin, and for the choice."""
        random = np.random.default_rng(seed)
        rows = np.column_stack((random.normal(size=(n_rows, 3)).round(1),
                                random.integers(0, 3, n_rows),
                                random.normal(size=(n_rows, n_noise))))
        rows[random.random(rows.shape) < 0.05] = np.nan
        known = np.nan_to_num(rows)
        score = known[:, 0] * known[:, 1] + (known[:, 3] == 1) * known[:, 2]
        if is_additive:
            score = 2 * known[:, 0] + np.sin(3 * known[:, 1]) + (known[:, 3] == 1)
        noise = random.normal(size=n_rows, scale=0.3)
        classes = np.digitize(score + noise, [-0.3, 0.6][:n_classes - 1])
        weights = random.integers(1, 3, n_rows).astype(float)
        literal, parts = [], []
        for part in split_rows(rows, classes, 0):
            rest = np.delete(np.arange(n_rows), part)
            cuts = [*map(np.array, ([-0.5, 0.1, 1], [0], [])), None,
                    *np.zeros((n_noise, 0))]
            train, test = ((rows[own], classes[own], weights[own])
                           for own in (rest, part))
            literal.append((cuts, train, test))
            every = np.ones(len(rest), bool)
            parts.append(LeftOut(TermFit(TrainingRows(
                train[0], every, train[2], np.eye(n_classes)[train[1]], every, cuts,
                [None] * 3 + [np.arange(3)] + [None] * n_noise)), *test))
        return literal, parts

    @pytest.mark.parametrize("seed, n_classes", [(0, 2), (1, 2), (2, 3)])
    def test_ranking_agrees(self, seed, n_classes):
        literal, parts = self.parts(seed, n_classes)
        cuts, (rows, classes, weights), _ = literal[0]
        expected, scores = twins.rank_tables(
            rows, cuts, [0, 0, 0, 3], np.eye(n_classes)[classes], weights, 3.)
        assert len(set(np.round(list(scores.values()), 6))) == len(scores) == 6
        solution = parts[0].rest.fit(3., **EXACT)
        assert rank_pairs(parts[0].rest, solution, 12.) == expected

    @pytest.mark.parametrize("seed, n_classes, n_noise, n_rows, is_additive", [
        (0, 2, 0, 120, False), (2, 3, 0, 80, False), (6, 2, 2, 100, False),
        (3, 2, 0, 150, True)])
    def test_choice_agrees(self, seed, n_classes, n_noise, n_rows, is_additive):
        literal, parts = self.parts(seed, n_classes, n_noise, n_rows, is_additive)
        sizes = [0, 0, 0, 3] + [0] * n_noise
        *expected, gain = twins.choose_tables(literal, sizes)
        found = choose(parts, "auto", "auto", **EXACT)
        assert found[:3] == tuple(expected)
        assert (found.n_pairs == 0) == is_additive
        assert found.gain == pytest.approx(gain, abs=1e-5)
        for part, (cuts, (X, y, weights), (X_out, y_out, _)) in zip(
                parts[:1], literal, strict=False):
            rows, _, _ = twins.tables_basis(X, cuts, sizes, X, weights)
            B, b, _ = twins.fit_basis(
                rows, [3.] * len(sizes), np.eye(n_classes)[y], weights)
            rows, _, _ = twins.tables_basis(X_out, cuts, sizes, X, weights)
            logs = log_softmax(np.hstack(rows) @ np.vstack(B) + b, axis=1)
            np.testing.assert_allclose(
                part.losses(part.rest.fit(3., **EXACT)),
                -logs[np.arange(len(y_out)), y_out], atol=1e-5)


def measure_axis(column, cuts, has_ends=False):
    axis, = measure_axes(
        column[:, None], np.ones(len(column)), [cuts], [None], has_ends)
    return axis


class TestLoss:
    @pytest.mark.parametrize("n_classes", [1, 2, 3])
    def test_gradient_agrees_with_finite_differences(self, n_classes):
        random = np.random.default_rng(0)
        rows, _ = mixed(50)
        weights = random.random(50)
        targets = random.dirichlet(np.ones(n_classes), 50)
        every = np.ones(50, bool)
        fitted = TermFit(TrainingRows(
            rows, every, weights, targets, every,
            [np.array([-1, 0, 0.5]), np.zeros(0), np.zeros(0), np.zeros(0)],
            [None, None, np.arange(3), np.arange(4)]))
        for pairs in ([], [(1, 0), (0, 2), (2, 3)]):
            loss = fitted.loss(pairs, penalty=2., strength=3.)
            start = loss.join(fitted.start)
            for point in (start, random.normal(size=len(start))):
                error = check_grad(
                    lambda at, loss=loss: loss(at)[0],
                    lambda at, loss=loss: loss(at)[1], point)
                assert error < 5e-6

    def test_directions_save_iterations(self, monkeypatch):
        random = np.random.default_rng(0)
        rows, y = random.normal(size=(600, 8)), random.integers(2, size=600)
        rows[:, ::2] += y[:, None]

        def n_iter(**given):
            return fit(rows, y, penalty=.3, **given).n_iter_

        found = n_iter(pairs=0), n_iter(pairs=10)
        monkeypatch.setattr(basis, "MOST_ROTATED", 0)
        assert found[0] < .7 * n_iter(pairs=0) and found[1] < .7 * n_iter(pairs=10)

    def test_directions_are_principal_components(self):
        column = np.random.default_rng(0).integers(0, 9, 500).astype(float)
        axis = measure_axis(column, np.arange(8) + .5)
        (matrix, variances, turned), = bases_of([axis], 2)
        codes = column.astype(int)
        np.testing.assert_allclose((matrix @ turned)[codes].var(axis=0), variances,
                                   atol=1e-12)
        np.testing.assert_allclose(turned @ turned.T, np.eye(9), atol=1e-12)

    def test_basis_is_that_of_the_definition(self):
        column = np.array([0., 1, 2, 7, 8, 30])
        cuts = np.array([1.5, 5, 10])
        axis = measure_axis(column, cuts)
        np.testing.assert_allclose(axis.knots, [0.5, 2, 7.5, 30])
        np.testing.assert_allclose(
            Places([axis])(column[:, None])[0][:, 0] - 1,
            [0, 1 / 3, 1, 1 + 5 / 5.5, 2 + .5 / 22.5, 3])
        (matrix, _, _), = bases_of([axis], 2)
        z = np.clip((axis.knots - column.mean()) / column.std(), -3, 3)
        np.testing.assert_allclose(matrix[:, 0], z - axis.shares @ z)
        above = np.array([0, 0, 1, 1]) - axis.shares[2:].sum()
        np.testing.assert_allclose(matrix[:, 2], 2 / np.sqrt(3) * above)
        np.testing.assert_allclose(axis.shares @ matrix, 0, atol=1e-12)

    @pytest.mark.parametrize("is_compiled", [True, False])
    def test_places_are_those_of_linear_interpolation(self, is_compiled, monkeypatch):
        if not is_compiled:
            monkeypatch.setattr(axes, "place_values", interpreted(_places).place_values)
        random = np.random.default_rng(0)
        all_axes = []
        for size in (1, 2, 3, 7, 30):
            knots = np.unique(random.normal(size=size))
            all_axes.append(axes.Axis(knots, *np.zeros((3, len(knots)))))
        all_axes.append(axes.Axis(None, *np.zeros((3, 4))))
        X = random.normal(size=(300, 6), scale=2)
        X[random.random(X.shape) < 0.1] = np.nan
        X[:2], X[2:32, 4] = [[np.inf], [-np.inf]], all_axes[4].knots
        X[:, 5] = random.choice([0, 1, 3, 3.5, 4, 99, np.nan], 300)
        offsets = [1, 2, 4, 7, 14, 44]
        found = axes.Places(all_axes)(X)[0]
        for column, axis, offset, places in zip(
                X.T, all_axes[:-1], offsets, found.T, strict=False):
            expected = offset + np.interp(column, axis.knots, np.arange(len(axis)))
            np.testing.assert_allclose(
                places, np.where(np.isnan(column), 0, expected), atol=1e-12)
        np.testing.assert_array_equal(
            found[:, 5], np.where(X[:, 5] < 4, 44 + np.floor(X[:, 5]), 0))

    @pytest.mark.parametrize("n_columns", [1, 3])
    def test_places_need_an_axis_for_each_column(self, n_columns):
        axis = axes.Axis(np.arange(3.), *np.zeros((3, 3)))
        with pytest.raises(ValueError, match=f"2 axes for {n_columns} columns"):
            Places([axis, axis])(np.zeros((5, n_columns)))

    def test_interpreted_page_finds_the_same_knots(self, monkeypatch):
        random = np.random.default_rng(0)
        X = random.normal(size=(200, 12)).round(1) * np.logspace(-3, 300, 12)
        X[random.random(X.shape) < 0.1] = np.nan
        X[:2, 3:6], X[:, 2] = [[np.inf], [-np.inf]], 7
        weights = random.integers(0, 3, 200).astype(float)
        cuts = [np.nanquantile(column[5:], [.1, .2, .7, .71]) for column in X.T]
        arguments = X, weights, cuts, [None] * 12, True
        expected = measure_axes(*arguments)
        assert [len(axis) > 1 for axis in expected] == [True] * 2 + [False] + [True] * 9
        monkeypatch.setattr(
            knots, "measure_intervals", interpreted(_places).measure_intervals)
        for axis, found in zip(expected, measure_axes(*arguments), strict=True):
            for name in ("knots", "slope", "steps", "shares"):
                np.testing.assert_allclose(
                    getattr(found, name), getattr(axis, name), rtol=1e-12)

    def test_line_ends_three_deviations_from_the_mean(self):
        column = np.arange(100.)
        axis = measure_axis(column, np.array([50.]), True)
        ends = column.mean() + 3 * column.std() * np.array([-1, 1])
        np.testing.assert_allclose(axis.knots, [ends[0], 24.5, 74.5, ends[1]])
        np.testing.assert_allclose(axis.slope[[0, -1]], [-3, 3])
        assert axis.steps.tolist() == [False, False, True, False]


class TestCurves:
    def curve(self, fitted, values, feature=0):
        rows = np.full((len(values), fitted.n_features_in_), np.nan)
        rows[:, feature] = values
        return fitted.contributions(rows)[:, feature]

    def test_curves_are_linear_between_knots_and_constant_outside(self):
        fitted = fit(X, Y)
        for feature, term in enumerate(fitted.terms_):
            (knots,), table = term.knots, term.table
            at_knots = self.curve(fitted, knots, feature)
            np.testing.assert_allclose(at_knots, table)
            middles = self.curve(fitted, (knots[1:] + knots[:-1]) / 2, feature)
            np.testing.assert_allclose(middles, (table[1:] + table[:-1]) / 2)
            ends = self.curve(fitted, [-np.inf, -99, 99, np.inf], feature)
            np.testing.assert_allclose(ends, table[[0, 0, -1, -1]])

    def test_missing_and_unseen_values_add_nothing(self):
        rows, classes = mixed()
        fitted = fit(rows, classes, categorical_features=[2, 3])
        missing = np.full((1, 4), np.nan)
        assert not fitted.contributions(missing).any()
        np.testing.assert_allclose(
            fitted.predict_proba(missing)[0], softmax(fitted.intercept_))
        unseen = np.array([[np.nan, np.nan, 9, np.nan]])
        assert not fitted.contributions(unseen).any()

    def test_knot_of_an_empty_interval_is_interpolated(self):
        rows = np.append(np.linspace(0, 1, 50), np.linspace(9, 10, 50))[:, None]
        fitted = fit(rows, rows[:, 0] > 5, discretizer=EqualWidthDiscretizer(5))
        (knots,), rows = fitted.terms_[0].knots, fitted.terms_[0].rows
        assert rows[:, 2:5].sum() == 0
        np.testing.assert_allclose(np.diff(knots[1:-1], 2), 0, atol=1e-9)

    def test_smoothness_of_zero_gives_straight_lines(self):
        fitted = fit(X, Y, discretizer=EqualFrequencyDiscretizer(8), smoothness=0)
        term = fitted.terms_[2]
        steps = np.diff(term.table, axis=0) / np.diff(term.knots[0])[:, None]
        np.testing.assert_allclose(steps, np.tile(steps[0], (len(steps), 1)))
        rough = fit(X, Y, discretizer=EqualFrequencyDiscretizer(8), smoothness=10)
        assert rough.loss_ < fitted.loss_

    @pytest.mark.parametrize("n_classes", [2, 3])
    def test_contributions_add_up(self, n_classes):
        rows, classes = mixed(n_classes=n_classes)
        fitted = fit(rows, classes, categorical_features=[2, 3], pairs=3)
        contributions = fitted.contributions(rows)
        assert contributions.shape == (len(rows), 7, n_classes)
        scores = contributions.sum(axis=1) + fitted.intercept_
        np.testing.assert_allclose(scores.sum(axis=1), 0, atol=1e-6)
        proba = fitted.predict_proba(rows)
        if n_classes == 2:
            np.testing.assert_allclose(scores[:, 1], logit(proba[:, 1]))
        else:
            np.testing.assert_allclose(softmax(scores, axis=1), proba, atol=1e-12)
        np.testing.assert_allclose(
            fitted.importances_, np.abs(contributions).mean(axis=(0, 2)))
        np.testing.assert_allclose(contributions[:, :4].mean(axis=0), 0, atol=1e-12)


class TestInvariance:
    def data(self):
        rows, classes = mixed(150)
        hidden = classes.copy()
        hidden[60:] = -1
        return rows, hidden

    def test_no_pool_means_labels_only(self):
        rows, hidden = self.data()
        alone = fit(rows[:60], hidden[:60], labeller=GaussianNB())
        for pool in (rows[:0], np.full((5, 4), np.nan)):
            found = fit(rows[:60], hidden[:60], unlabelled=pool)
            assert_close(found, alone, rows, 1e-9)
        assert alone.labeller_score_ is None
        assert alone.pseudo_label_proba_.shape == (0, 3)

    def test_pool_may_be_marked_or_separate(self):
        rows, hidden = self.data()
        marked = fit(rows, hidden)
        separate = fit(rows[:60], hidden[:60], unlabelled=rows[60:])
        missing = fit(rows, np.where(hidden < 0, np.nan, hidden), unlabelled_label=None)
        for other in (separate, missing):
            np.testing.assert_array_equal(
                marked.predict_proba(rows), other.predict_proba(rows))
        assert marked.pseudo_label_proba_.shape == (90, 3)
        assert marked.labeller_score_.total == 60

    def test_weight_of_two_equals_the_row_twice(self):
        rows, hidden = self.data()
        weights = np.random.default_rng(1).integers(0, 4, len(rows))
        parameters = {"categorical_features": [2, 3], "tol": 1e-9}
        weighted = fit(rows, hidden, sample_weight=weights, **parameters)
        repeated = fit(np.repeat(rows, weights, axis=0), np.repeat(hidden, weights),
                       **parameters)
        assert_close(weighted, repeated, rows, 1e-3)

    def test_weights_below_one_are_scaled(self):
        weights = np.random.default_rng(0).random(len(X))
        expected = fit(X, Y, sample_weight=weights / weights.mean())
        assert_close(fit(X, Y, sample_weight=weights / weights.sum()), expected, X,
                     1e-6)

    def test_unit_of_a_column_does_not_matter(self):
        found = fit(X, Y)
        for factor, shift in ((1e-6, 0), (1e120, 0), (1, 1e6)):
            moved = X * factor + shift
            np.testing.assert_allclose(
                fit(moved, Y).predict_proba(moved), found.predict_proba(X), atol=1e-4)


    @pytest.mark.parametrize("factor, shift", [(1, 1.7e12), (1e-170, 0), (1e-3, 1e9)])
    def test_large_offsets_and_small_units_do_not_matter(self, factor, shift):
        rows = np.linspace(0, 4096, 4097)[:, None]
        y = (rows[:, 0] // 1024 % 2).astype(int)
        found, moved = fit(rows, y), fit(rows * factor + shift, y)
        assert found.score(rows, y) > .98
        assert moved.score(rows * factor + shift, y) > .98
        cuts = moved.discretizer_.cut_points_[0]
        knots = moved.terms_[0].knots[0][1:-1]
        np.testing.assert_array_equal(
            np.searchsorted(cuts, knots), np.arange(len(cuts) + 1))
        np.testing.assert_allclose(
            moved.predict_proba(rows * factor + shift), found.predict_proba(rows),
            atol=1e-3)


class TestChoice:
    def data(self, n_rows=240):
        random = np.random.default_rng(0)
        rows = random.normal(size=(n_rows, 4))
        score = rows[:, 0] + 3 * rows[:, 1] * rows[:, 2] + random.normal(size=n_rows)
        return rows, (score > 0).astype(int)

    def test_pairs_are_found_where_two_variables_work_together(self):
        rows, classes = self.data()
        found = fit(rows, classes, penalty="auto", pairs="auto")
        assert found.pairs_[0] == (1, 2)
        assert found.importances_[4] == found.importances_[4:].max()
        assert found.score(rows, classes) > fit(rows, classes).score(rows, classes) + .1

    def test_no_pairs_where_variables_work_alone(self):
        rows, _ = self.data()
        classes = (rows[:, 0] + rows[:, 1] > 0).astype(int)
        assert fit(rows, classes, penalty="auto", pairs="auto").pairs_ == []

    def test_few_labels_choose_nothing(self):
        rows, classes = self.data(19)
        found = fit(rows, classes, penalty="auto", pairs="auto")
        assert (found.penalty_, found.pairs_) == (1, [])
        assert np.isnan(found.pairs_gain_)

    def test_parts_do_not_depend_on_orders_units_and_names(self):
        rows, classes = self.data()
        random = np.random.default_rng(1)
        order = random.permutation(len(rows))
        expected = {frozenset(part) for part in split_rows(rows, classes, 0)}
        assert sum(map(len, expected)) == len(rows)
        for other, names in ((rows[:, ::-1], classes), (rows * 3 + 7, classes),
                             (rows, 1 - classes)):
            found = split_rows(other[order], names[order], 0)
            assert {frozenset(order[part]) for part in found} == expected

    def test_choice_does_not_depend_on_orders_and_names(self):
        rows, classes = self.data()
        order = np.random.default_rng(1).permutation(len(rows))
        found = fit(rows, classes, penalty="auto", pairs="auto")
        other = fit(2 * rows[order][:, ::-1] - 1, 1 - classes[order],
                    penalty="auto", pairs="auto")
        assert (other.penalty_, len(other.pairs_)) \
            == (found.penalty_, len(found.pairs_))
        np.testing.assert_allclose(
            other.predict_proba(2 * rows[:, ::-1] - 1)[:, ::-1],
            found.predict_proba(rows), atol=1e-3)


class TestClassifier:
    def test_methods_use_rows_that_they_can_use(self):
        rows, hidden = X, np.where(np.arange(len(Y)) % 3, -1, Y)
        labelled = hidden >= 0
        for name, expected in (
                ("MDLP", DISCRETIZERS["MDLP"].estimator().fit(
                    rows[labelled], hidden[labelled])),
                ("PKID", DISCRETIZERS["PKID"].estimator().fit(rows))):
            found = fit(rows, hidden, discretizer=name).discretizer_
            assert same_cuts(found, expected)

    def test_few_labels_and_a_pool_predict_well(self):
        rows, classes = load_breast_cancer(return_X_y=True)
        labelled = np.random.default_rng(0).permutation(len(rows))[:30]
        hidden = np.full(len(rows), -1)
        hidden[labelled] = classes[labelled]
        fitted = fit(rows, hidden)
        unlabelled = hidden < 0
        assert fitted.score(rows[unlabelled], classes[unlabelled]) > 0.92
        right, total = fitted.labeller_score_
        assert total == 30 and right > 25

    @pytest.mark.parametrize("ignored", [
        {"labeller": "committee"}, {"min_confidence": 0.9}])
    def test_parameters_of_labelling_of_the_discretizer_raise(self, ignored):
        name, = ignored
        with pytest.raises(ValueError, match=f"Set {name} of SADDTablesClassifier"):
            fit(X, Y, discretizer=SADDDiscretizer(**ignored))
        fit(X, Y, discretizer=SADDDiscretizer(n0=500), **ignored)

    @pytest.mark.parametrize("ignored", [
        {"k": 3}, {"k": np.array([1, 3])}, {"standardize": False},
        {"max_labelled": 50}])
    def test_parameters_of_the_labeller_of_the_discretizer_raise(self, ignored):
        name, = ignored
        with pytest.raises(ValueError, match=f"discretizer cannot use {name}"):
            fit(X, Y, discretizer=SADDDiscretizer(**ignored))

    def test_labelled_rows_without_weight_raise(self):
        with pytest.raises(ValueError, match="zero for every labelled row"):
            SADDTablesClassifier().fit(X, np.where(Y, -1, 0), np.where(Y, 1, 0))


class TestOddData:
    def check(self, rows, y, **parameters):
        fitted = fit(rows, y, **parameters)
        proba = fitted.predict_proba(rows)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        assert np.isfinite(fitted.contributions(rows)).all()
        assert all(np.isfinite(knots).all() for term in fitted.terms_
                   for knots in term.knots if knots is not None)
        return fitted

    def test_class_without_weight_has_probability_zero(self):
        fitted = fit(X, Y, sample_weight=(Y != 1).astype(float))
        assert fitted.intercept_[1] == -np.inf
        assert np.isfinite(fitted.contributions(X)).all()

    def test_columns_without_information(self):
        rows = np.column_stack((X, np.full(150, np.nan), np.ones(150)))
        fitted = self.check(rows, Y, categorical_features=[4])
        np.testing.assert_allclose(
            fitted.predict_proba(rows), fit(X, Y).predict_proba(X), atol=1e-4)
        self.check(np.full((150, 2), np.nan), Y)
        self.check(np.full((150, 2), np.nan), Y, categorical_features=[0, 1])

    def test_infinite_and_huge_values(self):
        rows = X.copy()
        rows[:30, 0], rows[-30:, 1] = -np.inf, np.inf
        rows[:50, 2], rows[50:, 2] = -1.7e308, 1.7e308
        rows[:, 3] = np.where(Y == 0, np.inf, -np.inf)
        self.check(rows, Y)
        self.check(rows, np.where(np.arange(150) % 2, Y, -1))

    def test_each_row_of_a_class_of_its_own(self):
        self.check(X[:20], np.arange(20))

    @pytest.mark.parametrize("n_rows", [1, 2, 3])
    def test_few_rows(self, n_rows):
        rows, y = X[::50][:n_rows], Y[::50][:n_rows]
        self.check(rows, y)
        fitted = fit(rows, y, unlabelled=X)
        assert fitted.predict_proba(X).shape == (150, n_rows)

    def test_many_intervals_take_linear_memory(self):
        def run(n_rows):
            random = np.random.default_rng(0)
            rows = random.random((n_rows, 1))
            y = (rows[:, 0] + random.random(n_rows) > 1).astype(int)
            fit(rows, y, max_iter=3, discretizer=FFDDiscretizer(frequency=2))

        assert peak_of(run, 20_000) < 6 * peak_of(run, 5_000)

    @pytest.mark.parametrize("scale", [1e-322, 1e-310, 1e307])
    def test_tiny_and_huge_values(self, scale):
        rows = np.linspace(-10, 10, 40)[:, None] * scale
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            self.check(rows, (rows[:, 0] > 0).astype(int))
