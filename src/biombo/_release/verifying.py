"""``verify``: whether a release is what it claims to be."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from biombo._data import Dataset
from biombo._errors import BiomboError, InputError
from biombo._i18n import text
from biombo._release.claims import Claim, Kind, agrees, recomputed, released_data
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.register import Register
from biombo._release.signing import PublicKey


@dataclass(frozen=True)
class Check:
    """What came of checking one claim."""

    claim: str
    kind: Kind
    holds: bool | None
    """``None`` where it can only be believed: it needs the original."""
    detail: str
    """One sentence, in the language that was in use."""


@dataclass(frozen=True)
class Verification:
    """What came of checking a release. Made by :func:`biombo.verify`."""

    release: str
    """The id of the release."""
    key: str
    """The id of the public key that its signature names."""
    origin_proved: bool
    """Was it signed with the key that the reader trusts?"""
    checks: tuple[Check, ...]

    @property
    def holds(self) -> bool:
        """Does everything hold that could be checked?"""
        return not self.failures

    @property
    def failures(self) -> tuple[Check, ...]:
        """What does not hold."""
        return tuple(check for check in self.checks if check.holds is False)

    def as_json(self) -> dict[str, Any]:
        """All of it as plain values."""
        return {
            "release": self.release,
            "key": self.key,
            "holds": self.holds,
            "origin_proved": self.origin_proved,
            "checks": [asdict(check) for check in self.checks],
        }


def verify(
    folder: str | Path, *, key: PublicKey | str | Path | None = None, register: Register | str | None = None
) -> Verification:
    """Recompute what the release in ``folder`` claims, as far as its own data tell.

    Without ``key`` and ``register`` only the integrity is checked: whoever replaces everything can sign it with a key
    of their own.

    Args:
        folder: The release.
        key: The public key of whoever is to have published it, from a source that you trust: its file.
        register: The publisher's register, or its address, in which the manifest is looked for.

    >>> import tempfile, polars as pl, biombo as bb
    >>> plan = bb.Plan([bb.SuppressColumn("age")], [bb.KAnonymity(2)], quasi=["sex"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pl.DataFrame({"sex": ["F", "F", "M", "M"], "age": [31, 32, 33, 34]})
    ...     release = bb.publish(table, plan, f"{folder}/release")
    ...     untouched = verify(release.out)
    ...     _ = (release.out / "data.csv").write_text("trace_id,sex\\n1,F\\n2,F\\n")
    ...     changed = verify(release.out)
    >>> untouched.holds, changed.holds
    (True, False)
    """
    place = Path(folder)
    manifest = Manifest.of(place)
    trusted = PublicKey.load(key) if isinstance(key, str | Path) else key
    about_origin = [*_key_check(manifest, trusted), *_register_check(place, register)]
    signed = _check("signature", manifest.is_intact, signer=manifest.public_key.id)
    checks = [signed, *about_origin, *_file_checks(place, manifest), *_Recomputing(place, manifest).checks()]
    proved = manifest.is_intact and bool(about_origin) and all(check.holds for check in about_origin)
    return Verification(manifest.id, manifest.public_key.id, proved, tuple(checks))


def _key_check(manifest: Manifest, trusted: PublicKey | None) -> Iterator[Check]:
    if trusted is not None:
        named = manifest.public_key
        yield _check("origin", trusted == named, signer=named.id, trusted=trusted.id)


def _register_check(folder: Path, register: Register | str | None) -> Iterator[Check]:
    if register is None:
        return
    opened = Register.open(register) if isinstance(register, str) else register
    found = opened.find(hashed(folder / MANIFEST))
    if found is None:
        yield _check("not-registered", False)
    else:
        status = text(f"release.status.{found.status}")
        yield _check("registered", found.status == "active", number=found.id, status=status)


def _file_checks(folder: Path, manifest: Manifest) -> Iterator[Check]:
    listed = manifest.files
    for name, expected in listed.items():
        path = folder / name
        if Path(name).name != name or path.is_symlink() or not path.is_file():
            yield _check("file-missing", False, file=name)
        else:
            yield _check("file", _unchanged(path, expected), file=name)
    for path in sorted(folder.iterdir()):
        if path.name not in listed and path.name != MANIFEST:
            yield _check("file-added", False, file=path.name)


def _unchanged(path: Path, expected: str) -> bool:
    try:
        return hashed(path) == expected
    except OSError:
        return False


class _Recomputing:
    """Checks the claims that the released records can tell."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self._path = folder / Path(manifest.data).name
        self._claims: Sequence[Claim] = manifest.claims
        self._check_of: dict[str, Callable[[Claim], Check]] = {
            "records-released": self._records,
            "columns": self._columns,
            "columns-left-out": self._left_out,
            "criterion": self._criterion,
        }

    def checks(self) -> Iterator[Check]:
        """A check for each claim."""
        for claim in self._claims:
            if claim.kind == "attested":
                yield _attested(claim)
            else:
                yield self._checked(claim)

    @cached_property
    def _released(self) -> Dataset:
        return released_data(self._path)

    def _checked(self, claim: Claim) -> Check:
        try:
            return self._check_of[claim.name](claim)
        except BiomboError as error:
            return _check("unreadable", False, claim=claim.name, detail=str(error))
        except (KeyError, TypeError, ValueError):  # not as any release says it
            return _check("unknown", False, claim=claim.name)

    def _records(self, claim: Claim) -> Check:
        found = self._released.rows
        return _check(claim.name, found == claim.value, found=found, claimed=int(claim.value))

    def _columns(self, claim: Claim) -> Check:
        found = list(self._released.columns)
        return _check(claim.name, found == claim.value, found=", ".join(found))

    def _left_out(self, claim: Claim) -> Check:
        there = [name for name in claim.value if name in self._released.columns]
        return _check(claim.name, not there, there=", ".join(there))

    def _criterion(self, claim: Claim) -> Check:
        verdict = recomputed(claim.about, self._released)
        return _check(claim.name, agrees(claim.value, verdict), verdict=str(verdict).rstrip("."))


def _attested(claim: Claim) -> Check:
    words = text("release.verify.attested", claim=text(f"release.claim.{_known(claim.name)}"))
    return Check(claim.name, "attested", None, words)


def _known(name: str) -> str:
    """The name of a claim, as far as there are words for it."""
    return name if name in ATTESTED else "other"


ATTESTED = (
    "criterion",
    "plan",
    "random-order",
    "records-duplicates",
    "records-masked",
    "records-masked-to-hide-others",
    "records-not-drawn",
    "records-suppressed",
)
"""The claims that there are words for, of those that only whoever has the original can check."""


def _check(name: str, holds: bool, **values: Any) -> Check:
    words = text(f"release.verify.{name}.{'holds' if holds else 'fails'}", **values)
    return Check(name, "recomputable", holds, words)


def refuse_false(folder: Path, key: PublicKey) -> None:
    """Raise when a release that was just made does not hold: never publish what nobody could verify."""
    failed = verify(folder, key=key).failures
    if failed:
        raise InputError("release.not-verified", detail=failed[0].detail)
