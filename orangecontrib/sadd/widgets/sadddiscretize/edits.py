"""User-defined treatments of variables: storage, undo, and typed cuts."""

import re

import numpy as np
from AnyQt.QtCore import QObject
from AnyQt.QtCore import pyqtSignal as Signal
from AnyQt.QtGui import QKeySequence
from AnyQt.QtWidgets import QUndoCommand, QUndoStack

from orangecontrib.sadd.scripting.treatments import is_treatment, variable_key

__all__ = ["Edits", "parse_cuts"]


def is_edit(edit):
    """Return whether an entry of a workflow is valid; see `Edits.stored`."""
    return isinstance(edit, list | tuple) and len(edit) == 3 \
        and isinstance(edit[0], str) and edit[1] in ("continuous", "time") \
        and is_treatment(edit[2])


def parse_cuts(variable, text):
    """Return the values in a list, in order; ValueError if a text is invalid."""
    # A time variable changes when it parses a text
    parse = variable.copy(compute_value=None).parse if variable.is_time \
        else variable.to_val
    parts = re.split("[·;,]" if variable.is_time else r"[·;,\s]", text)
    cuts = sorted({float(parse(part.strip())) for part in parts if part.strip()})
    if not np.isfinite(cuts).all():
        raise ValueError(f"{text} has a value that is not finite.")
    return cuts


class Edit(QUndoCommand):
    """Replace the treatment of a variable; None stands for the method."""

    def __init__(self, edits, key, treatment):
        super().__init__(
            f"{'Reset' if treatment is None else 'Edit'} of {key[0]}")
        self._edits, self._key = edits, key
        self._old, self._new = edits.treatments.get(key), treatment

    def redo(self):
        self._edits.replace(self._key, self._new)

    def undo(self):
        self._edits.replace(self._key, self._old)


class Edits(QObject):
    """
    User-defined treatments of variables.

    Parameters
    ----------
    stored : list
        As returned by `stored`; invalid entries are left out.

    Attributes
    ----------
    treatments : dict
        Cuts, "numeric", "remove" or the name of a method, by `variable_key`.
    """

    #: Name of the variable with a changed treatment
    changed = Signal(str)

    def __init__(self, stored=(), parent=None):
        super().__init__(parent)
        self.treatments = {(name, kind): treatment for name, kind, treatment
                           in filter(is_edit, stored)}
        self.stack = QUndoStack(self)

    def __contains__(self, variable):
        return self.get(variable) is not None

    def get(self, variable):
        """Return the treatment of a variable, or None."""
        # Keys take time if there are thousands of variables
        return self.treatments.get(variable_key(variable)) if self.treatments else None

    @property
    def have_cuts(self):
        """Whether there are cuts among the treatments."""
        return not all(isinstance(treatment, str)
                       for treatment in self.treatments.values())

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

    def edit(self, variable, treatment):
        """Replace the treatment of a variable; None resets it."""
        key = variable_key(variable)
        if self.treatments.get(key) != treatment:
            self.stack.push(Edit(self, key, treatment))

    def reset(self, variables):
        """Reset all of these variables in one step."""
        edited = [variable for variable in variables if variable in self]
        if edited:
            self.stack.beginMacro("Reset of all variables")
            for variable in edited:
                self.edit(variable, None)
            self.stack.endMacro()

    def replace(self, key, treatment):
        """Replace a treatment without undo; for undoing."""
        if treatment is None:
            self.treatments.pop(key, None)
        else:
            self.treatments[key] = treatment
        self.changed.emit(key[0])

    def stored(self, with_cuts=True):
        """Return plain lists, as they are kept in a workflow."""
        return [[name, kind, treatment if isinstance(treatment, str)
                 else list(treatment)]
                for (name, kind), treatment in self.treatments.items()
                if with_cuts or isinstance(treatment, str)]
