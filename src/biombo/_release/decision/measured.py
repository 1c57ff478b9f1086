"""The risk of a release that claims no k."""

from dataclasses import dataclass

from biombo._documents import check_above, check_whole


@dataclass(frozen=True)
class MeasuredRisk:
    """P(re-ID | attempt) of a release whose quasi columns were noised, measured against the truth.

    How many noised records happen to be alike says nothing about how many people are, so no group size tells the risk.
    Instead it is the chance that the surest guess at the person behind a record is right, by the true values of
    everybody in the release and the chances of the noise. Where nothing is drawn that is 1 / smallest group.

    >>> MeasuredRisk(0.125, alone=40).surest
    0.125
    """

    surest: float
    """The chance that the surest guess is right: that about the most exposed person."""
    at_most: bool = False
    """Is that a bound, and the chance perhaps lower?"""
    alone: int = 0
    """Records with quasi values that no other has in the release; whose they are does not follow from that."""

    def __post_init__(self) -> None:
        check_above("surest", self.surest, 0, 1)
        check_whole("alone", self.alone, least=0)
