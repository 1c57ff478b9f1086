"""ARX's criteria, which it writes as sentences, as entries of a request."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_NUMBER = r"([0-9]+(?:\.[0-9]+)?(?:E-?[0-9]+)?)"
_ABOUT = r" for attribute '(.*)'"
_MORE_IS_STRICTER = ("k", "l")


def _is_beside(name: str) -> bool:
    """Does this entry only say more of another one, which has the number that is asked for?"""
    return name == "c" or name.endswith("_kind")


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
        return next(name for name in self.entries if not _is_beside(name))

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
    "average-risk": r".*-avg-reidentification-risk.*",
    "population-uniqueness": r".*-population-uniqueness.*",
    "differential-privacy": r".*-DP",
    "profitability": r"profitability.*",
    "subset": r"Inclusion|Enclosure",
}
"""What the others are called in the catalogue, by how ARX writes them."""


def read_criterion(written: str) -> Asked | None:
    """What a request says for the criterion; ``None`` where none can, or not as it is written.

    >>> read_criterion("recursive-(4.0,3)-diversity for attribute 'disease'").entries
    {'c': 4, 'l': 3, 'l_kind': 'recursive'}
    """
    return next(filter(None, (form.read(written) for form in _FORMS)), None)


def name_of(written: str) -> str:
    """What a criterion that no request has is called in the catalogue."""
    return next((name for name, pattern in _NAMES.items() if re.fullmatch(pattern, written)), "unknown")


@dataclass(frozen=True)
class Together:
    """Criteria in one request, which has one kind of each for a column."""

    entries: dict[str, Any]
    columns: tuple[str, ...]
    """The sensitive columns that any of them is about."""
    stricter: bool
    """Does one ask for more than it did?"""
    left: tuple[Asked, ...]
    """Those that contradict what is in the request."""


def together(asked: Sequence[Asked]) -> Together:
    """One request for all of them: of one column the first kind counts, and of that the strictest."""
    taken: dict[tuple[str, str | None], list[Asked]] = {}
    left: list[Asked] = []
    for each in asked:
        rivals = taken.setdefault((each.bound, each.column), [])
        (rivals if not rivals or each.kind == rivals[0].kind else left).append(each)
    kept = [each for each in asked if each not in left]
    columns = tuple(dict.fromkeys(each.column for each in kept if each.column is not None))
    strictest: dict[str, dict[str | None, Any]] = {}
    for (bound, column), alike in taken.items():
        for name, value in _strictest(bound, alike).items():
            strictest.setdefault(name, {})[column] = value
    entries = {name: _in_one_entry(name, by_column, columns) for name, by_column in strictest.items()}
    stricter = any(strictest[name][each.column] != value for each in kept for name, value in each.entries.items())
    return Together(entries, columns, stricter, tuple(left))


def _strictest(bound: str, alike: Sequence[Asked]) -> dict[str, Any]:
    """One criterion for those of one kind and column: the highest number, or the lowest, and the lowest c."""
    found = alike[0].kind | {bound: (max if bound in _MORE_IS_STRICTER else min)(each.entries[bound] for each in alike)}
    ratios = [each.entries["c"] for each in alike if "c" in each.entries]
    return found | ({"c": min(ratios)} if ratios else {})


def _in_one_entry(name: str, by_column: dict[str | None, Any], columns: Sequence[str]) -> Any:
    """What is asked of all columns, or of each where it is not the same for all of them."""
    is_same = len(set(by_column.values())) == 1
    for_all = is_same and (_is_beside(name) or set(by_column) in ({None}, set(columns)))
    return next(iter(by_column.values())) if for_all else by_column
