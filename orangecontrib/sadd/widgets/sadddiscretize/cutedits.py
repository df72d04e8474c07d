"""Cut points edited by hand: kept, undone, sent; and the interval that is selected."""

from math import isfinite

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import QToolButton, QUndoCommand, QUndoStack
from Orange.widgets import gui
from Orange.widgets.settings import Setting

from orangecontrib.sadd.explain.outputs import select_rows
from orangecontrib.sadd.preprocessors import CONTINUOUS, TIME, variable_key
from orangecontrib.sadd.widgets.common.controls import wrap_tip
from orangecontrib.sadd.widgets.common.windows import Task
from orangecontrib.sadd.widgets.sadddiscretize.cutmessages import show_edit_message

__all__ = ["CutEdits", "EditingMixin", "is_stored_edit"]

CARRY_TIP = ("Cuts that you edited are used as they are in whatever data the "
             "Preprocessor gets. In cross-validation this is too optimistic if you "
             "looked at the rows on which it tests.")


def is_stored_edit(edit):
    """Return whether a value from a workflow is an edit as in `CutEdits.stored`."""
    if not isinstance(edit, list | tuple) or len(edit) != 3:
        return False
    name, kind, cuts = edit
    return (isinstance(name, str) and kind in (CONTINUOUS, TIME)
            and isinstance(cuts, list | tuple)
            and all(isinstance(cut, float) and isfinite(cut) for cut in cuts)
            and all(low < high for low, high in zip(cuts, cuts[1:], strict=False)))


class EditCuts(QUndoCommand):
    """Replace the cuts of a variable; None stands for those of the method."""

    def __init__(self, edits, key, cuts):
        name = key[0]
        super().__init__(f"Reset of {name}" if cuts is None else f"Edit of {name}")
        self._edits, self._key = edits, key
        self._old, self._new = edits.cuts.get(key), cuts

    def redo(self):
        self._edits.replace(self._key, self._new)

    def undo(self):
        self._edits.replace(self._key, self._old)


class CutEdits(QObject):
    """
    Edited cut points: the one place where they are kept.

    Parameters
    ----------
    stored : list
        As returned by `stored`.

    Attributes
    ----------
    cuts : dict
        Edited cuts by `variable_key`.
    """

    #: Name of the variable whose cuts have changed
    changed = Signal(str)

    def __init__(self, stored=(), parent=None):
        super().__init__(parent)
        self.cuts = {(name, kind): list(cuts) for name, kind, cuts in stored}
        self.stack = QUndoStack(self)

    def __contains__(self, variable):
        return variable_key(variable) in self.cuts

    def get(self, variable, cuts):
        """Return the edited cuts of a variable, or the given ones if there are none."""
        return self.cuts.get(variable_key(variable), cuts)

    def by_index(self, variables):
        """Return the edited cuts of variables by their index."""
        return {index: self.cuts[variable_key(variable)]
                for index, variable in enumerate(variables) if variable in self}

    def actions(self, parent):
        """Return actions Undo and Redo with the usual keys."""
        undo = self.stack.createUndoAction(parent, "Undo")
        undo.setShortcuts(QKeySequence.Undo)
        redo = self.stack.createRedoAction(parent, "Redo")
        redo.setShortcuts(QKeySequence.Redo)
        # Buttons do not grow with the name of the variable, which is in the tooltip
        undo.setIconText("Undo")
        redo.setIconText("Redo")
        return undo, redo

    def edit(self, variable, cuts):
        """Replace the cuts of a variable; None resets them."""
        key = variable_key(variable)
        if self.cuts.get(key) != cuts:
            self.stack.push(EditCuts(self, key, cuts))

    def reset(self, variables):
        """Reset all of these variables in one step."""
        edited = [variable for variable in variables if variable in self]
        if edited:
            self.stack.beginMacro("Reset of all variables")
            for variable in edited:
                self.edit(variable, None)
            self.stack.endMacro()

    def replace(self, key, cuts):
        """Replace cuts without a trace; for undoing."""
        if cuts is None:
            self.cuts.pop(key, None)
        else:
            self.cuts[key] = cuts
        self.changed.emit(key[0])

    def stored(self):
        """Return plain lists, as they are kept in a workflow."""
        return [[name, kind, list(cuts)] for (name, kind), cuts in self.cuts.items()]


class EditingMixin:
    """
    What SADD Discretize does when cuts are edited or an interval is selected.

    A widget must have `data`, an `ExplainView` as `view`, the output `selected_data`
    and the message `edited`.

    Attributes
    ----------
    edits : CutEdits
    selector : Task
        Selects the rows of an interval, which are copied.
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
        self.selector = Task(self)
        self.selector.done.connect(self.Outputs.selected_data.send)
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
            self.selector.start(lambda data, variable, _: select_rows(
                data, variable, *interval), self.data, self.view.variable)
