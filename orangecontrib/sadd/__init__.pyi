# The public names: type checkers read them here, and so does `__init__.py`, which
# imports them when they are first used.

from orangecontrib.sadd.scripting.classification import AIWNBLearner as AIWNBLearner
from orangecontrib.sadd.scripting.classification import CAWNBLearner as CAWNBLearner
from orangecontrib.sadd.scripting.classification import NBLearner as NBLearner
from orangecontrib.sadd.scripting.classification import RNBLearner as RNBLearner
from orangecontrib.sadd.scripting.classification import RNBPlusLearner as RNBPlusLearner
from orangecontrib.sadd.scripting.classification import WANBIALearner as WANBIALearner
from orangecontrib.sadd.scripting.discretize import CACC as CACC
from orangecontrib.sadd.scripting.discretize import CAIM as CAIM
from orangecontrib.sadd.scripting.discretize import FFD as FFD
from orangecontrib.sadd.scripting.discretize import MDLP as MDLP
from orangecontrib.sadd.scripting.discretize import PKID as PKID
from orangecontrib.sadd.scripting.discretize import SADD as SADD
from orangecontrib.sadd.scripting.discretize import ChiMerge as ChiMerge
from orangecontrib.sadd.scripting.models import (
    WeightedNaiveBayesModel as WeightedNaiveBayesModel,
)
from orangecontrib.sadd.scripting.preprocessors import SADDDiscretize as SADDDiscretize
from orangecontrib.sadd.scripting.smoothtables import (
    SADDTablesLearner as SADDTablesLearner,
)

__version__: str
