"""SADD Tables in Orange: learner, model, and Orange's widgets."""

import numpy as np
import pytest
from Orange.classification import KNNLearner, NaiveBayesLearner
from Orange.data import DiscreteVariable, Domain, Table
from Orange.preprocess import Continuize
from Orange.preprocess.discretize import EqualWidth

from orangecontrib.sadd import SADD, SADDTablesLearner
from orangecontrib.sadd.core import DISCRETIZERS
from tests.orange.data import replace

IRIS = Table("iris")
HEART = Table("heart_disease")


def make(*arguments, **parameters):
    """Return a learner that chooses neither penalty nor pairs, unless told to."""
    return SADDTablesLearner(*arguments, **{"penalty": 1, "pairs": 0, **parameters})


def probabilities(model, data):
    return model(data, model.Probs)


class TestLearner:
    @pytest.mark.parametrize("name", DISCRETIZERS)
    def test_all_discretizations_serve(self, name):
        model = make(name)(IRIS)
        assert (model(IRIS) == IRIS.Y).mean() > 0.93

    def test_discretization_may_be_an_object(self):
        found = make(SADD(n0=None))(IRIS)
        expected = make("MDLP")(IRIS)
        np.testing.assert_allclose(
            probabilities(found, IRIS), probabilities(expected, IRIS))
        with pytest.raises(ValueError, match="cannot use the discretization Equal"):
            make(EqualWidth(n=3))

    @pytest.mark.parametrize("labeller", [
        "neighbours", NaiveBayesLearner(), [NaiveBayesLearner(), KNNLearner()]])
    def test_labeller_may_be_a_learner(self, labeller):
        model = make(unlabelled=HEART, labeller=labeller)(HEART[::3])
        assert np.mean(model(HEART) == HEART.Y) > 0.7
        assert model.labelling.n_rows == len(HEART) - len(HEART[::3])

class TestModel:
    @pytest.mark.parametrize("first", [0, 50])
    def test_importances_ignore_classes_without_rows(self, first):
        data = IRIS[first:first + 100]
        class_var = DiscreteVariable("two", values=("a", "b"))
        two = Table.from_numpy(Domain(IRIS.domain.attributes, class_var), data.X,
                               data.Y - data.Y.min())
        np.testing.assert_allclose(make()(data).importances,
                                   make()(two).importances)

    def test_contributions_add_up_to_the_log_odds_of_the_second_class(self):
        model = make(pairs=2)(HEART)
        table = model.contributions(HEART)
        names = [var.name for var in HEART.domain.attributes]
        assert [var.name for var in table.domain.attributes] == [*names, *(
            f"{names[one]} × {names[other]}" for one, other in model.fitted.pairs)]
        assert table.domain.class_vars == HEART.domain.class_vars
        np.testing.assert_array_equal(table.ids, HEART.ids)
        p = probabilities(model, HEART)
        np.testing.assert_allclose(
            table.X.sum(axis=1) + model.intercept[1], np.log(p[:, 1] / p[:, 0]))
        np.testing.assert_allclose(
            model.contributions(HEART, target=0).X, -table.X, atol=1e-12)
        np.testing.assert_allclose(
            model.importances, np.abs(table.X).mean(axis=0))

    def test_contributions_to_more_than_two_classes_have_a_column_each(self):
        model = make()(IRIS)
        table = model.contributions(IRIS)
        assert len(table.domain.attributes) == 12
        assert table.domain.attributes[1].name == "sepal length: Iris-versicolor"
        scores = table.X.reshape(150, 4, 3).sum(axis=1) + model.intercept
        p = np.exp(scores)
        np.testing.assert_allclose(
            p / p.sum(axis=1, keepdims=True), probabilities(model, IRIS))
        np.testing.assert_array_equal(
            model.contributions(IRIS, target=1).X, table.X[:, 1::3])

    def test_contributions_follow_preprocessors_and_names_stay_unique(self):
        model = make(preprocessors=[Continuize()])(HEART)
        names = [var.name for var in model.domain.attributes]
        table = model.contributions(HEART)
        assert [var.name for var in table.domain.attributes] == names
        meta = DiscreteVariable("age", values=("a",))
        data = HEART[:5].transform(Domain(
            HEART.domain.attributes[1:], HEART.domain.class_vars, [meta]))
        names = [var.name for var in model.contributions(data).domain.attributes]
        assert names[0] == "age (1)"

    def test_tables_have_a_row_for_each_knot_and_value(self):
        model = make(unlabelled=HEART, pairs=3)(HEART[::2])
        table = model.tables()
        assert [var.name for var in table.domain.variables] == [
            "Place", "Second place", "0", "1", "Labelled rows", "Unlabelled rows"]
        variables, values, second, second_values = table.metas.T
        assert variables[0] == "intercept"
        np.testing.assert_allclose(table.X[0, 2:4], model.intercept)
        single = second == ""
        gender = table.X[(variables == "gender") & single]
        assert values[(variables == "gender") & single].tolist() == ["female", "male"]
        np.testing.assert_array_equal(gender[:, 2:4], model.terms[1].table)
        assert np.isnan(gender[:, :2]).all()
        assert gender[:, 4].sum() == 152 and gender[:, 5].sum() == 151
        rows = table.X[(variables == "max HR") & single]
        np.testing.assert_array_equal(rows[:, 0], model.terms[7].knots[0])
        assert rows[:, 4].sum() == 152 and rows[:, 5].sum() == 151
        for term, name in zip(model.terms, model.term_names, strict=True):
            if len(term.features) == 2:
                chosen = np.array([f"{one} × {other}" for one, other in zip(
                    variables, second, strict=True)]) == name
                rows = table.X[chosen]
                np.testing.assert_array_equal(
                    rows[:, 2:4], term.table.reshape(-1, 2))
                assert 145 < rows[:, 4].sum() <= 152  # some values are missing
                for side, (feature, knots) in enumerate(zip(
                        term.features, term.knots, strict=True)):
                    own = np.moveaxis(rows[:, side].reshape(term.table.shape[:2]),
                                      side, 0)[:, 0]
                    texts = np.moveaxis(
                        (values, second_values)[side][chosen].reshape(
                            term.table.shape[:2]), side, 0)[:, 0]
                    if knots is None:
                        assert np.isnan(own).all()
                        assert tuple(texts) == HEART.domain[feature].values
                    else:
                        np.testing.assert_array_equal(own, knots)

    def test_variable_without_values_has_no_row(self):
        empty = DiscreteVariable("empty")
        data = IRIS.transform(Domain((*IRIS.domain.attributes, empty),
                                     IRIS.domain.class_var))
        model = make(pairs=2)(data)
        assert "empty" not in model.tables().metas[:, 0]

    def test_names_in_tables_are_unique(self):
        data = IRIS.transform(Domain(IRIS.domain.attributes, DiscreteVariable(
            "y", values=("Place", "Value", "To"), compute_value=None)))
        data = replace(data, Y=IRIS.Y)
        names = [var.name for var in make()(data).tables().domain.variables
                 ]
        assert names[:4] == ["Place", "Second place", "Place (1)", "Value"]
