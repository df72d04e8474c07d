"""Contributions of values: they add up, and agree with literal computations."""

import unittest
from dataclasses import replace

import numpy as np
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    Table,
    TimeVariable,
)
from Orange.preprocess import Normalize

from orangecontrib.sadd.explain.contributions import (
    bayes_contributions,
    tables_contributions,
    value_name,
)
from orangecontrib.sadd.scripting.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    WANBIALearner,
)
from orangecontrib.sadd.scripting.models import WeightedNaiveBayesModel
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner


def centred(logs):
    """Return log-odds, against the other one of two classes."""
    return (logs - logs.mean(axis=1, keepdims=True)) * (2 if logs.shape[1] == 2 else 1)


def all_contributions(model, data, pool=None):
    return [bayes_contributions(model, data, pool, index)
            for index in range(len(model.domain.attributes))]


def log_probabilities(model, codes):
    return model.fitted.log_posterior(np.asarray(codes, dtype=float))


class TestBayesContributions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.iris, cls.heart = Table("iris"), Table("heart_disease")

    def test_contributions_add_up_to_log_odds_when_model_is_additive(self):
        for data in (self.iris, self.heart):
            for learner in (NBLearner(), WANBIALearner(), CAWNBLearner("SADD"),
                            AIWNBLearner()):
                with self.subTest(data.name, learner=learner.name):
                    model = learner(data)
                    codes = data.transform(model.domain).X
                    codes = codes[~np.isnan(codes).any(axis=1)].astype(int)
                    parts = all_contributions(model, data)
                    added = sum(part.adds[codes[:, index]]
                                for index, part in enumerate(parts))
                    rest = centred(log_probabilities(model, codes)) - added
                    # The log-odds of an average row
                    np.testing.assert_allclose(rest, rest[:1].repeat(len(rest), 0),
                                               atol=1e-9)

    def test_average_contribution_is_zero_when_model_is_additive(self):
        model = CAWNBLearner()(self.iris)
        for part in all_contributions(model, self.iris):
            np.testing.assert_allclose(part.labelled @ part.adds, 0, atol=1e-8)

    def test_mixture_is_explained_at_the_mean_of_the_data(self):
        model = RNBLearner()(self.iris)
        model = WeightedNaiveBayesModel(model.domain, replace(model.fitted, alpha=.4))
        tables, codes = model.tables, self.iris.transform(model.domain).X.astype(int)

        def scores(weights, row):
            """Return the mean score of the data, or with a value of an attribute."""
            total = tables.log_prior.copy()
            for j in range(4):
                column = [tables.encode(np.where(np.arange(4) == j, v, np.nan)[None]
                                        .astype(float))[0, j]
                          for v in (codes[:, j] if row[j] is None else [row[j]])]
                weight = weights[..., j] if weights.ndim == 1 else weights[:, j]
                total += (np.atleast_1d(weight)[:, None]
                          * tables.log_likelihood[:, column]).mean(axis=1)
            return total

        def mixed(row):
            both = []
            for weights in (model.class_weights, model.weights):
                odds = np.exp(scores(weights, row))
                both.append(odds / odds.sum())
            return np.log(model.alpha * both[0] + (1 - model.alpha) * both[1])

        for j in (0, 2):
            found = bayes_contributions(model, self.iris, None, j)
            self.assertIn("mixture", found.reference)
            for v in range(len(found.labels)):
                row = [None] * 4
                row[j] = v
                expected = mixed(row) - mixed([None] * 4)
                np.testing.assert_allclose(
                    found.adds[v], expected - expected.mean(), atol=1e-9)

    def test_lazy_model_is_explained_with_other_values_missing(self):
        model = AIWNBLearner(instance_weighting="lazy")(self.iris)
        found = bayes_contributions(model, self.iris, None, 2)
        codes = np.full((len(found.labels) + 1, 4), np.nan)
        codes[:-1, 2] = np.arange(len(found.labels))
        logs = log_probabilities(model, codes)
        np.testing.assert_allclose(found.adds, centred(logs[:-1] - logs[-1]))
        self.assertIn("missing", found.reference)

    def test_rows_are_counted_by_label(self):
        data = self.iris.copy()
        with data.unlocked(data.Y):
            data.Y[::3] = np.nan
        train, pool = data[:120], data[100:]
        model = NBLearner()(train)
        found = bayes_contributions(model, train, pool, 3)
        column = data.transform(Domain([model.domain[3]])).X[:, 0]
        known = ~np.isnan(data.Y)
        known[120:] = False
        for value in range(len(found.labels)):
            mask = column == value
            self.assertEqual(found.labelled[value], (mask & known).sum())
            self.assertEqual(found.unlabelled[value], (mask & ~known).sum())

    def test_classes_without_rows_are_left_out(self):
        model = NBLearner()(self.iris[50:])
        found = bayes_contributions(model, self.iris[50:], None, 2)
        self.assertEqual(found.classes.tolist(), [1, 2])
        self.assertTrue(np.isfinite(found.adds).all())
        self.assertEqual(found.shown[0].tolist(), [2])

    def test_odd_attributes_have_finite_contributions(self):
        rng = np.random.default_rng(0)
        X = np.column_stack((np.full(40, np.nan), np.ones(40), rng.integers(0, 2, 40),
                             np.where(rng.random(40) < .5, np.nan, rng.random(40))))
        domain = Domain(
            [ContinuousVariable("empty"), ContinuousVariable("constant"),
             DiscreteVariable("unseen", ("a", "b", "c")), ContinuousVariable("holes")],
            DiscreteVariable("y", ("0", "1")))
        data = Table.from_numpy(domain, X, rng.integers(0, 2, 40))
        for learner in (RNBLearner("EW"), NBLearner(), AIWNBLearner("EW"),
                        AIWNBLearner(instance_weighting="lazy")):
            model = learner(data)
            for part in all_contributions(model, data, data):
                self.assertTrue(np.isfinite(part.adds).all())
                self.assertEqual(part.adds.shape, (len(part.labels), 2))
                self.assertEqual(len(part.labelled), len(part.labels))
        self.assertEqual(bayes_contributions(model, data, None, 2).labelled[2], 0)

    def test_preprocessors_and_other_tables_are_followed(self):
        model = NBLearner(preprocessors=Normalize())(self.iris)
        raw = NBLearner()(self.iris)
        for index in range(4):
            np.testing.assert_array_equal(
                bayes_contributions(model, self.iris, None, index).labelled,
                bayes_contributions(raw, self.iris, None, index).labelled)
        pool = Table.from_numpy(Domain([ContinuousVariable("other")]), np.ones((5, 1)))
        found = bayes_contributions(raw, self.iris, pool, 0)
        self.assertEqual(found.unlabelled.sum(), 0)


class TestTablesContributions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.heart = Table("heart_disease")
        cls.model = SADDTablesLearner(
            "SADD", cls.heart, "neighbours", penalty=1, pairs=0)(cls.heart[::3])

    def of(self, index, pool=None):
        return tables_contributions(self.model, self.heart[::3], pool, index)

    def test_contributions_add_up_to_log_odds(self):
        rows = self.heart[:40]
        total = np.zeros(len(rows))
        for index, var in enumerate(self.heart.domain.attributes):
            found, column = self.of(index), rows.get_column(var)
            adds = found.shown[1][:, 0]
            known = ~np.isnan(column)
            total[known] += np.interp(column[known], found.knots, adds) \
                if found.is_smooth else adds[column[known].astype(int)]
        odds = np.diff(np.log(self.model(rows, self.model.Probs)))[:, 0]
        rest = odds - total
        np.testing.assert_allclose(rest, rest[0], atol=1e-9)

    def test_histogram_counts_rows_by_label(self):
        found = self.of(0, pool=self.heart)
        self.assertTrue(found.is_smooth)
        self.assertEqual(found.labelled.sum(), 101)
        self.assertEqual(found.unlabelled.sum(), 202)
        self.assertEqual(len(found.edges), len(found.labelled) + 1)
        ages = self.heart[::3].get_column("age")
        self.assertEqual(found.labelled[0], ((ages >= found.edges[0])
                                             & (ages < found.edges[1])).sum())

    def test_odd_attributes_have_finite_contributions(self):
        rng = np.random.default_rng(0)
        X = np.column_stack((
            np.full(60, np.nan), np.ones(60), rng.normal(size=60) * 1e300,
            np.where(rng.random(60) < .3, np.inf, rng.random(60)),
            1.6e18 + 1e15 * rng.random(60), rng.integers(0, 2, 60)))
        names = ("empty", "constant", "huge", "infinite")
        domain = Domain(
            [*map(ContinuousVariable, names), TimeVariable("nanoseconds", have_date=1),
             DiscreteVariable("unseen", "abc")],
            DiscreteVariable("y", ("0", "1", "never")))
        data = Table.from_numpy(domain, X, rng.integers(0, 2, 60))
        for method in ("SADD", "EW"):
            model = SADDTablesLearner(method, penalty=1, pairs=0)(data)
            for index in range(6):
                found = tables_contributions(model, data, data, index)
                self.assertTrue(np.isfinite(found.adds).all())
                self.assertEqual(found.classes.tolist(), [0, 1])
                if found.is_smooth:
                    self.assertTrue((np.diff(found.edges) > 0).all())
                    self.assertTrue(found.describe_at(found.edges[0]))


class TestValueName(unittest.TestCase):
    def test_numbers_have_the_digits_of_their_data(self):
        age = ContinuousVariable("age", number_of_decimals=0)
        petal = ContinuousVariable("petal", number_of_decimals=1)
        self.assertEqual(value_name(age, 15.2), "15")
        self.assertEqual(value_name(petal, 5.483), "5.5")
        self.assertEqual(value_name(ContinuousVariable("x"), 5.48312345), "5.483")

    def test_small_and_large_numbers_are_kept(self):
        # The data of these variables may have any number of digits
        x = ContinuousVariable("x")
        for number in (1.2e-5, -3.4e-300, np.float64(1e306)):
            self.assertEqual(float(value_name(x, number)), number)
        some = ContinuousVariable("x", number_of_decimals=1)
        self.assertEqual(value_name(some, 0.0234), "0.023")
        self.assertEqual(value_name(x, np.nan), "?")
