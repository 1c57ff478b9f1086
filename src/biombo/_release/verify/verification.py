"""``verify``: whether a release is what it claims to be."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from biombo._engine import LOCAL, Engine, engine_of
from biombo._errors import InputError, UsageError
from biombo._glance import Glance, Result
from biombo._i18n import text
from biombo._release.commitment import Commitment, opens
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.register import Register
from biombo._release.verify.check import Check, checked, file_checks
from biombo._release.verify.claim_checks import ClaimChecks
from biombo._release.verify.in_population import InPopulation
from biombo._release.verify.zipped import opened_release
from biombo._release.waived import NAME, tell_all
from biombo._secrets import PublicKey


@dataclass(frozen=True, repr=False)
class Verification(Result):
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

    def _glance(self) -> Glance:
        from biombo._release.glance import of_verification

        return of_verification(self)

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
    folder: str | Path,
    *,
    key: PublicKey | str | Path | None = None,
    register: Register | str | None = None,
    private: str | Path | None = None,
    population: Any = None,
    engine: Engine | str = LOCAL,
) -> Verification:
    """Recompute what the release in ``folder`` claims, as far as its own data tell.

    Without ``key`` and ``register`` only the integrity is checked: whoever replaces everything can sign it with a key
    of their own.

    Args:
        folder: The release: its folder, or a zip file of it, which is unpacked into a private folder while it is read,
            and refused where it holds anything else.
        key: The public key of whoever is to have published it, from a source that you trust: its file.
        register: The publisher's register, or its address, in which the manifest is looked for.
        private: The private folder of the release, where the publisher has it: whether its plan is the one that the
            release is committed to, and all that it waives is told.
        population: The table of the population, where the publisher has it besides the private folder: what is counted
            in it is recomputed, unless people are counted by a column that is not released. Whatever
            :func:`biombo.read` takes, with the columns called and coded as in the original.
        engine: What counts the records, or its name; by default this process, which reads them by a way of its own.

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
    trusted = PublicKey.load(key) if isinstance(key, str | Path) else key
    if population is not None and private is None:
        raise UsageError("release.population-private")
    with opened_release(Path(folder)) as place:
        return _verified(place, trusted, register, private, engine_of(engine), population)


def _verified(
    place: Path,
    trusted: PublicKey | None,
    register: Register | str | None,
    private: str | Path | None,
    engine: Engine,
    population: Any,
) -> Verification:
    manifest = Manifest.of(place)
    beside = _in_population(manifest, private, population)
    about_origin = [*_key_check(manifest, trusted), *_register_check(place, register)]
    signed = checked("signature", manifest.is_intact, signer=manifest.public_key.id)
    about_files = [*file_checks(place, manifest), *ClaimChecks(place, manifest, engine, beside).all()]
    checks = [signed, *about_origin, *about_files, *_plan_check(manifest, private)]
    proved = manifest.is_intact and bool(about_origin) and all(check.holds for check in about_origin)
    return Verification(manifest.id, manifest.public_key.id, proved, tuple(checks))


def _in_population(manifest: Manifest, private: str | Path | None, population: Any) -> InPopulation | None:
    """The population with the plan that the release is committed to, where both are at hand."""
    if population is None or private is None or not opens(Path(private), _committed(manifest)):
        return None
    return InPopulation(population, Commitment.of(Path(private)).plan)


def _committed(manifest: Manifest) -> object:
    """What says which plan it is, without telling it."""
    return next((claim.value for claim in manifest.claims if claim.name == "plan"), None)


def _key_check(manifest: Manifest, trusted: PublicKey | None) -> Iterator[Check]:
    if trusted is not None:
        named = manifest.public_key
        yield checked("origin", trusted == named, signer=named.id, trusted=trusted.id)


def _plan_check(manifest: Manifest, private: str | Path | None) -> Iterator[Check]:
    if private is not None:
        is_committed = opens(Path(private), _committed(manifest))
        yield checked("plan", is_committed, private=str(private))
        if is_committed:
            yield from _waiver_check(manifest, Path(private))


def _waiver_check(manifest: Manifest, private: Path) -> Iterator[Check]:
    """With the plan at hand: is all that it waives told, and nothing else?"""
    waivers = Commitment.of(private).plan.waived
    if waivers or any(claim.name == NAME for claim in manifest.claims):
        yield checked("waivers", tell_all(manifest.claims, waivers), private=str(private))


def _register_check(folder: Path, register: Register | str | None) -> Iterator[Check]:
    if register is None:
        return
    opened = Register.open(register) if isinstance(register, str) else register
    found = opened.find(hashed(folder / MANIFEST))
    if found is None:
        yield checked("not-registered", False)
    else:
        status = text(f"release.status.{found.status}")
        yield checked("registered", found.status == "active", number=found.id, status=status)


def refuse_false(folder: Path, key: PublicKey, engine: Engine = LOCAL) -> None:
    """Raise when a release that was just made does not hold: never publish what nobody could verify."""
    failed = verify(folder, key=key, engine=engine).failures
    if failed:
        raise InputError("release.not-verified", detail=failed[0].detail)
