"""SADD, RNB+, SADD Tables and their competitors: arrays in, arrays out.

The package needs numpy, scipy, pandas and scikit-learn. `dask`, for data larger than
memory, also needs Dask, and is used when such data are passed. From bottom to top:

==========================  ======================================================
`lazynames`                 public names, imported when they are first used
`types`, `threads`          types in signatures; worker threads and progress
`cuts`                      numbers that stand for cuts, intervals of values, counts
`labels`, `validation`      reading of labels and weights; reading of matrices
`methods`                   `_sort`, the compiled page that sorts columns; `cells`, what
                            it finds. MDLP and SADD: `criterion`; `_tree`, the compiled
                            page that grows trees; `entropy`, which accepts cuts.
                            `interdependence` (CAIM, CACC) and `chimerge`, by the page
                            `_greedy`; `bins` (EW, EF, PKID, FFD)
`labelling`                 `neighbours`, and `labellers`: any classifier, a committee
`data`                      rows in memory, in blocks of columns
`intervals`                 names and encodings of intervals (`encoding`), information
                            about the class (`evidence`), JSON (`cutsjson`), and
                            methods of fitted discretizers (`fitted`)
`discretizer_base`,         the base class of the nine discretizers, and the nine
`discretizers`
`additive`                  smoothed `tables`; `_objective`, the compiled page of the
                            loss and its gradient; `fitting`; AIWNB; the `model`;
                            `smoothtables`, knots and fit of SADD Tables
`classifier_base`,          the base class of the six classifiers, and the six
`classifiers`
`tables_classifier`         SADD Tables
`registry`                  the one table of discretizers and classifiers
`model_selection`           folds of labelled rows
`dask`                      Dask: short tables of columns, sums over partitions
==========================  ======================================================
"""

from orangecontrib.sadd.core.lazynames import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__)
