"""What a question got: each cell with its number, or with why there is none."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._query.history import DeskRules
from biombo._query.outcome import Outcome, Said
from biombo._query.question import Cell, Question


@dataclass(frozen=True, eq=False, repr=False)
class QueryAnswer(Result, Framed):
    """The answer to one question, which may be given to whoever asked. Made by :func:`query`."""

    question: Question
    cells: tuple[Cell, ...]
    outcomes: tuple[Outcome, ...]
    rules: DeskRules
    asked: int
    """Cells that were asked for so far, these among them."""
    kind: FrameKind = "polars"

    @property
    def holds(self) -> bool:
        """Was any number told?"""
        return any(outcome.count is not None for outcome in self.outcomes)

    def of(self, status: str) -> int:
        """How many cells were answered, suppressed or refused."""
        return sum(outcome.status == status for outcome in self.outcomes)

    def _table(self) -> pl.DataFrame:
        total = text("tabulate.total")
        columns = {column: [cell.labels.get(column, total) for cell in self.cells] for column in self.question.by}
        columns["records"] = [outcome.count for outcome in self.outcomes]  # type: ignore[misc]
        if self.question.mean is not None:
            means = [None if outcome.mean is None else outcome.mean.value for outcome in self.outcomes]
            columns[f"{self.question.mean}: mean"] = means  # type: ignore[assignment]
        columns["cell"] = [outcome.status for outcome in self.outcomes]
        types = {name: pl.Float64 for name in columns if name.endswith(": mean")} | {"records": pl.Int64}
        return pl.DataFrame(columns, schema_overrides=types)

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        frame = self._table()
        rows = [["" if value is None else value for value in row] for row in frame.head(20).rows()]
        return Glance(self.verdict()[0], frame.columns, rows)

    def verdict(self) -> list[str]:
        """What came of it, in a few sentences, for whoever asked: how many cells, and why some have no number."""
        counts = {status: self.of(status) for status in ("answered", "suppressed", "refused")}
        lines = [text("query.cells", cells=len(self.outcomes), **counts)]
        said: Sequence[Said | None] = [*self.outcomes, *(outcome.mean for outcome in self.outcomes)]
        for key in dict.fromkeys(reason_key(each) for each in said if each is not None):
            lines += [text(key, k=self.rules.k, percent=self.rules.percent, most=self.rules.most)]
        return [*lines, text("query.left", asked=self.asked, most=self.rules.most)]

    def as_json(self) -> dict[str, Any]:
        """All cells, with their reasons."""
        cells = [
            {"by": dict(cell.labels), "records": outcome.count, "cell": outcome.status, "reason": outcome.reason}
            | ({} if outcome.mean is None else {"mean": outcome.mean.value, "mean-reason": outcome.mean.reason})
            for cell, outcome in zip(self.cells, self.outcomes, strict=True)
        ]
        counts = {status: self.of(status) for status in ("answered", "suppressed", "refused")}
        return {
            "k": self.rules.k,
            "percent": self.rules.percent,
            **counts,
            "asked": self.asked,
            "most": self.rules.most,
            "cells": cells,
        }


def reason_key(said: Said) -> str:
    """The text that says why: of a number why it is told, of none why not."""
    return f"query.reason.{said.reason}"
