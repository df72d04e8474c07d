"""RNB+: naive Bayes with learned weights, and discretization by unlabelled rows."""

from AnyQt.QtCore import QSize
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orangecontrib.sadd.explain.analysis import find_obstacle
from orangecontrib.sadd.explain.outputs import weights_output
from orangecontrib.sadd.learner_base import DiscretizingLearner
from orangecontrib.sadd.widgets.common import messages
from orangecontrib.sadd.widgets.common.labellercontrols import labeller_input
from orangecontrib.sadd.widgets.common.methodcontrols import replace_unknown_method
from orangecontrib.sadd.widgets.common.windows import (
    FirstSizeMixin,
    WidgetTaskMixin,
    make_callback,
)
from orangecontrib.sadd.widgets.rnbplus.learnercontrols import (
    VERSION,
    LearnerControlsMixin,
    migrate,
)
from orangecontrib.sadd.widgets.rnbplus.weightsview import (
    WeightsView,
    describe_mixture,
    describe_search,
)

CONNECT_DATA = ("Connect Data with a categorical class to see the weights of its "
                "attributes.\n\nThe Learner is ready: other widgets can use it "
                "without Data here.")
STOPPED = "Fitting was stopped, so there is no model. The learner can be used."


def fit(learner, data, state):
    """Fit a model and see how the pool fits the data, in a thread."""
    callback = make_callback(state)
    callback(0)
    pool = messages.inspect_pool(data, learner.unlabelled)
    return learner(data, callback), pool


class OWRNBPlus(FirstSizeMixin, OWBaseLearner, WidgetTaskMixin,
                LearnerControlsMixin):
    name = "RNB+"
    description = ("Learn regularized naive Bayes and its relatives, with the help of "
                   "unlabelled rows.")
    icon = "icons/rnbplus.svg"
    priority = 20
    keywords = ("rnb+, rnb, naive bayes, bayes, regularized, weighted, wanbia, cawnb, "
                "aiwnb, semi-supervised, unlabelled, unlabeled, labels, sadd")

    # All learners that the widget makes are of this type
    LEARNER = DiscretizingLearner

    # Not those of the base class, whose Data is not the default: the canvas would ask
    # a user who connects File what to connect it to
    class Inputs:
        data = Input("Data", Table, default=True,
                     doc="Data with a class; rows without one count as unlabelled.")
        preprocessor = Input("Preprocessor", Preprocess,
                             doc="Preprocessing before discretization.")
        unlabelled = Input("Unlabelled Data", Table,
                           doc="Unlabelled rows for SADD; a class is ignored.")
        labeller = labeller_input()

    class Outputs(OWBaseLearner.Outputs):
        # Explicit, or the canvas would connect it, not the learner, to widgets that
        # also take data, such as Test and Score
        weights = Output("Weights", Table, dynamic=False, explicit=True,
                         doc="Weights of attributes, a row for each.")

    class Error(OWBaseLearner.Error, messages.Errors):
        # Where two base classes have a message, Orange binds the last one
        out_of_memory = messages.Errors.out_of_memory

    class Warning(OWBaseLearner.Warning, messages.Warnings):
        stopped = Msg("Fitting was stopped, so there is no model. Press Fit Again to "
                      "get one.")

    class Information(OWBaseLearner.Information):
        known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. In "
                         "Test & Score, rows used for testing are then known without "
                         "their class.")
        unused_pool = Msg("Unlabelled Data has no effect, since {} learns nothing from "
                          "it. Choose SADD to use it.")
        no_numeric = Msg("Data has no numeric variables, so settings of Discretization "
                         "have no effect. Connect data that is not discretized to use "
                         "them.")

    want_main_area = True
    resizing_enabled = True

    settings_version = VERSION
    best_size = QSize(900, 780)

    def __init__(self):
        self.unlabelled = None
        self.weights = None
        self._is_naming = False
        replace_unknown_method(self, "discretization")
        WidgetTaskMixin.__init__(self)
        OWBaseLearner.__init__(self)

    # Layout

    def add_main_layout(self):
        self.add_learner_controls()
        self.update_learner_controls()
        self.view = WeightsView()
        self.labelling_label = self.view.labelling
        self.view.pressed.connect(self._on_view_pressed)
        self.view.show_message(CONNECT_DATA)
        self.mainArea.layout().addWidget(self.view)

    # Settings

    def settings_changed(self, *args, **kwargs):
        self.update_learner_controls()
        super().settings_changed(*args, **kwargs)

    @classmethod
    def migrate_settings(cls, settings, version):
        migrate(settings, version or 1)

    # Inputs

    @Inputs.data
    def set_data(self, data):
        self.cancel()
        super().set_data(data)

    @Inputs.preprocessor
    def set_preprocessor(self, preprocessor):
        self.cancel()
        super().set_preprocessor(preprocessor)

    @Inputs.unlabelled
    @check_sql_input
    def set_unlabelled(self, unlabelled):
        self.cancel()
        self.unlabelled = unlabelled
        # So handleNewSignals makes new ones
        self.learner = self.model = None

    @Inputs.labeller
    def set_labeller(self, learner):
        self.cancel()
        self.connect_labeller(learner)
        self.update_learner_controls()
        self.learner = self.model = None

    # Learner

    def create_learner(self):
        return self.learner_settings.learner(self.unlabelled, self.preprocessors)

    def update_learner(self):
        self._is_naming = True
        try:
            self.set_default_learner_name(
                self.learner_settings.name(bool(self.unlabelled)))
        finally:
            self._is_naming = False
        super().update_learner()
        self.Information.unused_pool(
            self.discretization, shown=bool(self.unlabelled)
            and not self.learner_settings.uses_unlabelled)

    def learner_name_changed(self):
        if self._is_naming:  # the learner with this name is not made yet
            return
        if self.auto_apply:
            super().learner_name_changed()
        else:
            # After what the base class does here, Apply would send the new name, but
            # not other settings that have been changed
            self.settings_changed()

    # Model

    def check_data(self):
        self.valid_data = False
        if self.data is None:
            return False
        obstacle = find_obstacle(self.data, discretize=False)
        self.Error.data_error(messages.OBSTACLES.get(obstacle, "").format(
            messages.describe_target(self.data.domain)), shown=bool(obstacle))
        self.valid_data = not obstacle
        return self.valid_data

    def update_model(self):
        self.cancel()
        self._clear_messages()
        self.model = self.weights = None
        if self.check_data():
            messages.show_id_message(self, self.data)
            self.view.show_message("Fitting...", "Stop")
            self.start(fit, self.learner, self.data)
        else:
            self.view.show_message(
                self.Error.data_error.formatted if self.Error.data_error.is_shown()
                else CONNECT_DATA)
            self._send_model()

    def _clear_messages(self):
        """Clear what was said about another model."""
        self.show_fitting_failed(None)
        self.Error.out_of_memory.clear()
        self.Warning.stopped.clear()
        self.Warning.class_is_id.clear()
        self.Information.no_numeric.clear()
        messages.show_pool_messages(self, messages.Pool())
        self.show_labelling(None)

    def on_done(self, result):
        self.model, pool = result
        self.model.name = self.effective_learner_name()
        self.model.instances = self.data
        self.weights = weights_output(self.model)
        self.view.show_model(self.model, self.labeller_title)
        self.show_labelling(self.model.labelling)
        messages.show_pool_messages(self, pool)
        self.Information.no_numeric(
            shown=not self.data.domain.has_continuous_attributes())
        self._send_model()

    def on_exception(self, ex):
        if isinstance(ex, MemoryError):
            self.Error.out_of_memory()
            self.view.show_message(self.Error.out_of_memory.formatted)
        else:
            self.show_fitting_failed(ex)
            self.view.show_message(self.Error.fitting_failed.formatted)
        self._send_model()

    def _on_view_pressed(self):
        if self.task is None:
            self.unconditional_apply()
            return
        self.cancel()
        self.Warning.stopped()
        self.view.show_message(STOPPED, "Fit Again")
        self._send_model()

    def _send_model(self):
        super()._send_model()
        self.Outputs.weights.send(self.weights)

    def onDeleteWidget(self):
        self.shutdown()
        super().onDeleteWidget()

    # Report

    def get_learner_parameters(self):
        return self.describe_learner()

    def send_report(self):
        super().send_report()
        if self.unlabelled:
            self.report_data("Unlabelled data", self.unlabelled)
        if not self.view.shows_weights:
            return
        self.report_table("Weights", self.view.table.as_lists(),
                          header_rows=1, header_columns=1)
        story = filter(None, (self.view.labelling.text(), describe_mixture(self.model),
                              describe_search(self.model)))
        self.report_paragraph("<br/>".join(story))


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWRNBPlus).run(set_data=iris[::3], set_unlabelled=iris)
