"""CSV files whose bytes somebody else reads: they come once, from the beginning."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, cast

from biombo._data.formats.csv_dialect import SAMPLE_BYTES
from biombo._data.formats.csv_file import CsvFile
from biombo._errors import InputError


class Bytes:
    """Bytes that come in pieces; what a reader needs of a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self._pieces = pieces
        self._held = bytearray()

    def __enter__(self) -> "Bytes":
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing: whoever gives the pieces closes what they come from."""

    def read(self, size: int = -1) -> bytes:
        """The next so many, or all; fewer at the end."""
        while size < 0 or len(self._held) < size:
            piece = next(self._pieces, None)
            if piece is None:
                break
            self._held += piece
        end = len(self._held) if size < 0 else size
        found = bytes(self._held[:end])
        del self._held[:end]
        return found

    def pieces(self) -> Iterator[bytes]:
        """What was not read yet, piece by piece."""
        yield bytes(self._held)
        yield from self._pieces


@dataclass(frozen=True)
class CsvStream(CsvFile):
    """A file of delimited text as it comes. Its rows can be had once."""

    name: str = ""
    beginning: bytes = field(default=b"", repr=False)
    come: Bytes = field(default_factory=lambda: Bytes(iter(())), repr=False)
    """What comes after it."""

    @classmethod
    def of(cls, name: str, pieces: Iterator[bytes]) -> "CsvStream":
        """The file that is called ``name``, by all of its bytes in order."""
        come = Bytes(pieces)
        return cls(Path(name), name=name, beginning=come.read(SAMPLE_BYTES), come=come)

    @property
    def label(self) -> str:
        """What it is called."""
        return self.name

    def _beginning(self) -> bytes:
        return self.beginning

    def _rest(self, place: int) -> IO[bytes]:
        return cast(IO[bytes], Bytes(chain([self.beginning[place:]], self.come.pieces())))

    def _uneven(self, expected: int, found: int) -> InputError:
        return InputError("input.fields-somewhere", path=self.label, expected=expected, found=found)
