"""Windows fit SADD Tables without a choice of penalty and pairs, which takes longer."""

import pytest

from orangecontrib.sadd.widgets import owsaddtables
from tests.orange.data import PlainTablesLearner


@pytest.fixture(autouse=True)
def plain_tables(monkeypatch):
    monkeypatch.setattr(owsaddtables, "SADDTablesLearner", PlainTablesLearner)
