"""What RNB+ says about its data and settings."""

from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.widget import Msg

from orangecontrib.sadd.explain.analysis import find_obstacle
from orangecontrib.sadd.widgets.common import messages
from orangecontrib.sadd.widgets.common.labelling import DOUBTFUL_LABELS

__all__ = ["CONNECT_DATA", "STOPPED", "Error", "Information", "Warning",
           "clear_messages", "describe_obstacle"]

CONNECT_DATA = ("Connect Data with a categorical class to see weights. The learner can "
                "be used without it.")
STOPPED = "Fitting was stopped, so there is no model. The learner can be used."
# OWBaseLearner has messages of its own for data with no target, or with several
NUMERIC_TARGET = ("The target of Data is numeric. Use Select Columns to choose a "
                  "categorical one, or make it so with Discretize.")


class Error(OWBaseLearner.Error):
    out_of_memory = Msg(messages.OUT_OF_MEMORY)


class Warning(OWBaseLearner.Warning):
    unknown_method = Msg(messages.UNKNOWN_METHOD)
    doubtful_labels = Msg(DOUBTFUL_LABELS)
    no_shared_columns = Msg(messages.NO_SHARED_COLUMNS)
    missing_columns = Msg(messages.MISSING_COLUMNS)
    class_is_id = Msg(messages.CLASS_IS_ID)
    stopped = Msg("Fitting was stopped, so there is no model. Press Fit Again to "
                  "get one.")


class Information(OWBaseLearner.Information):
    known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. In "
                     "Test & Score, the rows that are tested on are known without "
                     "their class.")
    unused_pool = Msg("Unlabelled Data has no effect, since {} learns nothing from "
                      "it. Choose SADD to use it.")


def clear_messages(widget):
    """Clear what was said about another model."""
    widget.show_fitting_failed(None)
    widget.Error.out_of_memory.clear()
    widget.Warning.stopped.clear()
    widget.Warning.class_is_id.clear()
    messages.show_pool_messages(widget, messages.Pool())
    widget.show_labelling(None)


def describe_obstacle(data):
    """Return why no model can be learned from the data; empty if one can."""
    return {"": "", **messages.OBSTACLES, "no_class": NUMERIC_TARGET}[
        find_obstacle(data, discretize=False)]
