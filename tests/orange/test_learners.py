"""Learners and models."""

import copy
import pickle
import subprocess
import sys
import warnings
from inspect import signature

import numpy as np
import pytest
from Orange.classification.naive_bayes import NaiveBayesModel
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table
from Orange.preprocess import (
    Continuize,
    Discretize,
    Impute,
    Normalize,
    ProjectPCA,
    Randomize,
    RemoveNaNColumns,
    SelectBestFeatures,
    SklImpute,
)
from Orange.preprocess.discretize import EqualWidth

import orangecontrib.sadd
from orangecontrib.sadd import core
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.scripting.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.scripting.discretize import CAIM, SADD
from orangecontrib.sadd.scripting.models import WeightedNaiveBayesModel
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from tests.orange.data import (
    PlainTablesLearner,
    cut_points,
    replace,
    set_column,
    unlabel,
)

IRIS = Table("iris")
HEART = Table("heart_disease")
TITANIC = Table("titanic")
LEARNERS = [RNBPlusLearner, RNBLearner, WANBIALearner, CAWNBLearner, AIWNBLearner]
WITH_LAZY = [*LEARNERS, lambda **args: AIWNBLearner(instance_weighting="lazy", **args)]
CLASSIFIERS = {
    RNBPlusLearner: core.RNBPlusClassifier,
    RNBLearner: core.RNBClassifier,
    WANBIALearner: core.WANBIAClassifier,
    CAWNBLearner: core.CAWNBClassifier,
    AIWNBLearner: core.AIWNBClassifier,
    NBLearner: core.NaiveBayesClassifier,
    PlainTablesLearner: core.SADDTablesClassifier}

each_learner = pytest.mark.parametrize("make", [*WITH_LAZY, PlainTablesLearner])


def probabilities(model, data):
    return model(data, model.Probs)


class TestAgainstCore:
    """The same numbers as those of the scikit-learn API."""

    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
    @pytest.mark.parametrize("learner", [
        *(cls() for cls in LEARNERS), RNBLearner("SADD", objective="log_loss"),
        AIWNBLearner("CAIM", instance_weighting="lazy"),
        WANBIALearner("EF", max_iter=7), PlainTablesLearner(),
        PlainTablesLearner("EF", smoothness=1), PlainTablesLearner(max_iter=7)])
    def test_probabilities(self, learner):
        cls = CLASSIFIERS[type(learner)]
        classifier = cls(
            **{name: learner.params[name] for name in signature(cls).parameters
               if name in learner.params},
            categorical_features=[var.is_discrete for var in HEART.domain.attributes])
        rng = np.random.default_rng(0)
        for W in (None, rng.integers(0, 4, len(HEART)).astype(float),
                  rng.random(len(HEART)) ** 9):
            classifier.fit(HEART.X, HEART.Y.astype(int), W)
            model = learner(replace(HEART, W=W))
            np.testing.assert_allclose(
                probabilities(model, HEART), classifier.predict_proba(HEART.X),
                atol=1e-6)
            assert model.n_iter == getattr(classifier, "n_iter_", 0)
            assert model.converged == getattr(classifier, "converged_", True)

    @pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
    @pytest.mark.parametrize("make, parameters", [
        (RNBPlusLearner, {"k": 3}),
        (PlainTablesLearner, {"penalty": 1, "pairs": 0})])
    def test_unlabelled_rows_and_pool(self, make, parameters):
        data, pool = unlabel(IRIS[::2], slice(0, None, 3)), IRIS[1::2]
        y = np.append(np.nan_to_num(data.Y, nan=-1), np.full(75, -1)).astype(int)
        X = np.concatenate((data.X, pool.X))
        classifier = CLASSIFIERS[make](**parameters).fit(X, y)
        model = make(unlabelled=IRIS, **parameters)(data)
        np.testing.assert_allclose(
            probabilities(model, IRIS), classifier.predict_proba(IRIS.X), atol=1e-6)
        assert model.labelling.n_rows == 100
        discretizer = classifier if make is PlainTablesLearner \
            else classifier.discretizer_
        assert model.labelling.score == discretizer.labeller_score_
        for name in ("weights", "class_weights", "alpha", "loss", "loss_history"):
            if hasattr(model, name):
                np.testing.assert_allclose(
                    getattr(model, name), getattr(classifier, f"{name}_"), atol=1e-4)

    @pytest.mark.parametrize("name", DISCRETIZERS)
    def test_all_discretizations(self, name):
        model = WANBIALearner(name)(IRIS)
        expected = SADDDiscretize(method=name, remove_const=False)(IRIS)
        assert model.domain == expected.domain


class TestPreprocessing:
    @each_learner
    @pytest.mark.parametrize("preprocessors", [
        Normalize(), [Continuize(), Normalize()], [Randomize()], [Discretize()],
        [Impute(), SADDDiscretize()], [SADDDiscretize(remove_const=False)],
        [SklImpute()], [ProjectPCA(n_components=2)], [RemoveNaNColumns()],
        [SelectBestFeatures(k=2)]])
    def test_no_preprocessor_breaks_a_learner(self, make, preprocessors):
        learner = make(preprocessors=preprocessors)
        for use_default in (False, True):
            learner.use_default_preprocessors = use_default
            for data in (IRIS, HEART):
                model = learner(data)
                assert make is PlainTablesLearner or all(
                    var.is_discrete for var in model.domain.attributes)
                assert np.isfinite(probabilities(model, data)).all()

    @each_learner
    def test_is_called_once(self, make):
        """A TypeError in preprocessing would make Orange start again."""
        calls = []

        class Counted(Normalize):
            def __call__(self, data):
                calls.append(len(data))
                return super().__call__(data)

        with warnings.catch_warnings():
            warnings.simplefilter("error")
            make(preprocessors=[Counted()])(IRIS)
        assert calls == [150]

    def test_discretizes_what_is_still_numeric(self):
        part = SADDDiscretize(method="MDLP")(IRIS).domain.attributes[:2]

        class Part(Normalize):
            def __call__(self, data):
                return data.transform(
                    Domain(part + data.domain.attributes[2:], data.domain.class_vars))

        model = RNBLearner("CAIM", preprocessors=[Part()])(IRIS)
        assert model.domain.attributes[:2] == part
        assert model.domain.attributes[2:] == tuple(
            CAIM()(IRIS, index) for index in (2, 3))

    def test_unlabelled_rows_are_dropped_last(self):
        half = unlabel(IRIS, slice(0, None, 2))
        model = RNBLearner(SADDDiscretize())(half)
        assert model.tables.class_counts.sum() == 75
        assert cut_points(model.domain) == cut_points(SADDDiscretize()(half).domain)

    @pytest.mark.parametrize("discretization, preprocessor", [
        *((ours, SADDDiscretize()) for ours in (
            "sadd", SADD(n0=2000), SADDDiscretize(), SADDDiscretize(IRIS[:0]))),
        (EqualWidth(n=3), Discretize(EqualWidth(n=3))),
        (Discretize(EqualWidth(n=3)), Discretize(EqualWidth(n=3)))])
    def test_discretization_by_name_and_by_object(self, discretization, preprocessor):
        assert RNBLearner(discretization)(IRIS).domain == preprocessor(IRIS).domain

    def test_preprocessor_that_does_not_discretize(self):
        with pytest.raises(ValueError, match="still numeric after discretization: "
                                             "sepal length"):
            RNBLearner(Normalize())(IRIS)

    def test_imputed_means_of_categories(self):
        """They are what Orange shows: the value that they are rounded down to."""
        imputed = SklImpute()(HEART)
        discrete = [var.is_discrete for var in imputed.domain.attributes]
        X = imputed.X.copy()
        X[:, discrete] = np.floor(X[:, discrete])
        assert np.any(X != imputed.X)
        whole = replace(imputed, X)
        for learner in (NBLearner(), RNBPlusLearner(labeller="committee"),
                        PlainTablesLearner()):
            found, expected = (learner(unlabel(data, slice(0, None, 3)))
                               for data in (imputed, whole))
            np.testing.assert_allclose(
                probabilities(found, imputed), probabilities(expected, whole),
                atol=1e-6)

    @pytest.mark.filterwarnings("ignore:The unlabelled data lacks")
    @pytest.mark.parametrize("data", [IRIS[::2], IRIS.to_sparse()[::2]],
                             ids=["dense", "sparse"])
    @pytest.mark.parametrize("make", [RNBPlusLearner, PlainTablesLearner])
    def test_pool_is_ignored_when_nothing_is_known_about_its_rows(self, make, data):
        expected = make()(data)
        unknown = set_column(IRIS, slice(None), np.nan)
        for pool in (HEART, replace(unknown, ids=np.arange(150) - 1000)):
            model = make(unlabelled=pool)(data)
            np.testing.assert_array_equal(
                probabilities(model, IRIS), probabilities(expected, IRIS))
            assert model.labelling is None
        with unknown.unlocked(unknown.X):
            unknown.X[1:11] = IRIS.X[1:11]
        assert make(unlabelled=unknown)(data).labelling.n_rows == 5

    @pytest.mark.parametrize("make", [RNBPlusLearner, PlainTablesLearner])
    def test_pool_in_preprocessed_data(self, make):
        """The pool is in the domain of the file, the data are normalized by a user."""
        plain = make(unlabelled=IRIS)(IRIS[::2])
        normalized = make(unlabelled=IRIS, preprocessors=[Normalize()])(IRIS[::2])
        np.testing.assert_allclose(
            probabilities(plain, IRIS), probabilities(normalized, IRIS), atol=1e-3)


class TestModels:
    @each_learner
    def test_sparse(self, make):
        X = IRIS.X - IRIS.X.mean(axis=0)
        X[np.abs(X) < 0.3] = 0
        dense = replace(IRIS, X)
        sparse = dense.to_sparse()
        expected = make()(dense)
        model = make()(sparse)
        np.testing.assert_allclose(
            probabilities(model, sparse), probabilities(expected, dense), atol=1e-6)
        np.testing.assert_allclose(
            probabilities(model, sparse[:0]), np.zeros((0, 3)))

    @each_learner
    def test_absent_class_has_no_chance(self, make):
        for rows, absent in ((slice(0, 100), 2), (slice(50, 150), 0)):
            model = make()(IRIS[rows])
            values, found = model(IRIS, model.ValueProbs)
            assert found.shape == (150, 3)
            assert not found[:, absent].any()
            assert set(values) == {0, 1, 2} - {absent}
            np.testing.assert_allclose(found.sum(axis=1), 1)

    @each_learner
    @pytest.mark.parametrize("data", [
        pytest.param(IRIS[:50], id="one class"),
        pytest.param(IRIS.transform(Domain([], IRIS.domain.class_vars)),
                     id="no attributes"),
        pytest.param(set_column(IRIS, slice(None), 1), id="nothing to discretize"),
        pytest.param(set_column(IRIS, slice(None), np.nan), id="missing values"),
        pytest.param(IRIS[:1], id="one row"),
        pytest.param(unlabel(IRIS, slice(0, 149)), id="missing class"),
        pytest.param(TITANIC, id="categorical")])
    def test_odd_data(self, make, data):
        for pool in (None, TITANIC[::3] if data is TITANIC else IRIS):
            model = make(unlabelled=pool)(data)
            values, found = model(data, model.ValueProbs)
            np.testing.assert_allclose(found.sum(axis=1), 1)
            assert len(values) == len(data)
            assert len(model.importances) == len(data.domain.attributes)
            if make is PlainTablesLearner:
                assert len(model.contributions(data)) == len(data)
                assert model.tables().X.shape[1] \
                    == 4 + len(data.domain.class_var.values)

    @each_learner
    def test_no_rows_to_learn_from(self, make):
        for data in (IRIS[:0], unlabel(IRIS, slice(None)),
                     replace(IRIS, W=np.zeros(150))):
            with pytest.raises(ValueError, match="no rows with a class to learn from"):
                make()(data)

    @each_learner
    def test_values_that_were_not_seen_contribute_nothing(self, make):
        train = TITANIC[TITANIC.X[:, 0] != 0]
        model = make()(train)
        unseen = TITANIC[TITANIC.X[:, 0] == 0]
        missing = set_column(unseen, 0, np.nan)
        np.testing.assert_allclose(
            probabilities(model, unseen), probabilities(model, missing))

    @each_learner
    def test_many_attributes_do_not_underflow(self, make):
        rng = np.random.default_rng(0)
        X = rng.integers(0, 5, (40, 3000)).astype(float)
        y = (np.arange(40) % 2).astype(float)
        X[:, :20] = y[:, None]
        attributes = [DiscreteVariable(f"x{i}", values="01234") for i in range(3000)]
        data = Table.from_numpy(
            Domain(attributes, DiscreteVariable("y", values="ab")), X, y)
        if make not in LEARNERS[:4]:  # AIWNB counts pairs of values
            data = data.transform(Domain(attributes[:500], data.domain.class_vars))
        found = probabilities(make()(data), data)
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert (found.argmax(axis=1) == y).mean() > 0.9

    @each_learner
    def test_pickled_models_are_small_and_the_same(self, make):
        X = np.random.default_rng(0).normal(np.repeat(IRIS.X, 200, axis=0), 1e-3)
        pool = Table.from_numpy(Domain(IRIS.domain.attributes), X)
        pool.name = "the pool's very own name"
        model = make(unlabelled=pool)(IRIS)
        pickled = pickle.dumps(model)
        assert pool.name.encode() not in pickled
        assert len(pickled) < 100_000 < pool.X.nbytes
        np.testing.assert_allclose(
            probabilities(pickle.loads(pickled), IRIS), probabilities(model, IRIS))

    def test_weights_table(self):
        for make in WITH_LAZY:
            model = make()(IRIS)
            table = model.weights_table()
            assert [var.name for var in table.domain.attributes] \
                == [*IRIS.domain.class_var.values, "w", "alpha"]
            assert table.metas[:, 0].tolist() \
                == [var.name for var in model.domain.attributes]
            expected = np.full((4, 5), np.nan)
            if model.class_weights is not None:
                expected[:, :3] = model.class_weights.T
            if model.weights is not None:
                expected[:, 3] = model.weights
            if model.alpha is not None:
                expected[:, 4] = model.alpha
            np.testing.assert_array_equal(table.X, expected)
            assert table.name == "Weights"

    def test_names_in_weights_table_are_unique(self):
        domain = Domain([ContinuousVariable("x")],
                        DiscreteVariable("y", values=("w", "alpha", "Variable")))
        data = Table.from_numpy(domain, np.arange(30.0)[:, None], np.arange(30) // 10.0)
        variables = RNBLearner()(data).weights_table().domain.variables
        assert len({var.name for var in variables}) == 5
        empty = RNBLearner()(IRIS.transform(Domain([], IRIS.domain.class_vars)))
        assert empty.weights_table().X.shape == (0, 5)

    def test_weights_without_effect_are_missing(self):
        table = RNBLearner()(set_column(IRIS, 1, 1)).weights_table()
        assert np.isnan(table.X).any(axis=1).tolist() == [False, True, False, False]

    @pytest.mark.parametrize("make", [*WITH_LAZY, NBLearner])
    def test_additive_models_in_the_form_of_orange(self, make):
        """Orange's own code predicts the same from `log_cont_prob` and `class_prob`."""
        for data in (IRIS, HEART, TITANIC, IRIS[:100]):
            model = make()(data)
            assert isinstance(model, WeightedNaiveBayesModel)
            assert isinstance(model, make().__returns__)
            mixed = make in (RNBLearner, RNBPlusLearner) and model.alpha not in (0, 1)
            additive = not mixed and model.lazy is None
            assert isinstance(model, NaiveBayesModel) == additive
            if not additive:
                assert make is not RNBLearner or data is not IRIS  # alpha is 0 or 1
                continue
            stock = NaiveBayesModel(model.log_cont_prob, model.class_prob, model.domain)
            X = data.transform(model.domain).X
            np.testing.assert_allclose(stock.predict(X)[1], model.predict(X)[1],
                                       atol=1e-12)
            for var, table in zip(
                    model.domain.attributes, model.log_cont_prob, strict=True):
                assert table.shape == (len(data.domain.class_var.values),
                                       len(var.values))
                # proper P(c | v)
                np.testing.assert_allclose(
                    (np.exp(table) * model.class_prob[:, None]).sum(axis=0), 1)

    def test_table_of_a_special_kind(self):
        """Orange's naive Bayes takes another way for subclasses of Table."""
        class SpecialTable(Table):
            pass

        data = SpecialTable.from_table(IRIS.domain, IRIS)
        for make in WITH_LAZY:
            model = make()(IRIS)
            np.testing.assert_array_equal(
                probabilities(model, data), probabilities(model, IRIS))

    def test_no_warning_but_a_note_if_not_converged(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = RNBLearner(max_iter=2)(HEART)
        assert not model.converged
        assert model.n_iter == 2
        assert len(model.loss_history) == 3
        assert model.loss == model.loss_history[-1] < model.loss_history[0]


class TestLearners:
    @pytest.mark.parametrize("learner", [
        *(cls() for cls in (*LEARNERS, PlainTablesLearner)),
        PlainTablesLearner("EF", smoothness=3),
        RNBPlusLearner(k=3, n0=100, standardize=False, objective="log_loss",
                       max_iter=5, tol=1e-3, random_state=1),
        RNBLearner(SADDDiscretize(k=3)), WANBIALearner(SADD(k=3), max_iter=20),
        CAWNBLearner("CAIM"), AIWNBLearner(instance_weighting="lazy")])
    def test_repr_evaluates_back(self, learner):
        again = eval(repr(learner))
        assert repr(again) == repr(learner)
        assert {k: repr(v) for k, v in again.params.items()} \
            == {k: repr(v) for k, v in learner.params.items()}

    def test_repr_leaves_out_the_pool_but_not_preprocessors(self):
        learner = RNBPlusLearner(unlabelled=IRIS, preprocessors=[Normalize()])
        assert repr(learner) == "RNBPlusLearner(preprocessors=(Normalize(),))"

    def test_copies_share_the_pool(self):
        for make in (*WITH_LAZY, PlainTablesLearner):
            learner = make(unlabelled=IRIS, preprocessors=[Normalize()])
            learner.use_default_preprocessors = True
            learner.name = "mine"
            copied = copy.deepcopy(learner)
            assert copied.unlabelled is IRIS
            assert copied.params["unlabelled"] is IRIS
            assert copied.preprocessors[0] is not learner.preprocessors[0]
            assert copied.use_default_preprocessors
            assert copied.name == "mine"
        learner = copy.deepcopy(RNBLearner(SADDDiscretize(IRIS)))
        assert learner.discretizer.unlabelled is IRIS

    @pytest.mark.parametrize("make, message", [
        (lambda: RNBPlusLearner(k=0), "'k' parameter"),
        (lambda: RNBPlusLearner(n0=-5), "'n0' parameter"),
        (lambda: RNBPlusLearner(objective="mae"), "'objective' parameter.*'mae'"),
        (lambda: RNBLearner("median"), "no discretization method 'median'"),
        (lambda: RNBLearner(max_iter=0), "'max_iter' parameter.*must be an int"),
        (lambda: RNBLearner(tol=-1), "'tol' parameter.*must be a float"),
        (lambda: RNBLearner(SADDDiscretize(), IRIS), "give them to the preprocessor"),
        (lambda: AIWNBLearner(instance_weighting="both"),
         "'instance_weighting' parameter.*'both'"),
        (lambda: AIWNBLearner(discretizer=7), "no discretization method 7"),
        (lambda: PlainTablesLearner("none"), "There is no discretization method"),
        (lambda: PlainTablesLearner(smoothness=-1), "smoothness"),
    ])
    def test_wrong_parameters_are_errors_at_once(self, make, message):
        with pytest.raises(ValueError, match=message):
            make()

    def test_names_and_weights(self):
        assert [cls().name for cls in LEARNERS] \
            == ["RNB+", "RNB", "WANBIA", "CAWNB", "AIWNB"]
        for cls in LEARNERS:
            assert not cls.supports_weights  # or AdaBoost would accept them and fail
            assert cls()(IRIS).name == cls().name

    @pytest.mark.parametrize("make, names", [
        (RNBPlusLearner, {"k", "n0", "min_samples", "max_iter"}),
        (RNBLearner, {"min_samples", "max_iter"}), (AIWNBLearner, {"min_samples"}),
        (PlainTablesLearner, {"pairs", "smoothness", "max_iter"})])
    def test_fitted_parameters_have_ranges_that_can_be_used(self, make, names):
        parameters = make().fitted_parameters
        assert {parameter.name for parameter in parameters} == names
        for parameter in parameters:
            for value in (parameter.min, parameter.max):
                params = {**make(unlabelled=IRIS).params, parameter.name: value}
                assert parameter.type is int
                make(**params)(IRIS[::2])

    def test_limits_and_missing_values(self):
        is_hole = np.arange(150) % 5 == 0
        holes = set_column(IRIS, 1, np.where(is_hole, np.nan, IRIS.X[:, 1]))
        for cls in (*LEARNERS, NBLearner):
            model = cls(max_intervals=2, missing="interval")(holes)
            assert [len(var.values) for var in model.domain.attributes] == [3] * 4
            assert model.domain[1].values[-1] == "missing"
            assert model.tables.n_values.tolist() == [2, 3, 2, 2]
            if cls is RNBPlusLearner:
                same = core.RNBPlusClassifier(
                    max_intervals=2, missing="interval").fit(holes.X, holes.Y)
                np.testing.assert_allclose(
                    model(holes, model.Probs), same.predict_proba(holes.X), atol=1e-6)
            with pytest.raises(ValueError, match="min_samples"):
                cls(min_samples=0)

    def test_progress_reaches_the_optimizer(self):
        for cls in (*LEARNERS, PlainTablesLearner):
            shares = []
            model = cls(unlabelled=IRIS)(
                IRIS[::2], lambda share, *_, shares=shares: shares.append(share))
            assert shares == sorted(shares)
            assert shares[0] == 0
            assert shares[-1] == 1
            fitting = [share for share in shares if 0.1 < share < 1]
            assert len(fitting) >= min(model.n_iter, 99)

    def test_cancellation(self):
        for limit in (0.05, 0.2, 0.5):  # while discretizing, while fitting
            def cancel(share, *_, limit=limit):
                if share > limit:
                    raise InterruptedError

            for learner in (RNBPlusLearner(unlabelled=IRIS),
                            PlainTablesLearner("SADD", IRIS, "neighbours")):
                before = set(vars(learner))
                with pytest.raises(InterruptedError):
                    learner(IRIS[::2], cancel)
                learner(IRIS[::2])
                assert set(vars(learner)) == before  # nothing is left of it

    def test_learner_in_a_learner(self):
        """The progress of the outer learner is not that of the inner one."""
        class Outer(RNBLearner):
            def fit_storage(self, data):
                RNBLearner()(IRIS)
                return super().fit_storage(data)

        shares = []
        Outer()(IRIS, lambda share, *_: shares.append(share))
        assert shares == sorted(shares)


class TestScoring:
    @pytest.mark.parametrize("make", WITH_LAZY)
    def test_scores_of_attributes(self, make):
        scores, = make().score_data(HEART)
        assert scores.shape == (13,)
        assert np.isfinite(scores).all()
        assert (scores >= 0).all()
        assert (scores == 0).any()  # attributes without cuts
        last = HEART.domain.attributes[-1]
        assert make().score_data(HEART, last) == pytest.approx(scores[-1])

    def test_score_is_weighted_information(self):
        estimator = core.MDLPDiscretizer(categorical_features=[0, 1, 2]).fit(
            TITANIC.X, TITANIC.Y.astype(int))
        unweighted = NBLearner()(TITANIC)
        np.testing.assert_allclose(
            unweighted.importances, estimator.mutual_information_)
        mixed = RNBLearner()(TITANIC)
        expected = mixed.alpha * (
            np.exp(mixed.tables.log_prior) @ mixed.class_weights) \
            + (1 - mixed.alpha) * mixed.weights
        np.testing.assert_allclose(
            mixed.importances, expected * estimator.mutual_information_)


def test_a_pool_without_other_rows_and_a_projection():
    """No row of the pool is left, and a projection of no rows fails."""
    iris = Table("iris")
    learner = RNBPlusLearner(
        unlabelled=iris, preprocessors=[ProjectPCA(n_components=2)])
    with warnings.catch_warnings():
        warnings.filterwarnings("error", "The unlabelled data lacks")
        model = learner(iris)
    assert np.mean(model(iris) == iris.Y) > 0.9


def test_import_needs_no_qt():
    code = """
import sys
import Orange.classification, Orange.evaluation, Orange.preprocess
def packages():
    return {name.split(".")[0] for name in sys.modules} - sys.stdlib_module_names

before = packages()  # Orange itself, in translated builds, imports parts of Qt
from orangecontrib.sadd import *
assert RNBPlusLearner and SADD
new = {name for name in packages() - before if not name.startswith("_cython_")}
assert new == {"orangecontrib"}, new
assert not any(name.startswith("Orange.widgets") for name in sys.modules)
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_every_public_object_has_an_example():
    for name in orangecontrib.sadd.__all__:
        assert ">>>" in getattr(orangecontrib.sadd, name).__doc__, name
