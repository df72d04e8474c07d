"""The report of a benchmark, made from its tables of results.

From the bottom up: `published` has the paper's numbers; `scores` arranges ours by
contender and data set; `statistics` compares them; `tables` and `summaries` are tables
for people and for programs, which `contents` computes once; `findings` puts them in
words; `drawing` and `plots` draw; `sections` choose what is shown, and `page` writes it
with the templates in ``templates``.
"""
