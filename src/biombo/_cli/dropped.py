"""What is said about records that were left out because of invalid values."""

from rich.console import Console

from biombo._attack import Dropped
from biombo._cli.console import plain
from biombo._i18n import integer, text


def print_dropped(dropped: Dropped, console: Console) -> None:
    """How many there are, by the columns that are to blame; nothing where there are none."""
    causes = {name: rows for name, rows in dropped.by_column.items() if rows}
    if causes:
        named = ", ".join(f"{plain(name)} {integer(rows)}" for name, rows in causes.items())
        console.print(text("risk.dropped", rows=dropped.rows, causes=named), style="dim", soft_wrap=True)
