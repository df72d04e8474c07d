"""RNB+: naive Bayes with learned weights, and discretization by unlabelled rows."""

import numpy as np
from AnyQt.QtWidgets import QSpinBox
from Orange.data import Table
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.utils.localization import pl
from Orange.widgets.utils.widgetpreview import WidgetPreview
from Orange.widgets.widget import Output

from orangecontrib.sadd.core.registry import CLASSIFIERS, make_discretizer
from orangecontrib.sadd.explain.contributions import bayes_contributions
from orangecontrib.sadd.explain.outputs import weights_output
from orangecontrib.sadd.scripting.classification import (
    AIWNBLearner,
    CAWNBLearner,
    NBLearner,
    RNBLearner,
    RNBPlusLearner,
    WANBIALearner,
)
from orangecontrib.sadd.scripting.learner_base import DiscretizingLearner
from orangecontrib.sadd.widgets.common.controls import Choice, value_colours, wrap_tip
from orangecontrib.sadd.widgets.common.folds import Fold
from orangecontrib.sadd.widgets.common.modelwindow import ModelWindow
from orangecontrib.sadd.widgets.common.numbertable import NumberColumn

__all__ = ["OWRNBPlus"]

IMPORTANCE_TIP = "Information about the class, in bits, times the weight."
NO_SHARE = "Their share in predictions is 0, so they have no effect."
OBJECTIVE_TIP = "The loss on training data that the search for weights minimizes."
ITERATIONS_TIP = ("Maximum number of iterations. The paper uses 100. More iterations "
                  "seldom improve predictions.")
OPTIMAL_START = "The starting weights are optimal"
NO_SEARCH = "This weighting does not search for weights."
MOST_ITERATIONS = 10 ** 5


# Learners by name in the table of classifiers. The setting is an index of these: append
# to them, do not sort them
WEIGHTINGS = {"RNB": RNBLearner, "CAWNB": CAWNBLearner, "WANBIA": WANBIALearner,
              "AIWNB eager": AIWNBLearner, "AIWNB lazy": AIWNBLearner, "NB": NBLearner}
CAWNB, EAGER = 1, 3
# The setting is an index of these
OBJECTIVES = (("squared_error", "Squared error"), ("log_loss", "Log loss"))


def describe(model, _):
    """Return the columns of the table of attributes, and outputs by name."""
    class_var, importances = model.domain.class_var, model.importances
    columns = [NumberColumn("Importance", importances, IMPORTANCE_TIP,
                            (0, importances.max(initial=0)))]
    has_effect = model.tables.n_values > 1
    if model.class_weights is not None:
        for name, weights, colour in zip(
                class_var.values, model.class_weights, value_colours(class_var),
                strict=True):
            columns.append(weight_column(
                name, weights, f"Weights for the class {name}.",
                has_effect, model.alpha != 0, (colour,), "Weight for"))
    if model.weights is not None:
        columns.append(weight_column(
            "Shared\nweight", model.weights, "Weights that are the same for all "
            "classes.", has_effect, model.alpha != 1))
    return columns, {"weights": weights_output(model)}


def weight_column(title, weights, tip, has_effect, is_used, colours=(), group=""):
    """Return a column of weights; NaN where an attribute has a single value."""
    return NumberColumn(
        title, np.where(has_effect, weights, np.nan),
        tip if is_used else f"{tip} {NO_SHARE}", colours=colours, is_used=is_used,
        group=group)


def describe_mixture(model):
    """Return sentences on alpha and on Nomogram, with a link to a weighting."""
    texts = []
    if model.weights is not None and model.class_weights is not None:
        kind = "shared" if not model.alpha else "class-specific" if model.alpha == 1 \
            else "both class-specific and shared"
        texts.append(f"Predictions use {kind} weights (α = {model.alpha:.3g}).")
    if model.fitted.additive:
        texts.append("Nomogram can show this model.")
    elif model.lazy is None:
        texts.append("Nomogram cannot show this mixture; it can show "
                     f'<a href="{CAWNB}">class-specific weights (CAWNB)</a>.')
    else:
        texts.append("Nomogram cannot show this model, which weights rows for each "
                     f'prediction; it can show <a href="{EAGER}">eager weights</a>.')
    return " ".join(texts)


class OWRNBPlus(ModelWindow):
    name = "RNB+"
    description = ("Learn regularized naive Bayes and related classifiers, with the "
                   "help of unlabelled rows.")
    icon = "icons/rnbplus.svg"
    priority = 20
    keywords = ("rnb+, rnb, naive bayes, bayes, regularized, weighted, wanbia, cawnb, "
                "aiwnb, semi-supervised, unlabelled, unlabeled, labels, sadd")

    # All learners that the widget makes are of this type
    LEARNER = DiscretizingLearner

    class Outputs(ModelWindow.Outputs):
        # Explicit. Otherwise the canvas would connect it, not the learner, to Test and
        # Score and other widgets that also take data.
        weights = Output("Weights", Table, dynamic=False, explicit=True,
                         doc="Weights of variables, a row for each.")

    settings_version = 4
    file_name = "weights.csv"

    weighting = Setting(0)
    objective = Setting(0)
    max_iter = Setting(100)

    VALID = {
        **ModelWindow.VALID,
        "weighting": lambda index: index in range(len(WEIGHTINGS)),
        "objective": lambda index: index in range(len(OBJECTIVES)),
        "max_iter": lambda number: 1 <= number <= MOST_ITERATIONS,
    }

    def add_controls(self):
        self.make_parts("Discretization")
        self.weighting_combo = Choice(
            {index: (f"{name} – {CLASSIFIERS[name].title}",
                     CLASSIFIERS[name].description)
             for index, name in enumerate(WEIGHTINGS)}, self.weighting, "Weighting")
        self.weighting_combo.activated.connect(self.settings_changed)
        self.parts["weighting"] = self.weighting_combo
        gui.vBox(self.controlArea, "Weighting").layout().addWidget(self.weighting_combo)
        self._make_search_fold()
        for fold in (self.discretization_fold, self.labels_fold, self.search_fold):
            self.controlArea.layout().addWidget(fold)

    def _make_search_fold(self):
        self.search_fold = Fold(self, "search", "Search")
        self.objective_combo = Choice(
            {index: (title, OBJECTIVE_TIP)
             for index, (_, title) in enumerate(OBJECTIVES)}, self.objective,
            "Objective")
        self.objective_combo.activated.connect(self.settings_changed)
        self.parts["objective"] = self.objective_combo
        self.max_iter_spin = QSpinBox(
            minimum=1, maximum=MOST_ITERATIONS, singleStep=10, value=self.max_iter,
            keyboardTracking=False, accessibleName="Iterations",
            toolTip=wrap_tip(ITERATIONS_TIP))
        self.max_iter_spin.valueChanged.connect(self.settings_changed)
        self.search_fold.form.addRow("Objective:", self.objective_combo)
        self.search_fold.form.addRow("Iterations:", self.max_iter_spin)
        self.search_fold.open_if(self.objective != 0 or self.max_iter != 100)

    def store_settings(self):
        super().store_settings()
        self.max_iter = self.max_iter_spin.value()

    def update_controls(self):
        super().update_controls()
        self.search_fold.body.setEnabled(self.searches)
        search = f"{self.max_iter:,} {pl(self.max_iter, 'iteration')}"
        if self.objective:
            search = f"{OBJECTIVES[self.objective][1].lower()}, {search}"
        self.search_fold.set_summary(
            *((search,) if self.searches else ("not used", NO_SEARCH)))

    @property
    def classifier(self):
        """The chosen weighting in the table of classifiers."""
        return CLASSIFIERS[list(WEIGHTINGS)[self.weighting]]

    @property
    def searches(self):
        """Whether the weighting searches for weights."""
        return "max_iter" in self.classifier.parameters

    def reset_settings(self):
        self.max_iter_spin.setValue(100)
        super().reset_settings()

    def add_main_layout(self):
        super().add_main_layout()
        self.view.note.linkActivated.connect(self._on_link)

    def _on_link(self, weighting):
        self.weighting_combo.value = int(weighting)
        self.settings_changed()

    # Learner

    def create_learner(self):
        parameters, learner = self.parameters, WEIGHTINGS[self.classifier.name]
        arguments = {**self.classifier.settings, "preprocessors": self.preprocessors}
        if self.searches:
            arguments.update(objective=OBJECTIVES[self.objective][0],
                             max_iter=self.max_iter)
        numbers = parameters.changed
        if parameters.uses_unlabelled:
            numbers.update(parameters.of_labeller)
            arguments["unlabelled"] = self.unlabelled
            if learner is RNBLearner:  # Parameter Fitter can vary k and N0
                return RNBPlusLearner(**numbers, **arguments)
        return learner(
            discretizer=make_discretizer(parameters.method, **numbers)
            if numbers else parameters.method, **arguments)

    def name_learner(self):
        """Return a name that distinguishes the learner in a table of scores."""
        name, *variants = self.classifier.name.split()
        if self.searches and self.objective:
            variants.append(OBJECTIVES[self.objective][1].lower())
        name += "+" * self.uses_unlabelled
        if variants:
            name += f" ({', '.join(variants)})"
        if not self.uses_unlabelled:
            return f"{name} with {self.discretization}"
        return f"{name} with unlabelled data" if self.unlabelled else name

    # Model

    describe = staticmethod(describe)
    explain = staticmethod(bayes_contributions)

    def notes(self):
        """Return a note on the mixture and Nomogram, a mark, and its tooltip."""
        note, losses = describe_mixture(self.model), self.model.loss_history
        if not len(losses):
            return note, "", ""
        if self.model.converged and not self.model.n_iter:
            return note, f"✓ {OPTIMAL_START}", f"{OPTIMAL_START}: no search was needed."
        _, mark, tip = super().notes()
        return note, mark, (f"{tip} The loss fell from {losses[0]:.4g} at the start to "
                            f"{self.model.loss:.4g}.")

    # Report

    def described(self):
        """Return names and values of the settings, for a report."""
        items = [("Weighting", self.weighting_combo.currentText())]
        if self.searches:
            items += [("Objective", OBJECTIVES[self.objective][1].lower()),
                      ("Iterations", f"at most {self.max_iter:,}")]
        return items


if __name__ == "__main__":
    iris = Table("iris")
    WidgetPreview(OWRNBPlus).run(set_data=iris[::3], set_unlabelled=iris)
