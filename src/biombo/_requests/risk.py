"""``RiskRequest``: what adversaries gain from a table."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from biombo._errors import ColumnError, UsageError
from biombo._files import (
    PRIVATE,
    PUBLIC,
    in_sentences,
    making,
    private_folder,
    public_folder,
    refuse_existing,
    refuse_unmakeable,
    refuse_unwritable,
    write_together,
)
from biombo._glance import Glance, Result
from biombo._i18n import language, text
from biombo._requests.entries import known, number, placed, read_by, some_columns, unsaved
from biombo._requests.request import TableRequest
from biombo._watch import begin, remark

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    from numpy.typing import NDArray

    from biombo._attack import Membership, MembershipByPart, MembershipTarget, PopulationRisk, Risk, RiskByPart, Target
    from biombo._data import Dataset, FarTuples, SourceTable
    from biombo._engine import Engine
    from biombo._report import ReportPart

    Places = NDArray[np.integer[Any]]

REPORT, RECORDS, TARGET, REIDENTIFIED = "report.html", "records.csv", "target.json", "reidentified.csv"


@dataclass(frozen=True, kw_only=True, repr=False)
class RiskRequest(TableRequest):
    """Attack every subset of the quasi columns, under the names of ``biombo risk``.

    >>> from biombo import samples
    >>> found = RiskRequest(quasi=["age", "city"], sensitive=["disease"]).run(samples.clinic())
    >>> found.risk.rows, found.holds
    (12, True)
    """

    kind: ClassVar[str] = "risk"

    quasi: tuple[str, ...] | None = field(default=None, metadata=read_by(some_columns))
    """What an adversary may know; by default the schema's quasi columns."""
    sensitive: tuple[str, ...] | None = None
    """What it wants; by default the schema's sensitive columns."""
    max_size: int | None = number(1)
    """The largest number of quasi columns to combine."""
    by: tuple[str, ...] | None = field(default=None, metadata=read_by(some_columns))
    """The columns whose values tell the parts of the table apart."""
    max_posterior: float | None = number(0, 1)
    """Above it the risk is too high."""
    out: str | None = placed("path", written=True)
    """The folder for the report."""
    through: tuple[str, ...] = placed("through", default=())
    """Columns read through a hierarchy: ``proc=prefix:2``, ``city=cities.csv:1`` or ``proc=sigtap:3``."""
    private: str | None = placed("path", written=True)
    """The folder for what concerns single people; by default ``out`` with ``.private`` added."""
    records: tuple[str, ...] | None = field(default=None, metadata=read_by(some_columns))
    """Quasi columns: the vulnerability of each record when these are known."""
    target: Mapping[str, str | None] | None = field(default=None, metadata=read_by(known))
    """What an adversary knows about one person, by column."""
    population: str | None = placed("path")
    """The table that this one is a sample of."""
    population_schema: str | None = placed("schema")
    repeated: Literal["refuse", "count-once"] = "refuse"
    """People with several records in a sample."""
    fraction: float | None = number(0, 1)
    """The share of the population that is in the sample."""
    weight: str | None = None
    """The column with the weights of the sample."""
    title: str | None = None
    """What the report is called; by default after the table."""
    force: bool = unsaved(False)
    """Replace files that exist."""

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before the attack."""
        self._prepared(source, self.chosen_engine())

    def _prepared(self, source: Any, engine: "Engine") -> "SourceTable | Dataset":
        """The table; whatever can be wrong with it, or be asked of it, by the columns alone was looked for."""
        self._refuse()
        table, header = self.opened(source, self.columns_in_use, engine)
        for entry in self.through:
            header = _through(header, entry)
        self._check_attacks(header)
        if self.population is not None:
            self._population_there(engine)
        self._refuse_places()
        return table

    def _refuse(self) -> None:
        self.check_engine()
        if self._estimated and self.by is not None:
            raise UsageError("usage.estimate-by")
        if self._about_people and self.out is None and self.private is None:
            raise UsageError("usage.no-private")
        for name in self.records or ():
            if name not in self._quasi:
                raise ColumnError.missing(name, self._quasi, text("risk.the-quasi"))

    def _check_attacks(self, header: "Dataset") -> None:
        from biombo._attack import check_attack, check_estimate, check_target

        scope = check_attack(header, self.quasi, self.sensitive, self.max_size, self.by)
        if self.records is not None and (self.by is not None or not scope.sensitive):
            raise UsageError("usage.records-of-one-table")
        if self.target is not None:
            check_target(header, self.target, self.sensitive)
        if self._estimated:
            check_estimate(header, self.quasi, self.fraction, self.weight)

    def _refuse_places(self) -> None:
        """Raise where what is to be written could not be, or would replace something; nothing is made."""
        public, folder = self._public_folder, self._person_folder
        if public is not None:
            refuse_unmakeable(public)
        if folder is not None:
            refuse_unmakeable(folder, public=public)
        for path in self.outputs:
            with in_sentences(path):
                is_made = path.parent.is_dir()
            if is_made:
                refuse_unwritable(path)
            if not self.force:
                refuse_existing(path)
        self.refuse_outputs()

    @property
    def outputs(self) -> list[Path]:
        """The files that may be written."""
        report = [] if self._public_folder is None else [self._public_folder / REPORT]
        folder = self._person_folder
        return report + ([] if folder is None else [folder / name for name in (RECORDS, TARGET, REIDENTIFIED)])

    @property
    def folders(self) -> tuple[Path | None, Path | None]:
        """Where the report goes, and where what concerns single people does; none where nothing was asked for."""
        return self._public_folder, self._person_folder

    @property
    def _public_folder(self) -> Path | None:
        return None if self.out is None else Path(self.out)

    @property
    def _estimated(self) -> bool:
        return self.fraction is not None or self.weight is not None

    @property
    def _sampled(self) -> bool:
        return self.population is not None or self._estimated

    @property
    def _about_people(self) -> bool:
        return self.records is not None or self.target is not None

    @property
    def _person_folder(self) -> Path | None:
        """Where what concerns single people goes, where something was asked for."""
        if not self._about_people:
            return None
        return Path(f"{self.out}.private" if self.private is None else self.private)

    @property
    def _quasi(self) -> list[str]:
        from biombo._data import Schema

        return list(Schema.load(self.schema).quasi if self.quasi is None else self.quasi)

    @property
    def columns_in_use(self) -> list[str]:
        """The columns that the attack reads, so that no other is kept."""
        from biombo._data import Schema

        loaded, known = Schema.load(self.schema), self._quasi
        if not known:
            raise UsageError("usage.risk-no-quasi")
        wanted = loaded.sensitive if self.sensitive is None else self.sensitive
        person = [loaded.person] if self._sampled and loaded.person else []
        weight = [self.weight] if self.weight else []
        return list(dict.fromkeys([*known, *wanted, *(self.by or ()), *(self.target or ()), *person, *weight]))

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "RiskOutcome":
        """Attack, and write what is to be written; ``source`` may be a table in place of the files, ``engine`` is where
        its rows are counted, in the place of the one that is named.
        """
        place = self.chosen_engine(engine)
        table = self._prepared(source, place)
        if self._is_one_sweep:
            read = self.surveyed(self.columns_in_use, table, place)
            outcome = RiskOutcome(self, read, self._swept(read), None, None)
        else:
            data = self._read(table, self.columns_in_use, place)
            found, whole = self._attacked(data), self._whole(data, place)
            members = None if whole is None else self._membership(data, whole)
            person = None if whole is None else self._person_in_sample(data, whole)
            places = self._places(table)
            outcome = RiskOutcome(self, data, found, members, self._estimate(data), person, places)
        outcome.write()
        return outcome

    @property
    def _is_one_sweep(self) -> bool:
        """Is nothing asked but what a sweep over all subsets tells? Then tuples may stay where they are."""
        return not (self.by or self.through or self._sampled or self._about_people)

    def _swept(self, data: "Dataset | FarTuples") -> "Risk":
        from biombo._attack import risk

        begin("attacking")
        return risk(data, self.quasi, self.sensitive, self.max_size)

    def _read(self, table: "SourceTable | Dataset", columns: list[str], engine: "Engine") -> "Dataset":
        from biombo._data import Dataset, Schema, read
        from biombo._engine import LOCAL

        # Records are written one by one, and weights are wrong in a row, which only this process can name.
        single = self.records is not None or (self.weight is not None and engine is LOCAL)
        if single and not isinstance(table, Dataset):
            begin("reading")
            data = read(table, Schema.load(self.schema), columns=columns)
        else:
            data = self.counted(columns, table, engine)
        for entry in self.through:
            data = _through(data, entry)
        return data

    def _places(self, table: "SourceTable | Dataset") -> "Places | None":
        """Which records of the table are attacked, where these are written one by one and only some are asked for."""
        if self.records is None or not self.selections:
            return None
        from biombo._plan import selected_places

        return selected_places(table, self.selections)

    def _attacked(self, data: "Dataset") -> "Risk | RiskByPart":
        from biombo._attack import risk_by_part

        if not self.by:
            return self._swept(data)
        begin("attacking")
        return risk_by_part(data, self.by, self.quasi, self.sensitive, self.max_size)

    def _membership(self, sample: "Dataset", whole: "Dataset") -> "Membership | MembershipByPart":
        """What the sample tells about who is in it, for an adversary who knows the population."""
        from biombo._attack import membership, membership_by_part

        begin("attacking")
        if self.by:
            return membership_by_part(sample, whole, self.by, self.quasi, self.max_size, repeated=self.repeated)
        return membership(sample, whole, self.quasi, self.max_size, repeated=self.repeated)

    def _person_in_sample(self, sample: "Dataset", whole: "Dataset") -> "MembershipTarget | None":
        """What the sample tells about one person's being in it."""
        from biombo._attack import membership_target

        if not self.target:
            return None
        return membership_target(sample, whole, self.target, repeated=self.repeated)

    def _whole(self, sample: "Dataset", engine: "Engine") -> "Dataset | None":
        """The population, where one was given."""
        from biombo._data import Schema, SourceTable

        if self.population is None:
            return None
        begin("reading")
        columns = self._population_columns(sample.schema)
        table = SourceTable.open(engine.reached(self.population))
        table.check(columns)
        return engine.open(table).tuples(list(dict.fromkeys(columns)), Schema.load(self.population_schema))

    def _population_columns(self, schema: Any) -> list[str]:
        """What the quasi columns, and the person, are called in the population."""
        from biombo._data import Schema

        used = [*(self.quasi or schema.quasi), *(self.by or ()), *(self.target or ())]
        names = [schema[name].population.column or name for name in used]
        person = Schema.load(self.population_schema).person
        return [*names, *([person] if person else [])]

    def _population_there(self, engine: "Engine") -> None:
        from biombo._data import Schema, SourceTable

        SourceTable.open(engine.reached(self.population)).check(self._population_columns(Schema.load(self.schema)))

    def _estimate(self, data: "Dataset") -> "PopulationRisk | None":
        """The risk in a population that nobody has, where the sampling is known."""
        from biombo._attack import population_risk

        if not self._estimated:
            return None
        return population_risk(data, self.quasi, fraction=self.fraction, weight=self.weight)


@dataclass(frozen=True, eq=False, repr=False)
class RiskOutcome(Result):
    """What came of the attacks."""

    request: RiskRequest
    data: "Dataset | FarTuples"
    risk: "Risk | RiskByPart"
    membership: "Membership | MembershipByPart | None"
    """What a sample tells about who is in it, where its population was given."""
    estimate: "PopulationRisk | None"
    """The risk in a population that nobody has, where the sampling was told."""
    person: "MembershipTarget | None" = None
    """What the sample tells about one person's being in it, where a population and a person were given."""
    places: "Places | None" = None
    """Which records of the table these are, from 0, where only some were asked for and each is told of."""

    @property
    def holds(self) -> bool:
        """Is the strongest attack no stronger than it may be?"""
        most = self.request.max_posterior
        return most is None or self.risk.max_posterior <= most

    def _glance(self) -> Glance:
        told = self.risk._glance()
        further = [each._glance() for each in (self.membership, self.estimate) if isinstance(each, Result)]
        return replace(told, below=[*told.below, *further])

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        from biombo._attack import as_json

        found = as_json(self.risk, self.membership, self.estimate)
        return found if self.person is None else found | {"target": {"membership": self.person.as_json()}}

    def as_table(self) -> "pl.DataFrame":
        """A row for each subset of the quasi columns."""
        from biombo._attack import as_table

        return as_table(self.risk)

    def verdict(self) -> list[str]:
        """The headline of the report, in at most five lines."""
        from biombo._report import risk_verdict

        return risk_verdict(
            self.risk,
            source=self.data.label,
            labels=self.data.schema.labels(language()),
            membership=self.membership,
            estimate=self.estimate,
        )

    def report(self) -> str:
        """The report as one HTML page, which shows nothing on single people."""
        from biombo._report import render_report

        return render_report(self.risk, **self._told())

    def parts(self) -> "tuple[ReportPart, ...]":
        """What the report tells, part by part, for a page of somebody else; nothing where there are parts of the table,
        or it is too small.
        """
        from biombo._attack import Risk
        from biombo._report import risk_parts

        return risk_parts(self.risk, labels=self.data.schema.labels(language())) if isinstance(self.risk, Risk) else ()

    def write_report(self, path: str | Path) -> Path:
        """Write the report, whole or not at all."""
        from biombo._report import write_report

        return write_report(self.risk, path, **self._told())

    def _told(self) -> dict[str, Any]:
        labels = self.data.schema.labels(language())
        told = {"source": self.data.title, "title": self.request.title}
        return {**told, "labels": labels, "membership": self.membership}

    def write(self) -> None:
        """Write what was asked for, all of it or nothing, and say where it is."""
        asked = self.request
        public, private = asked.folders
        files: dict[Path, tuple[str | bytes, int]] = {}
        if public is not None:
            files[public / REPORT] = (self.report(), PUBLIC)
        about = {} if private is None else {private / name: (each, PRIVATE) for name, each in self._about_people()}
        with making(*(folder for folder in asked.folders if folder is not None)):
            if public is not None:
                public_folder(public)
            if private is not None:
                private_folder(private, public=public)
            write_together({**files, **about})
        for path in files:
            remark(text("risk.wrote", path=path))
        for path in about:
            remark(text("risk.wrote-private", path=path))

    def _about_people(self) -> "Iterator[tuple[str, str]]":
        """What was asked about single people: what each file is called, and its content."""
        from biombo._attack import Membership
        from biombo._data import Dataset

        asked = self.request
        if asked.records is not None:
            yield RECORDS, _records(self.risk, asked.records, self.places)
        if asked.records is not None and isinstance(self.membership, Membership):
            yield REIDENTIFIED, _reidentified(self.membership, asked.records, self.places)
        if asked.target:
            assert isinstance(self.data, Dataset)  # whoever asks about people has the tuples here
            yield TARGET, _target(self.data, asked.target, asked.sensitive, self.person)


def _through(data: "Dataset", entry: str) -> "Dataset":
    from biombo._data import through
    from biombo._hierarchy import Hierarchy

    column, _, rest = entry.partition("=")
    source, _, number = rest.rpartition(":")
    if not column or not source or not number.isdecimal():
        raise UsageError("usage.through", typed=entry)
    if source == "prefix":
        return through(data, column, Hierarchy.by_prefix([int(number)]), 1)
    return through(data, column, Hierarchy.load(source), int(number))


def _in_table(rows: "Places", places: "Places | None") -> "Places":
    """The numbers of rows in the whole table, of which only those at ``places`` may have been asked for."""
    return rows if places is None else places[rows]


def _records(found: "Risk | RiskByPart", subset: Sequence[str], places: "Places | None") -> str:
    """The vulnerability of each record when the adversary knows ``subset``, for each sensitive column."""
    from biombo._attack import AttributeInference
    from biombo._engine import csv_text

    inference = found.attribute_inference
    assert isinstance(inference, AttributeInference)
    table = None
    for name in inference.sensitive:
        columns = inference.records(subset, name).table.rename(
            {"vulnerability": f"{name}:vulnerability", "success": f"{name}:success"}
        )
        table = columns if table is None else table.join(columns, on="row")
    assert table is not None
    return csv_text(table.with_columns(row=_in_table(table["row"].to_numpy(), places)))


def _reidentified(found: "Membership", columns: Sequence[str], places: "Places | None") -> str:
    """The records that are alone in the sample and in the population when ``columns`` are known, by position."""
    import polars as pl

    from biombo._attack import individual_attack
    from biombo._engine import csv_text

    return csv_text(pl.DataFrame({"row": _in_table(individual_attack(found, columns).rows, places)}))


def _named(learned: "Target", sensitive: str) -> list[dict[str, Any]]:
    """The values that the person may have, each with what people call it."""
    known = learned.labels.get(sensitive, {})
    rows = learned.values[sensitive].to_dicts()
    return [row | ({"label": known[row["value"]]} if row["value"] in known else {}) for row in rows]


def _target(
    data: "Dataset",
    known: Mapping[str, str | None],
    sensitive: Sequence[str] | None,
    in_sample: "MembershipTarget | None",
) -> str:
    """What an adversary who knows ``known`` about one person learns about the sensitive columns."""
    from biombo._attack import target

    learned = target(data, known, sensitive=sensitive)
    content = {
        "known": dict(learned.known),
        "candidates": learned.candidates,
        "records": learned.rows,
        "values": {name: _named(learned, name) for name in learned.values},
    }
    if in_sample is not None:
        content["membership"] = in_sample.as_json()
    return json.dumps(content, ensure_ascii=False, indent=2, default=str)
