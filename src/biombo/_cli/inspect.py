"""``biombo inspect``: what the columns of a table look like and seem to be."""

from pathlib import Path
from typing import Annotated

from typer import Option

from biombo._cli.console import output, print_json, say
from biombo._cli.options import Database, Filename, Files, Force, Json, Lang
from biombo._cli.reading import read_files
from biombo._files import refuse_existing, refuse_unwritable, write_whole
from biombo._i18n import text


def inspect(
    files: Files,
    out: Annotated[Path | None, Option("--out", metavar="cli.metavar.schema", help="cli.inspect.out")] = None,
    force: Force = False,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> None:
    """Profile the columns, propose a schema and, where ``out`` is given, write it there."""
    if out is not None:
        refuse_unwritable(out)
        if not force:
            refuse_existing(out)
    from biombo._cli.inspect_views import as_json, print_tables
    from biombo._data import inspect as inspect_data

    inspection = inspect_data(read_files(files, filename=filename, database=database))
    if out is not None:
        write_whole(out, inspection.to_yaml())
    if json:
        print_json(as_json(inspection))
    else:
        print_tables(inspection, output())
    if out is not None:
        say(text("inspect.done.wrote", path=out))
    elif not json:
        say(text("inspect.done.next"))
