"""What a table that stays inside may be asked, by page or by program: by which columns and levels, for which means."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from biombo._data import Schema
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._portal.models import DataSet, Inquiry
from biombo._portal.schemas import schema_of

LONGEST = 4000
"""Characters of a text that somebody types, or of the values of a column that are named."""
_NUMBERS = ("discrete", "continuous")
_AS_IT_IS = "0"


@dataclass(frozen=True)
class Askable:
    """What may be asked of a table whose columns are these."""

    schema: Schema
    unfit_by: Collection[str] = ()
    unfit_means: Collection[str] = ()

    @classmethod
    def of(cls, data_set: DataSet) -> "Askable":
        """What a table is offered for: nothing that could not be answered whatever is asked."""
        return cls(schema_of(data_set), data_set.unfit_for("by"), data_set.unfit_for("mean"))

    @cached_property
    def decided(self) -> list[str]:
        """The columns that somebody has decided on, and that tell nobody's name."""
        schema = self.schema
        return [name for name in schema.columns if not schema[name].kept_back and name != schema.person]

    @cached_property
    def columns(self) -> list[str]:
        """Those that may be asked by."""
        return [name for name in self.decided if name not in self.unfit_by]

    @cached_property
    def numbers(self) -> list[str]:
        """Those of which a mean may be asked for."""
        fit = [name for name in self.decided if name not in self.unfit_means]
        return [name for name in fit if self.schema[name].type in _NUMBERS]

    def levels(self, column: str) -> dict[str, str]:
        """What the levels that a column can be asked by are called; the one at which all are one is the total."""
        document = self.schema[column].hierarchy
        hierarchy = None if document is None else Hierarchy.told(document)
        found = {_AS_IT_IS: text("portal.inquiry.as-it-is")}
        if hierarchy is None or hierarchy.reads:
            return found
        highest = hierarchy.height - (1 if hierarchy.has_top else 0)
        return found | {str(level): hierarchy.level_told(level) for level in range(1, highest + 1)}

    def checked(
        self, by: dict[str, str], mean: str | None, where: dict[str, list[str]], totals: bool
    ) -> dict[str, Any]:
        """A question as a request has it. Raises where it asks for what no page offers."""
        levels = {column: [level] for column, level in by.items()}
        asked = {"by": levels, "mean": mean, "where": where or None, "totals": totals}
        self.refuse_other(asked)
        return asked

    def refuse_other(self, asked: Mapping[str, Any]) -> None:
        """Raise where a question asks for what no page offers."""
        by, mean, where = asked["by"], asked["mean"], asked["where"] or {}
        for column in (*by, *where):
            if column not in self.columns:
                raise UsageError("portal.not-askable", column=column)
        for column, (level,) in by.items():
            if level not in self.levels(column):
                raise UsageError("portal.no-level", column=column, level=level)
        if mean is not None and mean not in self.numbers:
            raise UsageError("portal.no-mean")
        if mean in by or mean in where:
            raise UsageError("query.mean-by", column=mean)


def refuse_unaskable(inquiry: Inquiry) -> None:
    """Raise where a question could not be asked any more: its table was closed, or its columns are others by now."""
    table = DataSet.objects.asked().filter(pk=inquiry.data_set_id).first()
    if table is None:
        raise UsageError("portal.closed-to-questions", name=inquiry.data_set.name)
    Askable(schema_of(table)).refuse_other(inquiry.asked)
