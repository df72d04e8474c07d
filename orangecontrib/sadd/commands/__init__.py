"""Subcommands of ``python -m orangecontrib.sadd`` that work on files of a user."""
