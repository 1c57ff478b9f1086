"""A table of counts as it is kept on record, so that later ones of the same source go together with it."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from biombo._errors import InputError
from biombo._tabulate.atoms import Value
from biombo._tabulate.rules import RECORDS, Dominance, Rules
from biombo._tabulate.shown import ShownTable


@dataclass(frozen=True, eq=False)
class EarlierTable:
    """A table that was published. Private: its categories are told by the values that they hold, of which some are
    there because of one person. Numbers that were left out are not in it.
    """

    release: str
    """The id of its manifest."""
    state: str
    """The fingerprint of the records that it was made of."""
    shown: ShownTable
    leaves: Mapping[str, tuple[frozenset[Value], ...]]
    """By column: the values of each category without parts."""
    rules: Rules
    person: str | None
    """The column that told people apart."""

    def columns_at(self, state: str | None) -> list[str]:
        """The columns that it takes to count it again, in one state of the source or another."""
        sums = [name for name in self.shown.values if name != RECORDS and state == self.state]
        return [*self.leaves, *sums, *filter(None, [self.person])]

    def written(self) -> str:
        """The table as text."""
        numbers = {
            name: [None if np.isnan(each) else float(each) for each in values.ravel()]
            for name, values in self.shown.values.items()
        }
        tree = {
            "release": self.release,
            "state": self.state,
            "structure": self.shown.structure(),
            "numbers": numbers,
            "leaves": {name: [sorted(leaf, key=_order) for leaf in some] for name, some in self.leaves.items()},
            "rules": asdict(self.rules),
            "person": self.person,
        }
        return json.dumps(tree, ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def read(cls, text: str) -> "EarlierTable":
        """The table that was written so."""
        try:
            return _table(json.loads(text))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            raise InputError("tabulate.unreadable-earlier") from None


@dataclass(frozen=True, eq=False)
class Basis:
    """What a table was made of, and beside which others. Private."""

    state: str
    """The fingerprint of the records."""
    leaves: Mapping[str, tuple[frozenset[Value], ...]]
    """By column: the values of each category without parts."""
    earlier: tuple[EarlierTable, ...]
    gathered: tuple[str, ...] = ()
    """The columns of which values are counted together because fewer than k people have each."""

    def has_grown(self, names: Iterable[str]) -> bool:
        """Are there tables of another state that show the same sums?"""
        others = {name for table in self.earlier if table.state != self.state for name in table.shown.values}
        return bool(others.intersection(names))


def _table(tree: Mapping[str, Any]) -> EarlierTable:
    numbers = {name: np.array(values, np.float64) for name, values in tree["numbers"].items()}
    dominance = tree["rules"]["dominance"]
    rules = Rules(**{**tree["rules"], "dominance": None if dominance is None else Dominance(**dominance)})
    leaves = {name: tuple(map(frozenset, some)) for name, some in tree["leaves"].items()}
    shown = ShownTable.of_structure(tree["structure"], numbers)
    if any(tree.leaves != len(leaves[tree.column]) for tree in shown.classifications):
        raise ValueError
    return EarlierTable(str(tree["release"]), str(tree["state"]), shown, leaves, rules, tree["person"])


def _order(value: Value) -> tuple[bool, str]:
    return value is None, value or ""
