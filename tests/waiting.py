"""How long tests wait for something: longer than a busy machine ever takes.

Only a test that fails waits for so long.
"""

import time

__all__ = ["TIMEOUT", "make_orange_patient", "wait_until"]

TIMEOUT = 1200  # seconds; five minutes were too few with nine processes a core


def wait_until(condition, pause=time.sleep):
    """Call until the result is true, and return it; fail when patience ends.

    `pause` is called between, with seconds; in tests of widgets it processes events.
    """
    end = time.monotonic() + TIMEOUT
    while not (result := condition()):
        assert time.monotonic() < end, "It has not happened."
        pause(0.01)
    return result


def make_orange_patient():
    """Let the base classes of Orange's tests wait for more than five seconds, too."""
    from orangewidget.tests import base  # imports Qt

    for owner in (base.DummySignalManager, base.GuiTest, base.WidgetTest):
        for function in vars(owner).values():
            defaults = getattr(function, "__defaults__", None) or ()
            if base.DEFAULT_TIMEOUT in defaults:
                function.__defaults__ = tuple(
                    1000 * TIMEOUT if value == base.DEFAULT_TIMEOUT else value
                    for value in defaults)
