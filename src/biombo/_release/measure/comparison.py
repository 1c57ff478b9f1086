"""The original and the release, attacked and compared."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from biombo._attack import SENSITIVE_AT_MOST, RiskFindings, risk, subsets
from biombo._data import QUASI_AT_MOST, Dataset, Schema
from biombo._engine import Pairs, Table
from biombo._errors import BiomboError, LimitError
from biombo._measures import LossDomain
from biombo._plan import MaskGroups, Outcome, Plan, as_understood
from biombo._release.measure.truth import columns_of_truth, in_intervals, perturbed_columns, truth_of
from biombo._utility import Measures, Side, Utility, measures_of_release, utility
from biombo._watch import unwarned

_SUBSETS = 1 << 12
"""So many combinations of columns are tried; with more, fewer columns are combined."""
_ROWS_PASSED = 1 << 27
"""An attack that is scored against the truth passes over all records for each combination: so many at most."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """What the original and the release tell, and what was lost between them."""

    before: RiskFindings | None
    own: RiskFindings | None
    """As ``before``, over the originals of the released records alone."""
    after: RiskFindings | None
    utility: Utility | None
    own_measures: Measures | None
    """What the released records lost beside their own originals."""
    not_compared: str
    """Why there is no utility, where it is so."""

    @classmethod
    def of(
        cls,
        original: Table,
        pairs: Pairs,
        plan: Plan,
        used: Schema,
        outcome: Outcome | None = None,
        loss_domain: LossDomain = "data",
    ) -> "Comparison":
        """Attack the tables by the columns of ``used``, every value counting as it is written, and compare them.

        Whatever was drawn or exchanged is scored against the originals of the released records: an adversary is right
        about the release where it is right about the original. ``outcome`` is what the plan did, which is not done
        again.
        """
        asked = [*used.quasi, *used.sensitive]
        before = _attacked(original.tuples(_there(asked, original.columns), used), plan, used)
        own = _attacked(pairs.counted([], _there(asked, pairs.originals)).own, plan, used)
        after = _attacked_release(pairs, plan, used)
        lost = _lost(pairs, plan, used)
        tables = Side.of_table(original, used, pairs.originals), Side.of_pairs(pairs)
        try:
            found = utility(*tables, plan=plan, schema=used, outcome=outcome, loss_domain=loss_domain)
        except LimitError:
            raise
        except BiomboError as error:  # such as: no column in common, since all are pseudonyms
            return cls(before, own, after, None, lost, str(error))
        return cls(before, own, after, found, lost, "")


def columns_to_compare(plan: Plan, schema: Schema, there: Sequence[str]) -> list[str]:
    """The columns of the original that it takes: all that somebody spoke of, identifiers too, since a column that goes
    out as it is may tell them.
    """
    read = {name for operation in plan.on_selected.operations for name in (*operation.reads, *operation.columns)}
    spoken = {*plan.roles, *read, plan.person, schema.person}
    return [name for name in there if name in spoken or schema[name].role != "undecided"]


def _lost(pairs: Pairs, plan: Plan, used: Schema) -> Measures | None:
    quasi = (*plan.quasi, *used.quasi)
    return measures_of_release(pairs.counted(_there(quasi, pairs.columns), _there(quasi, pairs.originals)), plan, used)


def _attacked_release(pairs: Pairs, plan: Plan, used: Schema) -> RiskFindings | None:
    known, wanted = _there(used.quasi, pairs.columns), _there(used.sensitive, pairs.columns)
    asked = list(dict.fromkeys([*known, *wanted]))
    if not set(perturbed_columns(plan)) & {*asked}:
        return _attacked(pairs.counted(asked).released, plan, used)
    both = pairs.counted(asked, _there(columns_of_truth(plan, asked), pairs.originals))
    if not _can_be_attacked(both.released, known, wanted):
        return None
    tables = (both.released, truth_of(both, plan, used))
    plain = _Pair(*(replace(as_understood(data, plan.operations), schema=Schema()) for data in tables))
    most = _most_columns(len(known), _ROWS_PASSED // (2 * both.released.records))
    near = plain.with_near_values([name for name in known if name in perturbed_columns(plan)], _marks(plan))
    return RiskFindings.against_truth([plain.both] if near is None else [plain.both, near.both], known, wanted, most)


def _attacked(data: Dataset, plan: Plan, used: Schema) -> RiskFindings | None:
    known, wanted = _there(used.quasi, data.columns), _there(used.sensitive, data.columns)
    if not _can_be_attacked(data, known, wanted):
        return None
    plain = replace(as_understood(data, plan.operations), schema=Schema())
    with unwarned():  # the report says it in its own words
        return RiskFindings.of(risk(plain, known, wanted, _most_columns(len(known), _SUBSETS)))


def _can_be_attacked(data: Dataset, known: Sequence[str], wanted: Sequence[str]) -> bool:
    return 0 < len(known) <= QUASI_AT_MOST and len(wanted) <= SENSITIVE_AT_MOST and data.rows > 0


def _there(columns: Iterable[str], there: Collection[str]) -> list[str]:
    return [name for name in dict.fromkeys(columns) if name in there]


def _marks(plan: Plan) -> frozenset[str]:
    return frozenset(operation.with_ for operation in plan.operations if isinstance(operation, MaskGroups))


def _most_columns(columns: int, most: int) -> int:
    """How many columns can be combined without trying more than ``most`` combinations."""
    tried = min(most, _SUBSETS)
    return max(size for size in range(1, columns + 1) if size == 1 or subsets(columns, size) <= tried)


@dataclass(frozen=True, eq=False)
class _Pair:
    released: Dataset
    truth: Dataset

    @property
    def both(self) -> tuple[Dataset, Dataset]:
        return self.released, self.truth

    def with_near_values(self, columns: Iterable[str], marks: frozenset[str]) -> "_Pair | None":
        """Numbers and dates in intervals; none where there are none."""
        counts = self.released.counts
        found = {name: in_intervals(self.released[name], self.truth[name], marks, counts) for name in columns}
        changed = {name: pair for name, pair in found.items() if pair is not None}
        if not changed:
            return None
        tables = (
            replace(data, columns={**data.columns, **{name: pair[place] for name, pair in changed.items()}})
            for place, data in enumerate(self.both)
        )
        return _Pair(*tables)
