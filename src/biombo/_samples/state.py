"""What makes one made-up state different from another."""

from dataclasses import dataclass

from biombo._errors import UsageError


@dataclass(frozen=True)
class State:
    """The knobs for one state, set so that its figures come out near those measured in the real one."""

    uf: str
    number: int
    """The two digits that the state's municipalities begin with."""
    prior: float
    """The share of the most frequent procedure."""
    focus: float
    """The share of a facility's rows that its own main procedure takes, averaged over rows."""
    habit: float
    """The share of a visit's rows that goes to what people like this one come for in that month."""
    facilities: int
    municipalities: int
    size: float
    """How many rows the state has in a national sample, the average being 1."""

    def __post_init__(self) -> None:
        between("facilities", self.facilities, 1, 20_000)
        between("municipalities", self.municipalities, 1, 1_000)


def between(argument: str, value: float, low: float, high: float) -> None:
    """Refuse a value that no data can be made up for."""
    if not low <= value <= high:
        raise UsageError("usage.sample-range", argument=argument, value=value, low=low, high=high)


_STATES = (
    State("SP", 35, prior=0.070, focus=0.345, habit=0.26, facilities=1_500, municipalities=200, size=2.0),
    State("PI", 22, prior=0.044, focus=0.370, habit=0.36, facilities=180, municipalities=80, size=1.0),
    State("RR", 14, prior=0.060, focus=0.460, habit=0.35, facilities=60, municipalities=15, size=0.5),
    State("DF", 53, prior=0.220, focus=0.230, habit=0.02, facilities=60, municipalities=12, size=0.7),
    State("SE", 28, prior=0.068, focus=0.150, habit=0.02, facilities=90, municipalities=40, size=0.8),
)
STATES = {state.uf: state for state in _STATES}


def state_of(uf: str) -> State:
    """The state that ``uf`` names."""
    if uf not in STATES:
        raise UsageError("usage.sample-state", uf=uf, known=", ".join(STATES))
    return STATES[uf]
