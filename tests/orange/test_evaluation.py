"""Cross-validation by scripts and by Test and Score: use of rows and labels."""

import numpy as np
from Orange.classification import NaiveBayesLearner
from Orange.data import DiscreteVariable, Domain, Table
from Orange.evaluation import CA, CrossValidation, CrossValidationFeature
from Orange.widgets.evaluate.owtestandscore import OWTestAndScore
from Orange.widgets.tests import base

from orangecontrib.sadd import RNBLearner, RNBPlusLearner, SADDDiscretize, core
from tests.orange.data import cut_points, replace, set_column, shared_table, unlabel
from tests.shared import needs_shared

IRIS = Table("iris")
HEART = Table("heart_disease")


class Recorder(SADDDiscretize):
    """Stores its rows and cuts, in all its copies."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.records = _Shared()

    def __call__(self, data, callback=None):
        result = super().__call__(data, callback)
        self.records.append((data.ids, cut_points(result.domain)))
        return result


class _Shared(list):
    def __deepcopy__(self, memo):
        return self


def core_cuts(data, train, has_pool):
    """Return the cuts of core; other rows are in the pool, or left out."""
    others = np.setdiff1d(np.arange(len(data)), train) if has_pool else []
    rows = np.append(train, others).astype(int)
    y = np.full(len(rows), -1)
    y[:len(train)] = data.Y[train]
    estimator = core.SADDDiscretizer(categorical_features=[
        var.is_discrete for var in data.domain.attributes]).fit(data.X[rows], y)
    return {var.name: cuts.tolist()
            for var, cuts in zip(data.domain.attributes, estimator.cut_points_,
                                 strict=True)
            if len(cuts)}


def rows_of(data, ids):
    """Return the indices of rows with these ids."""
    return np.flatnonzero(np.isin(data.ids, ids))


def with_folds(data, k=5):
    """Return the data with the fold that tests a row as a meta."""
    fold = DiscreteVariable("fold", values=list(map(str, range(k))))
    domain = Domain(data.domain.attributes, data.domain.class_vars, [fold])
    return Table.from_numpy(
        domain, data.X, data.Y, (np.arange(len(data)) % k)[:, None].astype(float),
        ids=data.ids)


def cuts_of_folds(data, has_pool):
    """Return the cuts of each fold; folds are given, since stratified ones use labels.
    """
    recorder = Recorder(data if has_pool else None)
    CrossValidationFeature(feature=data.domain["fold"])(
        data, [NaiveBayesLearner()], recorder)
    return [found for _, found in recorder.records]


class TestCrossValidation:
    def test_without_pool_it_is_inductive(self):
        recorder = Recorder()
        CrossValidation(k=5)(HEART, [NaiveBayesLearner()], recorder)
        for ids, found in recorder.records:
            assert found == core_cuts(HEART, rows_of(HEART, ids), has_pool=False)

    def test_labels_of_test_rows_do_not_matter(self):
        data = with_folds(IRIS)
        tested = np.flatnonzero(data.metas[:, 0] == 2)
        Y = data.Y.copy()
        Y[tested] = (Y[tested] + 1) % 3
        changed = replace(data, Y=Y)
        for has_pool in (True, False):
            before, after = (cuts_of_folds(each, has_pool) for each in (data, changed))
            # Labels of training rows matter
            assert [one == other for one, other in zip(before, after, strict=True)] \
                == [False, False, True, False, False]

    def test_values_of_test_rows_matter_only_in_the_pool(self):
        data = with_folds(IRIS)
        tested = data.metas[:, 0] == 2
        changed = set_column(data, 2, data.X[:, 2] + 0.35 * tested)
        for has_pool in (True, False):
            before, after = (cuts_of_folds(each, has_pool) for each in (data, changed))
            assert (before[2] == after[2]) == (not has_pool)

    def test_labels_of_the_pool_do_not_matter(self):
        permuted = replace(HEART, Y=np.random.default_rng(0).permutation(HEART.Y))
        deleted = unlabel(HEART, slice(None))
        classless = HEART.transform(Domain(HEART.domain.attributes))
        results = [
            CrossValidation(k=2)(HEART, [
                RNBPlusLearner(unlabelled=pool, max_iter=10),
                NaiveBayesLearner(preprocessors=[SADDDiscretize(pool)])])
            for pool in (HEART, permuted, deleted, classless)]
        for other in results[1:]:
            np.testing.assert_array_equal(results[0].probabilities, other.probabilities)

    def test_pool_in_learner_and_in_preprocessor_are_the_same(self):
        first = CrossValidation(k=3)(HEART, [RNBPlusLearner(unlabelled=HEART)])
        second = CrossValidation(k=3)(
            HEART, [RNBLearner()], SADDDiscretize(HEART, remove_const=False))
        np.testing.assert_array_equal(first.probabilities, second.probabilities)

    @needs_shared
    def test_pool_matters_on_vowel(self):
        data = shared_table("vowel")
        assert len(data.domain.attributes) == 13
        accuracies = dict(zip(
            ("transductive", "inductive", "MDLP", "RNB+ transductive"),
            CA(CrossValidation(k=10, random_state=0)(data, [
                *(NaiveBayesLearner(preprocessors=[preprocessor])
                  for preprocessor in (SADDDiscretize(data), SADDDiscretize(),
                                       SADDDiscretize(method="MDLP"))),
                RNBPlusLearner(unlabelled=data)])), strict=True))
        assert 0.74 <= accuracies["transductive"] <= 0.79
        assert 0.65 <= accuracies["inductive"] <= 0.69
        assert 0.58 <= accuracies["MDLP"] <= 0.63
        assert accuracies["RNB+ transductive"] > accuracies["transductive"]


class TestTestAndScore(base.WidgetTest):
    def setUp(self):
        self.widget = self.create_widget(OWTestAndScore)

    def tearDown(self):
        self.widget.onDeleteWidget()
        super().tearDown()

    def evaluate(self, data, learners, preprocessor=None):
        """Connect everything, and wait for the results."""
        widget = self.widget
        self.send_signals([(widget.Inputs.train_data, data),
                           (widget.Inputs.preprocessor, preprocessor)])
        for index, learner in enumerate(learners):
            self.send_signal(widget.Inputs.learner, learner, index)
        results = self.get_output(widget.Outputs.evaluations_results)
        self.assertEqual(len(results.probabilities), len(learners))
        self.assertTrue(np.isfinite(results.probabilities).all())
        self.assertFalse(widget.Error.active)
        return results

    def test_preprocessor_is_transductive_with_the_evaluated_table(self):
        recorder = Recorder(HEART)
        results = self.evaluate(HEART, [NaiveBayesLearner()], recorder)
        self.assertEqual(len(recorder.records), len(results.folds))
        for (ids, found), fold in zip(
                recorder.records, results.folds, strict=True):
            train = np.setdiff1d(np.arange(len(HEART)), results.row_indices[fold])
            np.testing.assert_array_equal(rows_of(HEART, ids), train)
            self.assertEqual(found, core_cuts(HEART, train, has_pool=True))
        cuts = [found for _, found in recorder.records]
        self.assertTrue(all(cuts[0] != found for found in cuts[1:]))

    def test_same_as_by_script(self):
        permuted = replace(HEART, Y=np.random.default_rng(0).permutation(HEART.Y))
        results = self.evaluate(HEART, [
            RNBPlusLearner(unlabelled=permuted, max_iter=10),
            RNBPlusLearner(max_iter=10)])
        expected = CrossValidation(k=len(results.folds), random_state=42)(HEART, [
            RNBPlusLearner(unlabelled=HEART, max_iter=10),
            RNBPlusLearner(max_iter=10)])
        np.testing.assert_array_equal(results.row_indices, expected.row_indices)
        np.testing.assert_allclose(results.probabilities, expected.probabilities)
        self.assertFalse(np.allclose(*results.probabilities))

    def test_unlabelled_rows_of_the_evaluated_table_as_pool(self):
        """Test and Score drops them, but the preprocessor holds them."""
        half = unlabel(IRIS, slice(0, None, 2))
        recorder = Recorder(half)
        self.evaluate(half, [NaiveBayesLearner()], recorder)
        self.assertTrue(self.widget.Warning.missing_data.is_shown())
        labelled = np.flatnonzero(~np.isnan(half.Y))
        for ids, found in recorder.records:
            train = rows_of(half, ids)
            self.assertTrue(set(train) < set(labelled))
            self.assertEqual(found, core_cuts(half, train, has_pool=True))

    def test_odd_folds_do_not_stop_it(self):
        X = np.column_stack((np.ones(30), np.full(30, np.nan), np.arange(30.0)))
        rare = np.append(np.zeros(28), [1, 2])
        domain = Domain(IRIS.domain.attributes[:3], IRIS.domain.class_vars)
        for y in (rare, np.arange(30) % 3):  # classes without rows; nothing to cut
            data = Table.from_numpy(domain, X, y)
            results = self.evaluate(
                data, [NaiveBayesLearner(), RNBPlusLearner(unlabelled=data)],
                SADDDiscretize(data))
            self.assertEqual(results.probabilities.shape, (2, 30, 3))
