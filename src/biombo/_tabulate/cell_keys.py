"""Cell keys: the same records always get the same noise, whatever table they are counted in."""

import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._data import written
from biombo._engine import Randomness, csv_text
from biombo._files import read_whole
from biombo._i18n import number, text
from biombo._secrets import KeyPlace, load_key
from biombo._tabulate.cube import Numbers, margins
from biombo._tabulate.perturbation import Perturbation
from biombo._tabulate.protection import Counted, Kind, Protection, are_counts, gaps

CellKey = NDArray[np.uint64]

PERTURBATION = "perturbation.csv"


@dataclass(frozen=True)
class CellKeys(Protection):
    """Each record has a number of 64 bits that only the ``key`` tells; those of a cell, added up without carry, choose
    what is added to its count (Fraser and Wooton 2005).
    """

    key: KeyPlace | None = field(default=None, repr=False, compare=False)
    """The secret, or where it is kept; none where somebody reads a table."""
    noise: Perturbation = field(default_factory=Perturbation)
    key_id: str = ""
    by: str = ""
    """What a record's number is made of: the column that tells people apart, or, where there is none, all columns."""

    kind: ClassVar[Kind] = "cell-key"
    status: ClassVar[Literal["rounded", "noised"]] = "noised"
    by_records: ClassVar[bool] = True

    def disguised(self, counted: Counted, random: Randomness) -> "tuple[CellKeys, Numbers]":  # noqa: ARG002
        """The counts with what their keys add. Nothing is drawn."""
        assert self.key is not None
        key = load_key(self.key)
        keys = cell_keys(counted, record_keys(counted, key.derived("cell-keys")))
        records = counted.cube.records
        told = replace(self, key_id=key.id, by=counted.person or "")
        return told, (records + self.noise.added(records, keys)).astype(np.float64)

    def is_met_by(self, shown: Any) -> bool:
        """Is nothing shown that no count becomes, and is no total further from its parts than noise can take it?"""
        values = shown.values["records"]
        small = (values > 0) & (values <= self.noise.smallest)
        largest = self.noise.largest
        near = all((gap <= largest * (parts + 1)).all() for gap, parts in gaps(shown.classifications, values))
        return are_counts(values) and not small.any() and near

    def sentences(self, k: int) -> Iterator[str]:  # noqa: ARG002
        """What is done, and what can be known all the same."""
        noise = self.noise
        told = {"largest": noise.largest, "deviation": number(noise.variance**0.5, 2), "key_id": self.key_id}
        yield text("tabulate.cell-keys", **told)
        if noise.smallest:
            yield text("tabulate.cell-keys-small", smallest=noise.smallest)
        yield text("tabulate.cell-keys-by-person", column=self.by) if self.by else text("tabulate.cell-keys-by-record")
        yield text("tabulate.cell-keys-tell")

    def to_tree(self) -> dict[str, Any]:
        """As plain values."""
        noise = {"largest": self.noise.largest, "variance": float(self.noise.variance), "smallest": self.noise.smallest}
        return {"kind": self.kind, **noise, "key-id": self.key_id, "by": self.by, "guarantee": "none"}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "CellKeys":
        """The one that plain values describe."""
        noise = Perturbation(int(tree["largest"]), float(tree["variance"]), int(tree["smallest"]))
        return cls(None, noise, str(tree["key-id"]), str(tree["by"]))

    def files(self) -> dict[str, str]:
        """The table of perturbations."""
        return {PERTURBATION: csv_text(self.noise.frame())}

    def is_explained_in(self, folder: Path) -> bool:
        """Is the table of perturbations the one that these numbers give?"""
        return self.noise.is_told_by(pl.read_csv(read_whole(folder / PERTURBATION), infer_schema=False))


def record_keys(counted: Counted, secret: bytes) -> CellKey:
    """By tuple: the numbers of its records, added up.

    That of a record is an HMAC of who it is about, or, where nothing tells people apart, of all its columns and its
    turn among records that are alike. So a record has the same number in every table of the same source, whichever
    others there are.
    """
    data, person, times = counted.data, counted.person, counted.given.records
    if person is not None:
        people = np.array([_number(secret, ["person", value]) for value in written(data[person].values)], np.uint64)
        return np.asarray(people[data[person].codes] * times.astype(np.uint64))
    names = sorted(data.columns)
    values = [np.array(written(data[name].values).to_list(), object)[data[name].codes] for name in names]
    found = np.zeros(len(times), np.uint64)
    for place, row in enumerate(zip(*values, strict=True)):
        named = [[name, value] for name, value in zip(names, row, strict=True)]
        each = [_number(secret, ["record", named, turn]) for turn in range(int(times[place]))]
        found[place] = sum(each) % 2**64
    return found


def cell_keys(counted: Counted, of_tuples: CellKey) -> CellKey:
    """By cell: the numbers of its records, added up; what is beyond 64 bits is left out."""
    cube = counted.cube
    found = np.zeros(cube.records.size, np.uint64)
    for places in margins(cube.classifications, counted.given.leaves):
        np.add.at(found, places, of_tuples)
    return found.reshape(cube.shape)


def _number(secret: bytes, what: list[Any]) -> int:
    told = json.dumps(what, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return int.from_bytes(hmac.digest(secret, told, "sha256")[:8], "big")
