"""The report of a benchmark, made from its tables of results.

From the bottom up: `published` has the paper's numbers; `scores` and `candidatescores`
arrange ours by contender and data set; `statistics` compares them; `accuracytable` and
`summaries` are tables for people and for programs, which `contents` computes once;
`sentences` puts them in words; `drawing` and `plots` draw; `sections` and
`candidatesections` choose what is shown, and `page` writes it with the templates in
``templates``.
"""
