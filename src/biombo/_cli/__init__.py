"""The command line. Light to import: what a command needs is loaded when it runs."""

import sys
from collections.abc import Sequence
from contextvars import copy_context
from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._cli.completion import offers
    from biombo._cli.program import COMMANDS, GROUPS, application, commands_of
    from biombo._cli.terminal import progress_shown

__all__ = ["COMMANDS", "GROUPS", "application", "commands_of", "main", "offers", "progress_shown"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command that ``arguments`` ask for and give its exit code; without any, the program's own, and end it."""
    from biombo._cli.frame import leave, run

    if arguments is None:
        leave(run(sys.argv[1:], alone=True))
    return copy_context().run(run, list(arguments))


if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
