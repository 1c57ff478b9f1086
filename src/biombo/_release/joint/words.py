"""The joint risk of two releases in words."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from biombo._i18n import text
from biombo._report import displayed

if TYPE_CHECKING:
    from biombo._release.joint.result import JointRisk, JointShares, JointSide, JointValue


def sentences(risk: "JointRisk") -> Iterator[str]:
    """What matters most first."""
    yield _headline(risk)
    if risk.scored:
        yield text("release.joint.scored-against", columns=_drawn(risk))
    for side, which in ((risk.first, "first"), (risk.second, "second")):
        if side.below:
            yield _small(side, which, risk.people)
    for value in risk.values:
        if value.certain.both is not None:
            yield _told("certain", value, value.certain)
        yield _told("scored" if value.certain.both is None else "posterior", value, value.posterior)
    yield text("release.joint.found", **vars(risk.reidentification))
    yield from _links(risk)
    if risk.first.only_here or risk.second.only_here:
        yield text("release.joint.outside", first=risk.first.only_here, second=risk.second.only_here)
    yield text("release.joint.assumption")


def _headline(risk: "JointRisk") -> str:
    if risk.smallest_joint_group is None:
        return text("release.joint.drawn", people=risk.people)
    said = {"people": risk.people, "alone": risk.alone, "smallest": risk.smallest_joint_group}
    return text(f"release.joint.{'smaller' if risk.first.below or risk.second.below else 'kept'}", **said)


def _drawn(risk: "JointRisk") -> str:
    return ", ".join(map(displayed, dict.fromkeys([*risk.first.drawn, *risk.second.drawn])))


def _small(side: "JointSide", which: str, people: int) -> str:
    below = side.below or 0
    named = text(f"release.joint.{which}")
    return text("release.joint.side", which=named, least=side.least, below=below, share=below / people)


def _told(what: str, value: "JointValue", shares: "JointShares") -> str:
    told = vars(shares) | {"alone": shares.second if shares.first is None else shares.first}
    return text(f"release.joint.{what}.{value.released_in}", column=displayed(value.column), **told)


def _links(risk: "JointRisk") -> Iterator[str]:
    links = risk.links
    if not links.made:
        yield text("release.joint.no-links")
        return
    columns = ", ".join(map(displayed, (*links.columns, *links.mostly)))
    yield text("release.joint.links", right=links.right, records=risk.records, share=links.share, columns=columns)
    if links.made > links.right:
        yield text("release.joint.wrong-links", wrong=links.made - links.right)
