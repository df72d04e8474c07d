"""Tests of the Orange scripting API."""

# Makes tables raise where an input would be changed (`Table.LOCKING`)
import Orange.tests  # noqa: F401

from tests.waiting import make_orange_patient

make_orange_patient()
