"""Names, encodings, evidence and JSON of fitted intervals."""
