"""Tests of the manual and of what it is made with, which is in ``doc``."""

import sys

from tests.shared import ROOT

DOC = ROOT / "doc"
if str(DOC) not in sys.path:
    sys.path.append(str(DOC))
