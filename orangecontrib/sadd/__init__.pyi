# The public names: type checkers read them here, and so does `__init__.py`, which
# imports them when they are first used.

from orangecontrib.sadd.classification import AIWNBLearner as AIWNBLearner
from orangecontrib.sadd.classification import CAWNBLearner as CAWNBLearner
from orangecontrib.sadd.classification import NBLearner as NBLearner
from orangecontrib.sadd.classification import RNBLearner as RNBLearner
from orangecontrib.sadd.classification import RNBPlusLearner as RNBPlusLearner
from orangecontrib.sadd.classification import WANBIALearner as WANBIALearner
from orangecontrib.sadd.discretize import CACC as CACC
from orangecontrib.sadd.discretize import CAIM as CAIM
from orangecontrib.sadd.discretize import FFD as FFD
from orangecontrib.sadd.discretize import MDLP as MDLP
from orangecontrib.sadd.discretize import PKID as PKID
from orangecontrib.sadd.discretize import SADD as SADD
from orangecontrib.sadd.discretize import ChiMerge as ChiMerge
from orangecontrib.sadd.models import WeightedNaiveBayesModel as WeightedNaiveBayesModel
from orangecontrib.sadd.preprocessors import SADDDiscretize as SADDDiscretize
from orangecontrib.sadd.smoothtables import SADDTablesLearner as SADDTablesLearner

__version__: str
