"""MDLP and SADD: from a column to its cut points."""
