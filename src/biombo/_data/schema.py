"""What each column of a table is: the schema, its YAML file and the ones that come with Biombo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from importlib.resources.abc import Traversable
from math import inf
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args

import yaml

from biombo._errors import SchemaError, shortened, system_reason
from biombo._yaml import YamlMistake, load_yaml

Role = Literal["identifier", "quasi", "sensitive", "other", "undecided"]
ColumnType = Literal["categorical", "discrete", "continuous", "date"]

ROLES: tuple[Role, ...] = get_args(Role)
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)


@dataclass(frozen=True)
class InPopulation:
    """How the population table, which a sample was drawn from, has a column of the sample."""

    column: str | None = None
    """Its name there, where that is another."""
    values: Mapping[str, str] = field(default_factory=dict)
    """For values that are coded otherwise there: from the sample's code to the population's."""


@dataclass(frozen=True)
class ColumnSchema:
    """What one column is.

    Values under ``invalid`` are written as in the data; ``None`` stands for a missing value. Attacks leave rows with an
    invalid value out; a missing value that is not listed counts as a value of its own.
    """

    role: Role = "undecided"
    """``other`` is neither quasi nor sensitive, by a person's word; nothing that is ``undecided`` is ever released."""
    type: ColumnType = "categorical"
    label: str | Mapping[str, str] | None = None
    """What people call it, in one language or by language (``{"pt": "idade", "en": "age"}``)."""
    invalid: frozenset[str | None] = frozenset()
    domain: tuple[str, ...] | None = None
    bounds: tuple[float, float] | None = None
    reason: str | None = None
    population: InPopulation = InPopulation()
    hierarchy: str | Mapping[str, Any] | None = None
    """How the search may generalise it: the name of a hierarchy that is built in, or a document."""

    @property
    def kept_back(self) -> bool:
        """Is it never released: because it tells who somebody is, or because nobody has decided on it?"""
        return self.role in ("identifier", "undecided")

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise SchemaError("schema.role", role=self.role, roles=", ".join(ROLES))
        if self.type not in TYPES:
            raise SchemaError("schema.type", type=self.type, types=", ".join(TYPES))
        if self.bounds is not None and not -inf < self.bounds[0] < self.bounds[1] < inf:
            raise SchemaError("schema.bounds", low=self.bounds[0], high=self.bounds[1])


@dataclass(frozen=True)
class Schema:
    """What a table's columns are, who a row is about and who might attack it.

    >>> schema = Schema({"age": ColumnSchema(role="quasi"), "disease": ColumnSchema(role="sensitive")})
    >>> schema.quasi, schema.sensitive
    (('age',), ('disease',))
    """

    columns: Mapping[str, ColumnSchema] = field(default_factory=dict)
    person: str | None = None
    weight: str | None = None
    source: str | None = None
    adversaries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.person is not None and self[self.person].role != "identifier":
            columns = {**self.columns, self.person: replace(self[self.person], role="identifier")}
            object.__setattr__(self, "columns", columns)
        for name, known in self.adversaries.items():
            strangers = [column for column in known if self[column].role != "quasi"]
            if strangers:
                raise SchemaError("schema.adversary", adversary=name, columns=shortened(strangers))

    def __getitem__(self, column: str) -> ColumnSchema:
        return self.columns.get(column, ColumnSchema())

    def with_role(self, role: Role) -> tuple[str, ...]:
        """The columns of ``role``, in the schema's order."""
        return tuple(name for name, column in self.columns.items() if column.role == role)

    def labels(self, language: str) -> dict[str, str]:
        """What people call the columns that have a label, in ``language`` where there is one."""
        labels: dict[str, str] = {}
        for name, column in self.columns.items():
            label = column.label
            if isinstance(label, Mapping):
                label = label.get(language)
            if label:
                labels[name] = label
        return labels

    @property
    def quasi(self) -> tuple[str, ...]:
        """What an adversary may know."""
        return self.with_role("quasi")

    @property
    def sensitive(self) -> tuple[str, ...]:
        """What an adversary wants."""
        return self.with_role("sensitive")

    @classmethod
    def load(cls, source: "Schema | str | Path | None") -> Self:
        """The schema itself, the one built in under a name (``"siapa"``), or the one in a YAML file."""
        if source is None:
            return cls()
        if isinstance(source, Schema):
            return cast(Self, source)
        file = _locate(source)
        try:
            return cls.from_tree(_tree(file.read_text("utf-8")))
        except OSError as error:
            raise SchemaError("schema.unreadable", path=str(source), detail=system_reason(error)) from None
        except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
            raise SchemaError("schema.yaml", path=str(source), detail=_one_line(error)) from None
        except SchemaError as error:
            raise SchemaError("schema.in-file", path=str(source), detail=str(error)) from None

    @classmethod
    def from_tree(cls, tree: Any) -> Self:
        """The schema that plain YAML values describe."""
        if not isinstance(tree, dict):
            raise SchemaError("schema.shape")
        _refuse_unknown(tree, {"columns", "person", "weight", "source", "adversaries"})
        columns, adversaries = tree.get("columns") or {}, tree.get("adversaries") or {}
        if not isinstance(columns, dict) or not isinstance(adversaries, dict):
            raise SchemaError("schema.shape")
        return cls(
            {str(name): _column(str(name), entry or {}) for name, entry in columns.items()},
            _text(tree, "person"),
            _text(tree, "weight"),
            _text(tree, "source"),
            {str(name): _known(str(name), known) for name, known in adversaries.items()},
        )

    def to_yaml(self) -> str:
        """The schema as a YAML file for people to edit."""
        tree: dict[str, Any] = {}
        for key in ("source", "person", "weight"):
            if (value := getattr(self, key)) is not None:
                tree[key] = value
        tree["columns"] = {name: _plain(column) for name, column in self.columns.items()}
        if self.adversaries:
            tree["adversaries"] = {name: list(known) for name, known in self.adversaries.items()}
        return yaml.safe_dump(tree, allow_unicode=True, sort_keys=False, width=100)


def built_in() -> list[str]:
    """The names of the schemas that come with Biombo."""
    folder = resources.files("biombo._data") / "schemas"
    return sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml"))


def _locate(source: str | Path) -> Traversable:
    if str(source) in built_in():
        return resources.files("biombo._data") / "schemas" / f"{source}.yaml"
    path = Path(source)
    if not path.is_file():
        raise SchemaError("schema.missing", path=str(source), names=", ".join(built_in()))
    return path


_COLUMN_ENTRIES = ("role", "type", "label", "invalid", "domain", "bounds", "reason", "population", "hierarchy")


def _column(name: str, entry: Any) -> ColumnSchema:
    if not isinstance(entry, dict):
        raise SchemaError("schema.column-shape", column=name)
    _refuse_unknown(entry, _COLUMN_ENTRIES, where=name)
    domain = _listed(entry, "domain", name)
    if None in domain:
        raise SchemaError("schema.column-shape", column=name)
    try:
        return ColumnSchema(
            role=entry.get("role") or "undecided",
            type=entry.get("type", "categorical"),
            label=_label(entry, name),
            invalid=frozenset(_listed(entry, "invalid", name)),
            domain=tuple(str(value) for value in domain) or None,
            bounds=_bounds(entry, name),
            reason=_text(entry, "reason"),
            population=_in_population(entry.get("population") or {}, name),
            hierarchy=_hierarchy(entry.get("hierarchy"), name),
        )
    except SchemaError as error:
        raise SchemaError("schema.in-column", column=name, detail=str(error)) from None


def _label(entry: Mapping[str, Any], column: str) -> str | Mapping[str, str] | None:
    label = entry.get("label")
    if not isinstance(label, dict):
        return _text(entry, "label")
    if not all(isinstance(word, str) for pair in label.items() for word in pair):
        raise SchemaError("schema.column-shape", column=column)
    return label


def _hierarchy(entry: Any, column: str) -> str | Mapping[str, Any] | None:
    if entry is None or isinstance(entry, str | dict):
        return entry
    raise SchemaError("schema.hierarchy", column=column)


def _in_population(entry: Any, column: str) -> InPopulation:
    if isinstance(entry, str):
        return InPopulation(entry)
    if not isinstance(entry, dict) or not isinstance(entry.get("values") or {}, dict):
        raise SchemaError("schema.population", column=column)
    _refuse_unknown(entry, ("column", "values"), where=column)
    values = entry.get("values") or {}
    if not all(isinstance(code, str) for pair in values.items() for code in pair):
        raise SchemaError("schema.population", column=column)
    return InPopulation(_text(entry, "column"), values)


def _listed(entry: Mapping[str, Any], key: str, column: str) -> list[str | None]:
    """The values under ``key`` as written in the data. Others than text are refused: YAML takes 00 for the number 0."""
    values = entry.get(key) or []
    if not isinstance(values, list):
        raise SchemaError("schema.column-shape", column=column)
    for value in values:
        if value is not None and not isinstance(value, str):
            raise SchemaError("schema.unquoted", column=column, value=value)
    return values


def _bounds(entry: Mapping[str, Any], column: str) -> tuple[float, float] | None:
    if entry.get("bounds") is None:
        return None
    try:
        low, high = (float(bound) for bound in entry["bounds"])
    except (TypeError, ValueError):
        raise SchemaError("schema.column-shape", column=column) from None
    return low, high


def _text(entry: Mapping[str, Any], key: str) -> str | None:
    value = entry.get(key)
    if value is None or isinstance(value, str):
        return value
    raise SchemaError("schema.text", entry=key, value=value)


def _known(adversary: str, columns: Any) -> tuple[str, ...]:
    if not isinstance(columns, list):
        raise SchemaError("schema.adversary-shape", adversary=adversary)
    return tuple(str(column) for column in columns)


def _plain(column: ColumnSchema) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": column.role, "type": column.type}
    if column.label:
        plain["label"] = column.label if isinstance(column.label, str) else dict(column.label)
    if column.invalid:
        plain["invalid"] = sorted(column.invalid, key=lambda value: (value is None, value or ""))
    if column.domain:
        plain["domain"] = list(column.domain)
    if column.bounds:
        plain["bounds"] = list(column.bounds)
    if column.reason:
        plain["reason"] = column.reason
    if column.population != InPopulation():
        plain["population"] = {"column": column.population.column, "values": dict(column.population.values)}
    if column.hierarchy:
        plain["hierarchy"] = column.hierarchy if isinstance(column.hierarchy, str) else dict(column.hierarchy)
    return plain


def _refuse_unknown(entry: Mapping[Any, Any], known: Iterable[str], where: str | None = None) -> None:
    unknown = [key for key in entry if key not in set(known)]
    if unknown:
        key = "schema.unknown-in-column" if where else "schema.unknown"
        raise SchemaError(key, column=where, keys=shortened(unknown), known=", ".join(sorted(known)))


def _tree(content: str) -> Any:
    try:
        return load_yaml(content)
    except YamlMistake as mistake:
        raise SchemaError(f"schema.{mistake.kind}", entry=mistake.entry, line=mistake.line) from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
