"""The settings of RNB+: recipe, discretization, pseudo-labels, weighting."""

from AnyQt.QtCore import Qt
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from orangecontrib.sadd.classification import RECIPES
from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.widgets.common import controls, methodcontrols
from orangecontrib.sadd.widgets.common.labellercontrols import (
    LABELLERS,
    VALID_LABELLING,
    LabellerMixin,
)
from orangecontrib.sadd.widgets.rnbplus.weightings import (
    OBJECTIVES,
    RECIPE_TITLES,
    WEIGHTINGS,
    LearnerSettings,
)

__all__ = ["VERSION", "LearnerControlsMixin", "migrate"]

OBJECTIVE_TIP = "What the search for weights minimizes on training data."
ITERATIONS_TIP = ("The largest number of iterations. The authors of RNB use 100; more "
                  "seldom make predictions more accurate.")
COUNTS_TIP = ("Unlabelled rows count in the probabilities of values and classes, too, "
              "by the probabilities of their classes; otherwise in intervals alone.")
SHRINKAGE_TIP = ("How strongly weights are drawn to those of naive Bayes, so that they "
                 "do not overfit few rows; 0 is as published.")

LARGEST_SHRINKAGE, MOST_ITERATIONS = 1000, 10 ** 5

# Of settings in a workflow; those that workflows of the first version lack
VERSION = 3
PUBLISHED = {"recipe": 0, "labeller": 0, "min_confidence": 0, "counts_pool": False,
             "shrinkage": 0.}


def migrate(settings, version):
    """Change settings of an older version, or of a damaged file, in place."""
    if version < 2:  # not what the user chose last in a newer workflow
        for name, value in PUBLISHED.items():
            settings.setdefault(name, value)
    methodcontrols.migrate_parameters(settings, version)
    # What is not valid gets its default; an unknown method gets a message, too
    controls.keep_valid(settings, {
        "discretization": lambda method: isinstance(method, str),
        "weighting": controls.is_whole(0, len(WEIGHTINGS) - 1),
        "objective": controls.is_whole(0, len(OBJECTIVES) - 1),
        "max_iter": controls.is_whole(1, MOST_ITERATIONS),
        "recipe": controls.is_whole(0, len(RECIPE_TITLES) - 1),
        "counts_pool": lambda value: isinstance(value, bool),
        "shrinkage": lambda value: isinstance(value, float | int)
        and 0 <= value <= LARGEST_SHRINKAGE, **VALID_LABELLING})


class LearnerControlsMixin(LabellerMixin):
    """
    What RNB+ has to choose a learner.

    A widget must be an `OWBaseLearner`, whose `settings_changed` is called, and have
    the warning `unknown_method`.
    """

    discretization = Setting("SADD")
    recipe = Setting(0)
    # Values by name of the parameter, by method
    method_parameters = Setting({})
    counts_pool = Setting(False)
    weighting = Setting(0)
    objective = Setting(0)
    shrinkage = Setting(0.)
    max_iter = Setting(100)

    @property
    def learner_settings(self):
        """The values of the controls."""
        parameters = Parameters(
            self.discretization, self.method_numbers.values(self.discretization),
            self.k, labeller=self.chosen_labeller,
            min_confidence=self.least_confidence)
        return LearnerSettings(
            parameters, self.weighting, self.objective, self.max_iter,
            self.counts_pool, self.shrinkage, RECIPE_TITLES[self.recipe][0])

    def add_learner_controls(self):
        """Add the controls to the control area."""
        changed = self.settings_changed
        self.recipe_combo = controls.add_combo(
            gui.vBox(self.controlArea, "Recipe"), self, "recipe",
            [(title, tip) for _, title, tip in RECIPE_TITLES], self._on_recipe_changed)
        box = gui.vBox(self.controlArea, "Discretization")
        self.discretization_combo = methodcontrols.add_method_combo(
            box, self, "discretization", self._on_discretization_changed)
        self.method_numbers = methodcontrols.MethodParameters(self.method_parameters)
        self.method_numbers.changed.connect(self._on_numbers_changed)
        box.layout().addWidget(self.method_numbers)
        self.n0_spin = self.method_numbers.controls["SADD", "n0"].spin

        box = gui.vBox(self.controlArea, "Pseudo-labels")
        self.add_labeller_controls(box, changed)
        self.counts_check = gui.checkBox(
            box, self, "counts_pool", "Count in probabilities", callback=changed)
        self._add_weighting_controls(gui.vBox(self.controlArea, "Attribute weighting"))
        gui.rubber(self.controlArea)
        for control, name in (
                (self.recipe_combo, "Recipe"), (self.name_line_edit, "Name"),
                (self.discretization_combo, "Discretization"),
                (self.weighting_combo, "Attribute weighting"),
                (self.objective_combo, "Objective"),
                (self.shrinkage_spin, "Shrinkage"),
                (self.max_iter_spin, "Iterations")):
            control.setAccessibleName(name)

    def _add_weighting_controls(self, box):
        changed = self.settings_changed
        self.weighting_combo = controls.add_combo(
            box, self, "weighting", [(weighting.label, weighting.description)
                                     for weighting in WEIGHTINGS], changed)
        self.objective_combo = controls.add_combo(
            box, self, "objective", [(title, "") for _, title, _ in OBJECTIVES],
            changed, "Objective:")
        self.shrinkage_spin = gui.doubleSpin(
            box, self, "shrinkage", 0, LARGEST_SHRINKAGE, .1, decimals=1,
            label="Shrinkage:", alignment=Qt.AlignRight, controlWidth=90,
            callback=changed)
        self.shrinkage_spin.setKeyboardTracking(False)
        self.max_iter_spin = controls.add_spin(
            box, self, "max_iter", MOST_ITERATIONS, changed, step=10,
            label="Iterations:", controlWidth=90)

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

    def _on_numbers_changed(self, is_dragging):
        if not is_dragging:  # a model is fitted when the slider is released
            self.method_parameters = self.method_numbers.stored()
            self.settings_changed()

    def update_learner_controls(self):
        """Disable what has no effect, and say why."""
        settings = self.learner_settings
        sadd = "" if settings.uses_unlabelled else \
            f"{self.discretization} has no such parameter; SADD does."
        search = "" if settings.weighting.optimizes else \
            "This weighting does not search for weights, so it has no such parameter."
        for control, obstacle, tip in (
                (self.counts_check, sadd, COUNTS_TIP),
                (self.objective_combo.box, search, OBJECTIVE_TIP),
                (self.shrinkage_spin.box, search, SHRINKAGE_TIP),
                (self.max_iter_spin.box, search, ITERATIONS_TIP)):
            controls.set_obstacle(control, obstacle, tip)
        self.method_numbers.show_method(self.discretization)
        self.update_labeller_controls(sadd)
        self.recipe_combo.setToolTip(RECIPE_TITLES[self.recipe][2])
        self.discretization_combo.setToolTip(
            methodcontrols.describe_method(self.discretization))
        self.weighting_combo.setToolTip(settings.weighting.description)

    def describe_learner(self):
        """Return names and values of the settings, for a report."""
        settings = self.learner_settings
        method, *items = settings.described()
        items = [method, *self.method_numbers.describe(self.discretization), *items]
        if settings.uses_unlabelled:
            items = [("Recipe", RECIPE_TITLES[self.recipe][1]), *items,
                     *self.describe_labeller_settings()]
        return items
