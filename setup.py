"""Entry point for tools that still run setup.py; all metadata is in pyproject.toml."""

from setuptools import setup

setup()
