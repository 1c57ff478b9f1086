"""Plans that were found, at a glance and as flat tables."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import polars as pl

from biombo._glance import Glance, columns
from biombo._i18n import integer, number, percent, text
from biombo._search.as_json import local_plan_as_json, plan_as_json
from biombo._search.frontier import Frontier, bare_percent, bound
from biombo._search.local_search import LocalPlan, LocalResult
from biombo._search.ranking import RankedPlan

if TYPE_CHECKING:
    from biombo._search.result import PlanList


def of_plans(found: "PlanList") -> Glance:
    """The levels of each plan, and what it costs."""
    told = {"plans": len(found), "checked": found.checked, "lattice": found.lattice}
    if not found.plans:
        return Glance(text("glance.search.none", **told))
    line = text("glance.search.line", **told)
    rows = [
        (integer(place), *_levels(plan).values(), integer(plan.suppressed), number(plan.loss, 4))
        for place, plan in enumerate(found, start=1)
    ]
    header = [*columns("plan"), *found[0].levels, *columns("suppressed", "loss")]
    return Glance(text("glance.search.proved", line=line) if found.optimal else line, header, rows)


def of_ranked_plan(plan: RankedPlan) -> Glance:
    """The level of each column, and what it loses."""
    levels = _levels(plan)
    described = ", ".join(f"{column} {level}" for column, level in plan.levels.items())
    line = text("glance.search.plan", levels=described, suppressed=plan.suppressed, loss=plan.loss)
    rows = [(column, level, number(plan.column_loss[column], 4)) for column, level in levels.items()]
    return Glance(line, columns("column", "level", "loss"), rows)


def of_local_result(found: LocalResult) -> Glance:
    """What the plan of local recoding does to each column."""
    return found[0]._glance() if found else Glance(text("glance.search.local-none"))


def of_local_plan(plan: LocalPlan) -> Glance:
    """How many records are at each level, column by column, and what that loses."""
    told = {"groups": plan.groups, "granularity": plan.granularity}
    rows = [
        (column, levels_in_line(levels), number(plan.column_loss[column], 4)) for column, levels in plan.levels.items()
    ]
    return Glance(text("glance.search.local", **told), columns("column", "level", "loss"), rows)


def levels_in_line(levels: Mapping[int, int]) -> str:
    """The share of records at each level.

    >>> levels_in_line({0: 3, 2: 1})
    '0: 75.0%, 2: 25.0%'
    """
    records = sum(levels.values())
    return ", ".join(f"{level}: {percent(count / records)}" for level, count in levels.items())


def local_table(found: LocalResult) -> pl.DataFrame:
    """A row for each column and level: how many records, and what the column loses."""
    rows = [
        {"column": column, "level": level, "records": records, "loss": plan.column_loss[column]}
        for plan in found
        for column, levels in plan.levels.items()
        for level, records in levels.items()
    ]
    return pl.DataFrame(rows, {"column": pl.String, "level": pl.Int64, "records": pl.Int64, "loss": pl.Float64})


def of_frontier(found: Frontier) -> Glance:
    """The loss of the best plan for each k, a column for each limit."""
    line = text("glance.search.frontier", ks=_listed(found.ks), limits=_listed(map(bare_percent, found.limits)))
    rows = [(f"k = {k}", *(_loss(found.at(k, limit).best) for limit in found.limits)) for k in found.ks]
    return Glance(line, [text("glance.column.loss"), *map(bound, found.limits)], rows)


def _listed(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))


def _loss(plan: RankedPlan | None) -> str:
    return "–" if plan is None else number(plan.loss, 4)


def _levels(plan: RankedPlan) -> dict[str, str]:
    """Per column: its level, with the name where it has one."""
    named = {column.name: (None, *column.hierarchy.level_names) for column in plan.columns}
    return {
        column: f"{level} ({name})" if (name := named[column][level]) else str(level)
        for column, level in plan.levels.items()
    }


def plan_table(plans: Sequence[RankedPlan], quasi: Sequence[str]) -> pl.DataFrame:
    """A row for each plan: ``level_of_…`` and ``loss_of_…`` of each column, and what it costs."""
    rows = [{"plan": place} | _cells(plan_as_json(plan)) for place, plan in enumerate(plans, start=1)]
    if rows:
        return pl.DataFrame(rows, infer_schema_length=None)
    return pl.DataFrame(schema={"plan": pl.Int64} | {f"level_of_{name}": pl.Int64 for name in quasi})


def frontier_table(found: Frontier) -> pl.DataFrame:
    """A row for each k and each limit that has a plan: these, and the cells of :func:`plan_table`."""
    local = [
        {"k": k, "max_suppression": 0.0, "recoding": "local", **_costs_of(plan)} for k, plan in found.local.items()
    ]
    points = [
        {"k": point.k, "max_suppression": float(point.max_suppression)}
        | ({} if point.best is None else _cells(plan_as_json(point.best)))
        for point in found.points
    ]
    return pl.DataFrame([*points, *local], infer_schema_length=None)


def _costs_of(plan: LocalPlan) -> dict[str, Any]:
    """What JSON has of a plan of local recoding, flat, without its levels."""
    told = {
        key: value for key, value in local_plan_as_json(plan).items() if key not in ("levels", "column_loss", "arx")
    }
    return told | {f"loss_of_{name}": loss for name, loss in plan.column_loss.items()}


def _cells(plan: dict[str, Any]) -> dict[str, Any]:
    """What JSON has of a plan, flat."""
    levels = {f"level_of_{name}": level for name, level in plan["levels"].items()}
    losses = {f"loss_of_{name}": loss for name, loss in plan["column_loss"].items()}
    return levels | {key: value for key, value in plan.items() if key not in ("levels", "column_loss")} | losses
