"""SADD, RNB+, SADD Tables and their competitors: arrays in, arrays out.

The package needs numpy, scipy, pandas and scikit-learn. `dask`, for data larger than
memory, also needs Dask, and is used when such data are passed. From bottom to top:

==========================  ======================================================
`lazynames`                 public names, imported when they are first used
`types`, `threads`          types in signatures; worker threads and progress
`parameters`                declarations of parameters, and their checks
`arithmetic`                where a column is divided, intervals of values, counts
`labels`, `validation`      reading of labels and weights; reading of matrices
`methods`                   `_sort`, the compiled page that sorts columns; `cells`,
                            what it finds. MDLP and SADD: `criterion`; `_tree`, the
                            compiled page that grows trees; `entropy`, which accepts
                            cuts. `greedy` (CAIM, CACC, ChiMerge) and its page
                            `_greedy`; `bins` (EW, EF, PKID, FFD)
`intervals`                 names and encodings of intervals (`encoding`), information
                            about the class (`evidence`), JSON (`cutsjson`)
`cuts`                      `Cuts`: cut points of features, and the rows between them
`labelling`                 `label`: neighbours, any classifier or a committee;
                            `PseudoLabels`
`anyrows`, `rows`           the interface of rows for fits;
                            `read` and `Rows`: values, classes and weights, in blocks
                            of columns
`transformer`               methods of fitted discretizers, by their `Cuts`
`discretizer_base`          the base class of the nine discretizers
`discretizers`,             SADD and MDLP; and the seven that cut each column by itself
`columnwise`
`additive`                  `_objective`, the compiled page of the loss and its
                            gradient, `rowsums`, its blocks, and `descent`, which
                            minimizes it. Naive Bayes: smoothed `tables`, `fitting`
                            and `model`; `aiwnb` and its page `_aiwnb`. SADD Tables:
                            `axes`, the page `_places`, `knots` and `basis`; `terms`,
                            the model; `termrows` and `termfit`; `choice` of penalty
                            and pairs
`classifier_base`,          the base class of the classifiers, and six of them
`classifiers`
`tables_classifier`         the seventh: SADD Tables
`registry`                  the one table of discretizers and classifiers
`model_selection`           folds of labelled rows
`dask`                      `DaskRows`: short tables of columns, sums over partitions
==========================  ======================================================
"""

from orangecontrib.sadd.core.lazynames import lazy_names

__all__, __getattr__, __dir__ = lazy_names(__name__)
