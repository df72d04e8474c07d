"""Folds: boxes that open by a click on a title with a summary of their settings."""

from AnyQt.QtCore import QSignalBlocker, Qt
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.core.registry import DISCRETIZERS
from orangecontrib.sadd.explain.descriptions import describe_score
from orangecontrib.sadd.scripting.labelling import score_labellers
from orangecontrib.sadd.scripting.tables import rows_of
from orangecontrib.sadd.widgets.common.controls import (
    Choice,
    arrange,
    set_obstacle,
    wrap_tip,
)
from orangecontrib.sadd.widgets.common.tasks import Task, make_callback

__all__ = ["LABELLERS", "LARGEST_K", "Fold", "LimitsFold", "PseudoLabelsFold"]

# SADD has all limits, and all parameters of labellers
PARAMETERS = DISCRETIZERS["SADD"].parameters

#: Names for scripts, titles and descriptions
LABELLERS = {
    "neighbours": ("Neighbours", "The nearest labelled rows vote, as in the paper."),
    "committee": ("Committee", "The mean of the probabilities of logistic regression "
                               "and of random trees."),
}
K_CHOICES = {
    "auto": ("by leave-one-out", "Choose k by leaving out one labelled row at a time."),
    "validation": ("as in the paper", "Choose k on a part of the labelled rows, as in "
                                      "the paper."),
    "fixed": ("fixed", "Set k to the number on the right."),
}
SCORE_TIP = ("Labelled rows that the labeller predicts correctly when they are left "
             "out, and the error of this number. k is chosen without the left-out row.")
DEFAULTS = {name: PARAMETERS[name].default
            for name in ("k", "labeller", "min_confidence", "standardize")}
NO_UNLABELLED = ("There are no unlabelled rows. Connect Unlabelled Data, or Data in "
                 "which some rows have no class.")
NO_CLASSES = "There are no labelled rows of two classes, so nothing is predicted."

FIRST_K, LARGEST_K = 5, 999


class Fold(QWidget):
    """
    A box below a title; a click on the title opens and closes it.

    The setting `folds` of the window stores whether a user opened or closed it.

    Parameters
    ----------
    window : OWWidget
        It has the setting ``folds = Setting({}, schema_only=True)``.
    key : str
        For the setting.
    title : str

    Attributes
    ----------
    form : QFormLayout
        Where controls are added.
    """

    def __init__(self, window, key, title):
        super().__init__()
        self._window, self._key, self._title = window, key, title
        self.button = QToolButton(
            text=title, checkable=True, autoRaise=True, arrowType=Qt.RightArrow,
            toolButtonStyle=Qt.ToolButtonTextBesideIcon)
        # As wide as the window allows: Qt elides the title
        self.button.setSizePolicy(QSizePolicy.Ignored, QSizePolicy.Fixed)
        self.button.setStyleSheet("QToolButton { border: none; }")
        self.button.toggled.connect(self._on_toggled)
        self.button.clicked.connect(self._on_clicked)
        self.body = QWidget()
        self.form = QFormLayout(
            self.body, fieldGrowthPolicy=QFormLayout.AllNonFixedFieldsGrow)
        self.form.setContentsMargins(18, 0, 0, 6)
        self.form.setVerticalSpacing(4)
        arrange(QVBoxLayout(self), self.button, self.body, spacing=2)
        self.body.setVisible(False)
        self.button.setChecked(window.folds.get(key, False))

    @property
    def is_open(self):
        """Whether the controls are shown."""
        return self.button.isChecked()

    def open_if(self, wanted):
        """Open the fold unless the user has closed it."""
        if wanted and self._key not in self._window.folds:
            self.button.setChecked(True)

    def set_summary(self, text, tip=""):
        """Show a summary beside the title."""
        title = f"{self._title}: {text}" if text else self._title
        self.button.setText(title)
        self.button.setToolTip(wrap_tip(tip or title))
        self.button.setAccessibleName(title)

    def _on_toggled(self, opened):
        self.button.setArrowType(Qt.DownArrow if opened else Qt.RightArrow)
        self.body.setVisible(opened)

    def _on_clicked(self, opened):
        self._window.folds = {**self._window.folds, self._key: opened}


class PseudoLabelsFold(Fold):
    """
    The choice of a labeller and of its parameters.

    Parameters
    ----------
    window : OWWidget
        See `Fold`.
    stored : dict
        A `value`.
    for_tables : bool
        Whether the labeller is the labeller of SADD Tables: a committee by default,
        with fixed k and standardization.

    Attributes
    ----------
    scorer : Task
        Estimates the accuracy of each labeller.
    """

    changed = Signal()

    def __init__(self, window, stored, for_tables=False):
        super().__init__(window, "labels", "Pseudo-labels")
        #: The learner connected to the input Labeller, or None
        self.learner = None
        self._for_tables = for_tables
        self._judged = None
        self._defaults = {
            **DEFAULTS, **({"labeller": "committee"} if for_tables else {})}
        self.scorer = Task(self)
        self.scorer.done.connect(self._show_scores)
        self.k_combo = Choice(K_CHOICES, "auto", "Choice of k")
        self.k_spin = QSpinBox(minimum=1, maximum=LARGEST_K, accessibleName="k")
        self.labeller_combo = Choice(LABELLERS, "neighbours", "Labeller")
        self.confidence_spin = QSpinBox(
            maximum=100, singleStep=5, suffix=" %", specialValueText="any",
            toolTip=wrap_tip(PARAMETERS["min_confidence"].description),
            accessibleName="Minimum confidence")
        self.standardize_check = QCheckBox(PARAMETERS["standardize"].title)
        #: The accuracy of the labeller, and its k
        self.score_label = QLabel("\n", toolTip=wrap_tip(SCORE_TIP))
        k_row = QWidget(visible=not for_tables)
        arrange(QHBoxLayout(k_row), QLabel("k:"), self.k_combo, self.k_spin,
                stretched=self.k_combo)
        self.standardize_check.setVisible(not for_tables)
        self.form.addRow(arrange(QHBoxLayout(), QLabel("Labeller:"),
                                 self.labeller_combo, stretched=self.labeller_combo,
                                 spacing=6))
        self.form.addRow(k_row)
        self.form.addRow("Minimum confidence:", self.confidence_spin)
        self.form.addRow(self.standardize_check)
        self.form.addRow(self.score_label)
        self.value = stored
        for combo in (self.k_combo, self.labeller_combo):
            combo.activated.connect(self._on_changed)
        for spin in (self.k_spin, self.confidence_spin):
            spin.setKeyboardTracking(False)  # or each digit starts a computation
            spin.valueChanged.connect(self._on_changed)
        self.standardize_check.clicked.connect(self._on_changed)
        self.open_if(self.value != self._defaults)

    @property
    def title(self):
        """The labeller, for people."""
        return LABELLERS[self._labeller][0] if self.learner is None \
            else self.learner.name

    @property
    def value(self):
        """Plain values by name, as they are kept in a workflow."""
        k = self.k_combo.value
        return {"k": self.k_spin.value() if k == "fixed" else k,
                "labeller": self._labeller,
                "min_confidence": self.confidence_spin.value() / 100 or 0,
                "standardize": self.standardize_check.isChecked()}

    @value.setter
    def value(self, stored):
        values = {**self._defaults, **stored}
        k, is_fixed = values["k"], isinstance(values["k"], int)
        # The choice of the user, which a connected learner replaces
        self._labeller = values["labeller"]
        with QSignalBlocker(self):
            self.k_combo.value = "fixed" if is_fixed else k
            self.k_spin.setValue(k if is_fixed else FIRST_K)
            self.confidence_spin.setValue(round(100 * values["min_confidence"]))
            self.standardize_check.setChecked(values["standardize"])
        self.connect_learner(self.learner)

    def parameters(self):
        """Return parameters of `Parameters`, with the connected learner if any."""
        return {**self.value, "labeller": self.learner or self._labeller}

    def described(self):
        """Return titles and values, for a report."""
        values, k = self.parameters(), self.k_combo.currentText()
        items = [("Labeller", self.title)]
        if values["labeller"] == "neighbours" and not self._for_tables:
            items.append(("k", str(values["k"]) if k == "fixed" else k))
        if values["min_confidence"]:
            items.append(("Minimum confidence", self.confidence_spin.text()))
        return items if self._for_tables else [
            *items, ("Standardize variables", "yes" if values["standardize"] else "no")]

    def connect_learner(self, learner):
        """Use a learner, or the chosen labeller if it is None."""
        self.learner = learner
        combo = self.labeller_combo
        if combo.count() > len(LABELLERS):
            combo.removeItem(len(LABELLERS))
        combo.value = self._labeller
        if learner is not None:
            combo.addItem(f"{learner.name} (connected)")
            combo.setCurrentIndex(len(LABELLERS))
        self.update_controls()

    def show_labelling(self, labelling, obstacle="", n_waiting=0):
        """
        Show how many pseudo-labels are used, and their estimated accuracy.

        Parameters
        ----------
        labelling : PseudoLabels or None
            None if it is not computed.
        obstacle : str
            Why the controls have no effect; "" enables them.
        n_waiting : int
            Unlabelled rows that are connected without Data.
        """
        self.body.setEnabled(not obstacle)
        self.score_label.setText("\n")
        if n_waiting:
            waits = pl(n_waiting, "row waits|rows wait")
            self.set_summary(f"{n_waiting:,} {waits} for Data",
                             f"{n_waiting:,} unlabelled {waits} for Data.")
        elif obstacle:
            self.set_summary("not used", obstacle)
        elif labelling is None:
            self.set_summary("")
        else:
            n_rows = f"{labelling.n_rows:,} {pl(labelling.n_rows, 'row')}"
            if labelling.n_confident < labelling.n_rows:
                n_rows = f"{labelling.n_confident:,} of {n_rows}"
            self.set_summary(f"{n_rows} used", f"{n_rows} without a class are used.")
            k = "" if labelling.k is None else f"k = {labelling.k}" + (
                "" if self.k_combo.value == "fixed" and not self._for_tables
                else f", {self.k_combo.currentText()}")
            self.score_label.setText(f"{describe_score(labelling.score)}\n{k}")

    def judge(self, data, unlabelled):
        """Estimate the accuracy of each labeller in a thread; no data clears it."""
        parameters = {name: (self._defaults if self._for_tables else self.value)[name]
                      for name in ("k", "standardize")}
        judged = data, unlabelled, parameters
        if judged == self._judged:  # the same tables
            return
        self._judged = judged
        self.scorer.cancel()
        self._show_scores([None] * len(LABELLERS))
        if data is not None:
            self.scorer.start(score_choices, data, unlabelled, parameters)

    def _show_scores(self, scores):
        for index, ((title, tip), score) in enumerate(zip(
                LABELLERS.values(), scores, strict=True)):
            self.labeller_combo.setItemText(index, title if score is None else
                                            f"{title}: {100 * score.share:.0f} % right")
            self.labeller_combo.setItemData(index, wrap_tip(
                tip if score is None else f"{describe_score(score)}. {tip}"),
                Qt.ToolTipRole)

    def update_controls(self):
        """Disable controls without effect, and show the reason."""
        values = self.parameters()
        no_k = "" if values["labeller"] == "neighbours" else \
            f"{self.title} has no k. Choose Neighbours to set it."
        connected = "" if self.learner is None else \
            "The connected labeller is used. Disconnect it to choose another one."
        raw = "" if self.learner is None else \
            "The connected labeller preprocesses data by itself."
        self.k_spin.setVisible(isinstance(values["k"], int))
        for control in (self.k_combo, self.k_spin):
            set_obstacle(control, no_k, PARAMETERS["k"].description)
        set_obstacle(self.labeller_combo, connected,
                     LABELLERS[self._labeller][1])
        set_obstacle(self.standardize_check, raw, PARAMETERS["standardize"].description)

    def _on_changed(self, *_):
        if not self.signalsBlocked():
            if self.learner is None:
                self._labeller = self.labeller_combo.value
            self.update_controls()
            self.changed.emit()


def score_choices(data, unlabelled, parameters, state):
    """Estimate the accuracy of each labeller; None for all if this fails."""
    return score_labellers(rows_of(data, unlabelled), list(LABELLERS), **parameters,
                           callback=make_callback(state))


class LimitsFold(Fold):
    """Limits of intervals, the same for all methods that have them."""

    changed = Signal()

    def __init__(self, window, stored):
        super().__init__(window, "limits", "Limits")
        self.spins = {}
        for name in ("min_samples", "max_intervals"):
            limit = PARAMETERS[name]
            spin = QSpinBox(maximum=limit.highest, specialValueText="no limit",
                            toolTip=wrap_tip(limit.description), keyboardTracking=False,
                            accessibleName=limit.title)
            spin.valueChanged.connect(self._on_changed)
            self.spins[name] = spin
            self.form.addRow(f"{limit.title}:", spin)
        self.missing_check = QCheckBox(
            PARAMETERS["missing"].title,
            toolTip=wrap_tip(PARAMETERS["missing"].description))
        self.missing_check.toggled.connect(self._on_changed)
        self.form.addRow(self.missing_check)
        self.value = stored
        self.open_if(bool(self.value))
        self._summarize()

    @property
    def value(self):
        """The limits that are set, as they are kept in a workflow."""
        limits = {name: spin.value() for name, spin in self.spins.items()
                  if spin.value()}
        return {**limits, "missing": True} if self.missing_check.isChecked() else limits

    @value.setter
    def value(self, stored):
        with QSignalBlocker(self):
            for name, spin in self.spins.items():
                spin.setValue(stored.get(name) or 0)
            self.missing_check.setChecked(stored.get("missing", False))

    def show_method(self, method):
        """Disable limits that a method does not have."""
        for name, spin in self.spins.items():
            has_limit = name in DISCRETIZERS[method].parameters
            spin.setEnabled(has_limit)
            self.form.labelForField(spin).setEnabled(has_limit)

    def described(self):
        """Return titles and values, for a report."""
        return [(PARAMETERS[name].title, "yes" if value is True else f"{value:,}")
                for name, value in self.value.items()]

    def _on_changed(self, *_):
        self._summarize()
        if not self.signalsBlocked():
            self.changed.emit()

    def _summarize(self):
        limits = self.value
        texts = [text.format(limits[name]) for name, text in (
            ("min_samples", "≥ {:,} rows"), ("max_intervals", "≤ {:,} intervals"),
            ("missing", "missing")) if name in limits]
        self.set_summary(", ".join(texts) or "none")
