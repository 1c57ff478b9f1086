"""Releases, what came of checking them, and decisions, at a glance."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biombo._glance import Glance, columns
from biombo._i18n import percent, text

if TYPE_CHECKING:
    from biombo._release.decision import Decision
    from biombo._release.joint import JointRisk
    from biombo._release.release import Release
    from biombo._release.trace import OriginRecords
    from biombo._release.verify.verification import Verification


def of_release(release: "Release") -> Glance:
    """Where it is, what the plan did and what was decided."""
    line = text("glance.release.line", release=release.id, rows=release.applied.rows, out=release.out)
    decided = [] if release.decision is None else [release.decision._glance()]
    return Glance(line, below=[release.applied._glance(), *decided])


def of_joint_risk(risk: "JointRisk") -> Glance:
    """The smallest joint group, and what is told by each release alone and by both."""
    kind = "scored" if risk.smallest_joint_group is None else "line"
    said = {"people": risk.people, "smallest": risk.smallest_joint_group, "alone": risk.alone}
    shares = [(text("glance.joint-risk.found"), risk.reidentification)]
    for value in risk.values:
        shares += [
            (text(f"glance.joint-risk.{name}", column=value.column), getattr(value, name))
            for name in ("posterior", "certain")
        ]
    rows: list[Sequence[object]] = [
        (what, *(_percent(share) for share in (each.first, each.second, each.both))) for what, each in shares
    ]
    rows.append((text("glance.joint-risk.linked"), "", "", _percent(risk.links.share)))
    line = text(f"glance.joint-risk.{kind}", **said)
    return Glance(line, columns("what", "first", "second", "both"), rows)


def _percent(share: float | None) -> str:
    return "–" if share is None else percent(share, 1)


def of_origin_records(found: "OriginRecords") -> Glance:
    """How many records there are in each part of the source, and whether they were checked."""
    told = {"records": found.found, "parts": len(found.parts), "unknown": len(found.unknown)}
    words = [text(f"glance.origin-records.{'checked' if part.checked else 'unchecked'}") for part in found.parts]
    rows = [(part.source, len(part.numbers), word) for part, word in zip(found.parts, words, strict=True)]
    line = text("glance.origin-records.line", release=found.release, **told)
    return Glance(line, columns("source", "records", "checked"), rows)


def of_verification(found: "Verification") -> Glance:
    """Each check, those that fail first."""
    told = {"release": found.release, "checks": len(found.checks), "failures": len(found.failures)}
    said = {True: "yes", False: "no", None: "believed"}
    rows = [
        (text(f"glance.verification.{'waived' if check.waived else said[check.holds]}"), check.detail)
        for check in sorted(found.checks, key=lambda check: check.holds is not False)
    ]
    line = text(f"glance.verification.{'holds' if found.holds else 'fails'}", **told)
    return Glance(line, columns("holds", "check"), rows)


def of_decision(decision: "Decision") -> Glance:
    """The risk beside its threshold, then why."""
    came = "passes" if decision.passes else "overridden" if decision.overridden else "fails"
    line = text(f"glance.decision.{came}", risk=decision.reidentification, threshold=decision.threshold)
    return Glance(line, below=[Glance(sentence) for sentence in decision.sentences()])
