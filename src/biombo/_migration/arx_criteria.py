"""ARX's criteria, which it writes as sentences, as entries of a request."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from biombo._documents import hints_of
from biombo._requests import SearchRequest

_NUMBER = r"([0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?)"
_ABOUT = r" for attribute '(.*)'"
_MORE_IS_STRICTER = ("k", "l")


@dataclass(frozen=True)
class Asked:
    """One criterion: what a request says for it, and of which column."""

    written: str
    """As ARX has it."""
    entries: dict[str, Any]
    column: str | None = None

    @property
    def bound(self) -> str:
        """The entry of the number that is asked for."""
        return next(name for name in self.entries if name != "c" and not name.endswith("_kind"))

    @property
    def kind(self) -> dict[str, Any]:
        """The entry that says of which kind it is, where there are several."""
        return {name: value for name, value in self.entries.items() if name.endswith("_kind")}


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
    _Form(f"{_NUMBER}-closeness with equal distance", ("t",), (("t_kind", "equal"),)),
    _Form(f"{_NUMBER}-closeness with ordered distance", ("t",), (("t_kind", "ordered"),)),
    _Form(f"{_NUMBER}-closeness with hierarchical distance", ("t",), (("t_kind", "hierarchical"),)),
    _Form(f"basic-{_NUMBER}-likeness", ("beta",), (("beta_kind", "basic"),)),
    _Form(f"enhanced-{_NUMBER}-likeness", ("beta",), (("beta_kind", "enhanced"),)),
    _Form(f"{_NUMBER}-disclosure privacy", ("delta_disclosure",)),
    _Form(rf"\({_NUMBER}\)-avg-reidentification-risk", ("max_average_risk",), about=False),
    _Form(rf"\({_NUMBER}\)-sample-uniqueness", ("max_uniqueness",), about=False),
)
"""How ARX writes criteria that a request can say."""

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
    """What a request says for the criterion; ``None`` where no request can.

    >>> read_criterion("recursive-(4.0,3)-diversity for attribute 'disease'").entries
    {'c': 4, 'l': 3, 'l_kind': 'recursive'}
    """
    asked = next(filter(None, (form.read(written) for form in _FORMS)), None)
    return asked if asked is not None and asked.entries.keys() <= hints_of(SearchRequest).keys() else None


def name_of(written: str) -> str:
    """What a criterion that no request has is called in the catalogue."""
    return next((name for name, pattern in _NAMES.items() if re.fullmatch(pattern, written)), "unknown")


@dataclass(frozen=True)
class Together:
    """Criteria in one request, which has one kind of each."""

    entries: dict[str, Any]
    columns: tuple[str, ...]
    """The sensitive columns that any of them is about."""
    stricter: bool
    """Does one hold for more columns, or with another number, than was asked?"""
    left: tuple[Asked, ...]
    """Those that contradict what is in the request."""


def together(asked: Sequence[Asked]) -> Together:
    """One request for all of them. Of one kind and column the strictest counts; where a request says a number for all
    columns alike, the strictest of all does, and holds for all of them.
    """
    taken: dict[str, list[Asked]] = {}
    left: list[Asked] = []
    for each in asked:
        rivals = taken.setdefault(each.bound, [])
        (rivals if not rivals or each.kind == rivals[0].kind else left).append(each)
    kept = [each for each in asked if each not in left]
    columns = tuple(dict.fromkeys(each.column for each in kept if each.column is not None))
    entries: dict[str, Any] = {}
    for bound, alike in taken.items():
        entries |= alike[0].kind | {bound: _in_one_entry(bound, alike, columns)}
        if ratios := [each.entries["c"] for each in alike if "c" in each.entries]:
            entries["c"] = min(ratios)
    stricter = any(not _says_exactly(entries, each, kept, columns) for each in kept)
    return Together(entries, columns, stricter, tuple(left))


def _in_one_entry(bound: str, alike: Sequence[Asked], columns: Sequence[str]) -> Any:
    """The number for all columns, or a number for each where requests take that and it is not the same for all."""
    strictest = max if bound in _MORE_IS_STRICTER else min
    by_column = {
        column: strictest(each.entries[bound] for each in alike if each.column == column)
        for column in dict.fromkeys(each.column for each in alike)
    }
    same = len(set(by_column.values())) == 1 and set(by_column) in ({None}, set(columns))
    return strictest(by_column.values()) if same or not _takes_columns(bound) else by_column


def _takes_columns(entry: str) -> bool:
    """Does a request take a number for each column there?"""
    return any(get_origin(each) is Mapping for each in get_args(hints_of(SearchRequest)[entry]))


def _says_exactly(entries: dict[str, Any], one: Asked, kept: Sequence[Asked], columns: Sequence[str]) -> bool:
    """Is that criterion asked of no more columns, and by no other number, than it was?"""
    said = entries[one.bound]
    if isinstance(said, dict):
        said = said[one.column]
    elif one.column is not None and {each.column for each in kept if each.bound == one.bound} != set(columns):
        return False
    return said == one.entries[one.bound] and entries.get("c") in (None, one.entries.get("c", entries.get("c")))
