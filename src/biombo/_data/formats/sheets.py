"""Which sheet of a workbook is the table: the one that is asked for, or the only one that has anything to read."""

from collections.abc import Callable, Sequence

from biombo._errors import InputError, closest, shortened
from biombo._i18n import text
from biombo._watch import remark


def chosen_sheet(names: Sequence[str], is_candidate: Callable[[str], bool], asked: str | None, path: str) -> str:
    """The sheet ``asked`` for; by default the only candidate, one that is visible and not empty. Of several, none: the
    wrong one would be published.
    """
    if asked is not None:
        if asked in names:
            return asked
        meant = closest(asked, names)
        if meant is not None and meant.casefold() == asked.casefold():
            return meant
        raise InputError("input.no-such-sheet", path=path, sheet=asked, names=shortened(names))
    if len(names) == 1:
        return names[0]
    found = [name for name in names if is_candidate(name)]
    if len(found) > 1:
        raise InputError("input.several-sheets", path=path, names=shortened(found), first=found[0], tables=tuple(found))
    if not found:
        raise InputError("input.empty-sheets", path=path, names=shortened(names))
    others = shortened(name for name in names if name != found[0])
    remark(text("errors.input.sheet-read", path=path, sheet=found[0], others=others))
    return found[0]
