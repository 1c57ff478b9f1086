"""What the compiled kernel offers. Long calls can be interrupted with Ctrl-C; ``threads=0`` means one per core."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32]

size_classes: list[int]

class Sweep(TypedDict):
    subset: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    records: NDArray[np.uint64]
    top: NDArray[np.uint64]

class Groups(TypedDict):
    size: NDArray[np.uint64]
    top: NDArray[np.uint64]
    ties: NDArray[np.uint64]

class Cells:
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def sweep(self, max_size: int, threads: int = 0, progress: Callable[[float], object] | None = None) -> Sweep: ...
    def groups(self, quasi: Sequence[int], target: int, threads: int = 0) -> Groups: ...

def count_cells(
    quasi: Sequence[Codes],
    quasi_cardinality: Sequence[int],
    targets: Sequence[Codes],
    target_cardinality: Sequence[int],
    rows: int,
    keep: NDArray[np.bool_] | None = None,
    counts: NDArray[np.uint64] | None = None,
    threads: int = 0,
) -> Cells: ...

class PackedTuples:
    """Distinct rows with their counts, sorted, to which further rows are added."""

    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def add(
        self,
        columns: Sequence[Codes],
        cardinality: Sequence[int],
        rows: int,
        counts: NDArray[np.uint64] | None = None,
        threads: int = 0,
    ) -> None:
        """As many columns each time."""

    def take(self, threads: int = 0) -> tuple[list[Codes], NDArray[np.uint64]]:
        """The codes and the counts; nothing is left."""

def estimate_tuples(columns: Sequence[Codes], cardinality: Sequence[int], rows: int, threads: int = 0) -> int:
    """About how many distinct rows there are, at a fraction of what counting takes."""

class MembershipSweep(TypedDict):
    subset: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    found: NDArray[np.uint64]
    not_found: NDArray[np.uint64]
    absent: NDArray[np.uint64]
    right: NDArray[np.uint64]
    certain: NDArray[np.uint64]
    unique: NDArray[np.uint64]
    unique_found: NDArray[np.uint64]
    unique_both: NDArray[np.uint64]
    contradictions: NDArray[np.uint64]
    share: NDArray[np.float64]
    published: NDArray[np.float64]
    worst: NDArray[np.float64]

class SampledGroups(TypedDict):
    n: NDArray[np.uint64]
    d: NDArray[np.uint64]
    codes: NDArray[np.uint32]

class SampledCells:
    def __len__(self) -> int: ...
    def sweep(
        self, max_size: int, threads: int = 0, progress: Callable[[float], object] | None = None
    ) -> MembershipSweep: ...
    def groups(self, quasi: Sequence[int], threads: int = 0) -> SampledGroups: ...

def count_sampled(
    population: Sequence[Codes],
    population_rows: int,
    population_keep: NDArray[np.bool_] | None,
    sample: Sequence[Codes],
    sample_rows: int,
    sample_keep: NDArray[np.bool_] | None,
    cardinality: Sequence[int],
    population_counts: NDArray[np.uint64] | None = None,
    sample_counts: NDArray[np.uint64] | None = None,
    threads: int = 0,
) -> SampledCells: ...

class RuleKind(Enum):
    distinct = ...
    entropy = ...
    recursive = ...
    top_share = ...
    value_share = ...
    distance = ...
    ordered_distance = ...
    gain = ...
    limited_gain = ...
    log_ratio = ...
    population = ...
    presence = ...

tolerance: float

class Rule:
    def __init__(self, kind: RuleKind, target: int, bound: float, tail: int = 0, codes: Sequence[int] = ()) -> None: ...

class Requirement:
    def __init__(self, k: int = 1, rules: Sequence[int] = ()) -> None: ...

class TargetValues:
    def __init__(
        self, cardinality: int, share: Sequence[float], levels: Sequence[Sequence[int]], order: Sequence[int]
    ) -> None: ...

class LatticeSweep(TypedDict):
    state: NDArray[np.uint8]
    suppressed: NDArray[np.uint64]
    groups: NDArray[np.uint64]
    unique: NDArray[np.uint64]
    picked: NDArray[np.float64]
    squares: NDArray[np.float64]
    volume: NDArray[np.float64]
    density: NDArray[np.float64]
    likely: NDArray[np.float64]
    members: NDArray[np.uint64]
    least_present: NDArray[np.float64]
    tops: NDArray[np.uint64]
    size_ends: NDArray[np.uint64]
    sizes: NDArray[np.uint64]
    groups_of_size: NDArray[np.uint64]
    suppressed_share: NDArray[np.float64]
    suppressed_entropy: NDArray[np.float64]

class JudgedGroups(TypedDict):
    codes: NDArray[np.uint32]
    size: NDArray[np.uint64]
    value: NDArray[np.float64]
    holds: NDArray[np.uint8]
    top: NDArray[np.uint64]
    population: NDArray[np.uint64]

class Lattice:
    def __len__(self) -> int: ...
    def sweep(
        self,
        requirements: Sequence[Requirement],
        rules: Sequence[Rule],
        limit: int,
        describe: bool = True,
        tops: bool = False,
        people: int = -1,
        sizes: bool = False,
        volumes: bool = False,
        presences: bool = False,
        wanted: NDArray[np.bool_] | None = None,
        hopeless: NDArray[np.bool_] | None = None,
        seconds: float = 0.0,
        threads: int = 0,
        progress: Callable[[float], object] | None = None,
    ) -> LatticeSweep: ...
    def check(
        self,
        heads: NDArray[np.uint16],
        nodes: NDArray[np.uint16],
        ends: NDArray[np.int64],
        requirements: Sequence[Requirement],
        rules: Sequence[Rule],
        limit: int,
        describe: bool = True,
        tops: bool = False,
        people: int = -1,
        sizes: bool = False,
        volumes: bool = False,
        presences: bool = False,
        seconds: float = 0.0,
        threads: int = 0,
    ) -> LatticeSweep: ...
    def judge(self, rules: Sequence[Rule]) -> JudgedGroups: ...

def count_lattice(
    quasi: Sequence[Codes],
    quasi_cardinality: Sequence[int],
    target_codes: Sequence[Codes],
    targets: Sequence[TargetValues],
    rows: int,
    up: Sequence[Sequence[Sequence[int]]],
    share: Sequence[Sequence[Sequence[float]]],
    keep: NDArray[np.bool_] | None = None,
    counts: NDArray[np.uint64] | None = None,
    population: int = -1,
    threads: int = 0,
) -> Lattice: ...

class Recoding(Enum):
    local = 0
    strict = 1
    relaxed = 2

class LocalEffort:
    """How far local recoding looks: near cells of each, cells side by side in each order, passes, renewals; how many
    steps it makes at most, and in how many seconds.
    """

    def __init__(self, near: int, window: int, passes: int, renewals: int, steps: int, seconds: float) -> None: ...

class RecodedLocally(TypedDict):
    element: NDArray[np.uint32]
    group: NDArray[np.uint32]
    count: NDArray[np.uint32]
    levels: NDArray[np.uint8]
    meets: NDArray[np.uint8]
    steps: int
    is_cut: bool

def recode_locally(
    codes: Sequence[Codes],
    group: Sequence[Sequence[Sequence[int]]],
    cost: Sequence[Sequence[Sequence[float]]],
    cell_of: Codes,
    counts: Codes,
    k: int,
    rules: Sequence[Rule],
    target_codes: Sequence[Codes],
    targets: Sequence[TargetValues],
    effort: LocalEffort,
    recoding: Recoding,
    threads: int = 0,
    progress: Callable[[float], object] | None = None,
) -> RecodedLocally:
    """Groups of records at levels of their own: shares of elements, and per group its levels."""

def row_groups(columns: Sequence[Codes], cardinality: Sequence[int], rows: int) -> tuple[NDArray[np.uint32], int]: ...

class Patterns:
    """Ways in which a table could be another one with the same totals, by cells that are left out."""

    def __init__(
        self,
        trees: Sequence[tuple[NDArray[np.int64], NDArray[np.int64]]],
        prices: NDArray[np.float64],
        hidden: NDArray[np.bool_],
        alone: NDArray[np.bool_],
        amounts: Sequence[Sequence[NDArray[np.float64]]],
    ) -> None:
        """Of each column what its leaves are part of, level by level, and the level of each category; of each cell the
        price of leaving it out (infinite where that cannot be), whether it is, and whether somebody is alone in it; and
        of each number that cells have, how much less they may have, the same for whoever has most of it, and how much
        less and more must be possible.
        """

    def hidden(self) -> NDArray[np.uint8]:
        """Which cells are left out."""

    def protect(self, cells: NDArray[np.int64], progress: Callable[[float], object] | None = None) -> NDArray[np.int64]:
        """Leave out what patterns for these cells take; those that have none are given back."""

    def tidy(self, cells: NDArray[np.int64], most: int, progress: Callable[[float], object] | None = None) -> int:
        """Show those of the cells again that no pattern needs, with so many searches; how many were looked at."""
