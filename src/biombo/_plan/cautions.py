"""What is easily overlooked in a plan, warned of before it is carried out. For whoever holds the data."""

from itertools import product

from biombo._data import Schema, meaning_of
from biombo._i18n import text
from biombo._plan.operations import AddNoise, Round
from biombo._plan.plan import Plan
from biombo._watch import warn


def warn_of_plan(plan: Plan, used: Schema) -> None:
    """Warn where it says something sensitive of people that they are in the result at all, where one column that comes
    out tells another, and where something is computed of values that are no longer true.
    """
    _warn_of_sensitive(plan, used)
    _warn_of_birth_and_age(plan, used)
    _warn_of_computed(plan)


def _warn_of_sensitive(plan: Plan, used: Schema) -> None:
    for column in dict.fromkeys(name for each in plan.selections for name in each.reads):
        if used[column].role == "sensitive":
            warn(text("plan.warnings.selects-sensitive", column=column))


def _warn_of_birth_and_age(plan: Plan, used: Schema) -> None:
    removed = {name for each in plan.operations for name in each.removes}
    about: dict[str, list[str]] = {"birth": [], "age": []}
    for name, column in used.columns.items():
        meaning = meaning_of(name)
        if meaning is not None and meaning.key in about and not column.kept_back and name not in removed:
            about[meaning.key].append(name)
    for birth, age in product(about["birth"], about["age"]):
        if {birth, age} <= {*used.quasi}:
            continue  # groups are by both together
        warn(text("plan.warnings.birth-and-age", birth=birth, age=age))


def _warn_of_computed(plan: Plan) -> None:
    changed: dict[str, str] = {}
    for operation in plan.operations:
        for column, of in product(operation.adds, operation.reads):
            if of in changed:
                warn(text("plan.warnings.computed-of-changed", column=column, of=of, name=changed[of]))
        if isinstance(operation, AddNoise | Round):
            changed |= dict.fromkeys(operation.columns, operation.name)
