"""SADD, RNB+ and their competitors: arrays in, arrays out.

Everything here needs numpy, scipy and scikit-learn only; `cluster`, for data larger
than memory, needs Dask, too, and is used when such data are given. From bottom to top:

============================  ====================================================
`types`                       types in signatures
`cuts`                        what number a cut is, and on which side a value lies
`ties`                        numbers that differ by rounding only
`runs`, `runparts`            a column as sorted runs, one per class, and its parts
`questions`, `rounds`         what the splitter asks of a column, wherever it is, and
                              many such questions side by side
`entropy`                     the criterion of MDLP and SADD
`rowsplitter`,                the search for the best cut in short and in long
`blocksplitter`, `splitter`   intervals, and the splitter that uses both
`adaptivegrid`                thresholds that are asked for when they are needed
`interdependence`             CAIM, CACC
`chimerge`                    ChiMerge
`bins`                        equal width and frequency, PKID, FFD
`pseudolabels`                labels for unlabelled rows, choice of k
`validation`                  reading of input
`discretizers`,               SADD and MDLP, and the other seven methods, as
`competitors`, `registry`     scikit-learn estimators; the table of all of them
`exactsums`                   sums that do not depend on the order of their terms
`bayes.tables`                smoothed tables of naive Bayes
`bayes.rowblocks`,            the objective of WANBIA, CAWNB and RNB: blocks of rows,
`bayes.losses`,               what a row adds, and the sums
`bayes.objective`
`bayes.aiwnb`                 AIWNB, eager and lazy
`bayes.model`                 a fitted model of the family, and its posterior
`bayes.fitting`               rows that are discretized, and how models are fitted
`classifier_base`,            the naive Bayes family as scikit-learn estimators
`classifiers`
`cluster`                     all of it on Dask
============================  ====================================================
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
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.splitting.criterion import Decision

__all__ = [
    "DISCRETIZERS", "AIWNBClassifier", "CACCDiscretizer", "CAIMDiscretizer",
    "CAWNBClassifier", "ChiMergeDiscretizer", "Decision", "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer", "FFDDiscretizer", "MDLPDiscretizer",
    "NaiveBayesClassifier", "PKIDDiscretizer", "RNBClassifier", "RNBPlusClassifier",
    "SADDDiscretizer", "WANBIAClassifier", "make_discretizer",
]
