"""RNB+: naive Bayes with learned weights, and discretization by unlabelled rows."""

from AnyQt.QtCore import QSize, Qt
from Orange.data import Table
from Orange.preprocess import Preprocess
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output

from orangecontrib.sadd.classification import RECIPES, DiscretizingLearner
from orangecontrib.sadd.explain.analysis import find_obstacle
from orangecontrib.sadd.explain.outputs import weights_output
from orangecontrib.sadd.widgets.common import controls, messages
from orangecontrib.sadd.widgets.common.labelling import (
    DOUBTFUL_LABELS,
    LABELLERS,
    VALID_LABELLING,
    LabellerMixin,
    labeller_input,
)
from orangecontrib.sadd.widgets.common.tasks import WidgetTaskMixin, make_callback
from orangecontrib.sadd.widgets.weighting.weightings import (
    OBJECTIVES,
    RECIPE_TITLES,
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

COUNTS_TIP = ("Unlabelled rows count in the probabilities of values and classes, too, "
              "by the probabilities of their classes; otherwise in intervals alone.")
SHRINKAGE_TIP = ("How strongly weights are drawn to those of naive Bayes, so that they "
                 "do not overfit few rows; 0 is as published.")
# Settings that workflows of the first version lack
PUBLISHED = {"recipe": 0, "labeller": 0, "min_confidence": 0, "counts_pool": False,
             "shrinkage": 0.}


def fit(learner, data, state):
    """Fit a model and see how the pool fits the data, in a thread."""
    callback = make_callback(state)
    callback(0)
    pool = messages.inspect_pool(data, learner.unlabelled)
    return learner(data, callback), pool


class OWRNBPlus(OWBaseLearner, WidgetTaskMixin, LabellerMixin):
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

    class Error(OWBaseLearner.Error):
        out_of_memory = Msg(messages.OUT_OF_MEMORY)

    class Warning(OWBaseLearner.Warning):
        unknown_method = Msg(messages.UNKNOWN_METHOD)
        doubtful_labels = Msg(DOUBTFUL_LABELS)
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
    recipe = Setting(0)
    n0 = Setting(2000)
    counts_pool = Setting(False)
    weighting = Setting(0)
    objective = Setting(0)
    shrinkage = Setting(0.)
    max_iter = Setting(100)

    settings_version = 2

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
        self.recipe_combo = gui.comboBox(
            self.controlArea, self, "recipe", box="Recipe",
            items=[title for _, title, _ in RECIPE_TITLES],
            callback=self._on_recipe_changed)
        for index, (_, _, tip) in enumerate(RECIPE_TITLES):
            self.recipe_combo.setItemData(index, tip, Qt.ToolTipRole)
        box = gui.vBox(self.controlArea, "Discretization")
        self.discretization_combo = controls.add_method_combo(
            box, self, "discretization", self._on_discretization_changed)
        self.n0_spin = controls.add_n0_spin(box, self, changed)

        box = gui.vBox(self.controlArea, "Pseudo-labels")
        self.add_labeller_controls(box, changed)
        self.counts_check = gui.checkBox(
            box, self, "counts_pool", "Count in probabilities", callback=changed)

        box = gui.vBox(self.controlArea, "Attribute weighting")
        self.weighting_combo = gui.comboBox(
            box, self, "weighting", callback=changed,
            items=[weighting.label for weighting in WEIGHTINGS])
        self.objective_combo = gui.comboBox(
            box, self, "objective", label="Objective:", callback=changed,
            items=[title for _, title, _ in OBJECTIVES], orientation=Qt.Horizontal)
        self.shrinkage_spin = gui.doubleSpin(
            box, self, "shrinkage", 0, 1000, .1, decimals=1, label="Shrinkage:",
            alignment=Qt.AlignRight, controlWidth=90, callback=changed)
        self.shrinkage_spin.setKeyboardTracking(False)
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
        return LearnerSettings(
            self.discretization, self.k, self.n0, self.weighting, self.objective,
            self.max_iter, self.chosen_labeller, self.least_confidence,
            self.counts_pool, self.shrinkage, RECIPE_TITLES[self.recipe][0])

    def settings_changed(self, *args, **kwargs):
        self._update_controls()
        super().settings_changed(*args, **kwargs)

    def _on_recipe_changed(self):
        """Set what the recipe recommends; what is changed later wins."""
        settings = RECIPES[RECIPE_TITLES[self.recipe][0]]
        self.labeller = [name for name, *_ in LABELLERS].index(settings["labeller"])
        self.connect_labeller(self.connected_labeller)  # which wins
        self.counts_pool = settings["pool_use"] == "counts"
        self.objective = [name for name, *_ in OBJECTIVES].index(settings["objective"])
        self.shrinkage = float(settings["shrinkage"])
        self.settings_changed()

    def _on_discretization_changed(self):
        self.Warning.unknown_method.clear()
        self.settings_changed()

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        settings = self.learner_settings
        sadd = "" if settings.uses_unlabelled else \
            f"{self.discretization} has no such parameter; SADD has."
        search = "" if settings.weighting.optimizes else \
            "This weighting does not search for weights, so it has no such parameter."
        for control, obstacle, tip in (
                (self.counts_check, sadd, COUNTS_TIP),
                (self.n0_spin.box, sadd, controls.PARAMETER_TIPS["n0"]),
                (self.objective_combo.box, search, OBJECTIVE_TIP),
                (self.shrinkage_spin.box, search, SHRINKAGE_TIP),
                (self.max_iter_spin.box, search, ITERATIONS_TIP)):
            controls.set_obstacle(control, obstacle, tip)
        self.update_labeller_controls(sadd)
        self.recipe_combo.setToolTip(RECIPE_TITLES[self.recipe][2])
        self.discretization_combo.setToolTip(
            controls.describe_method(self.discretization))
        self.weighting_combo.setToolTip(settings.weighting.description)

    @classmethod
    def migrate_settings(cls, settings, version):
        if (version or 1) < 2:  # not what the user chose last in a newer workflow
            for name, value in PUBLISHED.items():
                settings.setdefault(name, value)
        # What is not valid gets its default; an unknown method gets a message, too
        controls.keep_valid(settings, {
            "discretization": lambda method: isinstance(method, str),
            "weighting": controls.is_whole(0, len(WEIGHTINGS) - 1),
            "objective": controls.is_whole(0, len(OBJECTIVES) - 1),
            "max_iter": controls.is_whole(1, 10 ** 5),
            "n0": controls.is_whole(1, controls.LARGEST_N0),
            "recipe": controls.is_whole(0, len(RECIPE_TITLES) - 1),
            "counts_pool": lambda value: isinstance(value, bool),
            "shrinkage": lambda value: isinstance(value, float | int)
            and 0 <= value <= 1000, **VALID_LABELLING})

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
        self._update_controls()
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
        self.show_labelling(None)
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
        self.view.show_model(self.model, self.labeller_title)
        self.show_labelling(self.model.labelling)
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
        settings = self.learner_settings
        items = settings.described()
        if settings.uses_unlabelled:
            items = [("Recipe", RECIPE_TITLES[self.recipe][1]), items[0],
                     *self.describe_labeller_settings(), *items[1:]]
        return items

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
        if self.view.loss_plot.isVisibleTo(self.view):
            self.report_plot("Loss by iteration", self.view.loss_plot)


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWRNBPlus).run(set_data=iris[::3], set_unlabelled=iris)
