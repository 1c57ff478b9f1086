"""A column whose values are drawn anew, each by its own chances."""

from dataclasses import dataclass
from typing import Any, ClassVar

from biombo._engine import Batch, Change, Step
from biombo._plan.privacy.channel import Channel


@dataclass(frozen=True, eq=False)
class Redrawn(Change):
    """Every record gets a value by the chances that the channel has for its own one."""

    column: str
    channel: Channel

    repeatable: ClassVar[bool] = False

    @property
    def columns(self) -> tuple[str, ...]:
        """The one whose values it replaces."""
        return (self.column,)

    def start(self, context: Any) -> Step:  # noqa: ARG002 - OpenDP has the secure source of its own
        """Draw for all rows of a batch at once."""
        return _Redrawing(self)


class _Redrawing(Step):
    def __init__(self, change: Redrawn) -> None:
        self._change = change

    def __call__(self, batch: Batch) -> Batch:
        name = self._change.column
        return batch.with_column(name, self._change.channel.drawn(batch.table.column(name), name))
