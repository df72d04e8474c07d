"""Evaluation of the methods by cross-validation, and the report on it.

`experiment` says what is evaluated, `datasets` on what; `protocol` does one fold of it,
`run` all folds, in parallel and resumable; `resulttables` defines the tables in which
results are kept; `report` makes pages and summaries of them.
"""
