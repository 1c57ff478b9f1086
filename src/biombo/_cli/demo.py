"""``biombo demo``: the main job on made-up data, from a table to a report, and to a table that can be published."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.console import output, say
from biombo._cli.options import Lang
from biombo._cli.risk import REPORT
from biombo._files import private_folder, public_folder
from biombo._i18n import language, text

if TYPE_CHECKING:
    from biombo._data import Dataset

ROWS = 200_000
K, MAX_SUPPRESSION = 10, 0.05
TABLE, PROTECTED, PLAN, SEARCH = "made-up.parquet", "protected.parquet", "plan.yaml", "search.html"

Out = Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.demo.out")]


def demo(out: Out = Path("biombo-demo"), _lang: Lang = None) -> None:
    """Make up a year of outpatient records, attack them, find the best repair and attack what it leaves."""
    from biombo._data import read
    from biombo._samples import write_parquet

    public_folder(out)
    table = out / TABLE
    say(text("cli.demo.making", rows=ROWS, path=table))
    write_parquet(table, ROWS, invalid_share=0.08)
    data = read(table, schema="siapa")
    before = _attacked(data, out)
    after = _repaired(data, table, out)
    say(text("cli.demo.outcome", before=before, after=after))
    say(text("cli.demo.next", path=table))


def _attacked(data: "Dataset", out: Path) -> float:
    """Write the report; how often the strongest adversary is right."""
    from biombo._attack import risk
    from biombo._cli.risk_views import print_tables
    from biombo._report import write_report

    found = risk(data)
    report = write_report(found, out / REPORT, source=data.title, labels=data.schema.labels(language()))
    print_tables(found, str(out / TABLE), output())
    say(text("risk.wrote", path=report))
    return found.max_posterior


def _repaired(data: "Dataset", table: Path, out: Path) -> float:
    """Apply the best plan; how often the strongest adversary is right about what it leaves."""
    from biombo._attack import risk
    from biombo._cli.search_views import print_found
    from biombo._criteria import KAnonymity
    from biombo._data import read
    from biombo._hierarchy import Hierarchy
    from biombo._plan import apply
    from biombo._report import write_search_report
    from biombo._search import search

    # The made-up municipalities have codes that no real one has, so the table of real ones does not know them.
    places = {"PA_MUNPCN": Hierarchy.by_prefix([4, 2], digits=6)}
    found = search(data, KAnonymity(K), hierarchies=places, max_suppression=MAX_SUPPRESSION, plans=3)
    print_found(found, data, output())
    private = private_folder(Path(f"{out}.private"), public=out)
    write_search_report(found, private / SEARCH, source=data.title, labels=data.schema.labels(language()))
    found[0].plan.save(private / PLAN)
    apply(table, found[0].plan, out / PROTECTED, force=True)
    say(text("cli.demo.protected", path=out / PROTECTED, plan=private / PLAN))
    return risk(read(out / PROTECTED, schema="siapa")).max_posterior
