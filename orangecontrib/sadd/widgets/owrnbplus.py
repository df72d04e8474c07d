"""RNB+: naive Bayes with learned weights, and discretization by unlabelled rows."""

from AnyQt.QtCore import QSize, Qt
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orangecontrib.sadd.classification import DiscretizingLearner
from orangecontrib.sadd.explain.analysis import find_obstacle
from orangecontrib.sadd.explain.outputs import weights_output
from orangecontrib.sadd.widgets.common import controls, messages
from orangecontrib.sadd.widgets.common.tasks import WidgetTaskMixin, make_callback
from orangecontrib.sadd.widgets.weighting.weightings import (
    OBJECTIVES,
    WEIGHTINGS,
    LearnerSettings,
)
from orangecontrib.sadd.widgets.weighting.weightsview import (
    WeightsView,
    describe_mixture,
    describe_search,
)

CONNECT_DATA = ("Connect Data with a categorical class to see weights. The learner can "
                "be used without.")
STOPPED = "Fitting was stopped, so there is no model. The learner can be used."
# OWBaseLearner has messages of its own for data with no target, or with several
NUMERIC_TARGET = ("The target of Data is numeric. Use Select Columns to choose a "
                  "categorical one, or make it so with Discretize.")
OBJECTIVE_TIP = "What the search for weights minimizes on training data."
ITERATIONS_TIP = ("The largest number of iterations. The authors of RNB use 100; more "
                  "seldom make predictions more accurate.")


def fit(learner, data, state):
    """Fit a model and see how the pool fits the data, in a thread."""
    callback = make_callback(state)
    callback(0)
    pool = messages.inspect_pool(data, learner.unlabelled)
    return learner(data, callback), pool


class OWRNBPlus(OWBaseLearner, WidgetTaskMixin):
    name = "RNB+"
    description = ("Learn regularized naive Bayes and its relatives, with the help of "
                   "unlabelled rows.")
    icon = "icons/rnbplus.svg"
    priority = 20
    keywords = ("rnb+, rnb, naive bayes, regularized, weighted, wanbia, cawnb, aiwnb, "
                "semi-supervised, unlabelled, sadd")

    # All learners that the widget makes are of this type
    LEARNER = DiscretizingLearner

    class Inputs(OWBaseLearner.Inputs):
        unlabelled = Input("Unlabelled Data", Table,
                           doc="Unlabelled rows for SADD; a class is ignored.")

    class Outputs(OWBaseLearner.Outputs):
        # Explicit, or the canvas would connect it, not the learner, to widgets that
        # also take data, such as Test and Score
        weights = Output("Weights", Table, dynamic=False, explicit=True,
                         doc="Weights of attributes, a row for each.")

    class Error(OWBaseLearner.Error):
        out_of_memory = Msg(messages.OUT_OF_MEMORY)

    class Warning(OWBaseLearner.Warning):
        unknown_method = Msg(messages.UNKNOWN_METHOD)
        no_shared_columns = Msg(messages.NO_SHARED_COLUMNS)
        missing_columns = Msg(messages.MISSING_COLUMNS)
        stopped = Msg("Fitting was stopped, so there is no model. Press Fit Again to "
                      "get one.")

    class Information(OWBaseLearner.Information):
        known_rows = Msg("{} of Unlabelled Data {} also in Data and {} left out. In "
                         "Test & Score, the rows that are tested on are known without "
                         "their class.")
        unused_pool = Msg("Unlabelled Data has no effect, since {} learns nothing from "
                          "it. Choose SADD to use it.")

    want_main_area = True
    resizing_enabled = True

    discretization = Setting("SADD")
    choose_k = Setting(0)
    fixed_k = Setting(5)
    n0 = Setting(2000)
    weighting = Setting(0)
    objective = Setting(0)
    max_iter = Setting(100)

    settings_version = 1

    def __init__(self):
        self.unlabelled = None
        self.weights = None
        self._is_naming = False
        controls.replace_unknown_method(self, "discretization")
        WidgetTaskMixin.__init__(self)
        OWBaseLearner.__init__(self)

    # Layout

    def add_main_layout(self):
        changed = self.settings_changed
        box = gui.vBox(self.controlArea, "Discretization")
        self.discretization_combo = controls.add_method_combo(
            box, self, "discretization", self._on_discretization_changed)
        self.k_box, self.k_spin = controls.add_k_controls(box, self, changed)
        self.n0_spin = controls.add_n0_spin(box, self, changed)

        box = gui.vBox(self.controlArea, "Attribute weighting")
        self.weighting_combo = gui.comboBox(
            box, self, "weighting", callback=changed,
            items=[weighting.label for weighting in WEIGHTINGS])
        self.objective_combo = gui.comboBox(
            box, self, "objective", label="Objective:", callback=changed,
            items=[title for _, title, _ in OBJECTIVES], orientation=Qt.Horizontal)
        self.max_iter_spin = controls.add_spin(
            box, self, "max_iter", 10 ** 5, changed, step=10, label="Iterations:")
        for index, weighting in enumerate(WEIGHTINGS):
            self.weighting_combo.setItemData(
                index, weighting.description, Qt.ToolTipRole)
        gui.rubber(self.controlArea)

        self._update_controls()
        self.view = WeightsView()
        self.view.pressed.connect(self._on_view_pressed)
        self.view.show_message(CONNECT_DATA)
        self.mainArea.layout().addWidget(self.view)

    def sizeHint(self):
        return QSize(760, 520)

    # Settings

    @property
    def learner_settings(self):
        """The values of the controls."""
        k = "auto" if self.choose_k == 0 else self.fixed_k
        return LearnerSettings(self.discretization, k, self.n0, self.weighting,
                               self.objective, self.max_iter)

    def settings_changed(self, *args, **kwargs):
        self._update_controls()
        super().settings_changed(*args, **kwargs)

    def _on_discretization_changed(self):
        self.Warning.unknown_method.clear()
        self.settings_changed()

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        settings = self.learner_settings
        sadd = "" if settings.uses_unlabelled else \
            f"{self.discretization} has no such parameter; SADD has."
        fixed = "" if self.choose_k else "Choose a fixed k to set it."
        search = "" if settings.weighting.optimizes else \
            "This weighting does not search for weights, so it has no such parameter."
        for control, obstacle, tip in (
                (self.k_box, sadd, controls.PARAMETER_TIPS["k"]),
                (self.k_spin, sadd or fixed, controls.PARAMETER_TIPS["k"]),
                (self.n0_spin.box, sadd, controls.PARAMETER_TIPS["n0"]),
                (self.objective_combo.box, search, OBJECTIVE_TIP),
                (self.max_iter_spin.box, search, ITERATIONS_TIP)):
            controls.set_obstacle(control, obstacle, tip)
        self.discretization_combo.setToolTip(
            controls.describe_method(self.discretization))
        self.weighting_combo.setToolTip(settings.weighting.description)

    @classmethod
    def migrate_settings(cls, settings, version):
        # What is not valid gets its default; an unknown method gets a message, too
        controls.keep_valid(settings, {
            "discretization": lambda method: isinstance(method, str),
            "weighting": controls.is_whole(0, len(WEIGHTINGS) - 1),
            "objective": controls.is_whole(0, len(OBJECTIVES) - 1),
            "max_iter": controls.is_whole(1, 10 ** 5), **controls.VALID_PARAMETERS})

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
        obstacle = {"": "", **messages.OBSTACLES, "no_class": NUMERIC_TARGET}[
            find_obstacle(self.data, discretize=False)]
        self.Error.data_error(obstacle, shown=bool(obstacle))
        self.valid_data = not obstacle
        return self.valid_data

    def update_model(self):
        self.cancel()
        self.show_fitting_failed(None)
        self.Error.out_of_memory.clear()
        self.Warning.stopped.clear()
        messages.show_pool_messages(self, messages.Pool())
        self.model = self.weights = None
        if self.check_data():
            self.view.show_message("Fitting...", "Stop")
            self.start(fit, self.learner, self.data)
        else:
            self.view.show_message(
                self.Error.data_error.formatted if self.Error.data_error.is_shown()
                else CONNECT_DATA)
            self._send_model()

    def on_done(self, result):
        self.model, pool = result
        self.model.name = self.effective_learner_name()
        self.model.instances = self.data
        self.weights = weights_output(self.model)
        self.view.show_model(self.model)
        messages.show_pool_messages(self, pool)
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
        return self.learner_settings.described()

    def send_report(self):
        super().send_report()
        if self.unlabelled:
            self.report_data("Unlabelled data", self.unlabelled)
        if not self.view.shows_weights:
            return
        self.report_table("Weights", self.view.table.as_lists(),
                          header_rows=1, header_columns=1)
        story = filter(None, (describe_mixture(self.model),
                              describe_search(self.model)))
        self.report_paragraph("<br/>".join(story))
        if self.view.loss_plot.isVisibleTo(self.view):
            self.report_plot("Loss by iteration", self.view.loss_plot)


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWRNBPlus).run(set_data=iris[::3], set_unlabelled=iris)
