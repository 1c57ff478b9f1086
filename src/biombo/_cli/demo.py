"""``biombo demo``: the main job on made-up data, from a table to a report."""

from pathlib import Path
from typing import Annotated

from typer import Option

from biombo._cli.console import output, say
from biombo._cli.options import Lang
from biombo._cli.risk import REPORT
from biombo._files import public_folder
from biombo._i18n import language, text

ROWS = 200_000

Out = Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.demo.out")]


def demo(out: Out = Path("biombo-demo"), _lang: Lang = None) -> None:
    """Make up a year of outpatient records, attack them and write the report."""
    from biombo._attack import risk
    from biombo._cli.risk_views import print_tables
    from biombo._data import read
    from biombo._report import write_report
    from biombo._samples import write_parquet

    public_folder(out)
    table = out / "made-up.parquet"
    say(text("cli.demo.making", rows=ROWS, path=table))
    write_parquet(table, ROWS, invalid_share=0.08)
    data = read(table, schema="siapa")
    found = risk(data)
    report = write_report(found, out / REPORT, source=data.title, labels=data.schema.labels(language()))
    print_tables(found, str(table), output())
    say(text("risk.wrote", path=report))
    say(text("cli.demo.next", path=table))
