"""Evaluation of the methods by cross-validation, and the report on it.

`experiment` says what is evaluated, `datasets` on what, and `splits` which rows train
and which test. `protocol` does one fold, `run` all folds, in parallel and resumable.
`candidates` are classifiers that are evaluated as a whole, by the `measures` of their
probabilities. `resulttables` defines the tables in which results are kept; `report`
makes pages and summaries of them.
"""
