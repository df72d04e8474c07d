"""The report of a benchmark, made from its result files.

From the bottom up: `published` has the paper's numbers; `scores` arranges ours by data
set and fold; `statistics` and `bayesian` compare them; `tables`, `wins`,
`intervaltables`, `differences` and `findings` put it in words and tables; `markup`,
`svg`, `plots` and `style` in HTML; `contents` computes everything once for `sections`,
`runsections` and `summaries`, and `page` writes them.
"""
