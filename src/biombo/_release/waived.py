"""Criteria that were waived, as a release tells of them: that they were, and why, and never that they are met."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from biombo._criteria import Criterion, Disclosure, SensitiveCriterion, WaivedVerdict, Waiver, includes
from biombo._documents import checked, checked_text
from biombo._errors import BiomboError
from biombo._release.claims import Claim

NAME = "criterion-waived"
"""What the claim is called."""

MALFORMED = (BiomboError, KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What comes of reading a claim that is not as any release says it."""


def waived_claim(verdict: WaivedVerdict, rule: Disclosure) -> Claim:
    """What everybody may know: why, and of the values that were listed those that enough released people have. Who
    accepted it, and which of the values are concerned, is not told: that may depend on people who are not released.
    """
    waiver, held = verdict.waiver, verdict.holders()
    told = sorted(value for value, count in held.items() if rule.told(count) is not None)
    about = {
        "criterion": waiver.criterion.to_tree(),
        "quasi": list(verdict.verdict.quasi),
        "sensitive": [waiver.column],
        "reason": waiver.reason,
        "further_values": len(told) < len(held),
    }
    return Claim(NAME, told, "attested", about)


@dataclass(frozen=True)
class WaivedClaim:
    """A claim that a criterion was waived, read and checked."""

    criterion: SensitiveCriterion
    quasi: tuple[str, ...]
    reason: str
    values: tuple[str, ...]
    """Of the values that were accepted, those that enough people have."""
    further: bool
    """Are there others?"""

    @classmethod
    def of(cls, claim: Claim) -> "WaivedClaim":
        """What ``claim`` says. Raises one of ``MALFORMED`` where it is not as any release says it."""
        about = claim.about
        criterion = checked(SensitiveCriterion, "criterion", Criterion.from_tree(about["criterion"]))
        values = checked(tuple[str, ...], "value", claim.value)
        further = checked(bool, "further_values", about["further_values"])
        quasi = checked(tuple[str, ...], "quasi", about["quasi"])
        return cls(criterion, quasi, checked_text("reason", about["reason"]), values, further)

    def is_met_by(self, claim: Claim) -> bool:
        """Does ``claim`` say that what was waived is met?"""
        if claim.name != "criterion" or {*claim.about["quasi"]} != {*self.quasi}:
            return False
        return includes(Criterion.from_tree(claim.about["criterion"]), self.criterion, self.quasi)


def waived_claims(claims: Sequence[Claim]) -> Iterator[WaivedClaim]:
    """What ``claims`` say was waived."""
    return (WaivedClaim.of(claim) for claim in claims if claim.name == NAME)


def tell_all(claims: Sequence[Claim], waivers: Sequence[Waiver]) -> bool:
    """Do ``claims`` tell exactly these ``waivers``?"""
    try:
        told = [(each.criterion, each.reason) for each in waived_claims(claims)]
    except MALFORMED:
        return False
    return told == [(each.criterion, each.reason) for each in waivers]
