"""``biombo apply``: carry out a plan on a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import DONE, NOT_MET
from biombo._cli.options import READING, Files, Force, Json, PopulationTable
from biombo._cli.request import command
from biombo._cli.tabulate import print_table
from biombo._cli.terminal import (
    cell,
    output,
    plain,
    print_constant,
    print_json,
    print_lines,
    progress_shown,
    say,
    table,
)
from biombo._cli.typed import all_names
from biombo._files import without_folders
from biombo._i18n import integer, text
from biombo._requests import ApplyRequest

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from biombo._plan import Applied, GroupSizes, Preview

_OPTIONS = {
    "files": Files,
    "plan": Annotated[Path, Option("--plan", metavar="cli.metavar.plan", help="cli.apply.plan")],
    "out": Annotated[str | None, Option("--out", metavar="cli.metavar.table", help="cli.apply.out")],
    "preview": Annotated[bool, Option("--preview", help="cli.apply.preview")],
    "judge": Annotated[bool, Option("--judge", help="cli.apply.judge")],
    "schema": Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.apply.schema")],
    "keep_column": Annotated[
        list[str] | None, Option("--keep-column", metavar="a,b", help="cli.apply.keep-column"), all_names
    ],
    "keep_order": Annotated[bool, Option("--keep-order", help="cli.apply.keep-order")],
    "population_table": PopulationTable,
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
        say_unlisted(outcome.unlisted)
        return NOT_MET
    if outcome.standing is not None and not json:
        print_lines(outcome.standing.lines(), output())
    if json:
        print_json(outcome.as_json())
    elif outcome.table is not None:
        print_table(outcome.table)
    elif outcome.preview is not None:
        _print_preview(outcome.preview, output())
    elif outcome.applied is not None:
        _print_applied(outcome.applied, output())
    if outcome.unspoken:
        say(text("plan.left-out", columns=", ".join(outcome.unspoken)))
    if outcome.table is not None:
        say(text("tabulate.wrote", path=request.out))
        return DONE if outcome.holds else NOT_MET
    if outcome.applied is None:
        say(text("plan.preview.nothing-written" if outcome.standing is None else "plan.standing.nothing-written"))
        return DONE if outcome.holds else NOT_MET
    say(text("plan.wrote" if outcome.applied.shuffled else "plan.wrote-in-order", path=request.out))
    if not outcome.holds:
        say(text("plan.not-met"))
        return NOT_MET
    return DONE


def say_unlisted(values: tuple[str, ...]) -> None:
    """Tell whoever has the data which values a waiver lacks."""
    if values:
        say(text("plan.unlisted", values=", ".join(map(repr, values))))


apply = command(ApplyRequest, _OPTIONS, _applied, needed=("files", "plan"))


def _print_applied(applied: "Applied", console: "Console") -> None:
    """What came out, what was suppressed or masked, and how the result stands to the criteria."""
    print_lines(applied_lines(applied), console)


def applied_lines(applied: "Applied") -> Iterator[str]:
    """What came out, a sentence in each line."""
    rows = applied.rows + applied.suppressed
    yield text(
        "plan.done",
        source=without_folders(applied.source),
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
    yield from (each.sentence(applied.rows) for each in applied.noised)
    if applied.judgement is None:
        yield text("plan.not-judged")
    else:
        yield from map(str, (*applied.judgement.verdicts, *applied.waived))
    yield from map(str, applied.literal_diversities)
    if applied.pseudonymised:
        yield text("plan.pseudonymised", columns=", ".join(applied.pseudonymised))
    for path in applied.identity_tables:
        yield text("plan.identities", path=path)


def _print_preview(preview: "Preview", console: "Console") -> None:
    """The first records, each cell before and after where these differ, the sizes of groups, and what noise costs."""
    _print_records(preview, console)
    print_constant(preview.constant, console)
    if preview.groups_before is not None or preview.groups_after is not None:
        console.print(_group_table(preview))
    print_lines(_noise(preview), console)


def _noise(preview: "Preview") -> Iterator[str]:
    from biombo._plan import short

    if preview.drawn:
        yield text("plan.preview.groups-of-noise", columns=", ".join(preview.drawn))
    if preview.privacy is not None:
        yield from preview.privacy.sentences()
    for column, by in preview.moves.items():
        yield text("plan.preview.moves", column=column, by=short(by))


_UNBOUNDED = 1 << 20
"""Columns of a terminal that has room for everything."""


@dataclass(frozen=True)
class _Seen:
    """The records of a preview as they are written, and which columns are worth a look."""

    before: dict[str, list[str | None]]
    after: dict[str, list[str | None]]
    dropped: tuple[bool, ...]

    @classmethod
    def of(cls, preview: "Preview") -> "_Seen":
        from biombo._data import written

        def columns(frame: "pl.DataFrame") -> dict[str, list[str | None]]:
            return {name: written(frame[name]).to_list() for name in frame.columns}

        return cls(columns(preview.before), columns(preview.after), preview.dropped)

    @cached_property
    def changed(self) -> list[str]:
        """The columns that are other than before, or new."""
        return [
            name for name in dict.fromkeys([*self.before, *self.after]) if name in self.after and self._is_changed(name)
        ]

    def _is_changed(self, name: str) -> bool:
        return name not in self.before or any(
            was != becomes
            for was, becomes, dropped in zip(self.before[name], self.after[name], self.dropped, strict=True)
            if not dropped
        )

    @cached_property
    def unchanged(self) -> list[str]:
        """The columns that come out as they are."""
        return [name for name in self.after if name not in self.changed]

    @cached_property
    def removed(self) -> list[str]:
        """The columns that do not come out."""
        return [name for name in self.before if name not in self.after]

    def cell(self, name: str, row: int) -> "Text":
        """One value before and after, or as it was where the record is dropped."""
        if self.dropped[row]:
            return cell(_value(self.before[name][row]) if name in self.before else "", "dim")
        becomes = _value(self.after[name][row])
        if name not in self.before:
            return cell(f"→ {becomes}", "bold")
        was = _value(self.before[name][row])
        return cell(was) if was == becomes else cell(f"{was} → {becomes}", "bold")

    def record(self, row: int) -> str:
        """What a record is called."""
        return f"{integer(row + 1)} {text('plan.preview.dropped')}" if self.dropped[row] else integer(row + 1)


def _print_records(preview: "Preview", console: "Console") -> None:
    """The columns that change, beside each other where there is room."""
    seen = _Seen.of(preview)
    title = text("plan.preview.title", source=plain(without_folders(preview.source)), rows=len(seen.dropped))
    console.print(title, style="bold", soft_wrap=True)
    if seen.changed:
        beside = _beside(seen)
        unbounded = console.options.update(max_width=_UNBOUNDED)
        has_room = console.measure(beside, options=unbounded).maximum <= console.width
        console.print(beside if has_room else _below(seen))
    removed = [name for name in seen.removed if name not in preview.unspoken]  # which are named apart
    for key, columns in (("unchanged", seen.unchanged), ("not-released", removed)):
        if columns:
            print_lines([text(f"plan.preview.{key}", columns=", ".join(columns))], console, "dim")
    console.print()


def _beside(seen: _Seen) -> "Table":
    shown = table("")
    shown.add_column(text("plan.preview.record"), justify="right", no_wrap=True)
    for name in seen.changed:
        shown.add_column(cell(name), no_wrap=True)
    for row in range(len(seen.dropped)):
        shown.add_row(cell(seen.record(row)), *(seen.cell(name, row) for name in seen.changed))
    return shown


def _below(seen: _Seen) -> "Table":
    """A line for each column of a record, for a narrow terminal."""
    shown = table("")
    for key in ("record", "column", "change"):
        shown.add_column(text(f"plan.preview.{key}"), justify="right" if key == "record" else "left", overflow="fold")
    for row, dropped in enumerate(seen.dropped):
        for place, name in enumerate([] if dropped else seen.changed):
            shown.add_row(cell("" if place else seen.record(row)), cell(name), seen.cell(name, row))
        if dropped:
            shown.add_row(cell(integer(row + 1)), cell(text("plan.preview.dropped"), "dim"), "")
        shown.add_section()
    return shown


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
