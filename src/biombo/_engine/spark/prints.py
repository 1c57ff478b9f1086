"""The fingerprints of all records of a table, made by workers, who keep them sealed in files."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from biombo._data import Chosen, File, Source, SourceTable
from biombo._engine.engine import Keys, Printed, Printing, Prints
from biombo._engine.spark.jobs import Jobs, notes_in, notes_of_stage, refuse_failures
from biombo._engine.spark.products import blob
from biombo._engine.spark.worker import Making, Note, Product, Work, rows_with
from biombo._engine.spark.workplace import Seal, Stage, packed, unpacked


@dataclass(frozen=True, eq=False)
class TablePrints:
    """Those of one table, part by part."""

    paths: Mapping[int, Path]
    rows: tuple[int, ...]
    """By part, selected or not."""
    seal: Seal
    stages: tuple[Stage, ...] = ()
    """Keep the files where they are for as long as somebody here may read them."""

    def of_part(self, number: int) -> Iterator[Prints]:
        """Those of one part, some after the other."""
        return (prints for prints, _ in self._marked(number))

    def of_selected(self, number: int) -> tuple[Prints, Keys]:
        """Those of the records of one part that are selected, and their places there."""
        prints, chosen = zip(*self._marked(number), (np.zeros(0, np.uint64), np.zeros(0, bool)), strict=True)
        places = np.flatnonzero(np.concatenate(chosen))
        return np.concatenate(prints)[places], places.astype(np.uint64)

    def _marked(self, number: int) -> Iterator[tuple[Prints, Chosen]]:
        """All of one part, and which of its records are selected."""
        with parquet.ParquetFile(self.paths[number]) as file:
            for sealed in file.iter_batches(1, columns=["blob"]):
                content = sealed.column(0)[0].as_py()
                if content is not None:
                    table = unpacked(self.seal.opened(content))
                    yield table.column("print").to_numpy(), table.column("chosen").to_numpy()

    def __reduce__(self) -> tuple[Any, ...]:
        return TablePrints, (self.paths, self.rows, self.seal)


def made_prints(
    jobs: Jobs, parts: Sequence[SourceTable], sources: Sequence[Source], printing: Printing, needed: Collection[str]
) -> tuple[TablePrints, list[Printed]]:
    """The fingerprints of all records, over all columns of a source, or over those that are needed where others cannot
    be read. ``sources`` are those of the parts.
    """
    first = _attempt(jobs, parts, range(len(parts)), [source.columns for source in sources], printing)
    failed = [source for number, source in enumerate(sources) if first.notes[number].error is not None]
    again = [number for number, source in enumerate(sources) if any(source is each for each in failed)]
    columns = [source.columns for source in sources]
    attempts = [first]
    if again:
        for number in again:
            columns[number] = [name for name in sources[number].columns if name in needed]
        attempts.append(_attempt(jobs, parts, again, columns, printing))
        refuse_failures([*attempts[1].notes.values()])
    paths = {number: path for attempt in attempts for number, path in attempt.paths.items()}
    notes = {number: note for attempt in attempts for number, note in attempt.notes.items()}
    rows = tuple(notes[number].rows for number in range(len(parts)))
    prints = TablePrints(paths, rows, jobs.workplace.seal, tuple(attempt.stage for attempt in attempts))
    return prints, _printed(jobs, prints, notes, sources, columns, printing)


def _printed(
    jobs: Jobs,
    prints: TablePrints,
    notes: Mapping[int, Note],
    sources: Sequence[Source],
    columns: Sequence[Sequence[str]],
    printing: Printing,
) -> list[Printed]:
    distinct = list({id(source): source for source in sources}.values())
    files = [source.path.absolute() for source in distinct if isinstance(source, File)]
    contents = dict(zip(files, _of_files(jobs, files, printing), strict=True))
    made = []
    for source in distinct:
        numbers = [number for number, each in enumerate(sources) if each is source]
        whole = printing.of_all(some for number in numbers for some in prints.of_part(number))
        content = contents[source.path.absolute()] if isinstance(source, File) else None
        rows = sum(notes[number].rows for number in numbers)
        made.append(Printed(tuple(columns[numbers[0]]), rows, whole, content))
    return made


@dataclass(frozen=True, eq=False)
class _Attempt:
    stage: Stage
    paths: Mapping[int, Path]
    notes: Mapping[int, Note]


def _attempt(
    jobs: Jobs,
    parts: Sequence[SourceTable],
    numbers: Sequence[int],
    columns: Sequence[Sequence[str]],
    printing: Printing,
) -> _Attempt:
    asked = [parts[number] for number in numbers]
    product = _Sealed("part int, start long, blob binary")
    work = _PrintWork(
        asked, (), None, product, columns=[columns[number] for number in numbers], printing=printing,
        seal=jobs.workplace.seal,
    )  # fmt: skip
    stage = jobs.staged(jobs.mapped(work))
    found = [(path, replace(note, part=numbers[note.part])) for path, note in notes_of_stage(stage)]
    return _Attempt(stage, {note.part: path for path, note in found}, {note.part: note for _, note in found})


def _of_files(jobs: Jobs, files: Sequence[Path], printing: Printing) -> list[str]:
    if not files:
        return []
    work = _FileWork(files, (), None, _Sealed("part int, digest string"), printing=printing)
    found = jobs.collected(jobs.mapped(work))
    refuse_failures(notes_in(found, jobs.workplace.seal))
    pairs = zip(found.column("part").to_pylist(), found.column("digest").to_pylist(), strict=True)
    return [digest for part, digest in sorted(each for each in pairs if each[1] is not None)]


@dataclass(frozen=True)
class _Sealed(Product):
    schema: str

    @property
    def columns(self) -> Sequence[str]:
        """Each part has its own."""
        return ()

    def start(self, part: int) -> Making:
        """Never: the work makes all by itself."""
        raise AssertionError(part)


@dataclass(frozen=True, eq=False, kw_only=True)
class _PrintWork(Work):
    columns: Sequence[Sequence[str]]
    """By part."""
    printing: Printing
    seal: Seal

    def made(self, number: int) -> Iterator[pa.RecordBatch | Note]:
        """The fingerprints of one part."""
        table, rows = self.parts[number], 0
        table.check(self.columns[number])
        columns = list(self.columns[number])
        for label, batch, chosen in table.marked(columns):
            prints = self.printing.of_rows(batch.select(columns), label)
            marks = np.ones(batch.num_rows, bool) if chosen is None else chosen
            yield blob(number, rows, self.seal.closed(packed(pa.table({"print": prints, "chosen": marks}))))
            rows += batch.num_rows
        yield Note(number, rows)


@dataclass(frozen=True, eq=False)
class _FileWork(Work):
    parts: Sequence[Any]
    """The paths."""
    printing: Printing = field(kw_only=True)

    def label_of(self, number: int) -> str:
        """The file's path."""
        return str(self.parts[number])

    def made(self, number: int) -> Iterator[pa.RecordBatch | Note]:
        """The fingerprint of one file."""
        digest = self.printing.of_file(self.parts[number])
        yield rows_with({"part": pa.array([number], pa.int32()), "digest": pa.array([digest])})
        yield Note(number)
