"""Evaluation of methods by cross-validation, and a report.

`datasets` loads data, `splits` divides rows, `candidates` lists other classifiers,
`protocol` evaluates one fold, and `run` all folds. Their results are one tidy table.
`comparison` and `tables` summarize it, `plots` draws, and `page` writes the report.
"""
