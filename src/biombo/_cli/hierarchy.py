"""``biombo hierarchy``: the hierarchies that come with Biombo, how one looks, and whether it fits a column."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from biombo._cli.frame import DONE, NOT_MET, spare_pandas
from biombo._cli.options import Database, Filename, Json, Lang, Schema
from biombo._cli.terminal import cell, output, plain, print_json, progress_shown, table
from biombo._i18n import integer, text
from biombo._watch import begin

if TYPE_CHECKING:
    from rich.console import Console

    from biombo._data import HierarchyFit
    from biombo._hierarchy import Hierarchy, UnknownValue

Name = Annotated[str, Argument(metavar="cli.metavar.name", help="cli.hierarchy.name")]
Branches = Annotated[int | None, Option("--branches", metavar="N", help="cli.hierarchy.branches")]
File = Annotated[str, Argument(metavar="cli.metavar.files", help="cli.option.files")]
ColumnName = Annotated[str, Argument(metavar="cli.metavar.column", help="cli.hierarchy.column")]
Given = Annotated[str | None, Option("--hierarchy", metavar="cli.metavar.name", help="cli.hierarchy.given")]

_UNKNOWN_SHOWN = 20
_LEAVES = 40


def list_hierarchies(json: Json = False, _lang: Lang = None) -> None:
    """Print the hierarchies that come with Biombo."""
    from biombo._hierarchy import Hierarchy

    found = {name: (Hierarchy.built_in(name), source) for name, source in Hierarchy.built_in_sources().items()}
    if json:
        print_json(
            {"hierarchies": [_as_json(name, each) | {"source": source} for name, (each, source) in found.items()]}
        )
        return
    shown = table(text("hierarchy.list.title"))
    shown.add_column(text("hierarchy.list.name"), no_wrap=True)
    shown.add_column(text("hierarchy.list.levels"), overflow="fold")
    shown.add_column(text("hierarchy.list.source"), overflow="fold")
    for name, (hierarchy, source) in found.items():
        shown.add_row(cell(name, "bold"), cell(" › ".join(_labels(hierarchy))), cell(source))
    output().print(shown)


def show_hierarchy(name: Name, branches: Branches = None, json: Json = False, _lang: Lang = None) -> None:
    """Print the levels of a hierarchy and its first branches."""
    from biombo._hierarchy import Hierarchy, examples_of

    hierarchy = Hierarchy.load(name)
    if json:
        print_json(_as_json(name, hierarchy) | {"source": Hierarchy.built_in_sources().get(name)})
        return
    console = output()
    if source := Hierarchy.built_in_sources().get(name):
        console.print(cell(source))
        console.print()
    shown = table(text("hierarchy.show.levels"), show_header=False)
    shown.add_column(justify="right")
    shown.add_column(overflow="fold")
    for level, label in enumerate((hierarchy.level_label(0), *_labels(hierarchy))):
        shown.add_row(str(level), cell(label))
    console.print(shown)
    values = list(hierarchy.values or examples_of(name))
    if values:
        console.print()
        key = "tree" if hierarchy.values else "examples"
        console.print(text(f"hierarchy.show.{key}", values=len(values)), style="bold", soft_wrap=True)
        fitting = _fitting(hierarchy) if hierarchy.values else len(values)
        drawn = hierarchy.with_top().tree(values, branches=fitting if branches is None else branches)
        for line in drawn.split("\n"):
            console.print(cell(line), soft_wrap=True)


def _fitting(hierarchy: "Hierarchy") -> int:
    """So many branches of each node that the tree fits a screen."""
    return next((each for each in (4, 3, 2) if each**hierarchy.height <= _LEAVES), 1)


def check_hierarchy(
    file: File,
    column: ColumnName,
    hierarchy: Given = None,
    schema: Schema = None,
    json: Json = False,
    filename: Filename = None,
    database: Database = None,
    _lang: Lang = None,
) -> int:
    """Print which values of a column a hierarchy does not know; exit code 1 where there are some."""
    spare_pandas()
    from biombo._data import fit_of_hierarchy

    with progress_shown():
        begin("reading")
        fit = fit_of_hierarchy(file, column, hierarchy, schema, filename=filename, database=database)
    if json:
        print_json(_fit_as_json(column, fit))
    else:
        _print_fit(column, fit, output())
    return NOT_MET if fit.unknown else DONE


COMMANDS: dict[str, Callable[..., int | None]] = {
    "list": list_hierarchies,
    "show": show_hierarchy,
    "check": check_hierarchy,
}


def _labels(hierarchy: "Hierarchy") -> list[str]:
    return [hierarchy.level_label(level) for level in range(1, hierarchy.height + 1)]


def _as_json(name: str, hierarchy: "Hierarchy") -> dict[str, Any]:
    names = zip(hierarchy.level_names, _labels(hierarchy), strict=True)
    levels = [{"level": level, "name": each, "label": label} for level, (each, label) in enumerate(names, start=1)]
    return {"name": name, "levels": levels, "values": None if hierarchy.values is None else len(hierarchy.values)}


def _fit_as_json(column: str, fit: "HierarchyFit") -> dict[str, Any]:
    return {
        "column": column,
        "levels": _labels(fit.hierarchy),
        "values": fit.values,
        "records": fit.records,
        "unknown": [{"value": each.value, "records": each.count} for each in fit.unknown],
        "examples": [list(path) for path in fit.examples],
    }


def _print_fit(column: str, fit: "HierarchyFit", console: "Console") -> None:
    missing = sum(each.count for each in fit.unknown)
    told = {"column": plain(column), "values": fit.values, "records": fit.records}
    key = "hierarchy.check.unknown" if fit.unknown else "hierarchy.check.known"
    console.print(text(key, **told, unknown=len(fit.unknown), missing=missing), soft_wrap=True)
    if fit.unknown:
        _print_unknown(fit.unknown, console)
    if fit.examples:
        console.print()
        console.print(text("hierarchy.check.examples", levels=plain(" › ".join(_labels(fit.hierarchy)))), style="bold")
        for path in fit.examples:
            console.print(cell(" → ".join(_named(path, fit.hierarchy))))


def _named(path: Sequence[str], hierarchy: "Hierarchy") -> Iterator[str]:
    """The labels, with what people call them where they are codes."""
    for label in path:
        name = hierarchy.name_of(label)
        yield label if name is None else f"{name} ({label})"


def _print_unknown(unknown: "Sequence[UnknownValue]", console: "Console") -> None:
    shown = table("")
    shown.add_column(text("hierarchy.check.value"), overflow="fold")
    shown.add_column(text("hierarchy.check.count"), justify="right")
    for each in unknown[:_UNKNOWN_SHOWN]:
        shown.add_row(cell(each.value), integer(each.count))
    console.print(shown)
    if (left := len(unknown) - _UNKNOWN_SHOWN) > 0:
        console.print(text("hierarchy.check.more", left=left), style="dim")
