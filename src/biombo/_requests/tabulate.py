"""``TabulateRequest``: a table of counts that tells nothing of small groups."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from biombo._errors import UsageError
from biombo._files import PUBLIC, refuse_existing, refuse_unwritable, write_together
from biombo._glance import Glance, Result
from biombo._i18n import option
from biombo._requests.entries import number, placed, read_by, tabulated, unsaved
from biombo._requests.places import register_address, register_file
from biombo._requests.record import RecordAnswers
from biombo._requests.request import TableRequest

if TYPE_CHECKING:
    from biombo._engine import Engine
    from biombo._release import Register, TableRecord, TableRelease
    from biombo._tabulate import Perturbation, Protection, Tabulation


@dataclass(frozen=True, kw_only=True, repr=False)
class TabulateRequest(RecordAnswers, TableRequest):
    """Count records by columns, and leave out what tells too much, under the names of ``biombo tabulate``.

    >>> from biombo import samples
    >>> TabulateRequest(by=["sex"], k=3).run(samples.clinic()).table.to_frame()["records"].to_list()
    [6, 6, 12]
    """

    kind: ClassVar[str] = "tabulate"

    by: Mapping[str, Any] = field(default_factory=dict, metadata=read_by(tabulated))
    """By column: the levels of its hierarchy that are counted apart and added up, the column as it is being level 0."""
    sum: tuple[str, ...] = ()
    """Columns whose sums are shown."""
    mean: tuple[str, ...] = ()
    """Columns whose means are shown."""
    person: str | None = None
    """The column that tells people apart."""
    k: int = number(1, default=10)
    """People in a cell, at least."""
    percent: float = number(0, 1, default=0.1)
    """How far a sum must be in doubt, as a share of what whoever has most of it has."""
    dominance: tuple[float, ...] | None = None
    """A number of people and a share: a sum tells too much of which so many have more than that."""
    zeros: Literal["shown", "protected"] = "shown"
    round: int | None = number(2)
    """Show every count as a multiple of this, so that no cell is left out."""
    cell_key: str | None = placed("key")
    """Show every count with noise that its records and this key decide."""
    cell_noise: tuple[float, ...] | None = None
    """That noise: the largest, its variance, and up to which number small counts are never shown."""
    epsilon: float | None = number(0)
    """Show counts with differential privacy."""
    records_per_person: int = number(1, default=1)
    """The most records of one person that ε is for."""
    categories: str | None = placed("path")
    """A YAML file that says, by column, which categories there are: a list of values, ``public`` or ``data``."""
    hierarchies: str | None = placed("folder")
    """The folder with a hierarchy for each column."""
    out: str | None = placed("path", written=True)
    """The folder for the table with its proof, or the CSV file for the table alone."""
    key: str | None = placed("path")
    """The key that signs the manifest of a folder."""
    series: str | None = None
    """What the register calls the source: tables of one series are of the same records, or of these and later ones."""
    new_series: bool = unsaved(False)
    """Is the source another one than those that the register knows under nearly the same name?"""
    force: bool = unsaved(False)
    """Replace a file that exists."""

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before anything is counted."""
        self.check_engine()
        if not self.by:
            raise UsageError("tabulate.no-columns")
        self._check_record()
        if self.out is not None and self._is_file:
            refuse_unwritable(Path(self.out))
            if not self.force:
                refuse_existing(Path(self.out))
        _ = self._protection
        self.opened(source, [*self.by, *self.sum, *self.mean], self.chosen_engine())
        self.refuse_outputs()

    @property
    def outputs(self) -> list[Path]:
        """The folder, or the file; and the register, where it is in one."""
        paths = (None if self.out is None else Path(self.out), register_file(self._address))
        return [path for path in paths if path is not None]

    @property
    def _address(self) -> str | None:
        """The register; one that the environment names is meant for what is put on record."""
        return register_address(self.register) if self._is_release else self.register or None

    @property
    def _is_release(self) -> bool:
        return self.out is not None and not self._is_file

    def _check_record(self) -> None:
        """Raise where the register is not told enough, or told what it is not there for."""
        if self._address is None:
            self.refuse_without_register()
            if self.series is not None:
                raise UsageError("release.register-unsaid", options=option("series"))
        elif self._is_file:
            raise UsageError("tabulate.file-unrecorded", path=str(self.out))
        elif self.where:
            raise UsageError("tabulate.selected")
        elif self._is_release:
            self.refuse_missing(series=self.series is not None)
        elif self.series is None:
            raise UsageError("release.register-needs", needs=option("series"))

    @property
    def _protection(self) -> "Protection | None":
        """What protects the table where no cell is left out."""
        from biombo._tabulate import CellKeys, NoisyCounts, Perturbation, Rounding

        asked = [name for name in ("round", "cell_key", "epsilon") if getattr(self, name) is not None]
        if len(asked) > 1:
            raise UsageError("tabulate.two-protections", options=", ".join(f"--{_typed(name)}" for name in asked))
        if self.cell_noise is not None and self.cell_key is None:
            raise UsageError("tabulate.cell-noise-alone")
        if self.round is not None:
            return Rounding(self.round)
        if self.epsilon is not None:
            return NoisyCounts(self.epsilon, self.records_per_person)
        if self.cell_key is None:
            return None
        return CellKeys(self.cell_key, Perturbation() if self.cell_noise is None else _noise(self.cell_noise))

    @property
    def _is_file(self) -> bool:
        return self.out is not None and Path(self.out).suffix.lower() == ".csv"

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "TabulateOutcome":
        """Count, protect, and write what is to be written."""
        from biombo._search import in_folder
        from biombo._tabulate import Dominance, load_categories, tabulate

        self.check(source)
        place = self.chosen_engine(engine)
        register = self._register()
        table = tabulate(
            self.table(source, place),
            self.by,
            sums=self.sum,
            means=self.mean,
            k=self.k,
            percent=self.percent,
            dominance=None if self.dominance is None else Dominance(*_pair(self.dominance)),
            zeros=self.zeros,
            protection=self._protection,
            person=self.person,
            categories=None if self.categories is None else load_categories(self.categories),
            hierarchies=None if self.hierarchies is None else in_folder(self.hierarchies, [*self.by]),
            schema=self.schema,
            engine=place,
            earlier=None if register is None or self.series is None else register.tables(self.series),
        )
        return TabulateOutcome(self, table, self._written(table, register))

    def _register(self) -> "Register | None":
        """The register, begun where a table is to be put there."""
        from biombo._release import Register

        if self._address is None:
            return None
        register = Register.open(self._address)
        if self._is_release:
            register.begin()
        if self.series is not None and not self.new_series:
            register.refuse_near(self.series)
        return register

    def _record(self, register: "Register | None") -> "TableRecord | None":
        from biombo._release import TableRecord

        if register is None or self.series is None or self.department is None or self.review is None:
            return None
        about = {name: value for name, value in self.about.items() if name not in ("department", "review")}
        return TableRecord(
            register=register,
            series=self.series,
            department=self.department,
            review=self.review,
            new_series=self.new_series,
            **about,
        )

    def _written(self, table: "Tabulation", register: "Register | None") -> "TableRelease | None":
        from biombo._engine import csv_text
        from biombo._release import publish_table

        if self.out is None:
            return None
        if self._is_file:
            write_together({Path(self.out): (csv_text(table.shown.frame()), PUBLIC)})
            return None
        return publish_table(table, self.out, key=self.key, record=self._record(register))


@dataclass(frozen=True, eq=False, repr=False)
class TabulateOutcome(Result):
    """What came of it."""

    request: TabulateRequest
    table: "Tabulation"
    release: "TableRelease | None"

    @property
    def holds(self) -> bool:
        """Is there anything to show?"""
        return self.table.holds

    def _glance(self) -> Glance:
        return self.table._glance()

    def as_json(self) -> dict[str, Any]:
        """The table, and what was left out."""
        return self.table.as_json()


def _pair(given: tuple[float, ...]) -> tuple[int, float]:
    """A number of people, and a share."""
    if len(given) != 2 or given[0] != int(given[0]):
        raise UsageError("tabulate.dominance", first=given[0], share=given[-1])
    return int(given[0]), given[1]


def _noise(given: tuple[float, ...]) -> "Perturbation":
    """The largest, the variance, and up to which number counts are not shown."""
    from biombo._tabulate import Perturbation

    if len(given) != 3 or given[0] != int(given[0]) or given[2] != int(given[2]):
        raise UsageError("tabulate.cell-noise-shape")
    return Perturbation(int(given[0]), given[1], int(given[2]))


def _typed(name: str) -> str:
    return name.replace("_", "-")
