"""The choice of a method, of its parameters, and of another one to compare with."""

from AnyQt.QtWidgets import QLabel
from Orange.widgets.settings import Setting
from Orange.widgets.utils.localization import pl

from orangecontrib.sadd.explain.parameters import Parameters
from orangecontrib.sadd.widgets.common import methodcontrols

__all__ = ["MethodMixin"]


class MethodMixin:
    """
    What SADD Discretize has to choose two methods.

    A widget must be a `LabellerMixin` with the setting `normalize`, and have the
    warning `unknown_method`.

    Attributes
    ----------
    is_dragging : bool
        Whether a slider is being dragged, so that more changes will follow.
    """

    method = Setting("SADD")
    compared_method = Setting("MDLP")
    # Values by name of the parameter, by method
    method_parameters = Setting({})

    is_dragging = False

    def make_methods_valid(self):
        """Replace methods that cannot be used."""
        methodcontrols.replace_unknown_method(self, "method")
        self._avoid_same_methods()

    def add_method_controls(self, box, on_changed, on_dragged):
        """Add the controls; the latter callback is for a slider that is dragged."""
        self._on_methods_changed = on_changed
        self._on_slider_dragged = on_dragged
        self.method_combo = methodcontrols.add_method_combo(
            box, self, "method", self._on_method_changed)
        self.method_numbers = methodcontrols.MethodParameters(self.method_parameters)
        self.method_numbers.changed.connect(self._on_numbers_changed)
        box.layout().addWidget(self.method_numbers)
        self.n0_spin = self.method_numbers.controls["SADD", "n0"].spin
        self.cuts_label = QLabel(
            toolTip="Cuts that the method finds, before you edit any")
        methodcontrols.add_method_combo(
            box, self, "compared_method", self._on_compared_changed, none="(none)",
            label="Compare with:")

    def update_method_controls(self):
        """Show the parameters of the method, and describe both methods."""
        self.method_numbers.show_method(self.method)
        self.method_numbers.put(self.cuts_label, self.method)
        self.method_combo.setToolTip(methodcontrols.describe_method(self.method))
        combo = self.controls.compared_method
        combo.model().disabled = self.method
        combo.setToolTip(self._describe_compared())

    def show_number_of_cuts(self, n_cuts):
        """Show how many cuts the method finds; None for nothing."""
        self.cuts_label.setText(
            "" if n_cuts is None else f"{n_cuts:,} {pl(n_cuts, 'cut')}")

    @property
    def parameters(self):
        """The values of the methodcontrols."""
        return self._parameters_of(self.method)

    @property
    def compared_parameters(self):
        """Those of the method to compare with, as they were set last, or None."""
        return self._parameters_of(self.compared_method) \
            if self.compared_method else None

    def _parameters_of(self, method):
        return Parameters(
            method, self.method_numbers.values(method), self.k, self.normalize,
            self.chosen_labeller, self.least_confidence)

    def _on_method_changed(self):
        self.Warning.unknown_method.clear()
        self._avoid_same_methods()
        self._on_methods_changed()

    def _on_compared_changed(self):
        self.compared_method = self.compared_method or ""
        self._on_methods_changed()

    def _on_numbers_changed(self, is_dragging):
        self.method_parameters = self.method_numbers.stored()
        self.is_dragging = is_dragging
        if is_dragging:
            self._on_slider_dragged()
        else:
            self._on_methods_changed()

    def _avoid_same_methods(self):
        """Compare no method with itself."""
        if self.method == self.compared_method:
            self.compared_method = "MDLP" if self.method == "SADD" else "SADD"

    def _describe_compared(self):
        """Return what a method is compared with, and how its parameters are set."""
        if not self.compared_method:
            return "Choose a method to see it beside the first."
        lines = [methodcontrols.describe_method(self.compared_method)]
        numbers = self.method_numbers.describe(self.compared_method)
        if numbers:
            lines.append("; ".join(f"{title}: {value}" for title, value in numbers)
                         + ". Choose it above to change this.")
        return "\n".join(lines)
