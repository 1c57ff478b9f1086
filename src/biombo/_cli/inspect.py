"""``biombo inspect``: what the columns of a table look like and seem to be."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import spare_pandas
from biombo._cli.options import Database, Engine, Filename, Files, Force, Json, Lang, Sheet
from biombo._cli.terminal import cell, output, plain, print_json, progress_shown, say, table
from biombo._files import refuse_existing, refuse_onto, refuse_unwritable, without_folders, write_whole
from biombo._i18n import integer, language, number, share, text
from biombo._watch import begin

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from biombo._data import ColumnProfile, ColumnSchema, Inspection


def inspect(
    files: Files,
    out: Annotated[Path | None, Option("--out", metavar="cli.metavar.schema", help="cli.inspect.out")] = None,
    force: Force = False,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    sheet: Sheet = None,
    engine: Engine = "local",
    _lang: Lang = None,
) -> None:
    """Profile the columns, propose a schema and, where ``out`` is given, write it there."""
    if out is not None:
        refuse_unwritable(out)
        if not force:
            refuse_existing(out)
    spare_pandas()
    from biombo._data import SourceTable, read
    from biombo._data import inspect as inspect_data
    from biombo._engine import engine_of

    named = files[0] if len(files) == 1 else files
    source = engine_of(engine).reached(named, filename=filename, database=database, sheet=sheet)
    table = SourceTable.open(source, filename=filename, database=database, sheet=sheet)
    if out is not None:
        refuse_onto(out, table.files)
    with progress_shown():
        begin("reading")
        data = read(table)
    inspection = inspect_data(data)
    if out is not None:
        write_whole(out, inspection.as_file(out))
    if json:
        print_json(inspection.to_dict())
    else:
        _print_tables(inspection, output())
    if out is not None:
        say(text("inspect.done.wrote", path=out))
    elif not json:
        say(text("inspect.done.next"))
    if not json:
        say(text("inspect.done.advise"))
    if inspection.fits is not None and not json:
        say(text("schema.fits.inspect", what=text(f"schema.for.{inspection.fits}"), name=inspection.fits))


_WIDE = 120
"""From this width on, one table holds everything."""

_ROLE_STYLES = {"identifier": "red", "quasi": "yellow", "sensitive": "magenta", "other": "", "undecided": "dim"}

Entry = tuple["ColumnSchema", "ColumnProfile"]
Field = Callable[[Entry], "Text"]


def _role(entry: Entry) -> "Text":
    return cell(text(f"inspect.role.{entry[0].role}"), _ROLE_STYLES[entry[0].role])


def _median(entry: Entry) -> "Text":
    median = entry[1].median_frequency
    return cell(number(median, 0 if median.is_integer() else 1))


def _unique(entry: Entry) -> "Text":
    return cell(share(entry[1].unique_share))


_PROPOSAL: dict[str, Field] = {
    "column": lambda entry: cell(entry[1].name, "bold"),
    "role": _role,
    "type": lambda entry: cell(text(f"inspect.type.{entry[0].type}")),
}
_NUMBERS: dict[str, Field] = {
    "distinct": lambda entry: cell(integer(entry[1].distinct)),
    "missing": lambda entry: cell(integer(entry[1].missing)),
    "min": lambda entry: cell(integer(entry[1].min_frequency)),
    "median": _median,
    "max": lambda entry: cell(integer(entry[1].max_frequency)),
    "unique": _unique,
}
_REASON: dict[str, Field] = {"reason": lambda entry: cell(entry[0].why(language()))}


def _print_tables(inspection: "Inspection", console: "Console") -> None:
    """The proposal and the frequencies, as one table where the terminal is wide enough, else as two."""
    title = text(
        "inspect.table.title",
        label=plain(without_folders(inspection.label)),
        rows=inspection.rows,
        columns=len(inspection.profiles),
    )
    if console.width >= _WIDE:
        _print_table(inspection, console, title, _PROPOSAL | _NUMBERS | _REASON)
    else:
        _print_table(inspection, console, title, _PROPOSAL | _REASON)
        frequencies = {"column": _PROPOSAL["column"]} | _NUMBERS
        _print_table(inspection, console, text("inspect.table.frequencies"), frequencies)
    _print_hierarchies(inspection, console)
    for note in (text("inspect.table.note"), *inspection.bounds):
        console.print(note, style="dim")


def _print_table(inspection: "Inspection", console: "Console", title: str, fields: dict[str, Field]) -> None:
    from biombo._data import ROLES

    shown = table(title)
    for key in fields:
        wraps = key in ("column", "reason")
        shown.add_column(
            text(f"inspect.table.{key}"),
            justify="right" if key in _NUMBERS else "left",
            no_wrap=not wraps,
            overflow="fold",
            max_width=24 if key == "column" else None,
        )
    for role in ROLES:
        for name in inspection.schema.with_role(role):
            entry = _without_hierarchy(name, inspection), inspection.profiles[name]
            shown.add_row(*(field(entry) for field in fields.values()))
        shown.add_section()
    console.print(shown)
    console.print()


def _without_hierarchy(name: str, inspection: "Inspection") -> "ColumnSchema":
    """The column with the reason for its role alone: that for its hierarchy stands with the hierarchies."""
    proposed, hierarchy = inspection.schema[name], inspection.hierarchies.get(name)
    if hierarchy is None:
        return proposed
    return replace(proposed, reason=proposed.why(language()).removesuffix(hierarchy.reason).removesuffix("; "))


def _print_hierarchies(inspection: "Inspection", console: "Console") -> None:
    """How each column can be generalised: its levels in words, and what becomes of a frequent value."""
    from rich.text import Text

    if not inspection.hierarchies:
        return
    shown = table(text("inspect.table.hierarchies"))
    shown.add_column(text("inspect.table.column"), overflow="fold", max_width=24)
    shown.add_column(text("inspect.table.levels"), overflow="fold")
    for name, proposal in inspection.hierarchies.items():
        lines = [cell(proposal.reason)]
        if len(proposal.levels) > 1 or not (proposal.hierarchy and proposal.hierarchy.has_top):
            lines += [cell(" › ".join(proposal.levels)), cell(" → ".join(proposal.example), "dim")]
        shown.add_row(cell(name, "bold"), Text("\n").join(line for line in lines if line.plain))
    console.print(shown)
    console.print()
