"""What ``biombo publish`` and ``biombo verify`` print for people."""

from collections.abc import Iterator

from rich.console import Console

from biombo._cli.apply_views import applied_lines
from biombo._cli.console import plain
from biombo._i18n import text
from biombo._release import PUBLIC_KEY, Check, Release, Verification

_SIGNS = {True: "✓", False: "✗", None: "·"}


def print_release(release: Release, console: Console) -> None:
    """What came out, how it stands to the criteria, and where everything is."""
    for line in _lines(release):
        console.print(plain(line), soft_wrap=True)


def print_verification(found: Verification, console: Console) -> None:
    """Each claim, and whether it holds."""
    for check in found.checks:
        console.print(plain(_line(check)), soft_wrap=True)


def _line(check: Check) -> str:
    return f"{_SIGNS[check.holds]} {check.detail}"


def _lines(release: Release) -> Iterator[str]:
    yield from applied_lines(release.applied)
    if release.protection.kind != "criteria":
        yield text(f"release.{release.protection.kind}", reason=release.protection.reason)
    yield from _columns(release)
    if release.decision is not None:
        yield from release.decision.sentences()
    yield text("release.published", out=release.out, released=release.applied.rows)
    yield text("release.private", private=release.private)
    yield text("release.signed", signer=release.manifest.public_key.id, path=release.private / PUBLIC_KEY)


def _columns(release: Release) -> Iterator[str]:
    """Which columns go out, and how, and which do not."""
    untouched = release.measured.untouched
    listed = {
        "out": release.measured.released.columns,
        "untouched": untouched.columns,
        "constant": untouched.constant,
        "back": [name for name in release.kept_back if name not in release.unspoken],
    }
    for key, columns in listed.items():
        if columns:
            yield text(f"release.columns-{key}", columns=", ".join(columns))
    for column, reason in release.measured.accepted.items():
        yield text("release.accepted", column=column, reason=reason)
