"""Criteria by their definitions, slow and obvious."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import inf, log, log2

Row = tuple[object, ...]
Values = Sequence[object]
Distance = Callable[[object, object], Fraction]


def groups_of(rows: Sequence[Row], quasi: Sequence[int]) -> dict[Row, list[Row]]:
    """The rows that share the values of the quasi columns."""
    groups: defaultdict[Row, list[Row]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[column] for column in quasi)].append(row)
    return dict(groups)


def distinct(values: Values) -> int:
    return len(set(values))


def entropy_diversity(values: Values) -> float:
    """How many equally frequent values have the same entropy."""
    shares = [count / len(values) for count in Counter(values).values()]
    return 2 ** -sum(share * log2(share) for share in shares)


def top_to_tail(values: Values, tail: int) -> float:
    """r₁ / (rₗ + … + rₘ), which must be below c."""
    counts = sorted(Counter(values).values(), reverse=True)
    rest = sum(counts[tail - 1 :])
    return counts[0] / rest if rest else inf


def top_share(values: Values) -> Fraction:
    return Fraction(max(Counter(values).values()), len(values))


def share_of(values: Values, named: Values) -> Fraction:
    """The largest share that one of the named values has."""
    return max(Fraction(sum(value == each for value in values), len(values)) for each in named)


def gain(values: Values, everything: Values) -> float:
    """The largest (p − q) / q of a value."""
    return float(max(_shares(values).get(v, 0) / q - 1 for v, q in _shares(everything).items()))


def limited_gain(values: Values, everything: Values) -> float:
    """The smallest β of enhanced β-likeness, infinite where a gain is above −ln q whatever β is."""
    here, there = _shares(values), _shares(everything)
    beyond = any(float(here.get(v, 0) / q) - 1 > -log(q) + 1e-9 for v, q in there.items())
    return inf if beyond else gain(values, everything)


def log_ratio(values: Values, everything: Values) -> float:
    """The largest |log₂ p/q| of a value that the table has."""
    here, there = _shares(values), _shares(everything)
    return max(abs(log2(here[v] / q)) if v in here else inf for v, q in there.items())


def risk_of_population(size: int, share: float) -> float:
    """E(1/F | f): of all who come, each is in the sample with this chance, and F have come when f were in it."""
    chance, risk, left = share**size, 0.0, 1.0
    for people in range(size, 100_000):
        risk, left = risk + chance / people, left - chance
        if left / (people + 1) < 1e-13:
            break
        chance *= people / (people + 1 - size) * (1 - share)
    return risk


def posterior(groups: Sequence[Values]) -> Fraction:
    """The mean over all records of being in the group's majority."""
    right = sum(max(Counter(group).values()) for group in groups)
    return Fraction(right, sum(len(group) for group in groups))


def earth_movers_distance(values: Values, everything: Values, distance: Distance) -> Fraction:
    """The least work that turns one distribution into the other, as mass × distance, by cheapest augmenting paths."""
    here, there = _shares(values), _shares(everything)
    moved: defaultdict[tuple[object, object], Fraction] = defaultdict(Fraction)
    while surplus := [value for value in here if here[value] > 0]:
        path, mass = _cheapest_path(surplus, here, there, moved, distance)
        for source, sink, forward in path:
            moved[source, sink] += mass if forward else -mass
        here[path[0][0]] -= mass
        there[path[-1][1]] -= mass
    return sum((mass * distance(a, b) for (a, b), mass in moved.items()), Fraction(0))


def _shares(values: Values) -> dict[object, Fraction]:
    return {value: Fraction(count, len(values)) for value, count in Counter(values).items()}


Step = tuple[object, object, bool]


def _cheapest_path(
    surplus: Values,
    here: dict[object, Fraction],
    there: dict[object, Fraction],
    moved: dict[tuple[object, object], Fraction],
    distance: Distance,
) -> tuple[list[Step], Fraction]:
    """From a value with mass left to one that lacks mass, along moves and moves taken back (Bellman–Ford)."""
    cost: dict[tuple[str, object], Fraction] = {("here", value): Fraction(0) for value in surplus}
    before: dict[tuple[str, object], tuple[tuple[str, object], Step]] = {}
    for _ in range(len(here) + len(there)):
        for a in here:
            for b in there:
                steps = [(("here", a), ("there", b), (a, b, True), distance(a, b))]
                if moved[a, b] > 0:
                    steps.append((("there", b), ("here", a), (a, b, False), -distance(a, b)))
                for start, end, step, price in steps:
                    if start in cost and (end not in cost or cost[start] + price < cost[end]):
                        cost[end] = cost[start] + price
                        before[end] = (start, step)
    end = min((("there", b) for b in there if there[b] > 0), key=lambda node: cost[node])
    mass, path = there[end[1]], []
    while end in before:
        end, step = before[end]
        path.insert(0, step)
        if not step[2]:
            mass = min(mass, moved[step[0], step[1]])
    return path, min(mass, here[end[1]])
