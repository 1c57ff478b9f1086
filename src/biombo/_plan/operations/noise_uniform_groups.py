"""Noise on the sensitive values of groups that are too uniform (Moraes et al. 2025, structure and hybrid)."""

from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from biombo._criteria import Criterion, LDiversity
from biombo._data import Role, Schema
from biombo._documents import is_within_limit, limited
from biombo._errors import UsageError
from biombo._plan.operations.group_noise import GroupNoise
from biombo._plan.operations.mechanism import PrivateOperation


@dataclass(frozen=True)
class NoiseUniformGroups(GroupNoise):
    """Draw the values of a sensitive column anew for the records of groups that have fewer than ``fewer_values_than``
    different ones; synonyms that the plan brought in count as one value.

    The column may have been generalised or diversified before; the domain of ``noise`` is that of the values as they
    are by then, synonyms aside. **It guarantees nothing**: which records are noised depends on the data, and all others
    stay as they are.

    >>> from biombo import RandomisedResponse
    >>> NoiseUniformGroups(2, RandomisedResponse("disease", 1, ("flu", "gout"))).columns
    ('disease',)
    """

    name: ClassVar[str] = "noise-uniform-groups"
    roles: ClassVar[tuple[Role, ...]] = ("sensitive", "other")  # what the plan does not name may be the schema's
    follows: ClassVar[tuple[str, ...]] = ("generalise", "diversify")
    leaks: ClassVar[str] = "plan.leaks.noise-uniform-groups"

    fewer_values_than: int = field(metadata=limited(2))
    noise: PrivateOperation

    def __post_init__(self) -> None:
        super().__post_init__()
        if not is_within_limit(self, "fewer_values_than"):
            raise UsageError("plan.noise-fewer-values", value=self.fewer_values_than)

    @property
    def mechanisms(self) -> tuple[PrivateOperation, ...]:
        """The one."""
        return (self.noise,)

    @property
    def asked(self) -> Criterion:
        """So many different values."""
        return LDiversity(self.fewer_values_than, column=self.noise.column)

    def completed(self, schema: Schema) -> Self:
        """With the bounds or the domain that the schema declares, where the plan has none."""
        return replace(self, noise=self.noise.completed(schema))
