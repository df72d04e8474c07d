"""Labels for unlabelled rows: who lends them, and how far to trust them.

================  ==================================================================
`space`           rows as points: standardized, one-hot, imputed
`neighbours`      the nearest neighbours, how many of them, and their votes
`labellers`       neighbours, any classifier or a committee, and their scores
================  ==================================================================
"""
