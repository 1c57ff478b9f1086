"""What each column of a table is: the schema, its YAML file and the ones that come with Biombo."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, Self, cast, get_args

import yaml

from biombo._errors import SchemaError, shortened

Role = Literal["identifier", "quasi", "sensitive", "other"]
ColumnType = Literal["categorical", "discrete", "continuous", "date"]

ROLES: tuple[Role, ...] = get_args(Role)
TYPES: tuple[ColumnType, ...] = get_args(ColumnType)


@dataclass(frozen=True)
class ColumnSchema:
    """What one column is.

    Values under ``invalid`` are written as in the data; ``None`` stands for a missing value. Attacks leave rows with an
    invalid value out; a missing value that is not listed counts as a value of its own.
    """

    role: Role = "other"
    type: ColumnType = "categorical"
    label: str | None = None
    invalid: frozenset[str | None] = frozenset()
    domain: tuple[str, ...] | None = None
    bounds: tuple[float, float] | None = None
    reason: str | None = None

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise SchemaError("schema.role", role=self.role, roles=", ".join(ROLES))
        if self.type not in TYPES:
            raise SchemaError("schema.type", type=self.type, types=", ".join(TYPES))
        if self.bounds is not None and not self.bounds[0] < self.bounds[1]:
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
            tree = yaml.safe_load(file.read_text("utf-8"))
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise SchemaError("schema.yaml", path=str(source), detail=_one_line(error)) from None
        try:
            return cls.from_tree(tree)
        except SchemaError as error:
            raise SchemaError("schema.in-file", path=str(source), detail=str(error)) from None

    @classmethod
    def from_tree(cls, tree: Any) -> Self:
        """The schema that plain YAML values describe."""
        if not isinstance(tree, dict) or not isinstance(tree.get("columns", {}), dict):
            raise SchemaError("schema.shape")
        _refuse_unknown(tree, {"columns", "person", "weight", "source", "adversaries"})
        columns = {str(name): _column(str(name), entry or {}) for name, entry in (tree.get("columns") or {}).items()}
        adversaries = {
            str(name): tuple(str(column) for column in known)
            for name, known in (tree.get("adversaries") or {}).items()
        }
        return cls(columns, tree.get("person"), tree.get("weight"), tree.get("source"), adversaries)

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


def _column(name: str, entry: Any) -> ColumnSchema:
    if not isinstance(entry, dict):
        raise SchemaError("schema.column-shape", column=name)
    _refuse_unknown(entry, {"role", "type", "label", "invalid", "domain", "bounds", "reason"}, where=name)
    bounds = entry.get("bounds")
    try:
        return ColumnSchema(
            role=entry.get("role", "other"),
            type=entry.get("type", "categorical"),
            label=entry.get("label"),
            invalid=frozenset(_written(value, name) for value in entry.get("invalid") or ()),
            domain=tuple(str(_written(value, name)) for value in entry["domain"]) if entry.get("domain") else None,
            bounds=(float(bounds[0]), float(bounds[1])) if bounds else None,
            reason=entry.get("reason"),
        )
    except SchemaError as error:
        raise SchemaError("schema.in-column", column=name, detail=str(error)) from None
    except (TypeError, ValueError, IndexError):
        raise SchemaError("schema.column-shape", column=name) from None


def _written(value: Any, column: str) -> str | None:
    """A value as it is written in the data. YAML reads an unquoted 00 as the number 0, so only strings pass."""
    if value is None or isinstance(value, str):
        return value
    raise SchemaError("schema.unquoted", column=column, value=value)


def _plain(column: ColumnSchema) -> dict[str, Any]:
    plain: dict[str, Any] = {"role": column.role, "type": column.type}
    if column.label:
        plain["label"] = column.label
    if column.invalid:
        plain["invalid"] = sorted(column.invalid, key=lambda value: (value is None, value or ""))
    if column.domain:
        plain["domain"] = list(column.domain)
    if column.bounds:
        plain["bounds"] = list(column.bounds)
    if column.reason:
        plain["reason"] = column.reason
    return plain


def _refuse_unknown(entry: Mapping[Any, Any], known: Iterable[str], where: str | None = None) -> None:
    unknown = [key for key in entry if key not in set(known)]
    if unknown:
        key = "schema.unknown-in-column" if where else "schema.unknown"
        raise SchemaError(key, column=where, keys=shortened(unknown), known=", ".join(sorted(known)))


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
