"""A directive that shows the help of a command of the add-on."""

import os
import re
from unittest.mock import patch

from docutils import nodes
from docutils.parsers.rst import Directive

from orangecontrib.sadd.__main__ import make_parser

__all__ = ["command_help", "setup"]


def command_help(command):
    """
    Return the help of a command, as ``--help`` prints it.

    Examples
    --------
    >>> command_help("demo").partition(" [")[0]
    'usage: python -m orangecontrib.sadd demo'
    """
    with patch.dict(os.environ, {"COLUMNS": "80", "NO_COLOR": "1"}):
        return subparser(command).format_help()


def subparser(command):
    """Return the parser of a command."""
    action, = (action for action in make_parser()._actions
               if isinstance(action.choices, dict))
    return action.choices[command]


def options(text):
    """Return the long options that a text names."""
    return set(re.findall(r"(?<![\w-])--[a-z][\w-]*", text))


class CommandHelp(Directive):
    """Shows the help of the command that is its argument."""

    required_arguments = 1

    def run(self):
        block = nodes.literal_block("", command_help(self.arguments[0]))
        block["language"] = "none"
        return [block]


def setup(app):
    """Add the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
