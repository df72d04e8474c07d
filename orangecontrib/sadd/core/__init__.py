"""SADD, RNB+ and their competitors: arrays in, arrays out.

Everything here needs numpy, scipy and scikit-learn only; `cluster`, for data larger
than memory, needs Dask, too, and is used when such data are given. From bottom to top:

==========================  ======================================================
`types`, `cuts`,            types in signatures; what number a cut is, and on which
`contingency`,              side a value lies; how often each class meets each code;
`exactsums`                 sums that do not depend on the order of their terms
`validation`, `labels`      reading of input, parameters, labels and weights
`splitting`                 MDLP and SADD: `criterion`; a column as sorted `runs` and
                            their parts, `runparts`; `questions` about it, and many of
                            them in `rounds`; `shortintervals`, `longintervals` with
                            an `adaptivegrid`; the `splitter`
`methods`                   `interdependence` (CAIM, CACC), `chimerge`, `bins` (EW, EF,
                            PKID, FFD), and how they break `ties`
`pseudolabels`              who lends labels to unlabelled rows: `neighbours`, any
                            classifier, a committee (`labellers`), in a `space`
`bayes`                     smoothed `tables`; AIWNB (`aiwnb`); the `model` and its
                            posterior; the `objective` of WANBIA, CAWNB and RNB with
                            its `losses` and `rowblocks`; `fitting`
`columns`                   what an estimator asks of data, and data in memory
`discretizers`,             the nine discretizers, and what they share
`discretizer_base`
`registry`                  the one table of methods
`classifiers`,              the six classifiers, and what they share
`classifier_base`
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
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer
from orangecontrib.sadd.core.splitting.criterion import Decision

__all__ = [
    "DISCRETIZERS", "AIWNBClassifier", "CACCDiscretizer", "CAIMDiscretizer",
    "CAWNBClassifier", "ChiMergeDiscretizer", "Decision", "EqualFrequencyDiscretizer",
    "EqualWidthDiscretizer", "FFDDiscretizer", "MDLPDiscretizer",
    "NaiveBayesClassifier", "PKIDDiscretizer", "RNBClassifier", "RNBPlusClassifier",
    "SADDDiscretizer", "WANBIAClassifier", "make_discretizer",
]
