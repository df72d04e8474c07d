"""Pseudo-labels of unlabelled rows, and their estimated accuracy.

================  ==================================================================
`pseudolabels`    the records: predicted labels, and the score of a labeller
`space`           rows as points: standardized, one-hot, imputed
`search`          the nearest rows, in an order that rounding does not change
`neighbours`      the nearest neighbours, their votes, how many of them, their score
`labellers`       `label`: neighbours, any classifier or a committee, and their scores
================  ==================================================================
"""
