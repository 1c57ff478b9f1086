"""``biombo apply``: carry out a plan on a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, Files, Force, Json, all_names
from biombo._cli.request import command
from biombo._cli.terminal import cell, output, plain, print_json, progress_shown, say, table
from biombo._i18n import integer, text
from biombo._requests import ApplyRequest

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from biombo._plan import Applied, GroupSizes, Preview

_OPTIONS = {
    "files": Files,
    "plan": Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.apply.plan")],
    "out": Annotated[str | None, Option("--out", metavar="cli.metavar.table", help="cli.apply.out")],
    "preview": Annotated[bool, Option("--preview", help="cli.apply.preview")],
    "schema": Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.apply.schema")],
    "keep_column": Annotated[
        list[str] | None, Option("--keep-column", metavar="a,b", help="cli.apply.keep-column"), all_names
    ],
    "keep_order": Annotated[bool, Option("--keep-order", help="cli.apply.keep-order")],
    "key": Annotated[list[str] | None, Option("--key", metavar="cli.metavar.key", help="cli.apply.key")],
    "private": Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.apply.private")],
    "force": Force,
    "json": Json,
    **READING,
}


def _applied(request: ApplyRequest, json: bool) -> int:
    """Print what came out, or would, and how it stands to the plan's criteria."""
    with progress_shown():
        outcome = request.run()
    if outcome.refused is not None:
        say(outcome.refused)
        return NOT_MET
    if json:
        print_json(outcome.as_json())
    elif outcome.preview is not None:
        _print_preview(outcome.preview, output())
    elif outcome.applied is not None:
        _print_applied(outcome.applied, output())
    if outcome.unspoken:
        say(text("plan.left-out", columns=", ".join(outcome.unspoken)))
    if outcome.applied is None:
        say(text("plan.preview.nothing-written"))
        return DONE
    say(text("plan.wrote" if outcome.applied.shuffled else "plan.wrote-in-order", path=request.out))
    if not outcome.holds:
        say(text("plan.not-met"))
        return NOT_MET
    return DONE


apply = command(ApplyRequest, _OPTIONS, _applied, needed=("files", "plan"))


def _print_applied(applied: "Applied", console: "Console") -> None:
    """What came out, what was suppressed or masked, and how the result stands to the criteria."""
    for line in applied_lines(applied):
        console.print(plain(line), soft_wrap=True)
    console.print(text("plan.the-plan", hash=applied.plan_hash), style="dim", soft_wrap=True)


def applied_lines(applied: "Applied") -> Iterator[str]:
    """What came out, a sentence in each line."""
    rows = applied.rows + applied.suppressed
    yield text(
        "plan.done",
        source=applied.source,
        released=applied.rows,
        rows=rows + applied.not_drawn + applied.duplicates + applied.invalid,
    )
    if applied.not_drawn:
        yield text("plan.not-drawn", records=applied.not_drawn)
    if applied.duplicates:
        yield text("plan.duplicates", records=applied.duplicates)
    if applied.invalid:
        yield text("plan.invalid", records=applied.invalid)
    if applied.suppressed:
        yield text("plan.suppressed", suppressed=applied.suppressed, share=applied.suppressed / rows)
    if applied.unhidden:
        yield text("plan.unhidden", unhidden=applied.unhidden)
    if applied.masked:
        yield text("plan.masked", masked=applied.masked, share=applied.masked / rows)
    if applied.masked_further:
        yield text("plan.masked-further", further=applied.masked_further)
    if applied.judgement is None:
        yield text("plan.not-judged")
    else:
        yield from (str(verdict) for verdict in applied.judgement.verdicts)
    yield from map(str, applied.literal_diversities)
    if applied.pseudonymised:
        yield text("plan.pseudonymised", columns=", ".join(applied.pseudonymised))
    for path in applied.identity_tables:
        yield text("plan.identities", path=path)


def _print_preview(preview: "Preview", console: "Console") -> None:
    """The first records, each cell before and after where these differ, the sizes of groups, and what noise costs."""
    console.print(_records(preview))
    if preview.groups_before is not None or preview.groups_after is not None:
        console.print(_group_table(preview))
    for line in _noise(preview):
        console.print(plain(line), soft_wrap=True)


def _noise(preview: "Preview") -> Iterator[str]:
    from biombo._plan import short

    if preview.privacy is not None:
        yield from preview.privacy.sentences()
    for column, by in preview.moves.items():
        yield text("plan.preview.moves", column=column, by=short(by))


def _records(preview: "Preview") -> "Table":
    from biombo._data import written

    before = {name: written(preview.before[name]).to_list() for name in preview.before.columns}
    after = {name: written(preview.after[name]).to_list() for name in preview.after.columns}
    rows = len(preview.dropped)
    shown = table(text("plan.preview.title", source=preview.source, rows=rows))
    shown.add_column(text("plan.preview.record"), justify="right")
    names = list(dict.fromkeys([*before, *after]))
    for name in names:
        shown.add_column(cell(name))
    for row, dropped in enumerate(preview.dropped):
        number = integer(row + 1)
        if dropped:
            values = [_value(before[name][row]) if name in before else "" for name in names]
            shown.add_row(
                cell(f"{number} {text('plan.preview.dropped')}"), *(cell(value) for value in values), style="dim"
            )
        else:
            shown.add_row(cell(number), *(_change(name, row, before, after) for name in names))
    return shown


def _change(name: str, row: int, before: dict[str, list[str | None]], after: dict[str, list[str | None]]) -> "Text":
    if name not in before:
        return cell(f"→ {_value(after[name][row])}")
    was = _value(before[name][row])
    if name not in after:
        return cell(f"{was} → {text('plan.preview.removed')}", "dim")
    becomes = _value(after[name][row])
    return cell(was) if was == becomes else cell(f"{was} → {becomes}", "bold")


def _value(value: str | None) -> str:
    return text("plan.preview.missing") if value is None else value


def _group_table(preview: "Preview") -> "Table":
    shown = table(text("plan.preview.groups"))
    shown.add_column("")
    for when in ("before", "after"):
        shown.add_column(text(f"plan.preview.{when}"), justify="right")
    labels = {
        "smallest": text("plan.preview.smallest"),
        "below": text("plan.preview.below", k=preview.k),
        "records": text("plan.preview.records"),
    }
    for name, label in labels.items():
        shown.add_row(label, *(_size(sizes, name) for sizes in (preview.groups_before, preview.groups_after)))
    return shown


def _size(sizes: "GroupSizes | None", name: str) -> str:
    return "–" if sizes is None else integer(getattr(sizes, name))
