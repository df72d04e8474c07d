"""Discretizations and the preprocessor."""

import copy
import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.classification import NaiveBayesLearner
from Orange.data import (
    ContinuousVariable,
    DiscreteVariable,
    Domain,
    StringVariable,
    Table,
    TimeVariable,
)
from Orange.preprocess import Discretize
from Orange.preprocess.discretize import Discretizer, EntropyMDL, EqualFreq, EqualWidth

from orangecontrib.sadd import core
from orangecontrib.sadd.core.labels import find_obstacle
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.scripting.cutting import find_cuts, used_rows
from orangecontrib.sadd.scripting.discretize import (
    CACC,
    CAIM,
    FFD,
    MDLP,
    PKID,
    SADD,
    ChiMerge,
)
from orangecontrib.sadd.scripting.intervals import (
    IntervalDiscretizer,
    discretized_variable,
    interval_names,
)
from orangecontrib.sadd.scripting.labelling import label_rows
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from orangecontrib.sadd.scripting.tables import rows_of
from tests.orange.data import (
    cut_points,
    discretization_of,
    replace,
    set_column,
    unlabel,
)

IRIS = Table("iris")
HEART = Table("heart_disease")
HALF = unlabel(IRIS, slice(0, None, 2))
CLASSES = [SADD, MDLP, CAIM, CACC, ChiMerge, PKID, FFD]
NAMES = list(DISCRETIZERS)


BORN = TimeVariable("born", have_date=True)
SEEN = TimeVariable("seen", have_date=True, have_time=True)
DAY = 24 * 3600
NOON = SEEN.parse("2001-09-09 12:00:00")


def dense(X):
    return X.toarray() if sp.issparse(X) else X


class TestDiscretizations:
    @pytest.mark.parametrize("cls", CLASSES)
    def test_discretize_gives_the_same_as_the_preprocessor(self, cls):
        data = Discretize(method=cls())(HEART)
        assert all(var.is_discrete for var in data.domain.attributes)
        expected = SADDDiscretize(method=cls.core.short_name)(HEART)
        assert data.domain == expected.domain
        np.testing.assert_array_equal(data.X, expected.X)

    @pytest.mark.parametrize("method, data", [
        *((cls(), IRIS) for cls in CLASSES), (SADD(k=3), HALF)])
    def test_cuts_are_those_of_core(self, method, data):
        y = np.nan_to_num(data.Y, nan=-1).astype(int)
        estimator = method.estimator().set_params(unlabelled_label=-1) \
            if isinstance(method, SADD) else method.estimator()
        for index, cuts in enumerate(estimator.fit(data.X, y).cut_points_):
            assert method(data, index).compute_value.points == cuts.tolist()

    def test_unlabelled_rows_matter_to_sadd_only(self):
        labelled = HALF[1::2]
        assert cut_points(SADDDiscretize()(HALF).domain) \
            != cut_points(SADDDiscretize()(labelled).domain)
        for name in (name for name, method in DISCRETIZERS.items()
                     if method.uses_class and not method.uses_unlabelled):
            assert cut_points(SADDDiscretize(method=name)(HALF).domain) \
                == cut_points(SADDDiscretize(method=name)(labelled).domain)

    def test_unsupervised_methods_use_all_rows_of_the_data(self):
        for name in (name for name, method in DISCRETIZERS.items()
                     if not method.uses_class):
            expected = cut_points(SADDDiscretize(method=name)(IRIS).domain)
            for data in (HALF, IRIS.transform(Domain(IRIS.domain.attributes)),
                         unlabel(IRIS, slice(None)), IRIS):
                found = SADDDiscretize(method=name, unlabelled=HEART)(data)
                assert cut_points(found.domain) == expected

    def test_same_cuts_as_entropy_mdl(self):
        for data in (IRIS, HEART, Table("brown-selected")):
            ours, theirs = Discretize(MDLP())(data), Discretize(EntropyMDL())(data)
            assert cut_points(ours.domain) == {
                name: list(points)
                for name, points in cut_points(theirs.domain).items()}
            np.testing.assert_array_equal(ours.X, theirs.X)

    def test_attribute_by_index_name_variable_and_in_metas(self):
        for attribute in (2, "petal length", IRIS.domain[2]):
            assert MDLP()(IRIS, attribute).name == "petal length"
        attributes = IRIS.domain.attributes
        data = HALF.transform(
            Domain(attributes[:3], IRIS.domain.class_vars, attributes[3:]))
        for method in (SADD(), MDLP(), PKID()):
            assert len(method(data, "petal width").values) >= 3
        data = Discretize(SADD(), discretize_metas=True)(data)
        assert data.domain["petal width"].is_discrete

    def test_rows_are_labelled_once_for_all_variables(self, monkeypatch):
        calls = []
        monkeypatch.setattr(
            "orangecontrib.sadd.scripting.discretize.label_rows",
            lambda *args: calls.append(1) or label_rows(*args))
        method = SADD(k=3)
        found = cut_points(Discretize(method)(HALF).domain)
        assert len(calls) == 1 and len(found) == 4
        assert found == cut_points(SADDDiscretize(k=3)(HALF).domain)
        changed = set_column(HALF, 0, HALF.X[::-1, 0])
        assert cut_points(Discretize(method)(changed).domain) \
            == cut_points(SADDDiscretize(k=3)(changed).domain)
        method.k = 1
        assert cut_points(Discretize(method)(changed).domain) \
            == cut_points(SADDDiscretize(k=1)(changed).domain)
        assert len(calls) == 3
        assert vars(pickle.loads(pickle.dumps(method)))["_labelled"] is None

    def test_data_are_not_hashed_when_all_rows_are_labelled(self, monkeypatch):
        monkeypatch.delattr(Table, "checksum")
        assert len(SADD()(IRIS, "petal width").values) == 4
        with pytest.raises(AttributeError, match="checksum"):
            SADD(k=3)(HALF, "petal width")

    def test_categorical_attribute_is_an_error(self):
        with pytest.raises(ValueError, match="gender is not numeric"):
            MDLP()(HEART, "gender")

    @pytest.mark.parametrize("method", [
        SADD(), SADD(k=5, n0=100, standardize=False, random_state=3), SADD(k=(1, 5)),
        SADD(n0=None), MDLP(), CAIM(), CACC(),
        ChiMerge(significance=0.1, max_intervals=4),
        PKID(), FFD(frequency=10), SADDDiscretize(),
        SADDDiscretize(k=1, n0=50.5, standardize=False, method="CAIM",
                       remove_const=False, random_state=1),
        SADDDiscretize(method=ChiMerge(significance=0.1)),
    ])
    def test_repr_evaluates_back(self, method):
        again = eval(repr(method))
        assert type(again) is type(method)
        assert repr(again) == repr(method)
        assert {k: repr(v) for k, v in vars(again).items()} \
            == {k: repr(v) for k, v in vars(method).items()}

    @pytest.mark.parametrize("make, message", [
        (lambda: SADD(k=0), "'k' parameter"),
        (lambda: SADD(k="many"), "'k' parameter"),
        (lambda: SADD(k=[0, 3]), "k must be 'auto', 'validation', a whole"),
        (lambda: SADD(n0=0), "'n0' parameter"),
        (lambda: SADD(standardize="yes"), "'standardize' parameter"),
        (lambda: ChiMerge(significance=2), "'significance' parameter"),
        (lambda: FFD(frequency=0), "'frequency' parameter"),
        (lambda: SADDDiscretize(k=-1), "'k' parameter"),
        (lambda: SADDDiscretize(n0=-1, method="MDLP"), "'n0' parameter"),
        (lambda: SADDDiscretize(method="median"), "no discretization method 'median'; "
                                                  "choose one of SADD, MDLP"),
        (lambda: SADDDiscretize(method=None), "no discretization method None"),
    ])
    def test_wrong_parameters_are_errors_at_once(self, make, message):
        with pytest.raises(ValueError, match=message):
            make()


class TestNames:
    @pytest.mark.parametrize(
        "points", [[5.55, 6.15], [2], [-1.5, 0.25, 1e3], [1e-5], []])
    @pytest.mark.parametrize("decimals", [None, 0, 1, 4])
    def test_as_orange_names_them(self, points, decimals):
        var = ContinuousVariable("x", number_of_decimals=decimals)
        expected = Discretizer.create_discretized_var(var, points)
        var = discretized_variable(var, points)
        if min(points, default=1) > 0:  # Orange leaves zeros: -1.500
            assert var.values == expected.values
        assert var.compute_value == expected.compute_value
        assert var.name == expected.name
        assert var.source_variable is expected.source_variable

    def test_points_are_floats_and_never_rounded(self):
        points = np.array([1, 1 + 2e-16, 1 + 1e-9, 1e300])
        var = discretized_variable(ContinuousVariable("x", 1), points)
        assert var.compute_value.points == points.tolist()
        assert all(type(point) is float for point in var.compute_value.points)
        assert len(set(var.values)) == 5

    @pytest.mark.parametrize("variable, points", [
        *((ContinuousVariable("x", 0), points) for points in (
            [-np.finfo(float).max, np.inf], [1e-300, 2e-300], [0.0, np.inf],
            [5e-324, 1e-323], [1e17, 1e17 + 16])),
        # beyond the calendar
        *((BORN, points) for points in (
            [1e30], [np.inf], [-1e30, 0.0], [1e17, 1e17 + 16]))])
    def test_any_points_have_names(self, variable, points):
        names = interval_names(variable, points)
        assert len(set(names)) == len(points) + 1

    @pytest.mark.parametrize("variable, points, names", [
        # Between the 9th and the 10th: values below are before the 10th
        (BORN, [NOON, NOON + 30 * DAY],
         ["< 2001-09-10", "2001-09-10 - 2001-10-10", "≥ 2001-10-10"]),
        (BORN, [NOON, NOON + 60],  # not whole days
         ["< 2001-09-09 12:00", "2001-09-09 12:00 - 2001-09-09 12:01",
          "≥ 2001-09-09 12:01"]),
        (SEEN, [NOON - 0.5], ["< 2001-09-09 12:00", "≥ 2001-09-09 12:00"]),
        (SEEN, [NOON + 1], ["< 2001-09-09 12:00:01", "≥ 2001-09-09 12:00:01"]),
        (SEEN, [NOON + DAY / 2], ["< 2001-09-10", "≥ 2001-09-10"]),
        (SEEN, [NOON + 0.25, NOON + 0.5],
         ["< 2001-09-09 12:00:00.250000",
          "2001-09-09 12:00:00.250000 - 2001-09-09 12:00:00.500000",
          "≥ 2001-09-09 12:00:00.500000"]),
        (TimeVariable("at", have_time=True), [9 * 3600], ["< 09:00", "≥ 09:00"]),
        (TimeVariable("after"), [1000000004.5], ["< 1000000004.5", "≥ 1000000004.5"]),
    ])
    def test_times_are_named_by_date_and_time(self, variable, points, names):
        assert list(interval_names(variable, points)) == names

    def test_table_with_time(self):
        days = DAY * np.arange(10_000, 10_040)
        data = Table.from_numpy(
            Domain([BORN], DiscreteVariable("y", values="ab")), days[:, None],
            (np.arange(40) > 19).astype(float))
        for method in NAMES:
            new_var, = SADDDiscretize(method=method)(data).domain.attributes
            assert all(value[-3] == value[-6] == "-" for value in new_var.values)
        assert SADDDiscretize()(data).domain[0].values \
            == ("< 1997-06-08", "≥ 1997-06-08")

    def test_attributes_of_variables_survive(self):
        var = ContinuousVariable("x")
        var.attributes.update(unit="cm", palette="rainbow")
        assert discretized_variable(var, [1]).attributes == {"unit": "cm"}


@pytest.mark.parametrize("make, other", [
    (lambda: discretized_variable(ContinuousVariable("x", sparse=True), [1, 2]),
     discretized_variable(ContinuousVariable("x", sparse=True), [1, 3])),
    (lambda: MDLP(missing="interval")(IRIS, 0), MDLP()(IRIS, 0))])
def test_variables_are_equal_if_their_cuts_are(make, other):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one = make()
    assert isinstance(one.compute_value, IntervalDiscretizer)
    for same in (make(), pickle.loads(pickle.dumps(one))):
        assert same == one and hash(same) == hash(one)
    assert one != other


class TestSparse:
    @pytest.mark.parametrize("points", [[0.5, 3], [-1, 1], [0.0], [-3, -2]])
    def test_as_if_it_were_dense(self, points):
        X = np.array([0, -2.5, 0, 4, np.nan, 1, 0])[:, None]
        sparse = ContinuousVariable("x", sparse=True)
        data = Table.from_numpy(Domain([sparse]), sp.csr_matrix(X))
        var = discretized_variable(sparse, points)
        result = data.transform(Domain([var]))
        expected = Discretizer(sparse, points).transform(X[:, 0])
        np.testing.assert_array_equal(dense(result.X)[:, 0], expected)
        assert sp.issparse(result.X) == (points[0] > 0)
        np.testing.assert_array_equal(dense(data.X), X)

    @pytest.mark.parametrize("method", NAMES)
    def test_table(self, method, monkeypatch):
        X = np.where(np.abs(IRIS.X - IRIS.X.mean(axis=0)) < 0.5, 0,
                     IRIS.X - IRIS.X.mean(axis=0))
        data = replace(HALF, X)
        expected = SADDDiscretize(method=method)(data)
        # Some columns at a time
        monkeypatch.setattr("orangecontrib.sadd.core.rows.BLOCK_CELLS", 2 * len(data))
        found = SADDDiscretize(method=method)(data.to_sparse())
        assert cut_points(found.domain) == cut_points(expected.domain)
        np.testing.assert_array_equal(dense(found.X), expected.X)
        for var in data.domain.attributes:
            one = discretization_of(method)(data.to_sparse(), var.name)
            assert one.values == discretization_of(method)(data, var).values


def odd_tables():
    attributes, class_vars = IRIS.domain.attributes, IRIS.domain.class_vars
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Array contains infinity")
        infinite = set_column(IRIS, 1, np.where(np.arange(150) % 2, np.inf, -np.inf))
        half_infinite = set_column(IRIS, 1, np.where(IRIS.X[:, 1] > 3, np.inf, 1))
    return {
        "one class": IRIS[:50],
        "one class labelled": unlabel(IRIS, slice(50, None)),
        "no labels": unlabel(IRIS, slice(None)),
        "one label": unlabel(IRIS, slice(1, None)),
        "no rows": IRIS[:0],
        "one row": IRIS[:1],
        "two rows": IRIS[49:51],
        "no numeric columns": Table("titanic"),
        "no attributes": IRIS.transform(Domain([], class_vars)),
        "numeric class": Table("housing"),
        "no class": IRIS.transform(Domain(attributes)),
        "two classes": IRIS.transform(Domain(attributes[:2], (
            *class_vars, DiscreteVariable("z", values="ab")))),
        "constant column": set_column(IRIS, 1, 3),
        "missing column": set_column(IRIS, 1, np.nan),
        "nothing but missing": set_column(IRIS, slice(None), np.nan),
        "infinite column": infinite,
        "half infinite column": half_infinite,
        "tiny values": replace(IRIS, IRIS.X * 1e-300),
        "huge values": replace(IRIS, IRIS.X * 1e307),
        "no weights": replace(IRIS, W=np.zeros(150)),
        "negative weights": replace(IRIS, W=np.tile([-1.0, 1, 2], 50)),
        "numeric and categorical": HEART,
        "sparse": HALF.to_sparse(),
    }


ODD_TABLES = odd_tables()
POOLS = {"no pool": None, "iris": IRIS, "no rows": IRIS[:0], "other columns": HEART,
         "some columns": IRIS.transform(Domain(IRIS.domain.attributes[:2]))}

# Tables without a class that methods could use
WITHOUT_CLASS = ("no class", "two classes", "numeric class")


class TestOddFolds:
    @pytest.mark.filterwarnings("ignore:The unlabelled data lacks")
    @pytest.mark.filterwarnings("error::RuntimeWarning")
    @pytest.mark.parametrize("method", NAMES)
    @pytest.mark.parametrize("name", ODD_TABLES)
    def test_never_raises(self, name, method):
        data = ODD_TABLES[name]
        if name in WITHOUT_CLASS and core.DISCRETIZERS[method].uses_class:
            return  # see test_table_without_a_class_is_rejected
        for pool in POOLS.values() if method == "SADD" else [IRIS]:
            for remove_const in (True, False):
                result = SADDDiscretize(
                    pool, method=method, remove_const=remove_const)(data)
                assert not any(var.is_continuous for var in result.domain.attributes)
                assert len(result) == len(data)
                if not remove_const:
                    assert len(result.domain.attributes) == len(data.domain.attributes)
        for var in data.domain.attributes:
            if var.is_continuous:
                assert discretization_of(method)(data, var).is_discrete

    @pytest.mark.parametrize("name", WITHOUT_CLASS)
    def test_table_without_a_class_is_rejected(self, name):
        """It is no fold: no variable of such data could ever be cut."""
        data = ODD_TABLES[name]
        for method in core.DISCRETIZERS.values():
            discretization = discretization_of(method.name)
            for call in (SADDDiscretize(IRIS, method=method.name),
                         SADDDiscretize(method=discretization),
                         Discretize(method=discretization),
                         lambda data, own=discretization: own(data, 1)):
                if not method.uses_class:
                    call(data)
                    continue
                with pytest.raises(ValueError, match=(
                        f"{method.name} needs data with a single categorical class. "
                        "Choose one, or a method that needs none: EW, EF, PKID, FFD")):
                    call(data)

    @pytest.mark.parametrize("method, name, obstacle", [
        ("SADD", "one class", "one_class"), ("SADD", "one label", "one_class"),
        ("SADD", "no labels", "all_unlabelled"), ("SADD", "no rows", "no_rows"),
        ("SADD", "no weights", "all_unlabelled"),
        ("SADD", "no numeric columns", "no_numeric"), ("SADD", "no class", "no_class"),
        ("SADD", "two classes", "no_class"), ("SADD", "numeric class", "no_class"),
        ("PKID", "no rows", "no_rows"), ("PKID", "no class", "")])
    def test_table_without_cuts_has_an_obstacle(self, method, name, obstacle):
        rows, estimator = rows_of(ODD_TABLES[name]), core.make_discretizer(method)
        used = used_rows(rows, estimator)
        assert find_obstacle(used.labels, used.categorical, estimator) == obstacle
        cuts = find_cuts(rows, estimator)
        assert any(map(len, cuts.cut_points)) == (not obstacle)

    def test_constant_columns_are_removed_or_kept(self):
        data = set_column(IRIS, 1, 3)
        assert len(SADDDiscretize()(data).domain.attributes) == 3
        kept = SADDDiscretize(remove_const=False)(data)
        assert len(kept.domain.attributes) == 4
        assert len(kept.domain[1].values) == 1
        assert not kept.X[:, 1].any()

    def test_constant_columns_are_kept_if_nothing_else_is_left(self):
        """Orange's models cannot predict other rows without any attribute."""
        result = SADDDiscretize()(IRIS[:50])
        assert [len(var.values) for var in result.domain.attributes] == [1] * 4
        model = NaiveBayesLearner()(result)
        assert not model(IRIS).any()
        # categorical attributes are enough
        data = HEART[HEART.Y == 0]
        assert not {var.name for var in SADDDiscretize()(data).domain.attributes} \
            & {var.name for var in HEART.domain.attributes if var.is_continuous}


class TestPreprocessor:
    def test_everything_else_survives(self):
        class SpecialTable(Table):
            pass

        domain = Domain(
            HEART.domain.attributes[1:], HEART.domain.class_vars,
            [StringVariable("name"), HEART.domain.attributes[0]])
        metas = [[f"row {i}", age] for i, age in enumerate(HEART.X[:, 0])]
        data = SpecialTable.from_numpy(
            domain, HEART.X[:, 1:], HEART.Y, np.array(metas, dtype=object),
            W=np.arange(len(HEART)) + 1., attributes={"source": ["UCI"]})
        data.name = "hearts"
        before = data.copy()
        result = SADDDiscretize()(data)
        for table in (result, data):
            assert type(table) is SpecialTable
            for part in ("ids", "W", "Y", "metas"):
                np.testing.assert_array_equal(
                    getattr(table, part), getattr(before, part))
            assert table.name == "hearts"
            assert table.attributes == {"source": ["UCI"]}
            assert table.domain.metas == before.domain.metas
            assert table.domain.class_vars == before.domain.class_vars
        assert result.attributes["source"] is not data.attributes["source"]
        np.testing.assert_array_equal(data.X, before.X)
        assert data.domain is not result.domain
        # Also categorical columns, and their order
        for index, var in enumerate(result.domain.attributes):
            if data.domain[var.name].is_discrete:
                assert var is data.domain[var.name]
                np.testing.assert_array_equal(
                    result.X[:, index], data.get_column(var))

    def test_equal_runs_give_equal_domains(self):
        for method in NAMES:
            first, second = (
                SADDDiscretize(IRIS, method=method)(IRIS[::2]) for _ in range(2))
            assert first.domain == second.domain
            assert hash(first.domain) == hash(second.domain)
            assert first.domain.attributes[0] in second.domain
            other = SADDDiscretize(IRIS, method=method)(IRIS[1::2])
            assert first.domain != other.domain

    def test_other_data_is_mapped_by_the_domain(self):
        train, test = SADDDiscretize(IRIS)(IRIS[::2]), IRIS[1::2]
        X = test.transform(train.domain).X
        for index, var in enumerate(train.domain.attributes):
            np.testing.assert_array_equal(
                X[:, index], np.digitize(test.get_column(var.name),
                                         var.compute_value.points))

    @pytest.mark.parametrize("one, other", [
        (SADDDiscretize(method=EqualWidth(n=3)), Discretize(EqualWidth(n=3))),
        (SADDDiscretize(IRIS, method=EqualFreq(n=3)), Discretize(EqualFreq(n=3))),
        (SADDDiscretize(method=SADD(n0=10)), SADDDiscretize(n0=10)),
        (SADDDiscretize(method="sadd", n0=10), SADDDiscretize(n0=10))])
    def test_method_may_be_a_name_or_a_discretization(self, one, other):
        assert one(IRIS[::2]).domain == other(IRIS[::2]).domain

class TestPool:
    def test_warning_names_missing_columns(self):
        pool = IRIS.transform(Domain(IRIS.domain.attributes[1:3]))
        with pytest.warns(UserWarning, match="lacks .*: sepal length, petal width."):
            found = SADDDiscretize(pool, k=1)(IRIS[::2])
        y = np.full(150, -1)
        y[::2] = IRIS.Y[::2]
        X = IRIS.X.copy()
        X[1::2, [0, 3]] = np.nan
        expected = core.SADDDiscretizer(k=1).fit(X, y).cut_points_
        assert list(cut_points(found.domain).values()) \
            == [cuts.tolist() for cuts in expected]

    def test_copies_share_it(self):
        preprocessor = SADDDiscretize(IRIS, method=ChiMerge(significance=0.1))
        copied = copy.deepcopy(preprocessor)
        assert copied is not preprocessor
        assert copied.unlabelled is IRIS
        assert copied.method is not preprocessor.method
        assert repr(copied) == "SADDDiscretize(method=ChiMerge(significance=0.1))"
        learner = copy.deepcopy(NaiveBayesLearner(preprocessors=[preprocessor]))
        assert learner.preprocessors[0].unlabelled is IRIS

    def test_is_not_pickled_with_domains_and_models(self):
        name = "the pool's very own name"
        pool = IRIS.copy()
        pool.name = name
        preprocessor = SADDDiscretize(pool)
        data = preprocessor(IRIS[::2])
        model = NaiveBayesLearner(preprocessors=[preprocessor])(IRIS[::2])
        for thing in (data.domain, data, model):
            pickled = pickle.dumps(thing)
            assert name.encode() not in pickled
        assert pickle.loads(pickle.dumps(data.domain)) == data.domain
        # The preprocessor itself is of no use without
        assert pickle.loads(pickle.dumps(preprocessor)).unlabelled.name == name


class TestExplanation:
    @pytest.mark.parametrize("parameters", [
        {}, {"labeller": "committee", "min_confidence": 0.8}])
    def test_results_are_those_of_core(self, parameters):
        rows = rows_of(unlabel(IRIS[:100], slice(0, 100, 2)), IRIS)
        estimator = core.SADDDiscretizer(store_decisions=True, **parameters)
        labels = label_rows(rows, estimator)
        found = find_cuts(rows, estimator, labels)
        expected = core.SADDDiscretizer(
            store_decisions=True, unlabelled_label=None, **parameters
        ).fit(rows.X, np.where(rows.labelled, rows.given, np.nan))
        for ours, theirs in zip(found.cut_points, expected.cut_points_, strict=True):
            np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(
            found.information, expected.mutual_information_)
        assert [found.decisions(index) for index in range(4)] == expected.decisions_
        assert labels.k == expected.k_
        assert labels.k_scores == expected.k_scores_
        np.testing.assert_array_equal(labels.classes, expected.pseudo_labels_)
        np.testing.assert_array_equal(
            labels.confidence, expected.pseudo_label_confidence_)
        assert (rows.n_data, rows.n_pool, rows.n_known) == (100, 50, 100)
        assert found.features == [var.name for var in IRIS.domain.attributes]
        assert not hasattr(estimator, "cuts_")

    def test_labels_can_be_used_again(self, monkeypatch):
        rows = rows_of(HALF)
        labels = label_rows(rows, core.SADDDiscretizer())
        expected = find_cuts(rows, core.SADDDiscretizer(n0=50))
        monkeypatch.delattr("orangecontrib.sadd.core.discretizers.label")
        found = find_cuts(rows, core.SADDDiscretizer(n0=50), labels)
        assert list(map(list, found.cut_points)) == list(map(list, expected.cut_points))

    def test_progress_and_cancellation(self):
        shares = []
        SADDDiscretize(IRIS)(IRIS[::2], shares.append)
        assert shares == sorted(shares)
        assert shares[-1] == 1

        def cancel(share):
            if share > 0.3:
                raise InterruptedError

        for data in (IRIS[::2], IRIS[::2].to_sparse()):
            with pytest.raises(InterruptedError):
                SADDDiscretize(IRIS)(data, cancel)


class TestLimitsAndMissingValues:
    """The cuts are those of core; here, how they become variables."""

    def holes(self, sparse=False):
        is_hole = np.arange(150) % 5 == 0
        holes = set_column(IRIS, 1, np.where(is_hole, np.nan, IRIS.X[:, 1]))
        return holes.to_sparse() if sparse else holes

    @pytest.mark.parametrize("method", [SADD, MDLP, CAIM, CACC])
    def test_limits(self, method):
        var = method(max_intervals=2)(IRIS, "petal length")
        assert len(var.values) == 2
        var = method(min_samples=0.3)(IRIS, "petal length")
        counts = np.bincount(IRIS.transform(Domain([var])).X[:, 0].astype(int))
        assert counts.min() >= 45 and len(counts) >= 2
        assert repr(method(min_samples=5)) == f"{method.__name__}(min_samples=5)"
        with pytest.raises(ValueError, match="min_samples"):
            method(min_samples=0)

    @pytest.mark.parametrize("method, limits, n_intervals", [
        ("SADD", {"max_intervals": 2, "min_samples": 20}, 2),
        ("chimerge", {"max_intervals": 3}, 3),
        ("EW", {"min_samples": 5}, 10)])  # has no such parameter
    def test_in_the_preprocessor(self, method, limits, n_intervals):
        found = SADDDiscretize(method=method, **limits)(IRIS)
        assert {len(var.values) for var in found.domain.attributes} == {n_intervals}

    @pytest.mark.parametrize("sparse", [False, True])
    def test_missing_values(self, sparse):
        holes = self.holes(sparse)
        found = SADDDiscretize(missing="interval")(holes)
        for var in found.domain.attributes:
            assert var.values[-1] == "missing"
        codes = dense(found.X)
        assert (codes[::5, 1] == len(found.domain[1].values) - 1).all()
        # What a new table becomes, value by value, is the same
        again = holes[:20].transform(found.domain)
        np.testing.assert_array_equal(dense(again.X), codes[:20])
        ignoring = SADDDiscretize()(holes)
        assert [var.values + ("missing",) for var in ignoring.domain.attributes] == [
            var.values for var in found.domain.attributes]
        if not sparse:
            assert np.isnan(ignoring.X[::5, 1]).all()

    @pytest.mark.parametrize("method", NAMES)
    def test_every_method(self, method):
        found = SADDDiscretize(method=method, missing="interval")(self.holes())
        assert not np.isnan(found.X).any()

    def test_a_variable_without_cuts_stays_if_some_values_are_missing(self):
        data = set_column(self.holes(), 0, 1)
        with data.unlocked(data.X):
            data.X[1:, 1] = 1
        found = SADDDiscretize(missing="interval")(data)
        names = [var.name for var in found.domain.attributes]
        assert names == ["sepal width", "petal length", "petal width"]
        assert found.domain["sepal width"].values == ("single_value", "missing")
        assert found.X[:2, 0].tolist() == [1, 0]
