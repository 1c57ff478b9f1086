"""PRAM, post-randomisation: values change by a matrix of chances (Gouweleeuw, Kooiman, Willenborg and de Wolf 1998)."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from biombo._data import Role, Schema, written
from biombo._documents import is_within_limit, limited
from biombo._engine import Change, Numbers
from biombo._errors import UsageError
from biombo._plan.operations.mechanism import EPSILON, refuse_epsilon
from biombo._plan.operations.operation import CountingOperation, Operation, Seen
from biombo._plan.operations.randomised_response import RandomisedResponse
from biombo._plan.privacy.channel import Channel, Domain
from biombo._plan.privacy.redrawn import Redrawn

Matrix = NDArray[np.float64]

_NEAR = 1e-9
"""How far the chances of a row may be from 1 together, because decimals are rounded."""


@dataclass(frozen=True)
class Pram(CountingOperation):
    """Replace every value of ``column`` by one drawn with the chances that a matrix has for it, one of three.

    ``matrix``: as given, a row for each value of the ``domain`` with the chances of what it becomes. ``invariant``: of
    the data, so that every value is expected as often as before; the number is the chance that a value stays in the
    first of two stages. ``epsilon``: that of :class:`RandomisedResponse` over the ``domain``, which it then is.

    Only the last one guarantees something. A matrix that was given does where its rows differ by bounded factors and
    nobody looked at the data to choose it, which cannot be seen from here; one of the data never does.

    >>> Pram("smokes", matrix=((0.9, 0.1), (0.2, 0.8)), domain=("yes", "no")).channel.chances.tolist()
    [[0.9, 0.1], [0.2, 0.8]]
    """

    name: ClassVar[str] = "pram"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "sensitive", "other")
    truthful: ClassVar[bool] = False
    reversible: ClassVar[bool] = False
    repeatable: ClassVar[bool] = False
    noisy: ClassVar[bool] = True
    leaks: ClassVar[str] = "privacy.leaks.pram"

    one_of: ClassVar[tuple[str, ...]] = ("matrix", "invariant", "epsilon")
    """Entries of which exactly one is given."""

    column: str
    matrix: tuple[tuple[float, ...], ...] | None = None
    invariant: float | None = field(default=None, metadata=limited(0, 1, above=True))
    epsilon: float | None = field(default=None, metadata=EPSILON)
    domain: Domain | None = None
    """All values that may occur, null for a missing one; without it the one that the schema declares."""
    records_per_person: int | None = field(default=None, kw_only=True, metadata=limited(1))
    """With ``epsilon``: how many records a person has at most; ε holds for each of them."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if sum(getattr(self, entry) is not None for entry in self.one_of) != 1:
            raise UsageError("plan.pram-matrix", column=self.column)
        self._refuse_needless()
        if not is_within_limit(self, "invariant") or self.invariant == 1:
            raise UsageError("plan.pram-invariant", column=self.column, value=self.invariant)
        if self.epsilon is not None:
            refuse_epsilon(self, self.column, self.epsilon)
            _ = self._response
        elif self.matrix is not None:
            _refuse_no_chances(self.column, self.matrix)
            if self.domain is not None:
                _ = self.channel

    def _refuse_needless(self) -> None:
        """What an entry says must not be ignored in silence."""
        if self.invariant is not None and self.domain is not None:
            raise UsageError("plan.pram-needless", column=self.column, entry="domain", by="invariant")
        if self.epsilon is None and self.records_per_person is not None:
            by = "matrix" if self.invariant is None else "invariant"
            raise UsageError("plan.pram-needless", column=self.column, entry="records-per-person", by=by)

    @property
    def _response(self) -> RandomisedResponse:
        assert self.epsilon is not None
        return RandomisedResponse(self.column, self.epsilon, self.domain, records_per_person=self.records_per_person)

    @cached_property
    def channel(self) -> Channel:
        """What each value may become, by the matrix that was given."""
        assert self.matrix is not None
        if self.domain is None:
            raise UsageError("privacy.no-domain", column=self.column)
        if len(set(self.domain)) < len(self.domain) or len(self.domain) != len(self.matrix):
            raise UsageError("plan.pram-domain", column=self.column, values=len(self.domain), rows=len(self.matrix))
        return Channel(self.domain, np.array(self.matrix, np.float64))

    def completed(self, schema: Schema) -> Operation:
        """With the domain that the schema declares, where the plan has none; by ε it is randomised response."""
        if self.epsilon is not None:
            return self._response.completed(schema)
        if self.matrix is None:
            return self
        operation = self if self.domain is not None else replace(self, domain=schema[self.column].domain)
        _ = operation.channel
        return operation

    def decide(self, seen: Seen) -> Change:
        """The matrix as it is given, or the one that leaves the records that come out as they are distributed."""
        if self.invariant is None:
            return Redrawn(self.column, self.channel)
        column = seen.data[self.column]
        counts = np.zeros(column.cardinality, np.int64)
        np.add.at(counts, column.codes[~seen.out], seen.counts[~seen.out])
        values = tuple(written(column.values).to_list())
        return Redrawn(self.column, Channel(values, invariant_matrix(counts, self.invariant)))


def invariant_matrix(counts: Numbers, stay: float) -> Matrix:
    """A matrix R* with t R* = t for the frequencies t of values that occur ``counts`` times.

    R has ``stay`` on its diagonal, and the rest of each row in equal parts elsewhere. Drawing back from what it makes
    by Bayes' rule is the second stage (Kooiman, Willenborg and Gouweleeuw 1997)::

        Q(l, k) = R(k, l) t(k) / Σ R(j, l) t(j)        R* = R Q

    A value that does not occur becomes one of the others, as often as these do.

    >>> invariant_matrix(np.array([3, 1]), 0.8).round(4).tolist()
    [[0.8242, 0.1758], [0.5275, 0.4725]]
    """
    shares = counts / max(1, counts.sum())
    there = np.flatnonzero(counts)
    matrix = np.tile(shares, (len(counts), 1))
    if len(there) > 1:
        t = shares[there]
        first = np.full((len(there),) * 2, (1 - stay) / (len(there) - 1))
        np.fill_diagonal(first, stay)
        back = (first * t[:, None] / (t @ first)).T
        matrix[np.ix_(there, there)] = first @ back
    return matrix


def _refuse_no_chances(column: str, matrix: tuple[tuple[float, ...], ...]) -> None:
    """A row for each value and a chance for each, which add up to 1."""
    for place, row in enumerate(matrix, 1):
        if len(row) != len(matrix) or not all(0 <= chance <= 1 for chance in row) or abs(sum(row) - 1) > _NEAR:
            raise UsageError("plan.pram-row", column=column, row=place, values=len(matrix), total=sum(row))
    if len(matrix) < 2:
        raise UsageError("privacy.domain", column=column)
