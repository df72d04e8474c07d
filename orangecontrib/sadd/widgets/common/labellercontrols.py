"""Who lends labels to unlabelled rows: settings, controls and messages."""

from AnyQt.QtWidgets import QLabel
from Orange.base import Learner
from Orange.widgets import gui
from Orange.widgets.settings import Setting
from Orange.widgets.widget import Input

from orangecontrib.sadd.explain.descriptions import (
    describe_score,
    describe_trusted,
    is_doubtful,
)
from orangecontrib.sadd.widgets.common import controls
from orangecontrib.sadd.widgets.common.methodcontrols import PARAMETER_TIPS

__all__ = ["LABELLERS", "VALID_LABELLING", "LabellerMixin", "labeller_input"]

# The setting is an index of these: append to them, do not sort them
LABELLERS = (
    ("neighbours", "Neighbours",
     "The nearest labelled rows vote, as in the paper."),
    ("committee", "Committee",
     "Logistic regression and 100 random trees, whose probabilities are averaged."),
)
CONFIDENCE_TIP = ("Unlabelled rows are ignored if the probability of their most likely "
                  "class, by the labeller, is below this.")
LARGEST_K = 999

# Checks of the settings of `LabellerMixin`, for `controls.keep_valid`
VALID_LABELLING = {
    "choose_k": controls.is_whole(0, 1),
    "fixed_k": controls.is_whole(1, LARGEST_K),
    "labeller": controls.is_whole(0, len(LABELLERS) - 1),
    "min_confidence": controls.is_whole(0, 100),
}


def labeller_input():
    """Return the input for a learner that labels rows."""
    # Not that of Orange.classification: kNN and others learn regression, too
    return Input("Labeller", Learner,
                 doc="A learner that lends labels to unlabelled rows.")


class LabellerMixin:
    """
    What both widgets have to choose a labeller.

    A widget must have the input `labeller`, whose handler calls `connect_labeller`, and
    the warning `doubtful_labels`.

    Attributes
    ----------
    connected_labeller : Learner or None
        It replaces what is chosen.
    labelling_label : StatusLabel
        Where the widget says how good the labels are.
    """

    choose_k = Setting(0)
    fixed_k = Setting(5)
    labeller = Setting(0)
    # In percent
    min_confidence = Setting(0)

    connected_labeller = labelling_label = None

    @property
    def k(self):
        """The number of neighbours, or "auto"."""
        return "auto" if self.choose_k == 0 else self.fixed_k

    @property
    def least_confidence(self):
        """The confidence below which rows are ignored, from 0 to 1."""
        return self.min_confidence / 100 if self.min_confidence else 0

    @property
    def chosen_labeller(self):
        """A learner or the name of a labeller."""
        return self.connected_labeller or LABELLERS[self.labeller][0]

    @property
    def labeller_title(self):
        """The labeller, for people."""
        if self.connected_labeller is not None:
            return self.connected_labeller.name
        return LABELLERS[self.labeller][1]

    def add_labeller_controls(self, box, callback):
        """Add the controls."""
        self.labeller_combo = controls.add_combo(
            box, self, "labeller", [(title, tip) for _, title, tip in LABELLERS],
            callback, "Labeller:")
        self.k_box = gui.radioButtons(box, self, "choose_k", callback=callback)
        gui.appendRadioButton(self.k_box, "Choose k by leave-one-out")
        row = gui.hBox(self.k_box)
        gui.appendRadioButton(self.k_box, "Fixed k:", insertInto=row)
        self.k_spin = controls.add_spin(
            row, self, "fixed_k", LARGEST_K, callback, controlWidth=70)
        self.confidence_box = gui.vBox(box)
        gui.widgetLabel(self.confidence_box, "Ignore below confidence:")
        self.confidence_slider = gui.hSlider(
            self.confidence_box, self, "min_confidence", minValue=0, maxValue=100,
            step=5, labelFormat="%d %%", callback=callback)
        for control, name in ((self.labeller_combo, "Labeller"), (self.k_spin, "k"),
                              (self.confidence_slider, "Ignore below confidence")):
            control.setAccessibleName(name)
        self.trust_label = QLabel()
        self.trust_label.hide()
        box.layout().addWidget(self.trust_label)

    def connect_labeller(self, learner):
        """Let a learner label rows, or again what is chosen if it is None."""
        self.connected_labeller = learner
        combo = self.labeller_combo
        while combo.count() > len(LABELLERS):
            combo.removeItem(combo.count() - 1)
        if learner is not None:
            combo.addItem(f"{learner.name} (connected)")
        combo.setCurrentIndex(self.labeller if learner is None else len(LABELLERS))

    def update_labeller_controls(self, obstacle=""):
        """Disable controls without effect, and say why."""
        connected = self.connected_labeller is not None
        neighbours = "" if self.chosen_labeller == "neighbours" else (
            f"{self.labeller_title} needs no k; choose Neighbours to set it.")
        fixed = "" if self.choose_k else "Choose a fixed k to set it."
        tip = PARAMETER_TIPS["k"]
        for control, reason, text in (
                (self.labeller_combo, obstacle or (
                    "The learner that is connected to Labeller lends the labels. "
                    "Disconnect it to choose another labeller." if connected else ""),
                 LABELLERS[self.labeller][2]),
                (self.k_box, obstacle or neighbours, tip),
                (self.k_spin, obstacle or neighbours or fixed, tip),
                (self.confidence_box, obstacle, CONFIDENCE_TIP)):
            controls.set_obstacle(control, reason, text)

    def show_labelling(self, labelling):
        """Show how far to trust the labels; None if there are none."""
        doubtful = labelling is not None and is_doubtful(labelling.score)
        self.Warning.doubtful_labels(
            describe_score(labelling.score) if doubtful else "", shown=doubtful)
        self.labelling_label.set_doubtful(doubtful)
        ignores = labelling is not None and self.min_confidence > 0
        self.trust_label.setText(describe_trusted(labelling) if ignores else "")
        self.trust_label.setVisible(ignores)

    def describe_labeller_settings(self):
        """Return names and values of the settings, for a report."""
        items = [("Labeller", self.labeller_title)]
        if self.chosen_labeller == "neighbours":
            items.append(("k", "chosen by leave-one-out"
                          if self.choose_k == 0 else str(self.fixed_k)))
        if self.min_confidence:
            items.append(("Ignore below confidence", f"{self.min_confidence} %"))
        return items
