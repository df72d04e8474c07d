"""SADD, RNB+ and their competitors: arrays in, arrays out.

Everything here needs numpy, scipy and scikit-learn only; `cluster`, for data larger
than memory, needs Dask, too, and is used when such data are passed. From bottom to top:

==========================  ======================================================
`types`, `threads`,         types in signatures; work for several threads; what number
`cuts`, `exactsums`         a cut is, on which side a value lies, whether enough rows
                            remain, ties, how often each class meets each interval;
                            sums that do not depend on the order of their terms
`labels`, `validation`      reading of labels and weights; reading of matrices
`splitting`                 MDLP and SADD: `criterion`; a column as sorted `runs`;
                            `questions` about it and its parts; `decisions` about
                            intervals; `shortintervals`, `gridintervals`,
                            `longintervals`; the `splitter` that knows them all
`methods`                   `interdependence` (CAIM, CACC), `chimerge`, `bins` (EW, EF,
                            PKID, FFD)
`pseudolabels`              who lends labels to unlabelled rows: `neighbours`, any
                            classifier, a committee (`labellers`)
`bayes`                     smoothed `tables`; AIWNB (`aiwnb`); the `model` and its
                            posterior; the `objective` of WANBIA, CAWNB and RNB with
                            its `losses` and `rowblocks`; `fitting`
`columns`                   what an estimator asks of data, and data in memory
`intervals`                 names of intervals, what `transform` returns, and back
                            (`encoding`); information about the class (`evidence`);
                            JSON (`cutsjson`); all that a discretizer does once it is
                            `fitted`
`discretizer_base`,         what the nine discretizers share; the nine of them
`discretizers`
`registry`                  the one table of methods
`classifier_base`,          what the six classifiers share; the six of them
`classifiers`
`smoothtables`,             SADD Tables: knots, basis, fit and contributions; the
`tables_classifier`         classifier
`model_selection`           folds of labelled rows
`cluster`                   Dask's form of columns and of the objective
==========================  ======================================================
"""

from orangecontrib.sadd.core.classifiers import (
    AIWNBClassifier,
    CAWNBClassifier,
    NaiveBayesClassifier,
    RNBClassifier,
    RNBPlusClassifier,
    WANBIAClassifier,
)
from orangecontrib.sadd.core.discretizers import (
    CACCDiscretizer,
    CAIMDiscretizer,
    ChiMergeDiscretizer,
    EqualFrequencyDiscretizer,
    EqualWidthDiscretizer,
    FFDDiscretizer,
    MDLPDiscretizer,
    PKIDDiscretizer,
    SADDDiscretizer,
)
from orangecontrib.sadd.core.model_selection import SemiSupervisedKFold
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.splitting.criterion import Decision
from orangecontrib.sadd.core.tables_classifier import SADDTablesClassifier

__all__ = [
    "DISCRETIZERS", "AIWNBClassifier", "CACCDiscretizer", "CAIMDiscretizer",
    "CAWNBClassifier", "ChiMergeDiscretizer", "Decision", "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer", "FFDDiscretizer", "MDLPDiscretizer",
    "NaiveBayesClassifier", "PKIDDiscretizer", "RNBClassifier", "RNBPlusClassifier",
    "SADDDiscretizer", "SADDTablesClassifier", "SemiSupervisedKFold",
    "WANBIAClassifier", "make_discretizer",
]
