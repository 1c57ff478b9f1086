"""What a release is still good for, and what it lost."""

from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from biombo._frames import Framed, FrameKind
from biombo._glance import Glance, Result, columns
from biombo._i18n import integer, number, percent, text
from biombo._measures import ConstantColumn
from biombo._utility.associations import Association, Associations
from biombo._utility.classification.prediction import Classification
from biombo._utility.distributions import ColumnDistance
from biombo._utility.measures import Measures
from biombo._utility.summaries import Statistic, Summary


@dataclass(frozen=True, eq=False, repr=False)
class Utility(Result, Framed):
    """A release beside its original. Made by :func:`biombo.utility`. It tells about the original: keep it private."""

    original: str
    """What the original is called."""
    release: str
    original_rows: int
    """Without those that the plan leaves out for invalid values."""
    invalid: int
    """Records that the plan leaves out for invalid values, as if they had never been there."""
    release_rows: int
    plan_hash: str | None
    removed: tuple[str, ...]
    """Columns that the release lacks, identifiers not counted."""
    measures: Measures
    constant: tuple[ConstantColumn, ...]
    """Columns with one value for all released records, or nearly all, of which that was not so before."""
    distances: tuple[ColumnDistance, ...]
    associations: Associations
    summaries: tuple[Summary, ...]
    """Of columns that hold amounts."""
    classification: Classification | None
    """Where a target was named."""
    kind: FrameKind = field(default="polars", kw_only=True)
    """The kind of frame that the original came as."""

    def as_json(self) -> dict[str, Any]:
        """All numbers, without records."""
        return as_json(self)

    def _table(self) -> pl.DataFrame:
        """A row for each column: how far it is from the original, and what it lost."""
        losses = self.measures.column_loss
        rows = [asdict(each) | {"loss": losses.get(each.column)} for each in self.distances]
        flat = [{key: value for key, value in row.items() if key != "reasons"} for row in rows]
        return pl.DataFrame(flat, infer_schema_length=None)

    @property
    def _kind(self) -> FrameKind:
        return self.kind

    def _glance(self) -> Glance:
        told = {"release": self.release, "rows": self.release_rows, "original": self.original_rows}
        losses, measures = self.measures.column_loss, self.measures
        costs = [
            (text(f"glance.utility.{name}"), percent(cost))
            for name in ("completeness", "precision", "loss")
            if (cost := getattr(measures, name)) is not None
        ]
        if measures.masked:
            costs.append((text("glance.utility.masked"), integer(measures.masked)))
        shifts = [
            (each.column, _shown(each.total_variation), _shown(losses.get(each.column))) for each in self.distances
        ]
        below = Glance("", columns("column", "distance", "loss"), shifts)
        header = columns("measure", "value")
        return Glance(text("glance.utility.line", **told), header, costs, [below])


def _shown(value: float | None) -> str:
    return "–" if value is None else number(value, 4)


def as_json(utility: Utility) -> dict[str, Any]:
    """All numbers, without records."""
    return {
        "original": {"source": utility.original, "records": utility.original_rows, "invalid": utility.invalid},
        "release": {"source": utility.release, "records": utility.release_rows},
        "plan_hash": utility.plan_hash,
        "left_out": list(utility.removed),
        "measures": asdict(utility.measures),
        "became_constant": [asdict(each) for each in utility.constant],
        "columns": [asdict(each) | {"reasons": list(each.reasons)} for each in utility.distances],
        "associations": {
            "columns": list(utility.associations.columns),
            "pairs": [_pair(each) for each in utility.associations.pairs],
            "difference": utility.associations.matrix(),
        },
        "numbers": [_summary(each) for each in utility.summaries],
        "classification": None if utility.classification is None else _classification(utility),
    }


def _pair(pair: Association) -> dict[str, Any]:
    ranks = None if pair.ranks is None else {"original": pair.ranks[0], "release": pair.ranks[1]}
    return asdict(pair) | {"difference": pair.difference, "ranks": ranks}


def _summary(summary: Summary) -> dict[str, Any]:
    return asdict(summary) | {"statistics": [_statistic(each) for each in summary.statistics]}


def _statistic(statistic: Statistic) -> dict[str, Any]:
    return asdict(statistic) | {"error": statistic.error, "relative_error": statistic.relative_error}


def _classification(utility: Utility) -> dict[str, Any]:
    assert utility.classification is not None
    return asdict(utility.classification) | {"features": list(utility.classification.features)}
