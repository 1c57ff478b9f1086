"""The hierarchies that come with Biombo. ``tools/build_hierarchies.py`` makes their tables from public files."""

import csv
import io
import lzma
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from biombo._errors import UsageError
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.intervals import IntervalHierarchy
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._hierarchy.table import TableHierarchy


@dataclass(frozen=True)
class _BuiltIn:
    make: Callable[[], Hierarchy]
    source: str
    """Where the facts are from."""


def _table(name: str, *called: str) -> TableHierarchy:
    levels = {value: tuple(above) for value, *above in _rows(name)}
    return TableHierarchy(levels, names=_pairs(f"{name}-names"), called=called, packaged_as=name)


def _municipality() -> TableHierarchy:
    table = _table("municipality", "microregion", "mesoregion", "state", "region")
    return replace(table, spellings=_pairs("municipality-spellings"))


def _cid10() -> TableHierarchy:
    table = _table("cid10", "category", "group", "chapter")
    return replace(table, spellings={f"{code[:3]}.{code[3]}": code for code in table.levels if len(code) == 4})


def _pairs(file: str) -> dict[str, str]:
    return {row[0]: row[1] for row in _rows(file)}


def _rows(file: str) -> list[list[str]]:
    packed = (resources.files("biombo._hierarchy") / "tables" / f"{file}.csv.xz").read_bytes()
    return list(csv.reader(io.StringIO(lzma.decompress(packed).decode("utf-8"), newline=""), delimiter=";"))


_BUILT_IN = {
    "age": _BuiltIn(
        lambda: IntervalHierarchy(5, (2, 4, 8), labels="inclusive", lowest=0, highest=130),
        "bands of 5, 10, 20 and 40 years for whole years from 0 to 130",
    ),
    "cbo": _BuiltIn(
        lambda: _table("cbo", "family", "subgroup", "main subgroup", "major group"),
        "Classificação Brasileira de Ocupações 2002, Ministério do Trabalho, and the occupations that DATASUS SIGTAP"
        " adds (2025-10): occupation, family, subgroup, main subgroup, major group",
    ),
    "cep": _BuiltIn(
        lambda: PrefixHierarchy((6, 5, 4, 3, 2, 1), pad="*", separators="-", digits=8),
        "structure of the Brazilian postal code (Correios): eight digits, from region to street",
    ),
    "cid10": _BuiltIn(
        _cid10,
        "CID-10 V2008, DATASUS: subcategory (with or without its point), category, group (the innermost), chapter",
    ),
    "date": _BuiltIn(DateHierarchy, "1964-09-27 by month, year, 5 years, 10 years"),
    "date-digits": _BuiltIn(lambda: DateHierarchy(format="YYYYMMDD"), "19640927 by month, year, 5 years, 10 years"),
    "date-dmy": _BuiltIn(lambda: DateHierarchy(format="DD/MM/YYYY"), "27/09/1964 by month, year, 5 years, 10 years"),
    "month-digits": _BuiltIn(
        lambda: DateHierarchy(("quarter", "year", "5 years", "10 years"), format="YYYYMM"),
        "196409 by quarter, year, 5 years, 10 years",
    ),
    "municipality": _BuiltIn(
        _municipality,
        "IBGE, Divisão Territorial Brasileira, from paulofreitas/dtb-ibge (PDDL): municipality (6 digits, or 7 with the"
        " check digit), microregion, mesoregion, state, region",
    ),
    "sigtap": _BuiltIn(
        lambda: _table("sigtap", "form of organisation", "subgroup", "group"),
        "SIGTAP, DATASUS, 2025-10: procedure, form of organisation, subgroup, group",
    ),
}


@cache
def built_in(name: str) -> Hierarchy:
    """See :meth:`Hierarchy.built_in`."""
    if name not in _BUILT_IN:
        raise UsageError("hierarchy.built-in", name=name, names=", ".join(_BUILT_IN))
    return _BUILT_IN[name].make()


def sources() -> dict[str, str]:
    """See :meth:`Hierarchy.built_in_sources`."""
    return {name: entry.source for name, entry in _BUILT_IN.items()}
