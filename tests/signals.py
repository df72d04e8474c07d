"""Programs that tests start, so that they can be interrupted."""

import os
import signal

__all__ = ["INTERRUPTIBLE"]


def _take_interrupts():
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# Arguments of Popen. What a shell starts in the background ignores Ctrl-C, and so
# would everything that tests start, if they run there.
INTERRUPTIBLE = {"preexec_fn": _take_interrupts} if os.name == "posix" else {}
