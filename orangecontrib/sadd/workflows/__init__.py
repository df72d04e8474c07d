"""Example workflows, which Orange lists in Help > Example Workflows.

They are made by ``doc/make_workflows.py``.
"""
