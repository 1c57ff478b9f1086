"""What operations need beyond the rows while a plan is carried out."""

from dataclasses import dataclass, field

from biombo._engine import Randomness, Warn
from biombo._plan.pseudonyms.identities import Identities
from biombo._secrets import Keys
from biombo._watch import warn


def unheard(sentence: str) -> None:
    """Nobody is warned: whoever made the release was."""


@dataclass(frozen=True, eq=False)
class Context:
    """Where randomness and keys come from, and where the identities behind pseudonyms go. None of it is in the plan."""

    random: Randomness = field(default_factory=Randomness)
    keys: Keys = field(default_factory=Keys)
    identities: Identities = field(default_factory=Identities)
    warn: Warn = warn
    """Called with what somebody must be warned of."""

    def write_identities(self) -> None:
        """Write the tables of identities, in random order."""
        self.identities.write(self.random)
