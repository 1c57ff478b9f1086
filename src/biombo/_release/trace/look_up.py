"""``trace``: from a released record to the original one, by whoever holds the private folder, on record."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._documents import listed
from biombo._release.trace.ids import BYTES, raw_id, raw_ids
from biombo._release.trace.inquiry import Inquiry, Located, opened
from biombo._secrets import KeyPlace


@dataclass(frozen=True)
class TracedRecord:
    """The original record behind a trace id."""

    source: str
    """The file that it is in, or what else the publisher's source was called."""
    number: int
    """Which one it is there, counted from 1; a header line does not count."""
    checked: bool
    """Was it found to be the same? Else it is the one of this number on the day of publication."""


def trace(
    release: str | Path,
    ids: str | Iterable[str],
    *,
    source: Any = None,
    database: str | None = None,
    sheet: str | None = None,
    private: str | Path | None = None,
    reason: str,
    who: str | None = None,
    key: KeyPlace | None = None,
) -> dict[str, TracedRecord | None]:
    """The original record behind each trace id of a release; ``None`` for those not known.

    Each look-up, also one that fails, is written to ``traces.jsonl`` in the private folder before anything is given.
    Where the source has changed, a record that is no longer the same is refused. Where the source is not at hand, a
    warning says that nothing was checked.

    Args:
        release: The folder of the release.
        ids: One trace id, or several.
        source: The table that was published, or a copy: whatever :func:`biombo.read` takes, or what it gave; by default
            the files where they were then.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        private: Its private folder; by default the release's name with ``.private`` added.
        reason: What for.
        who: Who asks; by default the user of the system.
        key: The key that sealed the vault; by default the one in the private folder.

    >>> import tempfile, polars as pl, biombo as bb
    >>> table = pl.DataFrame({"sex": ["F", "M", "F", "M"], "year": [1990, 1991, 1992, 1993]})
    >>> plan = bb.Plan([], [bb.KAnonymity(2)], quasi=["sex"], sensitive=["year"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     release = bb.publish(table, plan, f"{folder}/release", format="parquet")
    ...     wanted = release.data.filter(pl.col("year") == 1992)["trace_id"]
    ...     list(bb.trace(release.out, wanted, source=table, reason="the person asked for a correction").values())
    [TracedRecord(source='the Polars table', number=3, checked=True)]
    """
    asked = list(dict.fromkeys([ids] if isinstance(ids, str) else listed("ids", ids)))
    inquiry = Inquiry.of(release, private, reason, who, key)
    raw = {each: raw_id(each) for each in asked}
    known = raw_ids({each for each in raw.values() if each is not None})
    located = inquiry.located(asked, known, lambda _origin: opened(source, database, sheet))
    located.warn_of_unchecked()
    records = dict(_records(located))
    return {each: None if found is None else records.get(found) for each, found in raw.items()}


def _records(located: Located) -> Iterable[tuple[bytes, TracedRecord]]:
    for raw, part, row, _ in located.links.tolist():
        name, is_checked = located.origin.parts[part].name, located.sources[part] is not None
        yield raw.ljust(BYTES, b"\0"), TracedRecord(name, row + 1, is_checked)
