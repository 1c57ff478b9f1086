"""What is asked of a search, as far as the columns of a table tell whether it can be: no row is looked at."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from biombo._criteria import (
    Criterion,
    by_quasi,
    check_quasi_columns,
    criteria_list,
    refuse_both_roles,
    sensitive_in_use,
)
from biombo._data import Dataset, check_read_off, read_off
from biombo._errors import UsageError
from biombo._hierarchy import Hierarchy
from biombo._measures import LossDomain, check_loss_domain
from biombo._plan import Operation, Plan, SelectRecords
from biombo._search.arguments import check_plans, check_recoding, check_seconds, check_share, check_weights
from biombo._search.hierarchies import Hierarchies, check_columns, hierarchies_of
from biombo._search.joint_sets import QuasiSets, refuse_policies
from biombo._search.level_bounds import Bounds, check_bounds
from biombo._search.policy import Policy, Preference, check_predicted

PLANS = 10


@dataclass(frozen=True, eq=False)
class Terms:
    """The quasi columns with their hierarchies, the criteria, and what plans may be; all columns are there."""

    hierarchies: Mapping[str, Hierarchy]
    """Of each quasi column."""
    criteria: tuple[Criterion, ...]
    sensitive: tuple[str, ...]
    bounds: Bounds
    weights: Mapping[str, float]
    loss_domain: LossDomain = "data"
    """Over which values loss is told."""
    selected_by: tuple[SelectRecords, ...] = ()
    """What the records were selected by beforehand: plans begin with that."""

    @classmethod
    def of(
        cls,
        data: Dataset,
        criteria: Criterion | Sequence[Criterion],
        *,
        quasi: Sequence[str] | None = None,
        sensitive: Sequence[str] | str | None = None,
        hierarchies: Hierarchies | str | Path | None = None,
        bounds: Bounds | None = None,
        weights: Mapping[str, float] | None = None,
        loss_domain: LossDomain = "data",
        selected_by: Sequence[SelectRecords] = (),
    ) -> "Terms":
        """What is asked, with defaults filled in and checked; the arguments are those of :func:`search`."""
        if not isinstance(data, Dataset):
            raise UsageError("search.not-read", type=type(data).__name__)
        if isinstance(quasi, str):
            raise UsageError("usage.string-for-list", argument="quasi", value=quasi)
        used = tuple(data.schema.quasi if quasi is None else quasi)
        check_quasi_columns(data, used)
        by_column = hierarchies_of(used, hierarchies, data.schema, data)
        asked = criteria_list(criteria) if criteria else ()
        check_loss_domain(loss_domain)
        wanted, first = sensitive_in_use(data, sensitive), tuple(selected_by)
        terms = cls(by_column, asked, wanted, bounds or {}, weights or {}, loss_domain, first)
        terms._check(data)
        return terms

    def _check(self, data: Dataset) -> None:
        quasi = tuple(self.hierarchies)
        refuse_both_roles(quasi, (*self.sensitive, *self.named_by_criteria))
        check_columns((name for each in self.criteria for name in each.quasi or ()), quasi, "criteria")
        check_columns(self.bounds, quasi, "bounds")
        check_columns(self.weights, quasi, "weights")
        check_weights(self.weights)
        for criterion in self.criteria:
            criterion.check(data, self.sensitive)
        for name, hierarchy in self.hierarchies.items():
            check_read_off(name, hierarchy, data.schema)
        for name in () if data.rows else self.bounds:  # where there are rows, the refusal shows what becomes of a value
            check_bounds(name, self.hierarchies[name], self.bounds[name])

    def read_off(self, data: Dataset) -> "Terms":
        """The same with the hierarchies that columns of the table tell."""
        read = {name: read_off(data, name, hierarchy) for name, hierarchy in self.hierarchies.items()}
        return replace(self, hierarchies=read)

    @property
    def named_by_criteria(self) -> list[str]:
        """The sensitive columns that criteria name themselves."""
        return [column for each in self.criteria for column in each.about(())]

    @property
    def sets(self) -> QuasiSets:
        """The criteria by the set of quasi columns that they are about."""
        return by_quasi(self.criteria, tuple(self.hierarchies))

    def policies(self, prefer: Preference) -> list[Policy]:
        """A policy for each set of quasi columns; sets that share columns have the same."""
        sets = self.sets
        names: list[object] = list(prefer) if isinstance(prefer, list | tuple) else [prefer] * len(sets)
        if len(names) == 1:
            names *= len(sets)
        if len(names) != len(sets):
            raise UsageError("search.policies", policies=len(names), sets=len(sets))
        found = [Policy.named(name) for name in names]
        refuse_policies(sets, found)
        return found


def check_search(
    data: Dataset,
    criteria: Criterion | Sequence[Criterion],
    *,
    max_suppression: float = 0.0,
    prefer: Preference = "loss",
    plans: int = PLANS,
    seconds: float = 0,
    recoding: object = "global",
    **asked: object,
) -> Terms:
    """Raise whatever can be known of a search by the columns of ``data``; the arguments are those of :func:`search`."""
    terms = Terms.of(data, criteria_list(criteria), **asked)  # type: ignore[arg-type]
    check_plans(plans)
    check_seconds(seconds)
    check_share(max_suppression)
    check_recoding(recoding, terms.bounds, terms.policies(prefer))
    if recoding != "global" and max_suppression:
        raise UsageError("search.local-suppression")
    for criterion in terms.criteria if recoding != "global" else ():
        if criterion.against_population:
            raise UsageError("criteria.local-population", criterion=criterion)
    for policy in terms.policies(prefer):
        check_predicted(data, policy, tuple(terms.hierarchies))
    return terms


def plan_for(
    data: Dataset,
    operations: Sequence[Operation],
    criteria: Sequence[Criterion],
    quasi: Sequence[str],
    sensitive: Sequence[str],
    max_suppression: float,
) -> Plan:
    """A plan that does ``operations``, with what else a search says in its plans."""
    schema = data.schema
    return Plan(
        operations=tuple(operations),
        criteria=tuple(criteria),
        quasi=tuple(quasi),
        sensitive=tuple(sensitive),
        identifiers=tuple(name for name in schema.with_role("identifier") if name != schema.person),
        person=schema.person,
        max_suppression=max_suppression,
    )
