"""The plans that satisfy what was asked, best first."""

from biombo._i18n import integer, text
from biombo._report.blocks import Heading, Section, Table, numbers, words
from biombo._report.search.sought import Sought
from biombo._report.words import counted, of_records, percentage, rich
from biombo._search import RankedPlan

_MINIMAL = {True: "report.search.plans.yes", False: "report.search.plans.no", None: "report.search.plans.unknown"}


def plans_section(sought: Sought) -> Section:
    """The ranked plans as a table."""
    measure = sought.measure
    headings = [
        numbers("rank"),
        words("generalised"),
        numbers("suppressed"),
        Heading(measure.title),
        *map(numbers, _measures(sought)),
        *([words("minimal")] if sought.by_one_measure else []),
    ]
    rows = [[integer(place), *_row(plan, sought)] for place, plan in enumerate(sought.found, start=1)]
    title = str(counted("report.search.plans.title", len(rows)))
    key = "report.search.plans.note" if sought.by_one_measure else "report.search.plans.note-of-sets"
    note = rich(key, measure=measure.name)
    return Section("plans", text("search.ranking.title"), (Table.of(title, headings, rows, note),))


def _measures(sought: Sought) -> list[str]:
    """What is told of each plan besides what was preferred."""
    said = {"loss": "loss", "distribution": "groups"}.get(sought.measure.policy)
    return [name for name in ("loss", "precision", "completeness", "groups") if name != said]


def _row(plan: RankedPlan, sought: Sought) -> list[str]:
    shares = {name: percentage(getattr(plan, name)) for name in ("loss", "precision", "completeness")}
    told = shares | {"groups": integer(plan.groups)}
    return [
        levels_in_words(plan, sought),
        of_records(plan.suppressed, sought.records),
        sought.measure.written(plan),
        *(told[name] for name in _measures(sought)),
        *([text(_MINIMAL[plan.minimal])] if sought.by_one_measure else []),
    ]


def levels_in_words(plan: RankedPlan, sought: Sought) -> str:
    """The columns that are generalised, with their levels: ``age 2, race 1``."""
    moved = [f"{sought.names.columns[column]} {level}" for column, level in plan.levels.items() if level > 0]
    return ", ".join(moved) or text("report.search.plans.nothing")
