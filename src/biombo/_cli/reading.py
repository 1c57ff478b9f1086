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
    counted: bool = False,
) -> "Dataset":
    """The table in ``files``, or the answer to the query that stands in their place when there is a ``database``.

    Where nothing needs single records it may be read ``counted``, so that memory does not follow the rows.
    """
    from biombo._data import read, read_counted

    source = files[0] if len(files) == 1 else list(files)
    with progress_bar(text("cli.frame.reading")) as update:
        reading = read_counted if counted else read
        return reading(source, schema, columns=columns, filename=filename, database=database, progress=update)
