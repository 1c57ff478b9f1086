"""Reading what a command was given, with a progress bar."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from biombo._cli.progress import progress_bar
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._data import Dataset, Schema


def read_files(
    files: Sequence[str],
    schema: "Schema | str | Path | None" = None,
    *,
    columns: Sequence[str] | None = None,
    filename: str | None = None,
    database: str | None = None,
) -> "Dataset":
    """The table in ``files``, or the answer to the query that stands in their place when there is a ``database``."""
    from biombo._data import read

    source = files[0] if len(files) == 1 else list(files)
    with progress_bar(text("cli.frame.reading")) as update:
        return read(source, schema, columns=columns, filename=filename, database=database, progress=update)
