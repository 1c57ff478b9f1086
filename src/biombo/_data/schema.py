"""What each column of a table is: the schema, its YAML file and the ones that come with Biombo."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args

from biombo._data.worded import WORDED_SCHEMA, Worded, in_language, read_worded, read_worded_codes
from biombo._documents import (
    Document,
    Where,
    checked,
    chosen_entries,
    document_schema,
    entries_schema,
    errors_within,
    raised_as,
    read_entries,
    read_value,
    spelled,
)
from biombo._errors import SchemaError, shortened
from biombo._files import is_file, read_whole, write_whole
from biombo._hierarchy import Hierarchy

Role = Literal["identifier", "quasi", "sensitive", "other", "undecided"]
ColumnType = Literal["categorical", "discrete", "continuous", "date"]

ROLES: tuple[Role, ...] = get_args(Role)

QUASI_AT_MOST = 63
"""The kernel takes 64 columns at once, and criteria part the records that are released from others by one more."""

_FOLDER = Path(__file__).parent / "schemas"
"""Of the schemas that come with Biombo."""

DOCUMENT = Document("schema", order=("source", "person", "weight", "columns", "adversaries", "adversary-labels"))


@dataclass(frozen=True)
class InPopulation:
    """How the population table, which a sample was drawn from, has a column of the sample."""

    column: str | None = None
    """Its name there, where that is another."""
    values: Mapping[str, str] = field(default_factory=dict)
    """For values that are coded otherwise there: from the sample's code to the population's."""


def _codes(value: Any, where: Where) -> list[str | None]:
    """Values as written in the data. Others than text are refused: YAML takes 00 for the number 0."""
    if not isinstance(value, list):
        raise SchemaError("document.entry-list", entry=where.entry)
    for each in value:
        if each is not None and not isinstance(each, str):
            raise SchemaError("schema.unquoted", value=each)
    return value


def _invalid(value: Any, where: Where) -> frozenset[str | None]:
    return frozenset(_codes(value, where))


def _domain(value: Any, where: Where) -> tuple[str, ...] | None:
    domain: tuple[str, ...] = read_value(tuple[str, ...], _codes(value, where), where)
    return domain or None


def _bounds(value: Any, where: Where) -> tuple[float, float]:
    try:
        low, high = (float(bound) for bound in value)
    except (TypeError, ValueError):
        raise SchemaError("schema.two-numbers", entry=where.entry, value=value) from None
    return low, high


def _hierarchy(value: Any, where: Where) -> str | Mapping[str, Any]:  # noqa: ARG001
    if not isinstance(value, str | Mapping):
        raise SchemaError("schema.hierarchy")
    return value


def _in_population(value: Any, where: Where) -> InPopulation:
    if isinstance(value, str):
        return InPopulation(value)
    codes = value.get("values") or {} if isinstance(value, Mapping) else None
    if not isinstance(codes, Mapping) or not all(isinstance(code, str) for pair in codes.items() for code in pair):
        raise SchemaError("schema.population")
    return read_entries(InPopulation, value | {"values": codes}, where.folder)


def _sorted(codes: frozenset[str | None]) -> list[str | None]:
    return sorted(codes, key=lambda code: (code is None, code or ""))


_CODES = {"type": "array", "items": {"type": ["string", "null"]}}
_WORDED_CODES = {"type": ["object", "null"], "additionalProperties": WORDED_SCHEMA}
_TEXT_OR_ENTRIES = {"type": ["string", "object", "null"]}


@dataclass(frozen=True)
class ColumnSchema:
    """What one column is.

    Values under ``invalid`` are written as in the data; ``None``, or an empty text, stands for a missing value. Attacks
    leave rows with an invalid value out; a missing value that is not listed counts as a value of its own.
    """

    role: Role = field(default="undecided", metadata=spelled(always=True))
    """``other`` is neither quasi nor sensitive, by a person's word; nothing that is ``undecided`` is ever released."""
    type: ColumnType = field(default="categorical", metadata=spelled(always=True))
    label: Worded | None = field(default=None, metadata=spelled(read=read_worded, schema=WORDED_SCHEMA))
    """What people call it, in one language or by language (``{"pt": "idade", "en": "age"}``)."""
    invalid: frozenset[str | None] = field(
        default=frozenset(), metadata=spelled(read=_invalid, write=_sorted, schema=_CODES)
    )
    domain: tuple[str, ...] | None = field(default=None, metadata=spelled(read=_domain))
    bounds: tuple[float, float] | None = field(default=None, metadata=spelled(read=_bounds))
    reason: Worded | None = field(default=None, metadata=spelled(read=read_worded, schema=WORDED_SCHEMA))
    """Why it has its role."""
    population: InPopulation = field(
        default=InPopulation(), metadata=spelled(read=_in_population, write=chosen_entries, schema=_TEXT_OR_ENTRIES)
    )
    hierarchy: str | Mapping[str, Any] | None = field(
        default=None, metadata=spelled(read=_hierarchy, schema=_TEXT_OR_ENTRIES)
    )
    """How the search may generalise it: the name of a hierarchy that is built in, or a document."""
    values: Mapping[str, Worded] = field(
        default_factory=dict, metadata=spelled(read=read_worded_codes, schema=_WORDED_CODES)
    )
    """What people call its codes, as ``label`` has it. Nothing that is counted depends on it."""

    @property
    def kept_back(self) -> bool:
        """Is it never released: because it tells who somebody is, or because nobody has decided on it?"""
        return self.role in ("identifier", "undecided")

    def why(self, language: str) -> str:
        """The reason for its role, in ``language`` where there is one."""
        return in_language(self.reason, language) or ""

    def __post_init__(self) -> None:
        with raised_as(SchemaError):
            checked(Role, "role", self.role)
            checked(ColumnType, "type", self.type)
        if "" in self.invalid:
            object.__setattr__(self, "invalid", (self.invalid - {""}) | {None})
        if self.bounds is not None and not -inf < self.bounds[0] < self.bounds[1] < inf:
            raise SchemaError("schema.bounds", low=self.bounds[0], high=self.bounds[1])


def _columns(value: Any, where: Where) -> dict[str, ColumnSchema]:
    if not isinstance(value, Mapping):
        raise SchemaError("schema.shape")
    return {str(name): _column(str(name), entries, where) for name, entries in value.items()}


def _column(name: str, entries: Any, where: Where) -> ColumnSchema:
    with raised_as(SchemaError), errors_within("schema.in-column", column=name):
        return read_entries(ColumnSchema, entries, where.folder)


def _adversaries(value: Any, where: Where) -> dict[str, tuple[str, ...]]:  # noqa: ARG001
    if not isinstance(value, Mapping):
        raise SchemaError("schema.shape")
    return {str(name): _known(str(name), columns) for name, columns in value.items()}


def _known(adversary: str, columns: Any) -> tuple[str, ...]:
    if not isinstance(columns, list):
        raise SchemaError("schema.adversary-shape", adversary=adversary)
    return tuple(str(column) for column in columns)


def _described(columns: Mapping[str, ColumnSchema]) -> dict[str, Any]:
    return {name: chosen_entries(column) for name, column in columns.items()}


@dataclass(frozen=True)
class Schema:
    """What a table's columns are, who a row is about and who might attack it.

    >>> schema = Schema({"age": ColumnSchema(role="quasi"), "disease": ColumnSchema(role="sensitive")})
    >>> schema.quasi, schema.sensitive
    (('age',), ('disease',))
    """

    columns: Mapping[str, ColumnSchema] = field(
        default_factory=dict,
        metadata=spelled(read=_columns, write=_described, schema={"type": "object"}, always=True),
    )
    person: str | None = None
    weight: str | None = None
    source: str | None = None
    adversaries: Mapping[str, tuple[str, ...]] = field(
        default_factory=dict, metadata=spelled(read=_adversaries, schema={"type": "object"})
    )
    """What each kind of adversary knows."""
    adversary_labels: Mapping[str, Worded] = field(
        default_factory=dict, metadata=spelled(read=read_worded_codes, schema=_WORDED_CODES)
    )
    """What people call the adversaries, as a column's ``label`` has it."""

    def __post_init__(self) -> None:
        if self.person is not None and self[self.person].role != "identifier":
            columns = {**self.columns, self.person: replace(self[self.person], role="identifier")}
            object.__setattr__(self, "columns", columns)
        for name, known in self.adversaries.items():
            strangers = [column for column in known if self[column].role != "quasi"]
            if strangers:
                raise SchemaError("schema.adversary", adversary=name, columns=shortened(strangers))
        if unknown := [name for name in self.adversary_labels if name not in self.adversaries]:
            raise SchemaError("schema.adversary-label", adversary=unknown[0])

    def __getitem__(self, column: str) -> ColumnSchema:
        return self.columns.get(column, ColumnSchema())

    def with_role(self, role: Role) -> tuple[str, ...]:
        """The columns of ``role``, in the schema's order."""
        return tuple(name for name, column in self.columns.items() if column.role == role)

    def told_of(self, columns: Iterable[str]) -> Self:
        """The schema without identifiers that a table with these ``columns`` does not have: there is nothing to drop.
        Of all others somebody expects that they are there.

        >>> schema = Schema({"cpf": ColumnSchema("identifier"), "age": ColumnSchema("quasi")})
        >>> list(schema.told_of(["age", "sex"]).columns)
        ['age']
        """
        absent = {*self.with_role("identifier")} - {*columns, self.person}
        kept = {name: column for name, column in self.columns.items() if name not in absent}
        return replace(self, columns=kept) if absent else self

    def labels(self, language: str) -> dict[str, str]:
        """What people call the columns that have a label, in ``language`` where there is one."""
        return _worded_in(language, {name: column.label for name, column in self.columns.items()})

    def called(self, column: str, language: str) -> dict[str, str]:
        """What people call the codes of ``column`` that have a name, in ``language`` where there is one.

        >>> Schema({"sex": ColumnSchema(values={"1": {"pt": "masculino", "en": "male"}})}).called("sex", "pt")
        {'1': 'masculino'}
        """
        return _worded_in(language, self[column].values)

    def adversaries_called(self, language: str) -> dict[str, str]:
        """What people call the adversaries that have a label, in ``language`` where there is one."""
        return _worded_in(language, self.adversary_labels)

    @property
    def quasi(self) -> tuple[str, ...]:
        """What an adversary may know."""
        return self.with_role("quasi")

    @property
    def sensitive(self) -> tuple[str, ...]:
        """What an adversary wants."""
        return self.with_role("sensitive")

    def refuse_files(self) -> None:
        """Raise where the hierarchy of a column is none without reading a file: for schemas that others wrote."""
        for name, column in self.columns.items():
            if column.hierarchy is not None:
                with raised_as(SchemaError), errors_within("schema.in-column", column=name):
                    Hierarchy.told(column.hierarchy)

    @property
    def with_files_read(self) -> Self:
        """The schema with what is in the files that its columns name as hierarchies, so that it can be given away."""
        files = {
            name: replace(column, hierarchy=Hierarchy.load(column.hierarchy).to_tree())
            for name, column in self.columns.items()
            if isinstance(column.hierarchy, str) and column.hierarchy not in Hierarchy.built_in_sources()
        }
        return replace(self, columns={**self.columns, **files}) if files else self

    @classmethod
    def load(cls, source: "Schema | str | Path | Mapping[str, Any] | None") -> Self:
        """The schema itself, the one that plain values describe, the one built in under a name (``"siapa"``), or the
        one in a file: YAML, or a spreadsheet (``.xlsx`` or ``.csv``).
        """
        if source is None:
            return cls()
        if isinstance(source, Schema):
            return cast(Self, source)
        if isinstance(source, Mapping):
            return cls.from_tree(source)
        if str(source) in built_in():
            return cast(Self, _built_in(str(source)))
        path = _there(source)
        with raised_as(SchemaError):
            content = read_whole(path)
            with DOCUMENT.errors_in(source):
                return cast(Self, _READERS.get(path.suffix.lower(), _in_yaml)(content, path))

    @classmethod
    def from_tree(cls, tree: Any) -> Self:
        """The schema that plain YAML values describe."""
        if not isinstance(tree, Mapping):
            raise SchemaError("schema.shape")
        with raised_as(SchemaError):
            return DOCUMENT.read(cls, tree)

    def to_tree(self) -> dict[str, Any]:
        """The schema as plain values; :meth:`load` reads them."""
        return DOCUMENT.tree(self)

    def to_yaml(self) -> str:
        """The schema as a YAML file for people to edit."""
        from biombo._documents import dump_yaml

        return dump_yaml(self.to_tree())

    def save(self, path: str | Path) -> None:
        """Write the schema, as a spreadsheet where the name ends in ``.xlsx`` or ``.csv``, else as YAML."""
        write_whole(path, self.as_file(path))

    def as_file(self, path: str | Path) -> str | bytes:
        """What :meth:`save` writes."""
        return _WRITERS.get(Path(path).suffix.lower(), Schema.to_yaml)(self)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON schema of schemas, for editors that check and complete YAML as it is typed.

        >>> sorted(Schema.json_schema()["properties"])
        ['adversaries', 'adversary-labels', 'adversary_labels', 'columns', 'person', 'source', 'weight']
        """
        schema = document_schema(DOCUMENT, Schema)
        schema["properties"]["columns"]["additionalProperties"] = entries_schema(ColumnSchema)
        return schema


def _in_yaml(content: bytes, _path: Path) -> Schema:
    from biombo._documents import load_yaml

    return Schema.from_tree(load_yaml(content))


def _in_csv(content: bytes, path: Path) -> Schema:
    from biombo._data.schema_sheet import rows_in_csv, schema_of

    return schema_of(rows_in_csv(content, path))


def _in_workbook(_content: bytes, path: Path) -> Schema:
    from biombo._data.schema_sheet import rows_in_xlsx, schema_of

    sheet, rows = rows_in_xlsx(path)
    with errors_within("sheet.in-sheet", sheet=sheet):
        return schema_of(rows)


def _in_other_spreadsheet(_content: bytes, path: Path) -> Schema:
    raise SchemaError("sheet.other", suffix=path.suffix)


def _as_csv(schema: Schema) -> str:
    from biombo._data.schema_sheet import csv_of, rows_of

    return csv_of(rows_of(schema))


def _as_workbook(schema: Schema) -> bytes:
    from biombo._data.schema_sheet import rows_of, xlsx_of

    return xlsx_of(rows_of(schema))


_READERS: Mapping[str, Callable[[bytes, Path], Schema]] = {
    ".csv": _in_csv,
    ".xlsx": _in_workbook,
    ".xls": _in_other_spreadsheet,
    ".ods": _in_other_spreadsheet,
}
_WRITERS: Mapping[str, Callable[[Schema], str | bytes]] = {".csv": _as_csv, ".xlsx": _as_workbook}
SPREADSHEETS = tuple(_WRITERS)
"""How the names of spreadsheets end that a schema can be written to."""


def _worded_in(language: str, worded: Mapping[str, Worded | None]) -> dict[str, str]:
    found = {name: in_language(each, language) for name, each in worded.items()}
    return {name: each for name, each in found.items() if each}


def built_in() -> list[str]:
    """The names of the schemas that come with Biombo."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def built_in_text(name: str) -> str:
    """The file of the built-in schema ``name``."""
    return (_FOLDER / f"{name}.yaml").read_text("utf-8")


@cache
def _built_in(name: str) -> Schema:
    return _in_yaml(built_in_text(name).encode(), Path())


def _there(source: str | Path) -> Path:
    if not is_file(source):
        raise SchemaError("schema.missing", path=str(source), names=", ".join(built_in()))
    return Path(source)
