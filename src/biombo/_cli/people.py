"""Files about single people, for the private folder only."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl

from biombo._attack import Membership, Risk, individual_attack, target
from biombo._engine import csv_text
from biombo._errors import UsageError
from biombo._files import PRIVATE, write_whole

if TYPE_CHECKING:
    from biombo._attack import RiskByPart
    from biombo._data import Dataset


def write_records(found: "Risk | RiskByPart", subset: Sequence[str], path: Path) -> Path:
    """The vulnerability of each record when the adversary knows ``subset``, for each sensitive column."""
    if not isinstance(found, Risk) or found.attribute_inference is None:
        raise UsageError("usage.records-of-one-table")
    inference = found.attribute_inference
    table = None
    for name in inference.sensitive:
        columns = inference.records(subset, name).table.rename(
            {"vulnerability": f"{name}:vulnerability", "success": f"{name}:success"}
        )
        table = columns if table is None else table.join(columns, on="row")
    assert table is not None
    write_whole(path, csv_text(table), mode=PRIVATE)
    return path


def write_reidentified(found: Membership, columns: Sequence[str], path: Path) -> Path:
    """The records that are alone in the sample and in the population when ``columns`` are known, by position."""
    rows = individual_attack(found, columns).rows
    write_whole(path, csv_text(pl.DataFrame({"row": rows})), mode=PRIVATE)
    return path


def write_target(data: "Dataset", known: Mapping[str, str | None], sensitive: Sequence[str] | None, path: Path) -> Path:
    """What an adversary who knows ``known`` about one person learns about the sensitive columns."""
    learned = target(data, known, sensitive=sensitive)
    content = {
        "known": dict(learned.known),
        "candidates": learned.candidates,
        "records": learned.rows,
        "values": {name: values.to_dicts() for name, values in learned.values.items()},
    }
    write_whole(path, json.dumps(content, ensure_ascii=False, indent=2, default=str), mode=PRIVATE)
    return path
