"""A real cluster of two worker processes, for all tests of this folder.

If tests are distributed over processes, each of these has a cluster of its own, so that
a test that kills workers does no harm to others.
"""

import logging

import pytest
from distributed import Client, LocalCluster


@pytest.fixture(scope="session")
def cluster():
    with LocalCluster(n_workers=2, threads_per_worker=1, memory_limit="1GB",
                      dashboard_address=":0", silence_logs=logging.CRITICAL) as started:
        yield started


@pytest.fixture
def client(cluster):
    """Dask uses the cluster while this client is open."""
    with Client(cluster) as opened:
        yield opened
