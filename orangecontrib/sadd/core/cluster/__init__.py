"""Rows that do not fit one machine: the same methods on Dask.

Importing this package does not import Dask; its modules do. It is an extra of the
distribution, ``[dask]``. Nothing of what is computed is different here, only where
rows are counted: workers keep the sorted columns of their partitions and answer the
questions of the splitter, and the sums of the weighted naive Bayes. From bottom to top:

================  ================================================================
`recognize`       is this for Dask?
`limits`          what may be collected in one place, and how to change it
`store`           objects of a worker, in files that are mapped into memory
`wire`            what is sent, as bytes, as few as possible
`taskrecipes`     a partition, and what is done with it, in one task
`runner`          tasks on partitions, where these are; counts what is sent
`inputs`          arrays, data frames and parquet folders as partitions
`reading`         a partition as numbers, on its worker
`survey`          the first pass: labels, weights and categories
`sortedparts`     sorted columns of a partition, or of several that were merged
`objective`       discretized rows, their counts, and the sums over them
`columns`         Dask's form of columns: sorted where they are, asked together
`predict`         lazy results
`folders`         parquet folders of intervals, for the command line
================  ================================================================
"""

from orangecontrib.sadd.core.cluster.recognize import is_for_dask

__all__ = ["is_for_dask"]
