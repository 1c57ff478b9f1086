"""Noise on the quasi values of groups that are too small (Moraes et al. 2025, the hybrid dimension)."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from biombo._criteria import Criterion, KAnonymity
from biombo._data import Role, Schema
from biombo._documents import is_within_limit, limited
from biombo._errors import UsageError
from biombo._plan.operations.group_noise import GroupNoise
from biombo._plan.operations.mechanism import PrivateOperation


@dataclass(frozen=True)
class NoiseSmallGroups(GroupNoise):
    """Draw quasi values anew for the records whose group, over the quasi columns as they are by then, is smaller than
    ``smaller_than``: people where the person is named, else records.

    Each mechanism of ``noise`` draws one quasi column, which may have been generalised before; its bounds or domain are
    those of the values as they are by then (:meth:`Hierarchy.domain`). **It guarantees nothing**, and no k: which
    records are noised depends on the data, and all others stay as they are.

    >>> from biombo import Hierarchy, RandomisedResponse
    >>> bands = Hierarchy.by_interval(10).domain(1, bounds=(0, 29))
    >>> NoiseSmallGroups(7, [RandomisedResponse("age", 2, bands)]).to_tree()["noise-small-groups"]["smaller-than"]
    7
    """

    name: ClassVar[str] = "noise-small-groups"
    roles: ClassVar[tuple[Role, ...]] = ("quasi", "other")  # what the plan does not name may be the schema's
    follows: ClassVar[tuple[str, ...]] = ("generalise",)
    leaks: ClassVar[str] = "plan.leaks.noise-small-groups"

    smaller_than: int = field(metadata=limited(2))
    noise: tuple[PrivateOperation, ...] = field(metadata=limited(members=1))

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "smaller_than"):
            raise UsageError("plan.noise-smaller-than", value=self.smaller_than)
        if not is_within_limit(self, "noise"):
            raise UsageError("plan.no-noise", name=self.name)
        for column in self.columns:
            if self.columns.count(column) > 1:
                raise UsageError("plan.overlap", column=column, first=self.name, second=self.name)

    @property
    def mechanisms(self) -> tuple[PrivateOperation, ...]:
        """One for each quasi column that is noised."""
        return self.noise

    @property
    def by_quasi(self) -> tuple[str, ...]:
        """All of them: others have nothing to do with groups."""
        return self.columns

    @property
    def asked(self) -> Criterion:
        """So many people."""
        return KAnonymity(self.smaller_than)

    def completed(self, schema: Schema) -> Self:
        """With the bounds and domains that the schema declares, where the plan has none."""
        return replace(self, noise=tuple(each.completed(schema) for each in self.noise))
