# The public names: type checkers read them here, and so does `__init__.py`, which
# imports them when they are first used.

from orangecontrib.sadd.core.classifiers import AIWNBClassifier as AIWNBClassifier
from orangecontrib.sadd.core.classifiers import CAWNBClassifier as CAWNBClassifier
from orangecontrib.sadd.core.classifiers import (
    NaiveBayesClassifier as NaiveBayesClassifier,
)
from orangecontrib.sadd.core.classifiers import RNBClassifier as RNBClassifier
from orangecontrib.sadd.core.classifiers import RNBPlusClassifier as RNBPlusClassifier
from orangecontrib.sadd.core.classifiers import WANBIAClassifier as WANBIAClassifier
from orangecontrib.sadd.core.columnwise import CACCDiscretizer as CACCDiscretizer
from orangecontrib.sadd.core.columnwise import CAIMDiscretizer as CAIMDiscretizer
from orangecontrib.sadd.core.columnwise import (
    ChiMergeDiscretizer as ChiMergeDiscretizer,
)
from orangecontrib.sadd.core.columnwise import (
    EqualFrequencyDiscretizer as EqualFrequencyDiscretizer,
)
from orangecontrib.sadd.core.columnwise import (
    EqualWidthDiscretizer as EqualWidthDiscretizer,
)
from orangecontrib.sadd.core.columnwise import FFDDiscretizer as FFDDiscretizer
from orangecontrib.sadd.core.columnwise import PKIDDiscretizer as PKIDDiscretizer
from orangecontrib.sadd.core.discretizers import MDLPDiscretizer as MDLPDiscretizer
from orangecontrib.sadd.core.discretizers import SADDDiscretizer as SADDDiscretizer
from orangecontrib.sadd.core.methods.criterion import Decision as Decision
from orangecontrib.sadd.core.model_selection import (
    SemiSupervisedKFold as SemiSupervisedKFold,
)
from orangecontrib.sadd.core.registry import DISCRETIZERS as DISCRETIZERS
from orangecontrib.sadd.core.registry import make_discretizer as make_discretizer
from orangecontrib.sadd.core.tables_classifier import (
    SADDTablesClassifier as SADDTablesClassifier,
)
