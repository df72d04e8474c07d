"""Evaluation of the methods by cross-validation, and the report on it.

`datasets` are what is evaluated on; `experiment` says what is evaluated, and which rows
train and which test. `protocol` does one fold, `run` all folds, in parallel and
resumable. `candidates` are classifiers that are evaluated as a whole, by their
probabilities. `resulttables` defines the tables in which results are kept; `report`
makes pages and summaries of them.
"""
