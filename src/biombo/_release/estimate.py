"""What a publication will take, told before the work begins."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biombo._data import SourceTable, TableSize
from biombo._engine import MOST_HELD
from biombo._errors import UsageError
from biombo._i18n import number, text
from biombo._release.machine_speed import MachineSpeed, is_learning

# Measured with benchmarks/publish.py and wider tables on two cores. A tenth more or less means nothing here; how fast
# this machine is beside that one is learnt.
_SECONDS, _SECONDS_FOR_PDF, _SECONDS_PER_CELL = 4.0, 8.0, 2e-6
_MEMORY, _MEMORY_PER_ROW, _MEMORY_PER_CELL = 350 << 20, 300, 20
_DISK = 1 << 20
_TRACE_ID_BYTES = 33
_PRIVATE_BYTES_PER_ROW = 52
_COPIES_WHILE_SHUFFLING = 2

_CLEARLY = 2
"""A disk with less than one part in so many of what is estimated has clearly too little room."""


@dataclass(frozen=True)
class PublishEstimate:
    """What publishing a table will take, roughly. Made by :func:`biombo.estimate_publishing`."""

    rows: int
    columns: int
    seconds: float
    """Without the search for a plan; as fast as this machine was the last times."""
    memory: int
    """Bytes at the most."""
    public_disk: int
    """Bytes at the most, in the folder of the release and while it is built."""
    private_disk: int

    @property
    def disk(self) -> int:
        """Bytes in both folders."""
        return self.public_disk + self.private_disk

    def __str__(self) -> str:
        return text(
            "release.estimate.sentence",
            rows=_roughly(self.rows),
            columns=self.columns,
            time=_time(self.seconds),
            memory=_size(self.memory),
            disk=_size(self.disk),
        )

    def refuse_full_disk(self, out: Path, private: Path) -> None:
        """Raise where a folder lies on a disk that clearly has too little room."""
        for folder, needed in _by_disk({out: self.public_disk, private: self.private_disk}):
            free = shutil.disk_usage(_existing(folder)).free
            if free < needed / _CLEARLY:
                raise UsageError("release.disk", path=str(folder), needed=_size(needed), free=_size(free))


def estimate_publishing(
    source: Any,
    *,
    pdf: bool = False,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
) -> PublishEstimate | None:
    """What :func:`biombo.publish` will take, roughly, from the size of the table; none where that is not known, such
    as of a query.

    Args:
        source: Whatever :func:`biombo.read` takes.
        pdf: Will there be PDFs?
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.

    >>> import biombo as bb
    >>> print(bb.estimate_publishing(bb.samples.clinic()))
    Some 12 rows and 5 columns: publishing takes about 4 s, 350 MiB of memory and 2 MiB of disk, give or take a half.
    """
    return estimate_of(SourceTable.open(source, filename=filename, database=database, sheet=sheet), pdf=pdf)


def estimate_of(table: SourceTable, *, pdf: bool) -> PublishEstimate | None:
    """The estimate for an open table."""
    size = TableSize.of(table)
    if size is None:
        return None
    cells, speed = size.rows * size.columns, MachineSpeed.known()
    once, for_cells = _expected(cells, pdf=pdf)
    data = size.text_bytes + size.rows * _TRACE_ID_BYTES
    copies = 1 + (_COPIES_WHILE_SHUFFLING if data > MOST_HELD else 0)
    return PublishEstimate(
        rows=size.rows,
        columns=size.columns,
        seconds=speed.once * once + speed.cells * for_cells,
        memory=_MEMORY + size.rows * _MEMORY_PER_ROW + cells * _MEMORY_PER_CELL,
        public_disk=_DISK + copies * data,
        private_disk=_DISK + size.rows * _PRIVATE_BYTES_PER_ROW,
    )


def learn_from(estimate: PublishEstimate, seconds: float, *, pdf: bool) -> None:
    """Remember how long a publication took, for the next estimates of this user on this machine."""
    if is_learning():
        speed = MachineSpeed.known()
        once, for_cells = _expected(estimate.rows * estimate.columns, pdf=pdf)
        speed.learnt(speed.once * once, speed.cells * for_cells, seconds).keep()


def _expected(cells: int, *, pdf: bool) -> tuple[float, float]:
    """Seconds on the machine measured on: for what is done once, and for the cells."""
    return _SECONDS + (_SECONDS_FOR_PDF if pdf else 0), cells * _SECONDS_PER_CELL


def _by_disk(needs: Mapping[Path, int]) -> Iterator[tuple[Path, int]]:
    """One of the folders on each disk, and what all folders on it need."""
    disks: dict[int, list[Path]] = {}
    for folder in needs:
        disks.setdefault(_existing(folder).stat().st_dev, []).append(folder)
    for folders in disks.values():
        yield folders[0], sum(needs[folder] for folder in folders)


def _existing(folder: Path) -> Path:
    """The folder itself, or the nearest one above it that is there."""
    return next(path for path in (folder.absolute(), *folder.absolute().parents) if os.access(path, os.F_OK))


def _time(seconds: float) -> str:
    if seconds < 90:
        return text("release.estimate.seconds", time=_roughly(seconds))
    if seconds < 90 * 60:
        return text("release.estimate.minutes", time=_roughly(seconds / 60))
    return text("release.estimate.hours", time=_roughly(seconds / 3600))


def _size(size: int) -> str:
    mebibytes = size / (1 << 20)
    return f"{number(mebibytes / 1024, 1)} GiB" if mebibytes >= 1000 else f"{number(_roughly(mebibytes), 0)} MiB"


def _roughly(amount: float) -> int:
    """A whole number of which only the first two digits mean something."""
    whole = round(amount)
    return round(whole, 2 - len(str(whole)))
