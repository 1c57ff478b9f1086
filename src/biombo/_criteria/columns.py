"""Which columns the criteria are about."""

from collections.abc import Iterable, Sequence

from biombo._criteria.base import Criterion, refuse_person
from biombo._data import QUASI_AT_MOST, Dataset
from biombo._errors import ColumnError, UsageError


def criteria_list(criteria: Criterion | Sequence[Criterion]) -> tuple[Criterion, ...]:
    """The criteria, of which there must be at least one."""
    listed = tuple(criteria) if isinstance(criteria, Iterable) else (criteria,)
    if not listed:
        raise UsageError("criteria.none")
    for each in listed:
        if not isinstance(each, Criterion):
            raise UsageError("criteria.not-one", type=type(each).__name__)
    return listed


def smallest_group_asked(criteria: Iterable[Criterion]) -> int | None:
    """The most people that any of ``criteria`` asks of each group; nothing where none does."""
    return max((criterion.group_size for criterion in criteria if criterion.group_size is not None), default=None)


def by_quasi(criteria: Sequence[Criterion], used: Sequence[str]) -> dict[tuple[str, ...], tuple[Criterion, ...]]:
    """The criteria by the set of quasi columns that they are about; one that names none is about those ``used``.

    >>> from biombo._criteria import KAnonymity
    >>> for quasi, asked in by_quasi([KAnonymity(5), KAnonymity(2, quasi=["sex"])], ["age", "sex"]).items():
    ...     print(quasi, *asked)
    ('age', 'sex') k-anonymity with k = 5
    ('sex',) k-anonymity with k = 2, by sex
    """
    sets: dict[frozenset[str], tuple[str, ...]] = {}
    found: dict[tuple[str, ...], tuple[Criterion, ...]] = {}
    for criterion in criteria:
        columns = tuple(used if criterion.quasi is None else criterion.quasi)
        columns = sets.setdefault(frozenset(columns), columns)
        found[columns] = (*found.get(columns, ()), criterion)
    return found


def sensitive_in_use(data: Dataset, sensitive: Sequence[str] | str | None) -> tuple[str, ...]:
    """The sensitive columns named, or else those of the schema."""
    if isinstance(sensitive, str):
        sensitive = [sensitive]
    return tuple(dict.fromkeys(data.schema.sensitive if sensitive is None else sensitive))


def check_quasi_columns(data: Dataset, quasi: Sequence[str]) -> None:
    """Refuse quasi columns that do not exist, stand twice or name the person."""
    if not quasi:
        raise UsageError("attack.no-quasi", source=data.label)
    if len(quasi) > QUASI_AT_MOST:
        raise UsageError("criteria.too-many-quasi", most=QUASI_AT_MOST)
    repeated = [name for name in quasi if quasi.count(name) > 1]
    if repeated:
        raise ColumnError("attack.repeated", column=repeated[0])
    for name in quasi:
        refuse_person(data, name)


def refuse_both_roles(quasi: Sequence[str], sensitive: Sequence[str]) -> None:
    """Refuse a sensitive column that is quasi as well: whoever knows it has nothing left to guess."""
    both = [name for name in sensitive if name in quasi]
    if both:
        raise UsageError("criteria.both-roles", column=both[0])
