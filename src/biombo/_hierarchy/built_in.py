"""The hierarchies that come with Biombo. ``tools/build_hierarchies.py`` makes their tables from public files."""

import csv
import io
import lzma
from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import resources
from typing import Any

from biombo._errors import UsageError
from biombo._hierarchy.code_table import CodeTable
from biombo._hierarchy.coded_age import CodedAgeHierarchy
from biombo._hierarchy.dates import DateHierarchy
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._hierarchy.intervals import IntervalHierarchy
from biombo._hierarchy.prefix import PrefixHierarchy
from biombo._i18n import text


def _table(name: str, *called: str, **beside: Any) -> CodeTable:
    levels = {value: tuple(above) for value, *above in _rows(name)}
    value_names = partial(_pairs, f"{name}-values")
    names = _pairs(f"{name}-names") | beside.pop("names", {})
    return CodeTable(levels, names=names, called=called, packaged_as=name, value_names=value_names, **beside)


_UNKNOWN_PLACE = ("99999", "9999", "99", "9")
_CAPITAL = "530010"


def _municipality() -> CodeTable:
    """Besides the list: a state's unknown municipality, unknown ones as such, and Brasília's administrative regions."""
    states = {label: name for label, name in _pairs("municipality-names").items() if len(label) == 2}
    unknown = {f"{state}0000": (f"{state}000", f"{state}00", state, state[0]) for state in states}
    named = {f"{state}{zeros}": f"{name}, município ignorado" for state, name in states.items() for zeros in _ZEROS}
    table = _table(
        "municipality",
        *("microregion", "mesoregion", "state", "region"),
        names=named | dict.fromkeys((*_UNKNOWN_PLACE, "999999", "000000"), "ignorado ou exterior"),
    )
    regions = {f"5300{number:02}": table.levels[_CAPITAL] for number in range(1, 100)}
    routine = regions | unknown | dict.fromkeys(("999999", "000000", "9999999"), _UNKNOWN_PLACE)
    return replace(table, spellings=_pairs("municipality-spellings"), routine=routine)


_ZEROS = ("0000", "000", "00")


def _state() -> CodeTable:
    """By the codes of IBGE, or by their letters."""
    names = {label: name for label, name in _pairs("municipality-names").items() if len(label) <= 2}
    return CodeTable(
        {state: (state[0],) for state in sorted(names) if len(state) == 2},
        spellings=_LETTERS,
        names=names | {"9": "ignorado ou exterior"},
        called=("region",),
        packaged_as="state",
        routine=dict.fromkeys(("99", "00", "EX"), ("9",)),
    )


_LETTERS = {
    "RO": "11",
    "AC": "12",
    "AM": "13",
    "RR": "14",
    "PA": "15",
    "AP": "16",
    "TO": "17",
    "MA": "21",
    "PI": "22",
    "CE": "23",
    "RN": "24",
    "PB": "25",
    "PE": "26",
    "AL": "27",
    "SE": "28",
    "BA": "29",
    "MG": "31",
    "ES": "32",
    "RJ": "33",
    "SP": "35",
    "PR": "41",
    "SC": "42",
    "RS": "43",
    "MS": "50",
    "MT": "51",
    "GO": "52",
    "DF": "53",
}


def _cid10() -> CodeTable:
    table = _table("cid10", "category", "group", "chapter", shape="[A-Z][0-9]{2}[0-9X]", stems=(3,))
    return replace(table, spellings={f"{code[:3]}.{code[3]}": code for code in table.levels if len(code) == 4})


_WITHOUT_OCCUPATION = "sem ocupação"
_OCCUPATION_UNKNOWN = "ocupação ignorada"


def _cbo() -> CodeTable:
    """Besides the list: what records of deaths and diseases say of people who have no occupation, or none known."""
    people = {
        "999991": "Estudante",
        "999992": "Dona de casa",
        "999993": "Aposentado ou pensionista",
        "999994": "Desempregado crônico ou ocupação habitual não obtida",
        "998999": "Ocupação ignorada",
        "999999": "Ocupação ignorada",
        "000000": "Ocupação ignorada",
        "99999": "Sem ocupação",
        "99899": "Ocupação ignorada",
    }
    without = ("999991", "999992", "999993", "999994", "99999")
    routine = {code: (_WITHOUT_OCCUPATION if code in without else _OCCUPATION_UNKNOWN,) * 4 for code in people}
    return _table(
        "cbo",
        *("family", "subgroup", "main subgroup", "major group"),
        names=people,
        routine=routine,
        shape="[0-9]{5,6}",  # SINAN cuts the last digit off
        stems=(4, 3),
    )


def _pairs(file: str) -> dict[str, str]:
    return {row[0]: row[1] for row in _rows(file)}


def _rows(file: str) -> list[list[str]]:
    packed = (resources.files("biombo._hierarchy") / "tables" / f"{file}.csv.xz").read_bytes()
    return list(csv.reader(io.StringIO(lzma.decompress(packed).decode("utf-8"), newline=""), delimiter=";"))


_BUILT_IN: dict[str, Callable[[], Hierarchy]] = {
    "age": lambda: IntervalHierarchy(5, (2, 4, 8), labels="inclusive", lowest=0, highest=130, unit="years"),
    "cbo": _cbo,
    "cep": lambda: PrefixHierarchy((6, 5, 4, 3, 2, 1), pad="*", separators="-", digits=8),
    "cid10": _cid10,
    "coded-age": CodedAgeHierarchy,
    "date": DateHierarchy,
    "date-digits": lambda: DateHierarchy(format="YYYYMMDD"),
    "date-dmy": lambda: DateHierarchy(format="DD/MM/YYYY"),
    "date-dmy-digits": lambda: DateHierarchy(format="DDMMYYYY"),
    "month-digits": lambda: DateHierarchy(("quarter", "year", "5 years", "10 years"), format="YYYYMM"),
    "municipality": _municipality,
    "sigtap": lambda: _table("sigtap", "form of organisation", "subgroup", "group", shape="[0-9]{10}", stems=(6, 4)),
    "state": _state,
}

_EXAMPLES = {
    "age": ("0", "3", "17", "34", "36", "68", "102"),
    "cep": ("01310-100", "01310-200", "69900-970", "70040-020"),
    "coded-age": ("210", "305", "417", "434", "436", "482", "503"),
    "date": ("1964-09-27", "1964-11-02", "1968-01-15", "1991-06-30"),
    "date-digits": ("19640927", "19641102", "19680115", "19910630"),
    "date-dmy": ("27/09/1964", "02/11/1964", "15/01/1968", "30/06/1991"),
    "date-dmy-digits": ("27091964", "02111964", "15011968", "30061991"),
    "month-digits": ("196409", "196411", "196801", "199106"),
}
"""Of those that go by a rule and list no values."""


def examples_of(name: str) -> tuple[str, ...]:
    """A few values for a hierarchy that goes by a rule, to show what becomes of them; none where it lists its own."""
    return _EXAMPLES.get(name, ())


@cache
def built_in(name: str) -> Hierarchy:
    """See :meth:`Hierarchy.built_in`."""
    if name not in _BUILT_IN:
        raise UsageError("hierarchy.built-in", name=name, names=", ".join(_BUILT_IN))
    return _BUILT_IN[name]()


def sources() -> dict[str, str]:
    """See :meth:`Hierarchy.built_in_sources`."""
    return {name: text(f"hierarchy.source.{name}") for name in _BUILT_IN}
