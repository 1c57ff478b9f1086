"""One round of a negotiation: a plan, its levels, what was measured of it, and who asked for what."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import polars as pl

from biombo._errors import InputError
from biombo._i18n import text
from biombo._plan import Plan

_ABOUT: Mapping[str, tuple[str, ...]] = {
    "suppression": ("share",),
    "noise": (),
    "synonyms": ("column",),
    "waived": ("l",),
}
"""What tells each kind of thing that is asked for, beside operations of the plan."""


@dataclass(frozen=True)
class Obstacle:
    """What one quasi column, or several together, leave below TG. Exact: for the manager."""

    columns: tuple[str, ...]
    groups: int
    """Groups of fewer than TG people."""
    records: int
    """Records in them."""
    singled_out: int
    """People who are alone in their group."""


@dataclass(frozen=True)
class Measured:
    """What the system measured of an offer. Exact, so private: the requester reads what ``safe.py`` makes of it."""

    records: int
    """Records that were asked for."""
    groups: int
    smallest_group: int | None
    """People in the smallest group that is released; ``None`` where groups mean nothing, because values have noise."""
    groups_below: int
    """Groups of fewer than TG people before any are suppressed."""
    records_below: int
    singled_out: int
    """People alone in their group before any are suppressed; with noise, records that are still unique and true."""
    lost: int
    """Records that are suppressed."""
    noised: int
    """Records that got noise in a quasi column."""
    reidentified: float
    """How often the strongest adversary finds a person's record, on average over the released records."""
    worst: float
    """The same for the most exposed person: 1 / smallest group where values are true."""
    prior: Mapping[str, float] = field(default_factory=dict)
    """By sensitive column: how often its value is guessed by whoever knows nothing."""
    posterior: Mapping[str, float] = field(default_factory=dict)
    """By sensitive column: how often by whoever knows all quasi columns."""
    loss: float | None = None
    """The share of the domain that quasi values stand for, as a geometric mean over columns."""
    loss_at_k: float | None = None
    """The same once all groups below TG are suppressed, which can be held beside plans that a search found; ``None``
    where values have noise."""
    completeness: float = 1.0
    alone: int = 0
    """Records that are alone with their quasi values in what would be released, true or not."""


@dataclass(frozen=True)
class Offer:
    """A versioned offer."""

    number: int
    """From 1."""
    plan: Mapping[str, Any]
    plan_hash: str
    k: int | None
    l: int | None  # noqa: E741
    epsilon: float | None
    measured: Measured
    asked: tuple[tuple[str, Any, str], ...]
    """For each operation that somebody asked for: of which kind, its place in the plan or what tells it, and who."""
    allowed: bool | None
    """Does the risk decision allow it? ``None`` where nothing can be decided."""
    model: Mapping[str, Any] = field(default_factory=dict)
    """How the data would be released, as the manager has answered: the decision goes by it."""
    override: str | None = None
    """Why a risk above the threshold was accepted, where it was."""
    epsilon_in_all: float | None = None
    """ε with that of earlier releases which this one amends: it adds up."""
    said: tuple[str, ...] = ()
    """Why it is allowed or not, as it was said when it was decided: of offers from before they were worded for whoever
    reads them."""

    @property
    def decision(self) -> tuple[str, ...]:
        """Why, in sentences in the language in use."""
        from biombo._negotiate.release_model import decision_on, model_by  # which know offers

        if self.said or not self.model:
            return self.said
        found = decision_on(model_by(self.model), self.measured, self.override)
        return () if found is None else found.sentences()

    @property
    def asked_by(self) -> tuple[tuple[str, str], ...]:
        """For each operation that somebody asked for: what, in the language in use, and who."""
        return tuple((self._told(kind, about), who) for kind, about, who in self.asked)

    def _told(self, kind: str, about: Any) -> str:
        from biombo._negotiate.dialogue import operation_told  # which words offers too

        if kind == "operation":
            return operation_told(self.of_plan.operations[about])
        if kind not in _ABOUT:
            return str(about)
        return text(f"negotiation.asked.{kind}", **dict.fromkeys(_ABOUT[kind], about))

    @property
    def of_plan(self) -> Plan:
        """The plan itself."""
        return Plan.from_tree(self.plan, None)

    def to_tree(self) -> dict[str, Any]:
        """The offer as plain values."""
        told = {name: value for name, value in asdict(self).items() if name != "said" or value}
        return told | {"asked": [list(each) for each in self.asked]}

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any]) -> "Offer":
        """The offer that :meth:`to_tree` gave."""
        try:
            asked = tuple((str(kind), about, str(who)) for kind, about, who in tree["asked"])
            said = tuple(map(str, tree.get("decision", tree.get("said", ()))))
            entries = {name: value for name, value in tree.items() if name != "decision"}
            return cls(**{**entries, "measured": Measured(**tree["measured"]), "asked": asked, "said": said})
        except (KeyError, TypeError, ValueError):
            raise InputError("negotiation.no-offer") from None


def side_by_side(offers: Sequence[Offer]) -> pl.DataFrame:
    """A row for each offer: levels and what was measured. Exact, so private."""
    rows = [
        {"offer": each.number, "k": each.k, "l": each.l, "epsilon": each.epsilon, "allowed": each.allowed}
        | {name: value for name, value in asdict(each.measured).items() if not isinstance(value, Mapping)}
        | {f"posterior {column}": value for column, value in each.measured.posterior.items()}
        for each in offers
    ]
    return pl.DataFrame(rows, infer_schema_length=None)
