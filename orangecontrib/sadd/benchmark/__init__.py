"""Evaluation of discretizers and classifiers: data sets, folds, accuracy, demo."""
