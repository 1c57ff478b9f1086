"""What somebody could do with what they know: measured on the table as it is."""

from collections.abc import Iterator
from dataclasses import dataclass

from biombo._attack import reidentification
from biombo._data import Dataset
from biombo._watch import unwarned


@dataclass(frozen=True)
class Exposure:
    """How exposed people are to one adversary, before anything is done."""

    adversary: str | None
    """None: whoever knows all quasi columns."""
    columns: tuple[str, ...]
    unique: float
    """The share of records that share these values with no other."""
    posterior: float
    """How often a guess at somebody's record is right."""


def exposures(data: Dataset) -> Iterator[Exposure]:
    """What each adversary of the schema finds, and whoever knows all quasi columns, where none of them does.

    >>> from biombo import ColumnSchema, Schema, read, samples
    >>> quasi = {name: ColumnSchema(role="quasi") for name in ("age", "city")}
    >>> [found.posterior for found in exposures(read(samples.clinic(), Schema(quasi)))]
    [0.3333333333333333]
    """
    known: list[tuple[str | None, tuple[str, ...]]] = [*data.schema.adversaries.items()]
    if all(set(columns) != set(data.schema.quasi) for _, columns in known):
        known.append((None, data.schema.quasi))
    with unwarned():  # of what the numbers themselves tell
        attack = reidentification(data, max_size=1)
    for adversary, columns in known:
        sizes = attack.group_sizes(columns)
        yield Exposure(adversary, columns, sizes["share"][0], int(sizes["groups"].sum()) / attack.rows)
