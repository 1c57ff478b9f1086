"""What operations need beyond the rows while a plan is carried out."""

from dataclasses import dataclass, field

from biombo._plan.randomness import Randomness


@dataclass(frozen=True, eq=False)
class Context:
    """Where randomness comes from. Nothing in it is part of the plan."""

    random: Randomness = field(default_factory=Randomness)
