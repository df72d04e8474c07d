"""Tests of the widgets."""

# Makes tables raise where an input would be changed (`Table.LOCKING`)
import Orange.tests  # noqa: F401
