"""``biombo demo``: the main job on made-up data, from a table to a report, and to a release."""

import shlex
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from biombo._cli.options import Lang
from biombo._cli.terminal import output, print_lines, say
from biombo._files import is_folder, private_folder, public_folder
from biombo._i18n import language, text

if TYPE_CHECKING:
    from biombo._data import Dataset
    from biombo._search import LocalPlan, RankedPlan

ROWS = 200_000
K, MAX_SUPPRESSION = 10, 0.05
REPORT, TABLE, SEARCH, RELEASE = "report.html", "made-up.parquet", "search.html", "release"

Out = Annotated[Path, Option("--out", metavar="cli.metavar.folder", help="cli.demo.out")]


def demo(out: Out = Path("biombo-demo"), _lang: Lang = None) -> None:
    """Make up outpatient records, attack them, publish them by the best repair and attack what that leaves."""
    from biombo._data import read
    from biombo._samples import write_parquet

    public_folder(out)
    table = out / TABLE
    say(text("cli.demo.making", rows=ROWS, path=table))
    write_parquet(table, ROWS, invalid_share=0.08)
    data = read(table, schema="siapa")
    before = _attacked(data, out)
    after = _published(data, table, out)
    say(text("cli.demo.outcome", before=before, after=after))
    say(text("cli.demo.next"))
    for line in commands(out):
        say(f"  {line}")
    say(text("cli.demo.portal", command=f"{_program()} serve --demo", extra="pip install 'biombo[portal]'"))


def commands(out: Path) -> list[str]:
    """What to type next; each works as it is printed."""
    from biombo._release import PUBLIC_KEY

    table, release = out / TABLE, out / RELEASE
    public_key = Path(f"{out}.private") / RELEASE / PUBLIC_KEY
    arguments = (
        ("risk", table, "--schema", "siapa"),
        ("utility", table, release),
        ("verify", release, "--key", public_key),
    )
    return [shlex.join([_program(), *map(str, each)]) for each in arguments]


def _program() -> str:
    """How the program was called; by its name where that is found."""
    called = sys.argv[0]
    return called if Path(called).stem == "biombo" and shutil.which("biombo") is None else "biombo"


def _attacked(data: "Dataset", out: Path) -> float:
    """Write the report; how often the strongest adversary is right."""
    from biombo._attack import risk
    from biombo._report import risk_verdict, write_report

    found, labels = risk(data), data.schema.labels(language())
    report = write_report(found, out / REPORT, source=data.title, labels=labels)
    print_lines(risk_verdict(found, source=data.title, labels=labels), output())
    say(text("risk.wrote", path=report))
    return found.max_posterior


def _published(data: "Dataset", table: Path, out: Path) -> float:
    """Publish by the best plan; how often the strongest adversary is right about what it leaves."""
    from biombo._attack import risk
    from biombo._data import read
    from biombo._release import PUBLIC_KEY, PublicRelease, publish, verify

    private = private_folder(Path(f"{out}.private"), public=out)
    plan = _best_plan(data, private)
    _remove_earlier(out / RELEASE, private / RELEASE)
    release = publish(
        table,
        plan,
        out / RELEASE,
        private=private / RELEASE,
        schema="siapa",
        accept={"PA_PROC_ID": text("cli.demo.accepted")},  # it tells the facility, as it does in real records
        format="parquet",
        model=PublicRelease(harm="medium"),
    )
    print_lines(release.headline, output())
    say(text("release.places", out=release.out, private=release.private))
    if verify(release.out, key=release.private / PUBLIC_KEY).holds:
        say(text("release.holds"))
    return risk(read(release.applied.out, schema="siapa")).max_posterior


def _best_plan(data: "Dataset", private: Path) -> "RankedPlan | LocalPlan":
    from biombo._criteria import KAnonymity
    from biombo._hierarchy import Hierarchy
    from biombo._report import search_verdict, write_search_report
    from biombo._search import search

    # The made-up municipalities have codes that no real one has, so the table of real ones does not know them.
    places = {"PA_MUNPCN": Hierarchy.by_prefix([4, 2], digits=6)}
    found = search(data, KAnonymity(K), hierarchies=places, max_suppression=MAX_SUPPRESSION, plans=3)
    labels = data.schema.labels(language())
    print_lines(search_verdict(found, source=data.title, labels=labels), output())
    write_search_report(found, private / SEARCH, source=data.title, labels=labels)
    return found[0]


def _remove_earlier(release: Path, private: Path) -> None:
    """What an earlier demonstration published. Raises where something else is in its place."""
    from biombo._release import Manifest

    if is_folder(release):
        Manifest.of(release)
        shutil.rmtree(release)
        shutil.rmtree(private, ignore_errors=True)
