"""What is written where a value is missing or unknown: N/A, a dash, 9, 999999, a state's code with zeros.

A number that means "unknown" looks like any other. So one is only proposed with evidence: the column is of a kind for
which it can mean nothing else, or the codes have a gap before it; never in amounts, and never where most rows say so.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from biombo._data.inspection.column_names import Meaning
from biombo._data.inspection.few_people import passed_over
from biombo._data.inspection.profile import ColumnProfile, ValueSample
from biombo._data.schema import ColumnType
from biombo._errors import shortened
from biombo._i18n import Sentence, said

_AT_MOST = 0.5
"""What more rows than this say is no exception: 0000 for "no second diagnosis"."""

_EMPTY_AT_MOST = 0.1
"""Where more rows than this are empty, that they are tells something: no occupation of a child."""

_MARKS = {
    *("null", "n/a", "#n/a", "#n/d", "n/d", "nd", "nan", "<na>", "s/i", "s/inf"),
    *("-", "--", "---", ".", "..", "...", "?", "??"),
    *("ign", "ignorado", "ignorada", "unknown", "missing"),
    "sem informacao",
    "sem informacoes",
    "sem dados",
    "nao informado",
    "nao informada",
    "nao consta",
    "nao sabe",
    "not available",
    "not informed",
    "not known",
    "no information",
}
_OF_ALL_BUT_PLACES = "na"
"""Also a country."""

_UNKNOWN_BY_MEANING: Mapping[str, re.Pattern[str]] = {
    "sex": re.compile("[09Ii]|indeterminado|undetermined"),
    "race": re.compile("0?0|99"),
    "age": re.compile("999+"),
    "place": re.compile(r"0{6,7}|9{6,7}|[1-5]\d0{4,5}"),
    "postal": re.compile("0{8}|9{8}"),
    "facility": re.compile("0{7}|9{7}"),
    "occupation": re.compile("0{6}|9{6}"),
    "birth": re.compile(r"0{8}|9{8}|0000-00-00|9999-12-31|00/00/0000"),
}
"""Codes that can mean nothing else in columns about such things."""

_NINES = re.compile("9{1,3}")
_LARGEST_BEFORE = 0.7
"""Codes end by this share of a number of nines where it is none of them: 1 to 6, and 9."""


@dataclass(frozen=True)
class NotAValue:
    """Something that stands for no value, and how one knows."""

    value: str | None
    how: str
    """Names its text in the catalogue."""
    about: Mapping[str, object]


def not_values(sample: ValueSample, meaning: Meaning | None, kind: ColumnType) -> list[NotAValue]:
    """What is written for no value in a column, as far as there is evidence."""
    found = {each.value: each for each in _found(sample, meaning, kind)}
    weights = dict(zip(sample.values, sample.weights, strict=True))
    most = _AT_MOST * sum(sample.weights)
    return [each for value, each in found.items() if weights[value or ""] <= most]


def empty_values(profile: ColumnProfile, rows: int) -> list[NotAValue]:
    """Values that are not there, where they are an exception."""
    few = 0 < profile.missing <= _EMPTY_AT_MOST * rows
    return [NotAValue(None, "empty", {"rows": profile.missing})] if few else []


def told(found: list[NotAValue]) -> Iterator[Sentence]:
    """Why each is none; those with the same reason together."""
    sentences: dict[tuple[str, tuple[tuple[str, object], ...]], list[str]] = {}
    for each in found:
        sentences.setdefault((each.how, tuple(each.about.items())), []).append(each.value or "")
    for (how, about), values in sentences.items():
        yield said(f"inspect.not-a-value.{how}", values=shortened(values, 4), **dict(about))


def _found(sample: ValueSample, meaning: Meaning | None, kind: ColumnType) -> Iterator[NotAValue]:
    """What looks so; of several reasons for one value, the last counts."""
    key = meaning.key if meaning else ""
    yield from _by_gap(sample, key, kind)
    known = _UNKNOWN_BY_MEANING.get(key)
    for value in sample.values:
        plain = _plain(value)
        if plain in _MARKS or (plain == _OF_ALL_BUT_PLACES and key != "place"):
            yield NotAValue(value, "mark", {})
        elif known is not None and known.fullmatch(value) and len(sample.values) > 1:
            yield NotAValue(value, "kind", {"what": said(f"inspect.meaning.{key}")})


def _by_gap(sample: ValueSample, key: str, kind: ColumnType) -> Iterator[NotAValue]:
    """Nines after a gap, where numbers are codes, or ages."""
    if key == "money" or (kind != "categorical" and key != "age"):
        return
    weights: Counter[str] = Counter()
    widths: Counter[int] = Counter()
    for value, weight in zip(sample.values, sample.weights, strict=True):
        weights[value] += weight
        widths[len(value)] += weight
    last = "9" * max(widths, key=lambda width: widths[width], default=0)
    codes = [value for value in weights if len(value) == len(last) and value.isdecimal() and value.isascii()]
    before = [code for code in codes if int(code) <= _LARGEST_BEFORE * int(last)]
    others = weights.total() - weights[last] - sum(weights[code] for code in before)
    if _NINES.fullmatch(last) and weights[last] and len(before) > 1 and others <= passed_over(weights.total()):
        yield NotAValue(last, "gap", {"largest": max(before, key=int)})


def _plain(value: str) -> str:
    folded = unicodedata.normalize("NFKD", value.strip().casefold())
    return "".join(mark for mark in folded if not unicodedata.combining(mark))
