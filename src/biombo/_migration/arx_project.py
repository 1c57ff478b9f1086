"""What an ARX project says, in ARX's own words: its columns, hierarchies, criteria and settings.

The parts are XML and CSV. What ARX keeps beside them as serialised Java objects (``*.dat``) is never read: such objects
can do anything when they are made, and no other program has their classes.
"""

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from biombo._errors import InputError
from biombo._files import text_in
from biombo._migration.arx_archive import ArxArchive
from biombo._migration.strict_xml import Element

_FORMATS = ("1.0", "2.0")
_INPUT = "input/"
"""Where the settings are with which somebody works; those of the last result are elsewhere."""
_ALL = "All"
_MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class ArxColumn:
    """A column as ARX describes it."""

    name: str
    type: str
    """Such as ``QUASI_IDENTIFYING_ATTRIBUTE``."""
    datatype: str
    format: str | None
    hierarchy: tuple[tuple[str, ...], ...]
    """Its rows, a value and what it becomes each; none where there is no hierarchy."""
    lowest: int | None
    highest: int | None
    """The levels that are allowed, where there are such bounds."""
    microaggregation: str | None
    is_response: bool

    @property
    def height(self) -> int:
        """The highest level of its hierarchy."""
        return len(self.hierarchy[0]) - 1 if self.hierarchy else 0


@dataclass(frozen=True)
class ArxProject:
    """A project."""

    name: str
    version: str
    columns: tuple[ArxColumn, ...]
    criteria: tuple[str, ...]
    suppression: float
    metric: str
    weights: Mapping[str, float]
    settings: Mapping[str, str]
    """What else is set, by ARX's own name for it."""

    @classmethod
    def of(cls, archive: ArxArchive) -> "ArxProject":
        """What the parts of the archive say. Raises where one is missing or is not as ARX writes it."""
        about = archive.xml("metadata.xml")
        version, written_as = about.one("version") or "?", about.one("vocabulary") or "1.0"
        if written_as not in _FORMATS:
            formats = ", ".join(_FORMATS)
            raise InputError("migration.arx-version", path=archive.path, version=version, got=written_as, known=formats)
        project = archive.xml("project.xml")
        config = archive.xml(f"{_INPUT}config.xml")
        definition = archive.xml(f"{_INPUT}definition.xml")
        mark = (project.exactly("separator") or ";")[:1]
        columns = tuple(_column(each, archive, mark) for each in definition.all("assigment"))  # as ARX spells it
        if not columns or len({column.name for column in columns}) < len(columns):
            raise InputError("migration.arx-columns", path=archive.path)
        return cls(
            project.one("name") or "",
            version,
            columns,
            tuple(each.text.strip() for part in config.all("criteria") for each in part.all("criterion")),
            _number(config.one("relativeMaxOutliers") or "0", "relativeMaxOutliers", archive),
            config.one("metric") or "",
            _weights(config, archive),
            _settings(config),
        )


def _column(element: Element, archive: ArxArchive, mark: str) -> ArxColumn:
    name = element.exactly("name")
    if not name:
        raise InputError("migration.arx-columns", path=archive.path)
    ref = element.exactly("ref")
    part = f"{_INPUT}{ref}"
    return ArxColumn(
        name,
        element.one("type") or "",
        element.one("datatype") or "",
        element.one("format"),
        # ARX 3.4.1 names files of hierarchies that it did not write
        _rows(archive.part(part), part, archive, mark) if ref and archive.has(part) else (),
        _level(element.one("min"), name, archive),
        _level(element.one("max"), name, archive),
        element.one("microaggregationFunction"),
        element.one("responseVariable") == "true",
    )


def _rows(content: bytes, part: str, archive: ArxArchive, mark: str) -> tuple[tuple[str, ...], ...]:
    reader = csv.reader(io.StringIO(text_in(content), newline=""), delimiter=mark, strict=True)
    try:
        rows = tuple(tuple(row) for row in reader if row)
    except csv.Error:
        raise InputError("migration.arx-csv", path=archive.path, part=part, line=reader.line_num) from None
    if len(rows) > _MOST_ROWS or len({len(row) for row in rows}) > 1:
        raise InputError("migration.arx-csv", path=archive.path, part=part, line=reader.line_num)
    return rows


def _level(written: str | None, column: str, archive: ArxArchive) -> int | None:
    if written in (None, "", _ALL):
        return None
    level = _number(str(written), column, archive)
    if not level.is_integer():
        raise InputError("migration.arx-number", path=archive.path, entry=column, value=written)
    return int(level)


def _number(written: str, entry: str, archive: ArxArchive) -> float:
    try:
        number = float(written)
    except ValueError:
        number = -1.0
    if not 0 <= number < float("inf"):
        raise InputError("migration.arx-number", path=archive.path, entry=entry, value=written)
    return number


def _weights(config: Element, archive: ArxArchive) -> dict[str, float]:
    entries = [each for part in config.all("attributeWeights") for each in part.all("attributeWeight")]
    return {each.exactly("attribute") or "": _number(each.one("weight") or "", "weight", archive) for each in entries}


_KNOWN = {"criteria", "metric", "relativemaxoutliers", "attributeweights"}


def _settings(config: Element) -> dict[str, str]:
    """The settings that are not read above, those that hold others as a list."""
    others = [each for each in config.children if each.name.casefold() not in _KNOWN]
    return {each.name: ", ".join(one.text.strip() for one in each.children) or each.text.strip() for each in others}
