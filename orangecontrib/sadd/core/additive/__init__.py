"""The naive Bayes family: tables, model, objective and fitting."""
