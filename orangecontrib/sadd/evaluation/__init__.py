"""Evaluation of the methods by cross-validation, and the report on it.

`experiment` says what is evaluated, `datasets` on what; `splits` says which rows train and
test; `candidates` are classifiers evaluated as a whole, by the `measures` of their
probabilities; `protocol` does one fold, `run` all folds, in parallel and resumable; `resulttables` defines the tables in which
results are kept; `report` makes pages and summaries of them.
"""
