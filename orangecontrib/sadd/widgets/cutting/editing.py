"""Edited cuts and selected intervals: from the picture to settings and outputs."""

from AnyQt.QtWidgets import QToolButton
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from orangecontrib.sadd.widgets.common.tooltips import wrap_tip
from orangecontrib.sadd.widgets.cutting.cutedits import CutEdits
from orangecontrib.sadd.widgets.cutting.cutmessages import show_edit_message
from orangecontrib.sadd.widgets.cutting.loaders import RowSelector

__all__ = ["EditingMixin"]

CARRY_TIP = ("Cuts that you edited are used as they are in whatever data the "
             "Preprocessor gets. In cross-validation this is too optimistic if you "
             "looked at the rows on which it tests.")


class EditingMixin:
    """
    What SADD Discretize does when cuts are edited or an interval is selected.

    A widget must have `data`, an `ExplainView` as `view`, the output `selected_data`
    and the message `edited`.

    Attributes
    ----------
    edits : CutEdits
    selector : RowSelector
    """

    carry_edits = Setting(False)
    # [name, type, cuts] of each edited variable; plain lists survive any version
    edited_cuts = Setting([], schema_only=True)

    def make_edits(self, on_changed):
        """Make `edits`; the callback is called when outputs have to follow them."""
        self._on_edited = on_changed
        self.edits = CutEdits(self.edited_cuts, self)
        self.edits.changed.connect(self._on_edits_changed)

    def add_carry_control(self, box):
        """Add the control for `carry_edits`."""
        gui.checkBox(box, self, "carry_edits", "Preprocessor carries edited cuts",
                     callback=self._on_carry_changed, tooltip=wrap_tip(CARRY_TIP))

    def connect_editing(self):
        """Follow what a user does in the view, and add its buttons."""
        self.selector = RowSelector(self)
        self.selector.selected.connect(self.Outputs.selected_data.send)
        view = self.view
        view.cuts_edited.connect(
            lambda index, cuts: self.edits.edit(view.variables[index], cuts))
        view.reset_all.connect(lambda: self.edits.reset(view.variables))
        view.interval_selected.connect(self._on_interval_selected)
        actions = self.edits.actions(self)
        self.addActions(actions)
        for position, action in enumerate(actions, start=1):
            button = QToolButton()
            button.setDefaultAction(action)
            view.details.buttons.insertWidget(position, button)

    @property
    def fixed_cuts(self):
        """Edited cuts that Preprocessor carries, as they are stored."""
        return self.edits.stored() if self.carry_edits else []

    def _on_carry_changed(self):
        if self.view.findings is not None:
            show_edit_message(self, self.view.n_edited, self.carry_edits)
        self._on_edited()

    def _on_edits_changed(self, name):
        self.edited_cuts = self.edits.stored()
        if self.view.findings is None:
            return
        self.view.table.select(name)
        self.view.show_edits(name)
        show_edit_message(self, self.view.n_edited, self.carry_edits)
        self._on_edited()

    def _on_interval_selected(self, interval):
        self.selector.cancel()
        if interval is None or self.view.variable is None:
            self.Outputs.selected_data.send(None)
        else:
            self.selector.select(self.data, self.view.variable, interval)
