"""Applying a plan by its definition, record by record, slow and obvious."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from biombo import (
    CorrelatedNoise,
    DeriveDuration,
    Generalise,
    KAnonymity,
    LDiversity,
    MaskGroups,
    Microaggregate,
    NoiseUniformGroups,
    Operation,
    Plan,
    Pseudonymise,
    Schema,
    SuppressColumn,
    SuppressGroups,
    Swap,
)

NOBODY_SAID = Schema()
Record = dict[str, str | None]


def applied(records: Sequence[Record], plan: Plan, keep: Iterable[str] = ()) -> list[Record]:
    """The records that come out, in their order. For k-anonymity and distinct l-diversity."""
    released = [dict(record) for record in records]
    for operation in plan.operations:
        match operation:
            case Generalise():
                for record in released:
                    record[operation.column] = generalised(operation, record[operation.column])
            case SuppressGroups():
                released = [record for record in released if meets(group_of(record, released, plan), plan)]
            case MaskGroups():
                mask(released, operation, plan)
    kept = released_columns(records[0], plan, keep=keep)
    return [{column: record[column] for column in kept} for record in released]


def released_columns(
    columns: Iterable[str], plan: Plan, schema: Schema = NOBODY_SAID, keep: Iterable[str] = ()
) -> list[str]:
    """What comes out of a table with these columns, new columns last: only what somebody spoke of."""
    there = [name for name in columns if fate(name, plan, schema, keep) == "released"]
    return there + [each.into for each in plan.operations if isinstance(each, DeriveDuration)]


def unspoken_columns(
    columns: Iterable[str], plan: Plan, schema: Schema = NOBODY_SAID, keep: Iterable[str] = ()
) -> list[str]:
    """What stays out because nobody spoke of it."""
    return [name for name in columns if fate(name, plan, schema, keep) == "unspoken"]


def fate(name: str, plan: Plan, schema: Schema = NOBODY_SAID, keep: Iterable[str] = ()) -> str:
    """What becomes of a column, by the first who has something to say: the plan, the schema, whoever wants it kept."""
    if any(name in removed(operation) for operation in plan.operations):
        return "removed"
    if any(isinstance(operation, Pseudonymise) and operation.column == name for operation in plan.operations):
        return "released"
    role = plan.roles.get(name, schema[name].role)
    if role == "identifier":
        return "identifier"
    if name in plan.roles or role == "other" or name in keep:
        return "released"
    if any(name in changed(operation) for operation in plan.operations):
        return "released"
    if (role == "quasi" and not plan.quasi) or (role == "sensitive" and not plan.sensitive):
        return "released"
    return "unspoken"


def changed(operation: Operation) -> tuple[str, ...]:
    """The columns whose values an operation changes, whatever their role; the others are about records or groups."""
    if isinstance(operation, CorrelatedNoise | Microaggregate | Swap):
        return operation.columns_
    if isinstance(operation, NoiseUniformGroups):
        return (operation.noise.column,)
    column: str | None = getattr(operation, "column", None)
    return () if column is None else (column,)


def removed(operation: Operation) -> tuple[str, ...]:
    match operation:
        case SuppressColumn():
            return (operation.column,)
        case DeriveDuration(drop=True):
            return (operation.from_, operation.to)
    return ()


def generalised(operation: Generalise, value: str | None) -> str | None:
    hierarchy, level = operation.hierarchy, operation.level
    if level == 0:
        return value
    if value is not None and value not in operation.apart and hierarchy.knows(value):
        return hierarchy.generalised(value, level)
    if operation.missing == "suppress" and value is not None and value not in operation.apart:
        return "*"
    return "*" if hierarchy.has_top and level == hierarchy.height else value


def group_of(record: Record, records: Sequence[Record], plan: Plan) -> list[Record]:
    return [other for other in records if all(other[name] == record[name] for name in plan.quasi)]


def meets(group: Sequence[Record], plan: Plan) -> bool:
    return all(_meets(group, criterion, plan) for criterion in plan.criteria)


def _meets(group: Sequence[Record], criterion: object, plan: Plan) -> bool:
    match criterion:
        case KAnonymity():
            return size(group, plan) >= criterion.k
        case LDiversity(kind="distinct"):
            return all(len({record[name] for record in group}) >= criterion.l for name in plan.sensitive)
    raise NotImplementedError(criterion)


def size(group: Sequence[Record], plan: Plan) -> int:
    return len(group) if plan.person is None else len({record[plan.person] for record in group})


def mask(records: list[Record], operation: MaskGroups, plan: Plan) -> None:
    """Mask the failing groups, then the next smallest ones, until the masked ones meet the criteria."""
    groups: defaultdict[tuple[str | None, ...], list[Record]] = defaultdict(list)
    for record in records:
        groups[tuple(record[name] for name in plan.quasi)].append(record)
    failing = [group for group in groups.values() if not meets(group, plan)]
    others = sorted((group for group in groups.values() if meets(group, plan)), key=lambda group: size(group, plan))
    masked = [record for group in failing for record in group]
    while masked and not meets(together(masked, others, operation, plan), plan):
        if operation.if_failing == "drop":
            records[:] = [record for record in records if not any(record is each for each in masked)]
            return
        masked += others.pop(0)
    for record in masked:
        record.update(dict.fromkeys(plan.quasi, operation.with_))


def together(masked: list[Record], others: list[list[Record]], operation: MaskGroups, plan: Plan) -> list[Record]:
    """The masked records, and those that look like them already."""
    alike = [group for group in others if all(group[0][name] == operation.with_ for name in plan.quasi)]
    return masked + [record for group in alike for record in group]


def counted(records: Sequence[Record]) -> Counter[tuple[tuple[str, str | None], ...]]:
    """The records whatever their order."""
    return Counter(tuple(sorted(record.items())) for record in records)
