"""ARX's criteria, which it writes as sentences, as entries of a request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_NUMBER = r"([0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?)"
_ABOUT = r" for attribute '(.*)'"
_L, _T = ("l", "l_kind", "c"), ("t", "t_kind")


@dataclass(frozen=True)
class Asked:
    """One criterion: what a request says for it, and of which column."""

    written: str
    """As ARX has it."""
    entries: dict[str, Any]
    column: str | None = None


@dataclass(frozen=True)
class _Form:
    """A form of sentence, the entries that its numbers fill, and those that are always the same."""

    pattern: str
    numbers: tuple[str, ...]
    always: tuple[tuple[str, str], ...] = ()
    about: bool = True

    def read(self, written: str) -> Asked | None:
        found = re.fullmatch(self.pattern + (_ABOUT if self.about else ""), written)
        if found is None:
            return None
        values = [_plain(each) for each in found.groups()[: len(self.numbers)]]
        entries = dict(zip(self.numbers, values, strict=True)) | dict(self.always)
        return Asked(written, entries, found.groups()[-1] if self.about else None)


def _plain(number: str) -> float:
    value = float(number)
    return int(value) if value.is_integer() else value


_FORMS = (
    _Form(f"{_NUMBER}-anonymity", ("k",), about=False),
    _Form(f"distinct-{_NUMBER}-diversity", ("l",), (("l_kind", "distinct"),)),
    _Form(f"(?:shannon-)?entropy-{_NUMBER}-diversity", ("l",), (("l_kind", "entropy"),)),
    _Form(rf"recursive-\({_NUMBER},{_NUMBER}\)-diversity", ("c", "l"), (("l_kind", "recursive"),)),
    *(
        _Form(f"{_NUMBER}-closeness with {kind} distance", ("t",), (("t_kind", kind),))
        for kind in ("equal", "ordered", "hierarchical")
    ),
)
"""The criteria that requests have."""

_NAMES = {
    "k-map": r"\(.*\)-map.*",
    "delta-presence": r"\(.*\)-presence",
    "grassberger": r"grassberger-entropy-.*-diversity.*",
    "delta-disclosure": r".*-disclosure privacy.*",
    "beta-likeness": r"(basic|enhanced)-.*-likeness.*",
    "average-risk": r".*-avg-reidentification-risk.*",
    "sample-uniqueness": r".*-sample-uniqueness",
    "population-uniqueness": r".*-population-uniqueness.*",
    "differential-privacy": r".*-DP",
    "profitability": r"profitability.*",
    "subset": r"Inclusion|Enclosure",
}
"""What the others are called in the catalogue, by how ARX writes them."""


def read_criterion(written: str) -> Asked | None:
    """What a request says for the criterion; ``None`` where it cannot.

    >>> read_criterion("recursive-(4.0,3)-diversity for attribute 'disease'").entries
    {'c': 4, 'l': 3, 'l_kind': 'recursive'}
    """
    return next(filter(None, (form.read(written) for form in _FORMS)), None)


def name_of(written: str) -> str:
    """What a criterion that no request has is called in the catalogue."""
    return next((name for name, pattern in _NAMES.items() if re.fullmatch(pattern, written)), "unknown")


@dataclass(frozen=True)
class Together:
    """Criteria in one request, which says each of its numbers once, for all the sensitive columns that it names."""

    entries: dict[str, Any]
    columns: tuple[str, ...]
    """The sensitive columns that any of them is about."""
    stricter: bool
    """Does one hold for more columns, or with another number, than was asked?"""
    left: tuple[Asked, ...]
    """Those that contradict what is in the request."""


def together(asked: Sequence[Asked]) -> Together:
    """One request for all of them: of one kind the strictest; what is asked of one column holds for all of them."""
    entries: dict[str, Any] = {}
    left: list[Asked] = []
    for each in asked:
        mine = next(group for group in (("k",), _L, _T) if group[0] in each.entries)
        others = {name: entries[name] for name in mine if name in entries}
        if not others:
            entries |= each.entries
        elif _of_one_kind(others, each.entries):
            entries |= _strictest(others, each.entries)
        else:
            left.append(each)
    columns = tuple(dict.fromkeys(each.column for each in asked if each.column is not None and each not in left))
    taken = [each for each in asked if each not in left]
    stricter = any(not _asks(taken, each.entries, column) for each in taken if each.column for column in columns)
    changed = any(entries[name] != value for each in taken for name, value in each.entries.items())
    return Together(entries, columns, stricter or changed, tuple(left))


def _of_one_kind(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return all(one.get(name) == other.get(name) for name in ("l_kind", "t_kind"))


def _strictest(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Larger groups and more diversity, but smaller distances and ratios."""
    return one | {
        name: max(one[name], value) if name in ("k", "l") else min(one[name], value)
        for name, value in other.items()
        if not isinstance(value, str)
    }


def _asks(asked: Sequence[Asked], entries: dict[str, Any], column: str) -> bool:
    return any(each.column == column and each.entries == entries for each in asked)
