"""Generalising a table and what that costs, by definitions, record by record, slow and obvious."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, prod

Value = str | None
Levels = tuple[int, ...]
Group = list[int]
"""The places of the records in it."""


class PlainColumn:
    """A column's values and what they become at each level; where the hierarchy has no single top, ``*`` is added."""

    def __init__(
        self, hierarchy: Mapping[str, tuple[str, ...]], values: Sequence[Value], loss_domain: str = "data"
    ) -> None:
        self.values, self.loss_domain = values, loss_domain
        height = len(next(iter(hierarchy.values())))
        starred = all(above[-1] == "*" for above in hierarchy.values())
        self.paths: dict[Value, tuple[Value, ...]] = {value: (value, *above) for value, above in hierarchy.items()}
        if None in values:
            self.paths[None] = (*(None,) * height, "*" if starred else None)
        if len({self.paths[value][-1] for value in values}) > 1:
            self.paths = {value: (*path, "*") for value, path in self.paths.items()}

    @property
    def height(self) -> int:
        return len(next(iter(self.paths.values()))) - 1

    def at(self, level: int) -> list[Value]:
        """What each record shows."""
        return [self.paths[value][level] for value in self.values]

    @property
    def domain(self) -> list[Value]:
        """The values that loss is told over: those of the records, or all of the hierarchy."""
        return list(set(self.values)) if self.loss_domain == "data" else list(self.paths)

    def shares(self, level: int) -> list[float]:
        """For each record: how much of the domain it might have been."""
        under = Counter(self.paths[value][level] for value in self.domain)
        return [under[label] / len(self.domain) for label in self.at(level)]

    @property
    def constant_from(self) -> int:
        """The lowest level at which all records show the same."""
        return min(
            (level for level in range(self.height + 1) if len(set(self.at(level))) == 1), default=self.height + 1
        )


def groups_of(columns: Sequence[PlainColumn], levels: Levels) -> list[Group]:
    """The records that show the same."""
    groups: defaultdict[tuple[Value, ...], Group] = defaultdict(list)
    shown = [column.at(level) for column, level in zip(columns, levels, strict=True)]
    for place, key in enumerate(zip(*shown, strict=True)):
        groups[key].append(place)
    return list(groups.values())


@dataclass
class PlainCosts:
    """What one node costs when the records of some of its groups are suppressed."""

    columns: Sequence[PlainColumn]
    levels: Levels
    kept: list[Group]
    weights: Sequence[float] = ()
    others: Mapping[str, Sequence[Value]] = field(default_factory=dict)
    """Columns that are not generalised, which may be what is to be predicted."""
    records: int = field(init=False)
    suppressed: set[int] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = self.weights or [1.0] * len(self.columns)
        self.records = len(self.columns[0].values)
        self.suppressed = set(range(self.records)) - {place for group in self.kept for place in group}

    @property
    def completeness(self) -> float:
        return 1 - len(self.suppressed) / self.records

    @property
    def imprecision(self) -> float:
        """Level over height, 1 where suppressed; the mean over records, then over columns."""
        return self._mean([self._mean_over_records([r] * self.records) for r in self._relative_levels])

    @property
    def column_loss(self) -> list[float]:
        """The share of the domain, 1 where suppressed, stretched so that a value as it was loses 0.

        A domain of one value cannot be stretched: only what is suppressed is lost.
        """
        losses = []
        for column, level in zip(self.columns, self.levels, strict=True):
            alone = 1 / len(column.domain)
            if alone == 1:
                losses.append(self._mean_over_records([0.0] * self.records))
                continue
            losses.append((self._mean_over_records(column.shares(level)) - alone) / (1 - alone))
        return losses

    @property
    def loss(self) -> float:
        total = sum(self.weights)
        return prod((1 + loss) ** (w / total) for loss, w in zip(self.column_loss, self.weights, strict=True)) - 1

    @property
    def granularity(self) -> float:
        return 1 - self._mean(self.column_loss)

    @property
    def entropy(self) -> float:
        """Bits by which values become less sure; suppressed records lose what they would have shown as well."""
        bits = 0.0
        for column, level, weight in zip(self.columns, self.levels, self.weights, strict=True):
            shown = column.at(level)
            own, shared = Counter(column.values), Counter(shown)
            lost = Counter(shown[place] for place in self.suppressed)
            of_column = sum(log2(shared[s] / own[v]) for s, v in zip(shown, column.values, strict=True))
            of_column += sum(log2(len(self.suppressed) / lost[shown[place]]) for place in self.suppressed)
            bits += weight * of_column
        return bits

    @property
    def discernibility(self) -> float:
        """For each record how many look like it; all, where it is suppressed."""
        return sum(len(group) for group in self.kept for _ in group) + self.records * len(self.suppressed)

    @property
    def class_size(self) -> float:
        return self.records / (len(self.kept) + bool(self.suppressed))

    def score(self, policy: str) -> float:
        """What the policy goes by; the lowest is preferred."""
        name, _, said = policy.partition(":")
        if name == "prediction":
            return self.prediction_loss(self.others[said])
        if said:
            return self._weighing(name, float(said))
        by_policy = {
            "arithmetic-loss": lambda: self._mean(self.column_loss),
            "maximum-loss": lambda: self._largest(self.column_loss),
            "normalised-entropy": lambda: self.normalised_entropy,
            "kl-divergence": lambda: self.divergence,
            "ambiguity": lambda: self.ambiguity,
            "absolute-distance": lambda: sum(w * n for w, n in zip(self.weights, self.levels, strict=True)),
            "relative-distance": lambda: sum(w * r for w, r in zip(self.weights, self._relative_levels, strict=True)),
            "distribution": lambda: -len(self.kept),
            "suppression": lambda: len(self.suppressed),
            "precision": lambda: self.imprecision,
            "loss": lambda: self.loss,
            "entropy": lambda: self.entropy,
            "discernibility": lambda: self.discernibility,
            "class-size": lambda: self.class_size,
        }
        return float(by_policy[policy]())

    @property
    def normalised_entropy(self) -> float:
        """What is lost of each column's bits, as a share of all that it has."""
        shares = []
        for place, column in enumerate(self.columns):
            alone = PlainCosts([column], (self.levels[place],), self.kept)
            whole = sum(log2(self.records / Counter(column.values)[value]) for value in column.values)
            shares.append(alone.entropy / whole if whole else 0.0)
        return self._mean(shares)

    @property
    def ambiguity(self) -> float:
        """For each record, how many combinations of values it might have been: those of its labels, or any."""
        return sum(self._might_be(record) for record in range(self.records))

    @property
    def divergence(self) -> float:
        """KL(p‖q) over combinations: p as the records are, q spreads groups evenly over what they might be."""
        tuples = list(zip(*(column.values for column in self.columns), strict=True))
        sizes = {place: len(group) for group in self.kept for place in group}
        bits = 0.0
        for combination, times in Counter(tuples).items():
            record = tuples.index(combination)
            together = sizes.get(record, len(self.suppressed))
            p, q = times / self.records, together / self.records / self._might_be(record)
            bits += p * log2(p / q)
        return bits

    def prediction_loss(self, target: Sequence[Value]) -> float:
        """The share of records that their group would guess wrong, or that are suppressed, and the share of what the
        columns tell of the target that is lost.
        """
        right = sum(max(Counter(target[place] for place in group).values()) for group in self.kept)
        told = [[_mutual_information(column.at(at), target) for at in (0, level)] for column, level in self._levelled]
        before, after = (sum(w * each[i] for w, each in zip(self.weights, told, strict=True)) for i in (0, 1))
        left = after / before if before > 1e-12 else 1.0
        return 1 - right / self.records + 1 - self.completeness * left

    @property
    def _levelled(self) -> list[tuple[PlainColumn, int]]:
        return list(zip(self.columns, self.levels, strict=True))

    def _might_be(self, record: int) -> int:
        if record in self.suppressed:
            return prod(len(column.domain) for column in self.columns)
        shown = [(column, level, column.paths[column.values[record]][level]) for column, level in self._levelled]
        return prod(sum(column.paths[each][level] == label for each in column.domain) for column, level, label in shown)

    def _weighing(self, policy: str, factor: float) -> float:
        """Loss and entropy with ARX's generalisation–suppression factor."""
        general, suppress = (1.0 if factor <= 0.5 else 2 * (1 - factor)), (2 * factor if factor < 0.5 else 1.0)
        if policy == "entropy":
            unsuppressed = PlainCosts(self.columns, self.levels, groups_of(self.columns, self.levels), self.weights)
            return general * unsuppressed.entropy + suppress * (self.entropy - unsuppressed.entropy)
        losses = []
        for column, level in self._levelled:
            shares, alone = column.shares(level), 1 / len(column.domain)
            cells = [
                share + suppress * (1 - share) if place in self.suppressed else general * share
                for place, share in enumerate(shares)
            ]
            span = 1 - general * alone
            gone = len(self.suppressed) / self.records
            losses.append((sum(cells) / self.records - general * alone) / span if span > 1e-12 else gone)
        if policy == "maximum-loss":
            return self._largest(losses)
        if policy == "arithmetic-loss":
            return self._mean(losses)
        total = sum(self.weights)
        return prod((1 + loss) ** (w / total) for loss, w in zip(losses, self.weights, strict=True)) - 1

    def _largest(self, losses: Sequence[float]) -> float:
        return max(w / max(self.weights) * loss for w, loss in zip(self.weights, losses, strict=True))

    @property
    def _relative_levels(self) -> list[float]:
        return [n / column.height if n else 0.0 for column, n in zip(self.columns, self.levels, strict=True)]

    def _mean_over_records(self, values: Sequence[float]) -> float:
        return sum(1.0 if place in self.suppressed else value for place, value in enumerate(values)) / self.records

    def _mean(self, per_column: Sequence[float]) -> float:
        return sum(w * value for w, value in zip(self.weights, per_column, strict=True)) / sum(self.weights)


def _mutual_information(shown: Sequence[Value], target: Sequence[Value]) -> float:
    one, other, both = Counter(shown), Counter(target), Counter(zip(shown, target, strict=True))
    records = len(target)
    return sum(n / records * log2(n * records / (one[a] * other[b])) for (a, b), n in both.items())
