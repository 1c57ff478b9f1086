"""What lies where this process does not get to: files in object stores, databases behind JDBC."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Protocol

import pyarrow as pa

from biombo._addresses import discreet
from biombo._errors import UsageError


class Distant(ABC):
    """A source that somebody else reads, once, and holds for all who ask later."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What to call it in a message. Never a secret."""

    @property
    @abstractmethod
    def columns(self) -> list[str]:
        """The names of its columns, in order."""

    @property
    @abstractmethod
    def rows(self) -> int | None:
        """How many rows it has, once it is held."""

    @abstractmethod
    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows, with only ``columns``, a bounded number at a time."""

    @property
    @abstractmethod
    def is_held(self) -> bool:
        """Was it read?"""

    @abstractmethod
    def hold(self) -> None:
        """Read it now, if it was not."""


class Stores(Protocol):
    """Opens what this process cannot read by itself."""

    def files(self, address: str) -> Distant:
        """The file, the folder or the files of a pattern at ``address``."""

    def query(self, query: str, database: str) -> Distant:
        """What the database at an address for JDBC answers."""


def at_hand(stores: Stores | None, address: str) -> Stores:
    """``stores``; raises where there are none."""
    if stores is None:
        raise UsageError("input.only-spark", address=discreet(address))
    return stores
