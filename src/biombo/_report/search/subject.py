"""What was asked of a search and what it found, for one set of quasi columns or for several."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from biombo._criteria import Criterion
from biombo._data import Dataset
from biombo._i18n import integer, number, percent
from biombo._report.wording import Names, displayed, rich
from biombo._search import POLICIES, JointResult, QuasiColumn, RankedPlan, SearchResult

_SHARES = ("precision", "loss", "arithmetic-loss", "maximum-loss", "normalised-entropy")
_LARGE = 1000


@dataclass(frozen=True)
class Measure:
    """What plans are compared by."""

    policy: str
    name: str
    """What it is called, for a sentence."""
    value: Callable[[RankedPlan], float]

    @classmethod
    def of(cls, found: SearchResult | JointResult) -> "Measure":
        """What was preferred; the loss where each of several sets of columns has a preference of its own."""
        if isinstance(found, JointResult):
            return cls("loss", POLICIES["loss"].label, lambda plan: plan.loss)
        return cls(found.policy.name, found.policy.label, lambda plan: plan.amount)

    @property
    def title(self) -> str:
        """What it is called, for a heading."""
        return self.name[0].upper() + self.name[1:]

    def written(self, plan: RankedPlan) -> str:
        """Its value for one plan."""
        value = self.value(plan)
        if self.policy in _SHARES:
            return percent(value, 2)
        return integer(round(value)) if value == round(value) else number(value, 2)

    def on_axis(self, top: float) -> str:
        """How an axis up to ``top`` writes its values."""
        if self.policy in _SHARES:
            return "~%"
        return "~s" if top >= _LARGE else "~f"


@dataclass(frozen=True, eq=False)
class Subject:
    """A search, and what its report calls the columns."""

    found: SearchResult | JointResult
    names: Names
    place: int = 0
    """Which of the plans is chosen: by default the best."""

    @classmethod
    def of(cls, found: SearchResult | JointResult, labels: Mapping[str, str], place: int = 0) -> "Subject":
        """A search, with its columns called by their ``labels`` where there are some."""
        nameless = cls(found, Names({}, {}, False))
        return cls(found, Names.of_columns((column.name for column in nameless.columns), labels), place)

    @cached_property
    def parts(self) -> tuple[SearchResult, ...]:
        """What was found for each set of quasi columns."""
        return self.found.parts if isinstance(self.found, JointResult) else (self.found,)

    @property
    def chosen(self) -> RankedPlan | None:
        """The best plan, or the one that somebody chose, if there is any."""
        return self.found[self.place] if self.found else None

    @cached_property
    def columns(self) -> tuple[QuasiColumn, ...]:
        """The quasi columns: also those in no set, where there is a plan for them."""
        if self.chosen is not None:
            return self.chosen.columns
        return tuple(column for part in self.parts for column in part.explored.question.columns)

    def level_label(self, column: str, level: int) -> str:
        """What a level of a column's hierarchy is, in words."""
        hierarchies = {each.name: each.hierarchy for each in self.columns}
        return displayed(hierarchies[column].level_label(level))

    @property
    def criteria(self) -> tuple[Criterion, ...]:
        """What must hold, for all sets."""
        return tuple(criterion for part in self.parts for criterion in part.explored.question.criteria)

    @property
    def data(self) -> Dataset:
        """The table."""
        return self.parts[0].explored.question.data

    @property
    def records(self) -> int:
        """How many records it has."""
        return self.data.records

    @property
    def counts_people(self) -> bool:
        """Does a group count the people in it, and not its records?"""
        return self.data.schema.person in self.data.columns

    @cached_property
    def measure(self) -> Measure:
        """What plans are compared by."""
        return Measure.of(self.found)

    @property
    def by_one_measure(self) -> bool:
        """Are plans compared by one measure? Else those of several sets are put together by their places."""
        return isinstance(self.found, SearchResult)

    @property
    def loss_domain(self) -> Markup:
        """Over which values loss is told."""
        return rich(f"search.loss-domain.{self.found.question.loss_domain}")

    def told(self, *caption: Markup) -> Markup:
        """The caption of a chart that marks the best plan, if there is any."""
        return Markup(" ").join(caption if self.chosen is None else (*caption, rich("report.search.mark")))
