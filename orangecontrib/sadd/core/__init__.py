"""SADD, RNB+ and their competitors: arrays in, arrays out.

Everything here needs numpy, scipy and scikit-learn only. From bottom to top:

============================  ====================================================
`cuts`                        what number a cut is, and on which side a value lies
`runs`                        a column as sorted runs, one per class
`entropy`                     the criterion of MDLP and SADD
`rowsplitter`,                the search for the best cut in short and in long
`blocksplitter`, `splitter`   intervals, and the splitter that uses both
`interdependence`             CAIM, CACC
`chimerge`                    ChiMerge
`bins`                        equal width and frequency, PKID, FFD
`pseudolabels`                labels for unlabelled rows, choice of k
`validation`                  reading of input
`discretizers`, `registry`    the scikit-learn estimators, and the table of them
============================  ====================================================
"""

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
from orangecontrib.sadd.core.entropy import Decision
from orangecontrib.sadd.core.registry import DISCRETIZERS, make_discretizer

__all__ = [
    "DISCRETIZERS", "CACCDiscretizer", "CAIMDiscretizer", "ChiMergeDiscretizer",
    "Decision", "EqualFrequencyDiscretizer", "EqualWidthDiscretizer", "FFDDiscretizer",
    "MDLPDiscretizer", "PKIDDiscretizer", "SADDDiscretizer", "make_discretizer",
]
