"""What noise on the values of a declared domain has in common."""

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import pyarrow as pa

from biombo._data import Schema
from biombo._errors import UsageError
from biombo._plan.operations.private import PrivateOperation
from biombo._plan.privacy.channel import Channel, Domain
from biombo._plan.privacy.effect import Effect, Kept


@dataclass(frozen=True)
class NoiseOverDomain(PrivateOperation):
    """Releases a value of a declared domain, with chances that depend on the own value.

    The domain must be known without looking at the data: one that is taken from them tells what occurs in them.
    """

    domain: Domain | None = None
    """All values that may occur, null for a missing one; without it the one that the schema declares."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.domain is not None and (len(self.domain) < 2 or len(set(self.domain)) < len(self.domain)):
            raise UsageError("privacy.domain", column=self.column)

    @cached_property
    def channel(self) -> Channel:
        """What each value may become."""
        if self.domain is None:
            raise UsageError("privacy.no-domain", column=self.column)
        return self.channel_over(self.domain)

    @abstractmethod
    def channel_over(self, domain: Domain) -> Channel:
        """What each value of ``domain`` may become."""

    @property
    def effect(self) -> Effect:
        """How often a value stays what it is."""
        return Kept(self.channel.kept, len(self.channel.domain))

    def completed(self, schema: Schema) -> Self:
        """With the domain that the schema declares, where the plan has none."""
        operation = self if self.domain is not None else replace(self, domain=schema[self.column].domain)
        _ = operation.channel
        return operation

    def drawn(self, chunk: pa.Array) -> pa.Array:
        """Values of the domain, as text."""
        return self.channel.drawn(chunk, self.column)
