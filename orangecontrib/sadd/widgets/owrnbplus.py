"""RNB+: naive Bayes with learned weights, and discretization by unlabelled rows."""

from AnyQt.QtCore import QSize, Qt
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.concurrent import ConcurrentWidgetMixin
from Orange.widgets.utils.owlearnerwidget import OWBaseLearner
from Orange.widgets.utils.sql import check_sql_input
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Input, Msg, Output
from orangecanvas.localization import pl

from orangecontrib.sadd.classification import DiscretizingLearner
from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.widgets.datachecks import find_obstacle, listed
from orangecontrib.sadd.widgets.weighting.fittask import fit
from orangecontrib.sadd.widgets.weighting.weightings import (
    OBJECTIVES,
    WEIGHTINGS,
    LearnerSettings,
)
from orangecontrib.sadd.widgets.weighting.weightsoutput import weights_output
from orangecontrib.sadd.widgets.weighting.weightsview import (
    WeightsView,
    describe_mixture,
    describe_search,
)

CONNECT_DATA = ("Connect Data with a categorical class to see weights. The learner can "
                "be used without.")
STOPPED = "Fitting was stopped, so there is no model. The learner can be used."
TIPS = {parameter.name: parameter.description
        for parameter in DISCRETIZERS["SADD"].parameters}
OBJECTIVE_TIP = "What the search for weights minimizes on training data."
ITERATIONS_TIP = ("The largest number of iterations. The authors of RNB use 100; more "
                  "seldom make predictions more accurate.")


class OWRNBPlus(OWBaseLearner, ConcurrentWidgetMixin):
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
        # Explicit, or the canvas would connect it, and not the learner, to widgets
        # that take data as well, such as Test and Score
        weights = Output("Weights", Table, dynamic=False, explicit=True,
                         doc="Weights of attributes, a row for each.")

    class Error(OWBaseLearner.Error):
        out_of_memory = Msg("There is not enough memory. Use Data Sampler to take "
                            "fewer rows, or Select Columns to take fewer variables.")

    class Warning(OWBaseLearner.Warning):
        no_shared_columns = Msg("Unlabelled Data has no column in common with Data and "
                                "is ignored. Connect data with the same columns.")
        missing_columns = Msg("Unlabelled Data lacks {}. These count as missing there; "
                              "add them, or remove them from Data.")
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
        ConcurrentWidgetMixin.__init__(self)
        OWBaseLearner.__init__(self)

    # Layout

    def add_main_layout(self):
        changed = self.settings_changed
        box = gui.vBox(self.controlArea, "Discretization")
        self.discretization_combo = gui.comboBox(
            box, self, "discretization", items=tuple(DISCRETIZERS),
            sendSelectedValue=True, callback=changed)
        self.k_box = gui.radioButtons(box, self, "choose_k", callback=changed)
        gui.appendRadioButton(self.k_box, "Choose k by validation")
        row = gui.hBox(self.k_box)
        gui.appendRadioButton(self.k_box, "Fixed k:", insertInto=row)
        self.k_spin = gui.spin(row, self, "fixed_k", 1, 999, callback=changed,
                               alignment=Qt.AlignRight, controlWidth=70)
        self.n0_spin = gui.spin(box, self, "n0", 1, 10 ** 7, step=100, label="N0:",
                                callback=changed, alignment=Qt.AlignRight,
                                controlWidth=90)

        box = gui.vBox(self.controlArea, "Attribute weighting")
        self.weighting_combo = gui.comboBox(
            box, self, "weighting", callback=changed,
            items=[weighting.label for weighting in WEIGHTINGS])
        self.objective_combo = gui.comboBox(
            box, self, "objective", label="Objective:", callback=changed,
            items=[title for _, title, _ in OBJECTIVES], orientation=Qt.Horizontal)
        self.max_iter_spin = gui.spin(
            box, self, "max_iter", 1, 10 ** 5, step=10, label="Iterations:",
            callback=changed, alignment=Qt.AlignRight, controlWidth=90)
        for spin in (self.k_spin, self.n0_spin, self.max_iter_spin):
            spin.setKeyboardTracking(False)  # or each digit starts a computation
        gui.rubber(self.controlArea)

        self._describe_items()
        self._update_controls()
        self.view = WeightsView()
        self.view.pressed.connect(self._on_view_pressed)
        self.view.show_message(CONNECT_DATA)
        self.mainArea.layout().addWidget(self.view)

    def _describe_items(self):
        methods = [f"{method.title}: {method.description}"
                   for method in DISCRETIZERS.values()]
        weightings = [weighting.description for weighting in WEIGHTINGS]
        for combo, tips in ((self.discretization_combo, methods),
                            (self.weighting_combo, weightings)):
            for index, tip in enumerate(tips):
                combo.setItemData(index, tip, Qt.ToolTipRole)

    def sizeHint(self):
        return QSize(760, 520)

    # Settings

    @property
    def learner_settings(self):
        """What the controls say."""
        k = "auto" if self.choose_k == 0 else self.fixed_k
        return LearnerSettings(self.discretization, k, self.n0, self.weighting,
                               self.objective, self.max_iter)

    def settings_changed(self, *args, **kwargs):
        self._update_controls()
        super().settings_changed(*args, **kwargs)

    def _update_controls(self):
        """Disable what has no effect, and say why."""
        settings = self.learner_settings
        method = DISCRETIZERS[self.discretization]
        sadd = "" if settings.uses_unlabelled else \
            f"{method.name} has no such parameter; SADD has."
        fixed = "" if self.choose_k else "Choose a fixed k to set it."
        search = "" if settings.weighting.optimizes else \
            "This weighting does not search for weights, so it has no such parameter."
        for control, obstacle, tip in (
                (self.k_box, sadd, TIPS["k"]),
                (self.k_spin, sadd or fixed, TIPS["k"]),
                (self.n0_spin.box, sadd, TIPS["n0"]),
                (self.objective_combo.box, search, OBJECTIVE_TIP),
                (self.max_iter_spin.box, search, ITERATIONS_TIP)):
            control.setEnabled(not obstacle)
            control.setToolTip(obstacle or tip)
        self.discretization_combo.setToolTip(f"{method.title}: {method.description}")
        self.weighting_combo.setToolTip(settings.weighting.description)

    @classmethod
    def migrate_settings(cls, settings, version):
        # What a newer version may know and this one does not becomes the default
        if settings.get("discretization") not in DISCRETIZERS:
            settings.pop("discretization", None)
        for name, items in (("weighting", WEIGHTINGS), ("objective", OBJECTIVES),
                            ("choose_k", (0, 1))):
            if settings.get(name) not in range(len(items)):
                settings.pop(name, None)

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
        # so that handleNewSignals makes new ones
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
            # What the base class does here would let Apply send the new name, but
            # forget other settings that have been changed
            self.settings_changed()

    # Model

    def check_data(self):
        self.valid_data = False
        if self.data is None:
            return False
        obstacle = find_obstacle(self.data)
        self.Error.data_error(obstacle, shown=bool(obstacle))
        self.valid_data = not obstacle
        return self.valid_data

    def update_model(self):
        self.cancel()
        self.show_fitting_failed(None)
        self.Error.out_of_memory.clear()
        self.Warning.stopped.clear()
        self._tell_about_pool(None)
        self.model = self.weights = None
        if self.check_data():
            self.view.show_message("Fitting...", "Stop")
            self.start(fit, self.learner, self.data)
        else:
            self.view.show_message(
                self.Error.data_error.formatted if self.Error.data_error.is_shown()
                else CONNECT_DATA)
            self._send_model()

    def on_done(self, fitted):
        self.model = fitted.model
        self.model.name = self.effective_learner_name()
        self.model.instances = self.data
        self.weights = weights_output(self.model)
        self.view.show_model(self.model)
        self._tell_about_pool(fitted.pool)
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

    # Telling

    def _tell_about_pool(self, pool):
        n_known = pool.n_known if pool else 0
        self.Information.known_rows(
            f"{n_known:,} {pl(n_known, 'row')}", pl(n_known, "is|are"),
            pl(n_known, "is|are"), shown=n_known > 0)
        self.Warning.no_shared_columns(shown=bool(pool) and not pool.has_columns)
        self.Warning.missing_columns(
            listed(pool.missing) if pool else "",
            shown=bool(pool) and pool.has_columns and bool(pool.missing))

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
