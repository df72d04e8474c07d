"""Cut points edited by hand, and how to undo it."""

from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import QUndoCommand, QUndoStack

__all__ = ["CutEdits", "edits_by_index", "variable_key"]


def variable_key(variable):
    """Name and type: what an edited variable is recognized by in other data."""
    return variable.name, "time" if variable.is_time else "continuous"


def edits_by_index(cuts, variables):
    """Edited cuts, given by `variable_key`, by the index of the variable."""
    return {index: cuts[variable_key(variable)]
            for index, variable in enumerate(variables)
            if variable_key(variable) in cuts}


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
    Edited cut points by name and type of the variable.

    Parameters
    ----------
    stored : list
        What `stored` has given.
    """

    #: Name of the variable whose cuts have changed
    changed = Signal(str)

    def __init__(self, stored=(), parent=None):
        super().__init__(parent)
        self.cuts = {(name, kind): list(cuts) for name, kind, cuts in stored}
        self.stack = QUndoStack(self)

    def actions(self, parent):
        """Actions Undo and Redo with the usual keys."""
        undo = self.stack.createUndoAction(parent, "Undo")
        undo.setShortcuts(QKeySequence.Undo)
        redo = self.stack.createRedoAction(parent, "Redo")
        redo.setShortcuts(QKeySequence.Redo)
        # Buttons do not grow with the name of the variable; their tooltips tell it
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
        edited = [var for var in variables if variable_key(var) in self.cuts]
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
        """Plain lists, as they are kept in a workflow."""
        return [[name, kind, list(cuts)] for (name, kind), cuts in self.cuts.items()]
