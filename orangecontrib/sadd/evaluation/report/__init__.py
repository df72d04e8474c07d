"""The report of a benchmark, made from its tables of results.

From the bottom up: `published` has the paper's numbers; `scores` arranges ours by
contender and data set; `statistics` compares them; `accuracytable` and `summaries` are
tables for people and for programs; `candidatereport` does all this for classifiers that
are evaluated as a whole; `contents` computes everything once. A page consists of
`elements`, some of them `plots`; `sections` chooses what is shown, `page` puts it in
words and writes it with the templates in ``templates``.
"""
