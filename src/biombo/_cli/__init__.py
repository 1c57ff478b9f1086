"""The command line. Light to import: what a command needs is loaded when it runs."""

import sys
from collections.abc import Sequence
from contextvars import copy_context


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` ask for and give its exit code; without any, the program's own, and end it."""
    from biombo._cli.frame import leave, run

    if arguments is None:
        leave(run(sys.argv[1:], alone=True))
    return copy_context().run(run, list(arguments))
