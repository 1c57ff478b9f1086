"""The command: its options are answers given beforehand."""

import sys
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from biombo._cli.options import COLUMNS, CRITERIA, MODEL, READING, RECORD, SEARCHING, Files
from biombo._cli.request import Draft, command
from biombo._cli.start.asking import Asking, Keyboard, Lines, Proposals
from biombo._cli.start.conversation import Conversation
from biombo._errors import UsageError
from biombo._requests import PublishRequest

_LIMIT = 0.05
"""The share of records that may be masked where nobody says otherwise."""

_OPTIONS: dict[str, Any] = {
    "files": Files,
    "yes": Annotated[bool, Option("--yes", help="cli.start.yes")],
    "out": Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.publish.out")],
    "schema": COLUMNS["schema"],
    **{name: CRITERIA[name] for name in ("k", "l")},
    **{name: SEARCHING[name] for name in ("max_suppression", "hierarchies")},
    **MODEL,
    **RECORD,
    "pdf": Annotated[bool, Option("--pdf", help="cli.publish.pdf")],
    **READING,
}


def _usual() -> PublishRequest:
    """What is taken as long as nobody says otherwise: values that no hierarchy knows are hidden."""
    return PublishRequest(max_suppression=_LIMIT, missing="suppress")


def _started(draft: Draft[PublishRequest], yes: bool) -> int:
    """Lead the dialogue. Answers for one table are never those for another."""
    kept = draft.kept
    _refuse_what_never_can_be(draft.request)
    if kept is not None and kept.files and kept.which_table != draft.request.which_table:
        raise UsageError("usage.answers-of-another", path=str(draft.place))
    return Conversation(_asking(yes), draft).led()


def _refuse_what_never_can_be(request: PublishRequest) -> None:
    """Raise before anything is asked or kept, whatever the table is."""
    from biombo._release import refuse_small_groups

    refuse_small_groups(request.criteria)
    request.refuse_without_register()


def _asking(yes: bool) -> Asking:
    if yes:
        return Proposals()
    return Keyboard() if sys.stdin.isatty() else Lines()


start = command(PublishRequest, _OPTIONS, _started, needed=(), usual=_usual, draft=True)
