"""``biombo advise``: which technique fits which column, by what the data are needed for."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.frame import spare_pandas
from biombo._cli.options import Database, Engine, Filename, Files, Force, Json, Lang, Schema, Sheet
from biombo._cli.terminal import cell, output, plain, print_json, progress_shown, say, table
from biombo._files import refuse_existing, refuse_onto, refuse_unwritable, without_folders, write_whole
from biombo._i18n import text
from biombo._watch import begin

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._guide import Advice


def advise(
    files: Files,
    schema: Schema = None,
    distinguishable: Annotated[bool, Option("--distinguishable", help="cli.advise.distinguishable")] = False,
    no_relations: Annotated[bool, Option("--no-relations", help="cli.advise.no-relations")] = False,
    slight_changes: Annotated[bool, Option("--slight-changes", help="cli.advise.slight-changes")] = False,
    aggregates: Annotated[bool, Option("--aggregates", help="cli.advise.aggregates")] = False,
    test_data: Annotated[bool, Option("--test-data", help="cli.advise.test-data")] = False,
    out: Annotated[Path | None, Option("--out", metavar="cli.metavar.plan", help="cli.advise.out")] = None,
    force: Force = False,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    sheet: Sheet = None,
    engine: Engine = "local",
    _lang: Lang = None,
) -> None:
    """Print what is advised and, where ``out`` is given, write it there as a plan."""
    if out is not None:
        refuse_unwritable(out)
        if not force:
            refuse_existing(out)
    spare_pandas()
    from biombo._data import SourceTable
    from biombo._engine import engine_of
    from biombo._guide import Use
    from biombo._guide import advise as advise_on

    named = files[0] if len(files) == 1 else files
    source = engine_of(engine).reached(named, filename=filename, database=database, sheet=sheet)
    opened = SourceTable.open(source, filename=filename, database=database, sheet=sheet)
    if out is not None:
        refuse_onto(out, opened.files)
    use = Use(
        distinguishable=distinguishable,
        relations=not no_relations,
        slight_changes=slight_changes,
        aggregates=aggregates,
        test_data=test_data,
    )
    with progress_shown():
        begin("reading")
        advice = advise_on(opened, schema=schema, use=use)
    if out is not None:
        write_whole(out, advice.to_yaml())
    if json:
        print_json(advice.to_dict())
    else:
        _print(advice, output())
        for command in advice.commands(files, schema):
            output().print(cell(text("advice.command", command=plain(command))))
    if out is not None:
        say(text("advice.done.wrote", path=out))
    elif not json:
        say(text("advice.done.next"))


def _print(advice: "Advice", console: "Console") -> None:
    shown = table(text("advice.title", label=plain(without_folders(advice.label))))
    for key in ("column", "technique", "sections", "reason"):
        shown.add_column(text(f"advice.column.{key}"), overflow="fold", max_width=24 if key == "column" else None)
    for each in advice.advised:
        column = cell(text("advice.records"), "dim") if each.column is None else cell(each.column, "bold")
        shown.add_row(column, cell(each.title), cell(", ".join(each.sections)), cell(each.reason))
    console.print(shown)
    console.print()
