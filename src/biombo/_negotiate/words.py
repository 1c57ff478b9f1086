"""Names of roles, states and acts as people read them: worded when they are shown."""

from dataclasses import dataclass

from biombo._i18n import text_or


@dataclass(frozen=True)
class Word:
    """A name of the negotiation, in the language in use.

    >>> str(Word("role", "manager"))
    'manager'
    """

    kind: str
    """``role``, ``state`` or ``act``."""
    name: str

    def __str__(self) -> str:
        return text_or(self.name, f"negotiation.{self.kind}.{self.name}")
