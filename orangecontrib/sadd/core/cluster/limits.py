"""Settings of this package, most of which keep a fit from filling memory.

They are settings of Dask, so that ``dask.config.set({"sadd.max-distinct": 10 ** 7})``,
a file of Dask's configuration, or ``DASK_SADD__MAX_DISTINCT`` change them.

======================  =======================================================
`sadd.max-distinct`     distinct values of a column, by class, for the methods
                        that need all of them on the client
`sadd.max-labelled`     bytes of labelled rows that are sent to all workers, which
                        find in them the neighbours of unlabelled ones
`sadd.round-size`       numbers that SADD and MDLP send in a round; with more of
                        them rounds are fewer, and take more memory on the client
`sadd.reuse-memory`     whether a worker that searches for weights may call glibc's
                        ``mallopt``, which lets it keep 16 MB of freed memory; if
                        false, a search may take several times as long
======================  =======================================================
"""

import dask

from orangecontrib.sadd.core.splitting.rounds import ROUND

__all__ = ["limit", "may_reuse_memory"]

DEFAULTS = {"max-distinct": 2 ** 22, "max-labelled": 2 ** 27, "round-size": ROUND}


def limit(name):
    """
    Return the present value of a limit.

    Examples
    --------
    >>> limit("max-distinct")
    4194304
    """
    value = int(dask.config.get(f"sadd.{name}", DEFAULTS[name]))
    if value < 1:
        raise ValueError(f"The setting sadd.{name} must be above 0, not {value}.")
    return value


def may_reuse_memory():
    """Return whether workers may change how their process allocates memory."""
    return bool(dask.config.get("sadd.reuse-memory", True))
