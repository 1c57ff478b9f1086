"""Plans and what they do, at a glance."""

from typing import TYPE_CHECKING

import polars as pl

from biombo._data import written
from biombo._errors import shortened
from biombo._frames import as_polars
from biombo._glance import ROWS_AT_MOST, Glance, columns
from biombo._i18n import integer, text

if TYPE_CHECKING:
    from biombo._plan.plan import Plan
    from biombo._plan.preview import Preview
    from biombo._plan.result import Applied


def of_plan(plan: "Plan") -> Glance:
    """Its operations in their order, then its criteria, and those that were waived."""
    done = (" ".join([operation.name, *operation.columns]) for operation in plan.operations)
    waived = [text("glance.plan.waived", criterion=each.criterion) for each in plan.waived]
    asked = [*map(str, plan.criteria), *waived]
    line = "; ".join(filter(None, [shortened(done, 4), shortened(asked, 4)]))
    operations = [(operation.name, ", ".join(operation.columns)) for operation in plan.operations]
    below = Glance("", columns("criterion"), [(each,) for each in asked])
    return Glance(line, columns("operation", "columns"), operations, [below] if asked else [])


def of_applied(applied: "Applied") -> Glance:
    """How many records came out, what became of the others, and how the result stands to the criteria."""
    told = {"source": applied.source, "rows": applied.rows}
    line = text("glance.applied.line", **told, suppressed=applied.suppressed, masked=applied.masked)
    counts = {"rows": applied.rows} | {name: getattr(applied, name) for name in applied.people}
    rows = [(text(f"glance.applied.{name}"), integer(count)) for name, count in counts.items() if count]
    judged = [] if applied.judgement is None else [applied.judgement._glance()]
    return Glance(line, columns("what", "number"), rows, judged)


def of_preview(preview: "Preview") -> Glance:
    """The first records with what becomes of them, in the columns that change."""
    before, after = (_written(frame) for frame in (preview.before, preview.after))
    changed = [name for name in before.columns if name not in after.columns or not before[name].equals(after[name])]
    names = [*changed, *(name for name in after.columns if name not in before.columns)]
    rows = [_cells(names, row, before, after, preview.dropped[row]) for row in range(min(before.height, ROWS_AT_MOST))]
    return Glance(_line(preview), names, rows, [Glance(text("glance.preview.private"))])


def _line(preview: "Preview") -> str:
    groups = preview.groups_before, preview.groups_after
    if groups[0] is None or groups[1] is None:
        return text("glance.preview.plain", source=preview.source, rows=len(preview.dropped))
    told = {"source": preview.source, "k": preview.k}
    return text("glance.preview.line", **told, before=groups[0].below, after=groups[1].below)


def _cells(names: list[str], row: int, before: pl.DataFrame, after: pl.DataFrame, dropped: bool) -> list[str]:
    return [
        " → ".join(
            [
                *([before[name][row] or ""] if name in before.columns else []),
                text("glance.preview.dropped")
                if dropped
                else (after[name][row] or "" if name in after.columns else "–"),
            ]
        )
        for name in names
    ]


def _written(frame: object) -> pl.DataFrame:
    return pl.DataFrame([written(column) for column in as_polars(frame)])
