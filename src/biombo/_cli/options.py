"""Options that several commands share. Help texts are keys of the catalogue; they are worded when they are shown."""

from typing import Annotated

from typer import Argument, Option

from biombo._i18n import Language

Files = Annotated[list[str], Argument(metavar="cli.metavar.files", help="cli.option.files")]
Filename = Annotated[str | None, Option("--filename", metavar="cli.metavar.pattern", help="cli.option.filename")]
Database = Annotated[str | None, Option("--database", metavar="URL", help="cli.option.database")]
Json = Annotated[bool, Option("--json", help="cli.option.json")]
Force = Annotated[bool, Option("--force", help="cli.option.force")]
Lang = Annotated[Language | None, Option("--lang", metavar="pt|en", help="cli.option.lang")]
"""Read before anything is worded (see ``run.py``); declared so that every command's help lists it."""
