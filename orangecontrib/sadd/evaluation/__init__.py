"""Evaluation of the methods: the demo, and the benchmark with its report.

`settings` says what is evaluated, `datasets` on what, `evaluation` does one fold of it,
`runner` all folds, in parallel and resumable; `report` makes pages and tables of the
results; `demo` and `command` are the command lines.
"""
