"""Putting a release that stands on record."""

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Any

from biombo._documents import LONGEST_TEXT
from biombo._errors import InputError, UsageError, system_reason
from biombo._i18n import text
from biombo._release.contents import RESULT
from biombo._release.errors import RefusedError
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.register import Register, RegisterEntry
from biombo._release.register.entry import AccessMethod
from biombo._release.staging import places_of
from biombo._release.verify.verification import verify
from biombo._release.waived import waived_claims

_DECIDED = {"release_model", "smallest_group", "reidentification", "threshold", "passes", "override"}
"""What a register keeps of a decision."""


def put_on_record(
    release: str | Path,
    register: Register | str,
    *,
    private: str | Path | None = None,
    department: str,
    review: date,
    recipients: Iterable[str] = (),
    access: AccessMethod = "online",
    what: str | None = None,
    who: str | None = None,
) -> int:
    """Put a release on record after it was verified, and give its number in the register. What was waived is noted.

    How large its risk is and which controls there are stands in the private folder, where :func:`biombo.publish` was
    given a release model.

    Args:
        release: The folder of the release.
        register: The register, or its address.
        private: Its private folder; by default the release's name with ``.private`` added.
        department: Which part of the organisation released it.
        review: When the risk is to be looked at again.
        recipients: To whom; needed where the release is controlled.
        access: ``copy``, ``online``, ``on-site`` or ``on-request``.
        what: What the release is called; by default as its folder.
        who: Who puts it on record.

    >>> import tempfile, biombo as bb
    >>> plan = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=["city"], sensitive=["disease"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     model = bb.PublicRelease(harm="medium", own_threshold=0.4)
    ...     release = bb.publish(bb.samples.clinic(), plan, f"{folder}/clinic", model=model)
    ...     register = bb.Register.open(f"sqlite:///{folder}/register.db")
    ...     number = bb.put_on_record(release.out, register, department="Clinic", review=date(2027, 1, 31))
    ...     register.get(number).entry.what, bb.verify(release.out, register=register).origin_proved
    ('clinic', True)
    """
    failed = verify(release).failures
    if failed:
        raise RefusedError("release.record-false", path=str(release), detail=failed[0].detail)
    entry = entry_of(
        release,
        private=private,
        department=department,
        review=review,
        recipients=recipients,
        access=access,
        what=what,
    )
    opened = Register.open(register) if isinstance(register, str) else register
    return opened.add(entry, note=_waived(Manifest.of(Path(release))), who=who)


def entry_of(
    release: str | Path,
    *,
    private: str | Path | None,
    department: str,
    review: date,
    recipients: Iterable[str],
    access: AccessMethod,
    what: str | None,
) -> RegisterEntry:
    """What a register keeps of the release in these two folders."""
    public, folder = places_of(release, private)
    manifest = Manifest.of(public)
    decision = _decision(public, folder, manifest)
    model = decision["release_model"]
    return RegisterEntry(
        what=public.resolve().name if what is None else what,
        department=department,
        release_model=model["name"],
        recipients=tuple(recipients),
        access=access,
        plan_hash=next((claim.value for claim in manifest.claims if claim.name == "plan"), ""),
        smallest_group=decision["smallest_group"],
        risk=decision["reidentification"],
        threshold=decision["threshold"],
        override=None if decision["passes"] else decision["override"],
        controls=(*model.get("controls", ()), *model.get("measures", ())),
        review=review,
        manifest_hash=hashed(public / MANIFEST),
    )


def _waived(manifest: Manifest) -> str | None:
    """Which criteria were waived, and why, as everybody may read it."""
    told = " ".join(
        text("release.waived", criterion=each.criterion, reason=each.reason) for each in waived_claims(manifest.claims)
    )
    return (told if len(told) <= LONGEST_TEXT else f"{told[: LONGEST_TEXT - 1]}…") or None


def _decision(public: Path, folder: Path, manifest: Manifest) -> dict[str, Any]:
    """What was decided when the release was made."""
    path = folder / RESULT
    try:
        result = json.loads(path.read_bytes())
        release, decision = result["release"], result["decision"]
        whole = decision is None or (decision.keys() >= _DECIDED and "name" in decision["release_model"])
    except OSError as error:
        raise InputError("release.no-result", path=str(path), detail=system_reason(error)) from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        raise InputError("release.damaged-result", path=str(path))
    if release != manifest.id:
        raise InputError("release.other-vault", release=str(public), private=str(folder))
    if decision is None:
        raise UsageError("release.record-undecided", path=str(public))
    return dict(decision)
