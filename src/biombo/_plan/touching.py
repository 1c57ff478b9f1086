"""What everything that is done to rows says about itself, so that a pass reads no more than it needs."""

from typing import ClassVar


class Touching:
    """Something that is done to rows, and the columns that it has to do with."""

    repeatable: ClassVar[bool] = True
    """Does it do the same to the same rows each time? Not what draws at random, unless it was drawn beforehand."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return ()

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that it must be given to do so."""
        return self.columns

    @property
    def adds(self) -> tuple[str, ...]:
        """Columns that are not there before."""
        return ()
