"""How many left-out rows naive Bayes predicts correctly by the intervals."""

from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtWidgets import QHBoxLayout

from orangecontrib.sadd.explain.descriptions import describe_naive_bayes
from orangecontrib.sadd.explain.resampling import cross_validate, is_large
from orangecontrib.sadd.scripting.labelling import LabellerError
from orangecontrib.sadd.scripting.treatments import variable_key
from orangecontrib.sadd.widgets.common.controls import wrap_tip
from orangecontrib.sadd.widgets.common.tasks import ScoreLine, make_callback

__all__ = ["NaiveBayesLine"]

TIP = ("Left-out labelled rows that naive Bayes predicts correctly in {} folds. "
       "Intervals are found in all other rows. Categorical variables are also used. "
       "Differences are compared by McNemar's test on the same rows.")
LARGE = "Naive Bayes: cross-validation of large data takes a while."
FAILED = "Naive Bayes: the labeller fails if rows are left out."


def validate(findings, treatments, state):
    """Cross-validate one or two methods, in a thread; None if a labeller fails."""
    analysis, callback = findings.analysis, make_callback(state)
    try:
        results = [cross_validate(analysis, findings.parameters, treatments, callback)]
        if findings.compared_parameters is not None:
            results.append(cross_validate(
                analysis, findings.compared_parameters, callback=callback))
    except LabellerError:
        return None
    return results


class NaiveBayesLine(ScoreLine):
    """The line, grey if a user placed cuts, disabled if it is about earlier cuts."""

    #: Figures of the method and of the compared one, None if there is none
    validated = Signal(object, object)

    def __init__(self):
        super().__init__(QHBoxLayout)
        self._findings, self._by_hand = None, False
        self.button.clicked.connect(self._validate_again)
        self.validator.done.connect(self._on_validated)

    def _validate_again(self):
        if self._findings is not None:
            self._validate(self._findings.treatments)

    def clear(self):
        """Forget the findings."""
        self.validator.cancel()
        self._findings = None

    def set_stale(self):
        """Cancel the computation, and show that the line is about earlier cuts."""
        self.validator.cancel()
        self.label.setEnabled(False)

    def show_findings(self, findings):
        """Cross-validate a `Findings`, or wait for a click if data is large."""
        self._findings, analysis = findings, findings.analysis
        waits = analysis.has_classes and is_large(analysis)
        self.label.setVisible(analysis.has_classes)
        self.button.setVisible(waits)
        if waits:
            self._show(LARGE, False)
        elif analysis.has_classes:
            self._validate(findings.treatments)

    def show_dragged(self, variable, cuts):
        """Cross-validate other cuts of a variable, unless data is large."""
        if self._findings is None:
            return
        analysis = self._findings.analysis
        if analysis.has_classes and not is_large(analysis):
            self._validate({**self._findings.treatments, variable_key(variable): cuts})

    def _validate(self, treatments):
        self._by_hand = bool(treatments) and not all(
            isinstance(treatments.get(variable_key(variable), ""), str)
            for variable in self._findings.analysis.variables)
        self.start(validate, self._findings, treatments)

    def _on_validated(self, results):
        if results is None:
            self.label.setText(FAILED)
            return
        self.validated.emit(*results, *[None] * (2 - len(results)))
        names = self._findings.parameters.method, self._findings.compared_method
        self._show(describe_naive_bayes(list(zip(names, results, strict=False)),
                                        self._by_hand), self._by_hand)
        self.label.setToolTip(wrap_tip(TIP.format(results[0].n_folds)))

    def _show(self, text, is_grey):
        self.label.setText(text)
        self.label.set_grey(is_grey)
        self.label.setEnabled(True)
