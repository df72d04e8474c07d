"""Orange: tables as rows, discretizations, preprocessors, learners and models."""
