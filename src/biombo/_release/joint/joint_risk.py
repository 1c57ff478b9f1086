"""``joint_risk``: what two releases of the same people tell together, for whoever may open both vaults."""

from pathlib import Path
from typing import Any

from biombo._errors import UsageError
from biombo._i18n import text
from biombo._release.joint.both import Both
from biombo._release.joint.result import JointRisk
from biombo._release.joint.side import Side
from biombo._release.joint.sources import Sources, SourcesAtHand
from biombo._release.trace.inquiry import Inquiry
from biombo._secrets import KeyPlace


def joint_risk(
    first: str | Path,
    second: str | Path,
    *,
    source: Any = None,
    database: str | None = None,
    sheet: str | None = None,
    private_first: str | Path | None = None,
    private_second: str | Path | None = None,
    key_first: KeyPlace | None = None,
    key_second: KeyPlace | None = None,
    person: str | None = None,
    reason: str | None = None,
    who: str | None = None,
) -> JointRisk:
    """What two releases of the same source tell together about the people who are in both. All of it is private.

    The two are linked through their vaults: records are the same where they lead to the same original, in a source that
    both vaults recognise. The adversary has both files, knows the true quasi values of somebody who is in both, and so
    the groups ``a(x)`` and ``b(x)`` of that target ``x`` in each. R are the records in both.

    - *Joint groups*: the people of {y ∈ R : a(y) = a(x), b(y) = b(x)}. Whoever could tell which records of the two
      belong together is left with these.
    - *Posterior* (Gonze et al. 2024, Eq. 2 and 3): the mean over R of 1/\\|smf\\| where the target's value is among the
      most frequent ones, smf, of its group, else 0. With one release, among all records of ``a(x)``; with both, of the
      joint group, which is Σ top count / \\|R\\|: as much as anybody gets who has to guess by groups, and less without
      the link.
    - *Certain*: the share of people for whom one value is left. With one release, where all of ``a(x)`` have it; with
      both by the intersection attack of Ganta, Kasiviswanathan and Smith (2008), for which nobody has to link anything:
      {s(r) : r ∈ a(x), t(r) = t(r') for some r' ∈ b(x)}, where t is all that both releases tell alike.
    - *Re-identification*: the mean over R of the share of records in the group, or joint group, that are the target's.
    - *Links*: pairs of records, one of each file, whose values in the columns that both tell alike nobody else has in
      either file; for this nothing has to be known of anybody.

    Synonyms of both plans count as one value. Where quasi or sensitive values were drawn or exchanged, groups mean
    nothing: there are no joint groups and no certainty then, and posteriors and re-identification are scored against
    the originals, by whichever is strongest of looking true values up as they are, looking near ones up, and leaving
    the drawn columns aside. That is how those adversaries do and no bound for others.

    Both look-ups are logged in ``traces.jsonl``, as of :func:`biombo.origin_records`.

    Args:
        first: The folder of one release.
        second: That of the other. It may lie in a private place, before it is published.
        source: The table that both were made of, or a copy: whatever :func:`biombo.read` takes, or what it gave; by
            default the files where they were then.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several: a sheet of a workbook, or a file in a zip archive.
        private_first: The private folder of the first; by default its name with ``.private`` added.
        private_second: That of the second.
        key_first: The key that sealed the vault of the first; by default the one in the private folder.
        key_second: That of the second.
        person: The column of the source that names people; by default the one by which the releases count them.
        reason: What for, in both logs; by default the measurement itself.
        who: Who asks; by default the user of the system.

    >>> import tempfile, biombo as bb
    >>> people = bb.samples.clinic()
    >>> def plan(*quasi):
    ...     return bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=quasi, sensitive=["disease"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     one = bb.publish(people, plan("city"), f"{folder}/by-city")
    ...     other = bb.publish(people, plan("sex"), f"{folder}/by-sex")
    ...     found = bb.joint_risk(one.out, other.out, source=people)
    >>> found.first.smallest_group, found.second.smallest_group, found.smallest_joint_group
    (6, 6, 3)
    """
    asking = [
        Inquiry.of(first, private_first, _why(reason, second), who, key_first),
        Inquiry.of(second, private_second, _why(reason, first), who, key_second),
    ]
    if asking[0].manifest.id == asking[1].manifest.id:
        raise UsageError("release.joint-same", release=asking[0].manifest.id)
    at_hand = SourcesAtHand(source, database, sheet)
    located = [each.located(None, None, at_hand) for each in asking]
    sources = Sources.of(*located)
    sides = [Side.of(each, found.links, sources.places(found)) for each, found in zip(asking, located, strict=True)]
    return Both.of(sides[0], sides[1], sources, person).risk()


def _why(reason: str | None, other: str | Path) -> str:
    return text("release.joint.reason", release=str(other)) if reason is None else reason
