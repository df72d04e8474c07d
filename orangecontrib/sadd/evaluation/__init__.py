"""Evaluation by cross-validation, and a report.

`datasets` loads data, `splits` divides rows, `contenders` lists what is compared, and
`experiment` has the settings. `protocol` evaluates one fold by `measures`, and `run`
all folds. Their results are one tidy table. `comparison`, `significance` and
`summaries` summarize it, `plots` draws, and `page` writes the report.
"""
