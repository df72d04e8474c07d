"""Pictures of pairs, and what pairs bring.

Test methods with long descriptive names omit docstrings.
"""

import unittest

import numpy as np
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd.explain.gain import Gain, describe_gain, measure_gain
from orangecontrib.sadd.explain.pairs import N_CELLS, pair_contributions
from orangecontrib.sadd.scripting.smoothtables import SADDTablesLearner


def product_table(n_rows=300, seed=0):
    """Return rows whose class is the sign of a product of two numbers."""
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(n_rows, 3))
    return Table.from_numpy(
        Domain([ContinuousVariable(name) for name in "abc"],
               DiscreteVariable("sign", ("minus", "plus"))),
        X, (X[:, 0] * X[:, 1] > 0).astype(float))


class TestPairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.heart = Table("heart_disease")
        cls.model = SADDTablesLearner(pairs=12, penalty=1)(cls.heart[::2])
        cls.pairs = {}
        for index in range(len(cls.heart.domain.attributes), len(cls.model.terms)):
            pair = pair_contributions(cls.model, cls.heart[::2], cls.heart, index)
            cls.pairs.setdefault(pair.n_numeric, (index, pair))

    def test_two_numbers_have_the_numbers_of_the_model(self):
        index, pair = self.pairs[2]
        adds, is_near = pair.grid(1)
        self.assertEqual(adds.shape, (N_CELLS, N_CELLS))
        (left, right), (low, high) = pair.ranges
        rows = np.full((1, len(self.heart.domain.attributes)), np.nan)
        features = self.model.terms[index].features
        for i, j in ((0, 0), (3, 70), (40, 41)):
            rows[0, features] = (left + (i + .5) / N_CELLS * (right - left),
                                 low + (j + .5) / N_CELLS * (high - low))
            expected = self.model.fitted.contributions(rows)[0, index, 1]
            self.assertAlmostEqual(adds[i, j], expected)
        # Some place has no rows nearby, and every row is near itself
        self.assertFalse(is_near.all())
        for row in pair.labelled:
            i, j = np.minimum((row - [left, low]) / [right - left, high - low]
                              * N_CELLS, N_CELLS - 1).astype(int)
            self.assertTrue(is_near[i, j])
        self.assertEqual(len(pair.labelled), 152)
        self.assertEqual(len(pair.unlabelled), 151)

    def test_words_have_both_values_the_sum_and_rows_nearby(self):
        _, pair = self.pairs[2]
        first, second = pair.labelled[0]
        text = pair.describe_at(first, second, 1)
        for var in pair.variables:
            self.assertIn(f"{var.name} ", text)
        add = pair.added(pair.labelled[:1])[0, 1]
        self.assertIn(f"adds {abs(add):.2f} for {int(add > 0)}; ", text)
        self.assertRegex(text, r"[1-9]\d* labelled and \d+ unlabelled rows nearby$")

    def test_a_sentence_names_the_rows_to_which_the_pair_adds_most_and_least(self):
        for index, pair in self.pairs.values():
            # The pool is the whole table
            known = np.isfinite(self.heart.X[:, self.model.terms[index].features])
            adds = self.model.fitted.contributions(self.heart.X)[
                known.all(axis=1), index, 1]
            text = pair.describe_ends(1)
            for start, add in (("Adds most to 1", adds.max()),
                               ("least", adds.min())):
                self.assertIn(start, text)
                self.assertIn(f"({add:+.2f})", text.partition(start)[2])
            for var in pair.variables:
                self.assertEqual(text.count(f"{var.name} "), 2)

    def test_a_number_and_a_category_have_a_curve_for_each_category(self):
        index, pair = self.pairs[1]
        curves, term = pair.curves(1), self.model.terms[index]
        number = int(term.knots[0] is None)
        np.testing.assert_array_equal(curves.knots, term.knots[number])
        classes, adds = curves.shown
        self.assertEqual(adds.shape, (len(curves.knots), len(classes)))
        expected = np.moveaxis(term.table[..., 1], number, 0)[:, classes]
        np.testing.assert_array_equal(adds, expected)
        self.assertEqual(curves.labelled.sum(), len(pair.labelled))
        self.assertIn(f" with {curves.class_var.values[classes[0]]}",
                      curves.describe_at(float(curves.knots[0])))

    def test_two_categories_have_a_number_where_there_are_rows(self):
        index, pair = self.pairs[0]
        adds, labelled, unlabelled = pair.cells(1)
        np.testing.assert_array_equal(np.isnan(adds), labelled + unlabelled == 0)
        table = self.model.terms[index].table[..., 1]
        known = ~np.isnan(adds)
        np.testing.assert_array_equal(adds[known], table[known])
        self.assertEqual(labelled.sum(), len(pair.labelled))


class TestGain(unittest.TestCase):
    def test_gain_is_that_of_left_out_rows(self):
        learner = SADDTablesLearner(pairs=1, penalty=1)
        *earlier, gain = measure_gain(learner, product_table())
        self.assertEqual([part.n_done for part in earlier], list(range(1, 10)))
        self.assertEqual((gain.total, gain.n_done, gain.n_folds), (300, 10, 10))
        self.assertLess(gain.without, 200)
        self.assertGreater(gain.right, 250)
        self.assertFalse(gain.is_chance)
        text = describe_gain(gain, learner(product_table()))
        self.assertEqual(text, "1 of 3 pairs helps: "
                         f"{gain.without} → {gain.right} of 300 right")

    def test_labels_of_left_out_and_of_unlabelled_rows_are_not_read(self):
        data, pool, seen = product_table(60), product_table(90, 1), []

        class Spy(SADDTablesLearner):
            def __call__(self, data, progress_callback=None):
                seen.append((set(data.ids), set(self.unlabelled.ids)))
                return super().__call__(data, progress_callback)

        both = Table.concatenate([data, pool])
        list(measure_gain(Spy("SADD", both, "neighbours", penalty=1, pairs=0), data))
        self.assertEqual(len(seen), 10)
        for ids, pooled in seen:
            self.assertEqual(len(ids), 54)
            self.assertFalse(pooled & set(data.ids))

    def test_differences_that_may_be_chance_are_called_so(self):
        model = SADDTablesLearner(pairs=1, penalty=1)(product_table())
        for gained, lost, text in (
                (10, 8, "may be chance"), (10, 1, "help"), (1, 10, "harm"),
                (3, 3, "change nothing")):
            self.assertIn(text, describe_gain(
                Gain(90, gained, lost, 100, 10, 10), model))
