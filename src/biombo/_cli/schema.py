"""``biombo schema``: the schemas that come with the program, and what is in one."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument

from biombo._cli.options import Json, Lang
from biombo._cli.terminal import cell, output, print_json, say, table
from biombo._i18n import integer, language, text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from biombo._data import ColumnSchema, Role, Schema

Name = Annotated[str, Argument(metavar="cli.metavar.schema", help="cli.schema.name")]

_ROLE_STYLES: dict["Role", str] = {"identifier": "red", "quasi": "yellow", "sensitive": "magenta", "other": ""}
_KINDS = ("all-or-nothing", "interval", "bounds", "prefix", "date", "order", "tree", "built-in")


def list_schemas(json: Json = False, _lang: Lang = None) -> None:
    """Print the built-in schemas."""
    from biombo._data import Schema, built_in

    found = [(name, text(f"schema.for.{name}"), Schema.load(name)) for name in built_in()]
    if json:
        print_json({"schemas": [{"name": name, "for": what, "columns": len(s.columns)} for name, what, s in found]})
        return
    shown = table(text("schema.list.title"))
    shown.add_column(text("schema.list.name"), no_wrap=True)
    shown.add_column(text("schema.list.for"), overflow="fold")
    shown.add_column(text("schema.list.columns"), justify="right")
    for name, what, schema in found:
        shown.add_row(cell(name, "bold"), cell(what), integer(len(schema.columns)))
    output().print(shown)
    say(text("schema.list.next"))


def show_schema(name: Name, json: Json = False, _lang: Lang = None) -> None:
    """Print one schema."""
    from biombo._data import Schema

    schema = Schema.load(name)
    if json:
        print_json(_as_json(name, schema))
    else:
        _print_schema(name, schema, output())


COMMANDS: dict[str, Callable[..., int | None]] = {"list": list_schemas, "show": show_schema}


def _print_schema(name: str, schema: "Schema", console: "Console") -> None:
    _print_columns(name, schema, console)
    _print_codes(schema, console)
    for line in _about(schema):
        console.print(cell(line), style="dim")


def _about(schema: "Schema") -> Iterator[str]:
    """What is said of the whole table."""
    if schema.source is not None:
        yield text("schema.show.source", source=schema.source)
    if schema.person is not None:
        yield text("schema.show.person", column=schema.person)
    if schema.weight is not None:
        yield text("schema.show.weight", column=schema.weight)
    called = schema.adversaries_called(language())
    for adversary, known in schema.adversaries.items():
        yield text("schema.show.adversary", adversary=called.get(adversary, adversary), columns=", ".join(known))


def _print_columns(name: str, schema: "Schema", console: "Console") -> None:
    """The columns that somebody has decided on, by role, and why nobody needs the others."""
    decided = [column for role in _ROLE_STYLES for column in schema.with_role(role)]
    title = text("schema.show.title", name=name, columns=len(schema.columns))
    _print_fields(title, ("column", "role", "type", "label", "hierarchy", "invalid"), decided, schema, console)
    undecided = schema.with_role("undecided")
    if undecided:
        title = text("schema.show.undecided", columns=len(undecided))
        _print_fields(title, ("column", "label", "reason"), undecided, schema, console)


def _print_fields(
    title: str, fields: Sequence[str], columns: Sequence[str], schema: "Schema", console: "Console"
) -> None:
    labels = schema.labels(language())
    shown = table(title)
    for key in fields:
        least = _LEAST.get(key)
        shown.add_column(text(f"schema.show.{key}"), overflow="fold", no_wrap=key in ("role", "type"), min_width=least)
    for column in columns:
        shown.add_row(*(_FIELDS[key](column, schema[column], labels) for key in fields))
    console.print(shown)
    console.print()


Field = Callable[[str, "ColumnSchema", Mapping[str, str]], "Text"]

_FIELDS: dict[str, Field] = {
    "column": lambda name, *_: cell(name, "bold"),
    "role": lambda _, column, __: cell(text(f"inspect.role.{column.role}"), _ROLE_STYLES[column.role]),
    "type": lambda _, column, __: cell(text(f"inspect.type.{column.type}")),
    "label": lambda name, _, labels: cell(labels.get(name, "–")),
    "hierarchy": lambda _, column, __: cell(_hierarchy(column)),
    "invalid": lambda _, column, __: cell(", ".join(_codes(column)) or "–"),
    "reason": lambda _, column, __: cell(column.why(language()) or "–"),
}
_LEAST = {"label": 14, "hierarchy": 12}
"""The least width of some of them."""


def _hierarchy(column: "ColumnSchema") -> str:
    """The hierarchy by its name, or what its kind does."""
    if column.hierarchy is None:
        return "–"
    if isinstance(column.hierarchy, str):
        return column.hierarchy
    kind = column.hierarchy.get("kind")
    return text(f"schema.kind.{kind if kind in _KINDS else 'tree'}")


def _codes(column: "ColumnSchema") -> list[str]:
    """The invalid codes; a missing value last, in words."""
    return [*sorted(code for code in column.invalid if code is not None), *_missing(column)]


def _missing(column: "ColumnSchema") -> list[str]:
    return [text("sheet.missing")] if None in column.invalid else []


def _print_codes(schema: "Schema", console: "Console") -> None:
    """What codes are called, where the schema says so."""
    named = {name: schema.called(name, language()) for name in schema.columns}
    if not any(named.values()):
        return
    shown = table(text("schema.show.codes"))
    shown.add_column(text("schema.show.column"), overflow="fold", max_width=18)
    shown.add_column(text("schema.show.names"), overflow="fold")
    for name, called in named.items():
        if called:
            shown.add_row(cell(name, "bold"), cell("; ".join(f"{code} {word}" for code, word in called.items())))
    console.print(shown)
    console.print()


def _as_json(name: str, schema: "Schema") -> dict[str, Any]:
    labels, called = schema.labels(language()), schema.adversaries_called(language())
    return {
        "name": name,
        "source": schema.source,
        "person": schema.person,
        "weight": schema.weight,
        "columns": [
            {
                "column": each,
                "label": labels.get(each),
                "role": column.role,
                "type": column.type,
                "hierarchy": column.hierarchy,
                "invalid": sorted(column.invalid, key=lambda code: (code is None, code or "")),
                "reason": column.why(language()) or None,
                "values": schema.called(each, language()),
            }
            for each, column in schema.columns.items()
        ],
        "adversaries": [
            {"adversary": each, "label": called.get(each), "columns": known}
            for each, known in schema.adversaries.items()
        ],
    }
