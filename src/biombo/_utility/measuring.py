"""Which measures can be told, and where they come from."""

from biombo._measures import Marginals
from biombo._utility.by_plan import measures_by_plan
from biombo._utility.measures import NAMES, Measures
from biombo._utility.one_node import costs_of, group_sizes
from biombo._utility.reasons import Reason
from biombo._utility.tables import Tables


def measures_of(tables: Tables) -> Measures:
    """All measures by the plan where there is one; else those that the two tables show."""
    if not tables.quasi:
        return _without_quasi(tables)
    return _by_release(tables) if tables.plan is None else measures_by_plan(tables, tables.plan)


def _without_quasi(tables: Tables) -> Measures:
    before, after = tables.original.rows, tables.release.rows
    missing: dict[str, Reason] = dict.fromkeys(NAMES, "no-quasi")
    del missing["completeness"]
    if after > before:
        return Measures(reasons=missing | {"completeness": "more-records"})
    return Measures(after / before, reasons=missing)


def _by_release(tables: Tables) -> Measures:
    """What can be told from the groups of the release and the number of records that are missing from it."""
    missing: dict[str, Reason] = dict.fromkeys(("precision", "loss", "granularity", "entropy"), "no-plan")
    lost = tables.original.rows - tables.release.rows
    if lost < 0:
        shown = ("completeness", "discernibility", "class_size")
        return Measures(reasons=missing | dict.fromkeys(shown, "more-records"))
    quasi = [tables.release[name] for name in tables.quasi if name in tables.columns]
    sizes = group_sizes(quasi, tables.release.rows)
    costs = costs_of(Marginals((), tables.original.rows), [], sizes, lost)
    return Measures(
        completeness=float(costs.completeness[0]),
        discernibility=float(costs.discernibility[0]),
        class_size=float(costs.class_size[0]),
        reasons=missing,
    )
