"""Cut points edited by hand, and how to undo it."""

from math import isfinite

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import QUndoCommand, QUndoStack

from orangecontrib.sadd.preprocessors import CONTINUOUS, TIME, variable_key

__all__ = ["CutEdits", "is_stored_edit"]


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
