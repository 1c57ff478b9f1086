"""Is the risk of a release acceptable? (PDPC 2018, section 17)"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from biombo._criteria import Judgement
from biombo._documents import check_whole
from biombo._errors import UsageError
from biombo._glance import Glance, Result
from biombo._hierarchy import exact
from biombo._release.decision.arguments import check_override
from biombo._release.decision.as_json import as_json
from biombo._release.decision.measured import MeasuredRisk
from biombo._release.decision.models import ReleaseModel
from biombo._release.decision.wording import sentences


@dataclass(frozen=True, repr=False)
class Decision(Result):
    """The risk of a release beside its threshold.

    P(re-ID) = 1 / smallest group × P(attempt), compared exactly: a risk that equals the threshold passes. Where the
    release claims no k, because quasi columns were noised, what was measured against the truth takes the place of
    1 / smallest group.

    >>> from biombo import PublicRelease
    >>> decision = Decision(PublicRelease(harm="medium"), smallest_group=10)
    >>> decision.reidentification, decision.passes
    (0.1, True)
    >>> print(decision)
    Public release: anyone may try to re-identify somebody, so P(attempt) = 1.
    P(re-identification) = 1/10 × 1 = 0.1; the threshold for medium potential harm is 0.1, no controls counted.
    The risk does not exceed the threshold.
    The guide's thresholds are examples for controlled releases; for a public one, consider a lower one of your own.
    >>> Decision(PublicRelease(harm="medium"), measured=MeasuredRisk(0.25)).passes
    False
    """

    model: ReleaseModel
    smallest_group: int | None = None
    """People in the smallest group of the released table; masked records are a group too. None: no k is claimed."""
    override: str | None = None
    """Why the data are released even though the risk is above the threshold."""
    with_others: int | None = None
    """People in the smallest group of whoever also knows the columns that are neither quasi nor sensitive; shown only:
    nobody is assumed to know these. None where there are no such columns."""
    measured: MeasuredRisk | None = None
    """What was measured against the truth, where no k is claimed."""

    def __post_init__(self) -> None:
        if (self.smallest_group is None) is (self.measured is None):
            raise UsageError("decision.one-basis")
        if self.smallest_group is not None:
            check_whole("smallest_group", self.smallest_group, least=1)
        check_override(self.override)

    @property
    def given_attempt(self) -> float:
        """P(re-ID | attempt) = 1 / smallest group, or what was measured."""
        return float(self._given_attempt)

    @property
    def _given_attempt(self) -> Fraction:
        if self.smallest_group is not None:
            return Fraction(1, self.smallest_group)
        assert self.measured is not None
        return exact(self.measured.surest)

    @property
    def attempt(self) -> float:
        """P(attempt)."""
        return self.model.attempt

    @property
    def reidentification(self) -> float:
        """P(re-ID) = P(re-ID | attempt) × P(attempt)."""
        return float(exact(self.attempt) * self._given_attempt)

    @property
    def threshold(self) -> float:
        """The highest risk that is accepted."""
        return self.model.threshold

    @property
    def passes(self) -> bool:
        """Is the risk at most the threshold?"""
        return exact(self.attempt) * self._given_attempt <= exact(self.threshold)

    @property
    def overridden(self) -> bool:
        """Is the risk above the threshold and accepted for a written reason?"""
        return not self.passes and self.override is not None

    @property
    def allowed(self) -> bool:
        """May the data be released?"""
        return self.passes or self.overridden

    def sentences(self) -> tuple[str, ...]:
        """All of it in words, in the language in use."""
        return sentences(self)

    def worded(self) -> str:
        """All of it in words, a sentence in each line."""
        return "\n".join(self.sentences())

    def __str__(self) -> str:
        return self.worded()

    def _glance(self) -> Glance:
        from biombo._release.glance import of_decision

        return of_decision(self)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return as_json(self)


def decide(model: ReleaseModel, judgement: Judgement, *, override: str | None = None) -> Decision:
    """Is the risk of releasing the table that was judged acceptable?

    Args:
        model: How the data will be released.
        judgement: How the released table stands to its criteria, k-anonymity among them. Where that was judged for
            several sets of quasi columns, the smallest group of all counts (PDPC 2018, 16.3).
        override: Why the data are released even if the risk is above the threshold.

    >>> import biombo as bb
    >>> judgement = bb.judge(bb.read(bb.samples.clinic()), bb.KAnonymity(2), quasi=["age", "city"])
    >>> decide(bb.PublicRelease(harm="low"), judgement).passes
    False
    """
    return Decision(model, smallest_group(judgement), override)


def smallest_group(judgement: Judgement) -> int:
    """The size of the smallest group that k-anonymity was judged by."""
    verdicts = [verdict for verdict in judgement.verdicts if verdict.criterion.group_size is not None]
    sizes = [verdict.achieved for verdict in verdicts if verdict.achieved is not None]
    if not sizes:
        raise UsageError("decision.no-group-sizes" if not verdicts else "decision.no-records")
    return int(min(sizes))
