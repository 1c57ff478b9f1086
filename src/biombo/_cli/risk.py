"""``biombo risk``: what adversaries gain from a table."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.console import output, print_json, say
from biombo._cli.lists import names, pairs
from biombo._cli.options import Database, Filename, Files, Force, Json, Lang
from biombo._cli.population import attack_membership
from biombo._cli.progress import share_bar
from biombo._cli.reading import read_files
from biombo._cli.run import DONE, NOT_MET
from biombo._cli.through import read_through
from biombo._errors import ColumnError, UsageError
from biombo._files import private_folder, public_folder, refuse_existing
from biombo._i18n import language, percent, text

if TYPE_CHECKING:
    from biombo._attack import Membership, PopulationRisk, Risk, RiskByPart
    from biombo._data import Dataset

REPORT, RECORDS, TARGET, REIDENTIFIED = "report.html", "records.csv", "target.json", "reidentified.csv"

Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.option.schema")]
Quasi = Annotated[str | None, Option("--quasi", metavar="a,b,c", help="cli.option.quasi")]
Sensitive = Annotated[str | None, Option("--sensitive", metavar="s,t", help="cli.option.sensitive")]
MaxSize = Annotated[int | None, Option("--max-size", metavar="N", min=1, help="cli.risk.max-size")]
By = Annotated[str | None, Option("--by", metavar="a,b", help="cli.risk.by")]
MaxPosterior = Annotated[
    float | None, Option("--max-posterior", metavar="X", min=0.0, max=1.0, help="cli.risk.max-posterior")
]
Through = Annotated[list[str] | None, Option("--through", metavar="cli.metavar.through", help="cli.risk.through")]
Out = Annotated[Path | None, Option("--out", metavar="cli.metavar.folder", help="cli.risk.out")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.risk.private")]
Records = Annotated[str | None, Option("--records", metavar="a,b,c", help="cli.risk.records")]
Target = Annotated[list[str] | None, Option("--target", metavar="a=1,b=2", help="cli.risk.target")]
Population = Annotated[str | None, Option("--population", metavar="cli.metavar.files", help="cli.risk.population")]
PopulationSchema = Annotated[
    str | None, Option("--population-schema", metavar="cli.metavar.schema", help="cli.risk.population-schema")
]
Fraction = Annotated[float | None, Option("--fraction", metavar="X", min=0.0, max=1.0, help="cli.risk.fraction")]
Weight = Annotated[str | None, Option("--weight", metavar="cli.metavar.column", help="cli.risk.weight")]
RepeatedPeople = Annotated[
    Literal["refuse", "count-once"], Option("--repeated", metavar="refuse|count-once", help="cli.risk.repeated")
]
Csv = Annotated[bool, Option("--csv", help="cli.risk.csv")]


def risk(
    files: Files,
    schema: Schema = None,
    quasi: Quasi = None,
    sensitive: Sensitive = None,
    max_size: MaxSize = None,
    by: By = None,
    max_posterior: MaxPosterior = None,
    out: Out = None,
    json: Json = False,
    csv: Csv = False,
    through: Through = None,
    private: Private = None,
    records: Records = None,
    target: Target = None,
    population: Population = None,
    population_schema: PopulationSchema = None,
    repeated: RepeatedPeople = "refuse",
    fraction: Fraction = None,
    weight: Weight = None,
    force: Force = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> int:
    """Attack every subset of the quasi columns; print what came out and, where asked, write a report."""
    if json and csv:
        raise UsageError("usage.json-and-csv")
    sampled = population is not None or fraction is not None or weight is not None
    if sampled and by is not None:
        raise UsageError("usage.population-by")
    known = pairs(target or ())
    person_folder = _prepared(out, private, force, about_people=records is not None or target is not None)
    used = _columns_in_use(schema, names(quasi), names(sensitive), [*(names(by) or []), *known], weight, sampled)
    # Records are written one by one, weights are wrong in a row, and of several records of a person the first counts.
    counted = records is None and weight is None and repeated == "refuse"
    table = read_files(files, schema, columns=used, filename=filename, database=database, counted=counted)
    data = read_through(table, through or ())
    if records is not None:
        _check_records(names(records) or [], names(quasi) or data.schema.quasi)
    found = _attacked(data, names(quasi), names(sensitive), max_size, names(by))
    members = (
        attack_membership(data, names(quasi), population, population_schema, max_size, repeated) if population else None
    )
    estimated = _estimated(data, names(quasi), fraction, weight)
    if out is not None:
        _write_report(found, members, data, out)
    if person_folder is not None:
        _write_about_people(person_folder, found, members, data, names(records), names(sensitive), known)
    _show(found, members, estimated, data.label, json, csv)
    if max_posterior is not None and found.max_posterior > max_posterior:
        say(text("risk.above", found=percent(found.max_posterior, 2), limit=percent(max_posterior, 2)))
        return NOT_MET
    return DONE


def _prepared(out: Path | None, private: Path | None, force: bool, *, about_people: bool) -> Path | None:
    """Make the folders before long work; the private one where something about single people was asked for."""
    if out is not None:
        public_folder(out)
        if not force:
            refuse_existing(out / REPORT)
    if not about_people:
        return None
    if out is None and private is None:
        raise UsageError("usage.no-private")
    folder = private_folder(private or Path(f"{out}.private"), public=out)
    if not force:
        for name in (RECORDS, TARGET, REIDENTIFIED):
            refuse_existing(folder / name)
    return folder


def _columns_in_use(
    schema: str | None,
    quasi: list[str] | None,
    sensitive: list[str] | None,
    more: list[str],
    weight: str | None,
    with_person: bool,
) -> list[str]:
    """The columns that the attack reads, so that no other is kept."""
    from biombo._data import Schema

    loaded = Schema.load(schema)
    known = list(loaded.quasi) if quasi is None else quasi
    if not known:
        raise UsageError("usage.risk-no-quasi")
    wanted = list(loaded.sensitive) if sensitive is None else sensitive
    person = [loaded.person] if with_person and loaded.person else []
    return list(dict.fromkeys([*known, *wanted, *more, *person, *([weight] if weight else [])]))


def _check_records(columns: Sequence[str], quasi: Sequence[str]) -> None:
    """Refuse unknown columns before the long work, not after it."""
    for name in columns:
        if name not in quasi:
            raise ColumnError.missing(name, quasi, text("risk.the-quasi"))


def _attacked(
    data: "Dataset",
    quasi: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    max_size: int | None,
    by: Sequence[str] | None,
) -> "Risk | RiskByPart":
    from biombo._attack import risk, risk_by_part

    with share_bar(text("risk.attacking")) as watch:
        if by:
            return risk_by_part(data, by, quasi, sensitive, max_size, progress=watch)
        return risk(data, quasi, sensitive, max_size, progress=watch)


def _estimated(
    data: "Dataset", quasi: Sequence[str] | None, fraction: float | None, weight: str | None
) -> "PopulationRisk | None":
    """The risk in a population that nobody has, where the sampling is known."""
    from biombo._attack import population_risk

    if fraction is None and weight is None:
        return None
    return population_risk(data, quasi, fraction=fraction, weight=weight)


def _write_report(found: "Risk | RiskByPart", members: "Membership | None", data: "Dataset", out: Path) -> None:
    from biombo._report import write_report

    labels = data.schema.labels(language())
    written = write_report(found, out / REPORT, source=data.title, labels=labels, membership=members)
    say(text("risk.wrote", path=written))


def _write_about_people(
    folder: Path,
    found: "Risk | RiskByPart",
    members: "Membership | None",
    data: "Dataset",
    records: Sequence[str] | None,
    sensitive: Sequence[str] | None,
    known: Mapping[str, str | None],
) -> None:
    """What concerns single people goes to the private folder, and nowhere else."""
    from biombo._cli.people import write_records, write_reidentified, write_target

    if records is not None:
        say(text("risk.wrote-private", path=write_records(found, records, folder / RECORDS)))
    if records is not None and members is not None:
        say(text("risk.wrote-private", path=write_reidentified(members, records, folder / REIDENTIFIED)))
    if known:
        say(text("risk.wrote-private", path=write_target(data, known, sensitive, folder / TARGET)))


def _show(
    found: "Risk | RiskByPart",
    members: "Membership | None",
    estimated: "PopulationRisk | None",
    label: str,
    json: bool,
    csv: bool,
) -> None:
    from biombo._attack import as_json, as_table
    from biombo._cli.membership_views import print_estimates, print_membership
    from biombo._cli.risk_views import print_csv, print_tables

    if json:
        print_json(as_json(found, members, estimated))
    elif csv:
        print_csv(as_table(found))
    else:
        print_tables(found, label, output())
        if members is not None:
            print_membership(members, _sensitive(found), output())
        if estimated is not None:
            print_estimates(estimated, output())


def _sensitive(found: "Risk | RiskByPart") -> Sequence[str]:
    from biombo._attack import Risk

    return found.reidentification.evidence.question.sensitive if isinstance(found, Risk) else ()
