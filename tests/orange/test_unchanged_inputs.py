"""Nobody writes into a table that is given: data and pools of all kinds."""

import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from Orange.data import ContinuousVariable, DiscreteVariable, Domain, Table

from orangecontrib.sadd.core import DISCRETIZERS
from orangecontrib.sadd.explain.analysis import Analysis, Findings
from orangecontrib.sadd.explain.outputs import make_outputs
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.explain.resampling import cross_validate
from orangecontrib.sadd.scripting import classification
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize
from tests.orange.data import PlainTablesLearner, discretization_of

LEARNERS = [PlainTablesLearner,
            *(getattr(classification, name) for name in classification.__all__)]


def make_table(seed, values=("u", "v"), sparse=False):
    """A table with missing and infinite values, weights, a class that is missing."""
    rng = np.random.RandomState(seed)
    X = rng.normal(size=(60, 4)).round(1)
    y = (X[:, 0] > 0).astype(float)
    X[::7, 0], X[::5, 1], X[::9, :2] = np.inf, -np.inf, np.nan
    X[:, 3] = rng.randint(2, size=60)
    X[::11, 3] = np.nan
    y[::6] = np.nan
    domain = Domain([ContinuousVariable("a"), ContinuousVariable("b"),
                     ContinuousVariable("c"), DiscreteVariable("d", values)],
                    DiscreteVariable("y", values))
    table = Table.from_numpy(domain, np.zeros(X.shape), y, W=rng.uniform(size=60))
    with table.unlocked_reference():
        table.X = sp.csr_matrix(X) if sparse else X
    return table


def copies(table):
    """Copies of all arrays of a table."""
    X = table.X.toarray() if sp.issparse(table.X) else table.X
    return [np.array(array) for array in (X, table.Y, table.W, table.metas)]


TABLES = {
    "same columns": (make_table(0), make_table(1)),
    "values in another order": (make_table(0), make_table(1, ("v", "u"))),
    "other values": (make_table(0), make_table(1, ("w", "u", "v"))),
    "sparse": (make_table(0, sparse=True), make_table(1, sparse=True)),
    "one table": (make_table(0)[::2], make_table(0)),
}


def explain(data, pool, encode):
    """Compute all that SADD Discretize shows and sends."""
    analysis = Analysis(data, pool)
    findings = Findings.of(analysis, Parameters(), Parameters("MDLP"))
    make_outputs(findings, encode=encode)
    findings.thumbnails()
    findings.picture(0)
    cross_validate(analysis, Parameters())


USERS = {
    **{f"{method} preprocessor": lambda data, pool, method=method:
        SADDDiscretize(pool, method=method)(data) for method in DISCRETIZERS},
    **{f"{method} discretization": lambda data, _, method=method:
        discretization_of(method)(data, "a") for method in DISCRETIZERS},
    **{learner.__name__: lambda data, pool, learner=learner:
        learner(unlabelled=pool)(data)(pool) for learner in LEARNERS},
    **{f"explanation, {encode}": lambda data, pool, encode=encode:
        explain(data, pool, encode)
        for encode in ("interval", "onehot", "evidence")},
}


@pytest.mark.parametrize("locked", [True, False])
@pytest.mark.parametrize("user", USERS)
@pytest.mark.parametrize("name", TABLES)
def test_inputs_are_not_changed(name, user, locked, monkeypatch):
    monkeypatch.setattr(Table, "LOCKING", True)
    data, pool = (table.copy() for table in TABLES[name])
    before = copies(data), copies(pool)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        if locked:
            USERS[user](data, pool)
        else:
            with data.unlocked(), pool.unlocked():
                USERS[user](data, pool)
    for table, arrays in zip((data, pool), before, strict=True):
        for now, then in zip(copies(table), arrays, strict=True):
            np.testing.assert_array_equal(now, then)
