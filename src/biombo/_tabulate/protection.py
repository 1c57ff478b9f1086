"""What protects a table in which no cell is left out: other numbers in the place of the true ones."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from biombo._data import Dataset
from biombo._engine import Randomness
from biombo._tabulate.classification import Classification
from biombo._tabulate.cube import Contributions, Cube, Numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from biombo._tabulate.shown import ShownTable

Kind = Literal["suppress", "round", "cell-key", "dp"]

SUPPRESS: Kind = "suppress"
"""Cells that tell too much are left out, and all others tell the truth."""


@dataclass(frozen=True, eq=False)
class Counted:
    """What a table is made of: its cells, and the records that are in them."""

    cube: Cube
    given: Contributions
    data: Dataset
    """The tuples that were counted."""
    person: str | None
    k: int


@dataclass(frozen=True)
class Protection(ABC):
    """How the counts that are shown are made of the true ones. Its fields are public, and stand in ``table.json``."""

    kind: ClassVar[Kind]
    status: ClassVar[Literal["rounded", "noised"]]
    """What the table says of its cells."""
    by_records: ClassVar[bool] = False
    """Must each record be known with all its columns, where nothing tells people apart?"""
    public_lists: ClassVar[bool] = False
    """Must all categories be public?"""

    @abstractmethod
    def disguised(self, counted: Counted, random: Randomness) -> "tuple[Protection, Numbers]":
        """By cell the number that is shown, and what these numbers are protected by."""

    @abstractmethod
    def is_met_by(self, shown: "ShownTable") -> bool:
        """Is the table as this protection leaves it, as far as everybody can see?"""

    @abstractmethod
    def sentences(self, k: int) -> Iterator[str]:
        """What is done, and what can be known all the same, in the language in use."""

    @abstractmethod
    def to_tree(self) -> dict[str, Any]:
        """As plain values."""

    @classmethod
    @abstractmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Protection":
        """The one that plain values describe."""

    def files(self) -> dict[str, str]:
        """What else a reader needs, by the names of files."""
        return {}

    def is_explained_in(self, folder: Path) -> bool:  # noqa: ARG002
        """Are these files in ``folder``, and say the same?"""
        return True


def protection_in(tree: Mapping[str, Any] | None) -> Protection | None:
    """The one that plain values describe; none where cells are left out."""
    from biombo._tabulate.cell_keys import CellKeys
    from biombo._tabulate.noise import NoisyCounts
    from biombo._tabulate.rounding import Rounding

    if tree is None or tree["kind"] == SUPPRESS:
        return None
    kinds: dict[str, type[Protection]] = {each.kind: each for each in (Rounding, CellKeys, NoisyCounts)}
    return kinds[tree["kind"]].from_tree(tree)


def are_counts(values: Numbers) -> bool:
    """Are all of them whole, and none below zero?"""
    return bool((np.isfinite(values) & (values >= 0) & (values == np.rint(values))).all())


def gaps(trees: "Sequence[Classification]", values: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
    """For each column, by total: how far it is from the sum of its parts, and how many parts it has."""
    for axis, tree in enumerate(trees):
        wholes = np.flatnonzero(tree.levels > 0)
        parts = tree.added_up(np.ones(values.shape), axis)
        rest = np.abs(values - tree.added_up(values, axis))
        yield np.take(rest, wholes, axis), np.take(parts, wholes, axis)
