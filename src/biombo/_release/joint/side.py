"""A release as whoever has it reads it, with what only its publisher knows of it."""

import json
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from biombo._criteria import smallest_group_asked
from biombo._data import ColumnSchema, Dataset, Schema
from biombo._errors import InputError
from biombo._files import read_whole
from biombo._plan import Plan
from biombo._release.commitment import PLAN
from biombo._release.contents import RESULT
from biombo._release.dictionary import JSON
from biombo._release.manifest import Manifest, hashed
from biombo._release.measure.truth import perturbed_columns
from biombo._release.trace.ids import BYTES, TRACE_ID, bytes_of
from biombo._release.trace.inquiry import Inquiry
from biombo._release.trace.vault import Records
from biombo._release.verify.check import is_file_of
from biombo._release.verify.recount import plainly_read

Places = NDArray[np.int64]
Rows = NDArray[np.intp]
"""Some records, by their number."""


@dataclass(frozen=True, eq=False)
class Side:
    """One of two releases."""

    release: str
    """Its id."""
    out: Path
    data: Dataset
    """The records as its file has them, without their names."""
    plan: Plan
    schema: Schema
    """The roles of its columns."""
    places: Places
    """By record: where its original is."""

    @classmethod
    def of(cls, inquiry: Inquiry, links: Records, places: Places) -> "Side":
        """The release that an inquiry is about; ``places`` are those that its ``links`` lead to."""
        manifest = inquiry.manifest
        for name in (manifest.data, JSON):
            _refuse_changed(inquiry.release, name, manifest)
        data = plainly_read(inquiry.release / manifest.data)
        order = _order_of(links, data[TRACE_ID].decoded())
        if order is None:
            raise InputError("release.other-vault", release=str(inquiry.release), private=str(inquiry.folder))
        plan = Plan.load(inquiry.folder / PLAN)
        columns = {name: column for name, column in data.columns.items() if name != TRACE_ID}
        return cls(
            manifest.id,
            inquiry.release,
            Dataset(columns, data.rows, Schema(), data.label),
            plan,
            _schema(inquiry.release, inquiry.folder, plan),
            places[order],
        )

    def understood(self, *plans: Plan) -> "Side":
        """The same, read by somebody who knows which words ``plans`` took for the same."""
        data = self.data
        for plan in plans:
            for operation in plan.operations:
                data = operation.as_understood(data)
        return replace(self, data=data)

    @property
    def person(self) -> str | None:
        """The column of the original that names people, where it was counted by them."""
        return self.schema.person

    @property
    def quasi(self) -> tuple[str, ...]:
        """The released columns that an adversary may know."""
        return self.schema.quasi

    @property
    def sensitive(self) -> tuple[str, ...]:
        """The released columns that it wants to know."""
        return self.schema.sensitive

    @cached_property
    def drawn(self) -> tuple[str, ...]:
        """The released columns whose values were drawn or exchanged: no rule says what a true value became."""
        return tuple(name for name in perturbed_columns(self.plan) if name in self.data.columns)

    @property
    def drawn_quasi(self) -> tuple[str, ...]:
        """Of these, the ones that groups are made by, which mean nothing then."""
        return tuple(name for name in self.drawn if name in self.quasi)

    @property
    def k(self) -> int | None:
        """The smallest group that its plan asks for."""
        return smallest_group_asked(self.plan.criteria)


def _refuse_changed(folder: Path, name: str, manifest: Manifest) -> None:
    """Raise where a file is not the one that the manifest lists: nothing can be told of it."""
    if not is_file_of(folder, name) or hashed(folder / name) != manifest.files.get(name):
        raise InputError("release.changed-file", path=str(folder / name))


def _schema(public: Path, private: Path, plan: Plan) -> Schema:
    """The roles of the released columns, by the dictionary, and who the people are, by the private folder."""
    try:
        entries = json.loads(read_whole(public / JSON))["columns"]
        roles = {entry["column"]: entry["role"] for entry in entries if entry["column"] != TRACE_ID}
        person = plan.person or _result(private).get("person")
        named = {} if person is None else {person: ColumnSchema("identifier")}
        return Schema({**{name: ColumnSchema(role) for name, role in roles.items()}, **named}, person)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError("release.damaged-result", path=str(private / RESULT)) from None


def _result(private: Path) -> dict[str, Any]:
    found = json.loads(read_whole(private / RESULT))
    return dict(found)


def _order_of(links: Records, ids: pl.Series) -> NDArray[np.intp] | None:
    """By trace id: which link is its own; nothing where one has none."""
    raw = ids.str.decode("hex", strict=False)
    if not (raw.bin.size() == BYTES).all(ignore_nulls=False):
        return None
    named, linked = _words(np.frombuffer(b"".join(raw.to_list()), np.uint8)), _words(bytes_of(links["id"]))
    if np.array_equal(named, linked):  # as they were written
        return np.arange(len(named))
    frames = [pl.DataFrame({"high": words[:, 0], "low": words[:, 1]}) for words in (named, linked)]
    found = frames[0].join(frames[1].with_row_index("link"), on=["high", "low"], how="left", maintain_order="left")
    return None if found["link"].null_count() else found["link"].to_numpy().astype(np.intp)


def _words(raw: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """Trace ids as two numbers each."""
    return raw.reshape(-1).view(np.uint64).reshape(-1, 2)
