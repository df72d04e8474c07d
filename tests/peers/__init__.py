"""Tests of other packages, run on our classes: see `peertests`."""
