"""The command, as the package installs it."""

from __future__ import annotations

import signal
import sys

from caesar import _native


def main() -> int:
    """Run the command with the arguments of this process."""
    # The command listens for Ctrl-C by itself.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _native.main(["caesar", *sys.argv[1:]])
