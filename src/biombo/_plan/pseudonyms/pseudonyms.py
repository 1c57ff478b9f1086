"""What every way to give pseudonyms can do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence


class Pseudonyms(ABC):
    """Gives each value a pseudonym: always the same to the same value, never one to two values."""

    @abstractmethod
    def of(self, values: Sequence[str]) -> list[str]:
        """The pseudonyms of different ``values``."""


class ReversiblePseudonyms(Pseudonyms):
    """Pseudonyms that whoever holds the key can undo without a table."""

    @abstractmethod
    def value_of(self, pseudonym: str) -> str | None:
        """The value behind ``pseudonym``; none where it cannot be one."""
