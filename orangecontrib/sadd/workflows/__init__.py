"""Example workflows, which Orange lists in Help > Examples.

They are made by ``doc/make_workflows.py``.
"""
