"""What operations need beyond the rows while a plan is carried out."""

from dataclasses import dataclass, field

from biombo._plan.pseudonyms.identities import Identities
from biombo._plan.randomness import Randomness
from biombo._secrets import Keys


@dataclass(frozen=True, eq=False)
class Context:
    """Where randomness and keys come from, and where the identities behind pseudonyms go. None of it is in the plan."""

    random: Randomness = field(default_factory=Randomness)
    keys: Keys = field(default_factory=Keys)
    identities: Identities = field(default_factory=Identities)

    def write_identities(self) -> None:
        """Write the tables of identities, in random order."""
        self.identities.write(self.random)
