"""Pseudo-labels of unlabelled rows, and their estimated accuracy.

================  ==================================================================
`neighbours`      the nearest neighbours, how many of them, and their votes
`labellers`       neighbours, any classifier or a committee, and their scores; rows as
                  points: standardized, one-hot, imputed
================  ==================================================================
"""
