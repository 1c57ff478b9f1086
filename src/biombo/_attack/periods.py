"""Which of the columns that tell parts apart are a year or a month."""

import re
from collections.abc import Sequence

from biombo._attack.parts import Part

_WRITTEN = re.compile(r"(19|20)\d\d([-/]?(0[1-9]|1[0-2])([-/]?(0[1-9]|[12]\d|3[01]))?)?")
"""2023, 202301, 2023-01, 2023-01-31."""

_SHORT = re.compile(r"\d{1,2}")
_NAMED = re.compile(r"(?<![^\W_])(ano|year|yr|mes|mês|month|competencia|competência)(?![^\W_])", re.IGNORECASE)
"""A column so named may hold years and months of two digits."""


def time_columns(by: Sequence[str], parts: Sequence[Part]) -> list[int]:
    """The positions in ``by`` of the columns that are a time, the longest written first: a year before its month.

    >>> time_columns(["UF", "month", "year"], [("AC", "1", "2023"), ("AC", "2", "2023")])
    [2, 1]
    """
    found = [place for place, name in enumerate(by) if _is_time(name, [part[place] for part in parts])]
    return sorted(found, key=lambda place: -max(len(part[place] or "") for part in parts))


def moment_of(part: Part, places: Sequence[int]) -> str:
    """When a part was: its time columns, written so that they sort."""
    return "-".join((part[place] or "").zfill(2) for place in places)


def _is_time(name: str, values: Sequence[str | None]) -> bool:
    written = [value for value in values if value is not None]
    if len(written) < len(values):
        return False
    named = bool(_NAMED.search(name))
    return all(_WRITTEN.fullmatch(value) or (named and _SHORT.fullmatch(value)) for value in written)
