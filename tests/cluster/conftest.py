"""A real cluster of two worker processes, for all tests of this folder.

If tests are distributed over processes, each of these has a cluster of its own.
"""

import pytest
from distributed import Client

from tests.cluster.workers import start_cluster


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    with start_cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture
def client(cluster):
    """Dask uses the cluster while this client is open."""
    with Client(cluster) as opened:
        yield opened


@pytest.fixture
def mortal_client(tmp_path):
    """The client of a cluster of its own, for a test that kills a worker.

    On a busy machine Dask gives up replacing a worker now and then; no other test
    may depend on it.
    """
    with start_cluster(tmp_path) as started, Client(started) as opened:
        yield opened
