"""The register of releases."""

from biombo._release.register.entry import AccessMethod, RegisterEntry
from biombo._release.register.register import Register
from biombo._release.register.registered import RegisteredRelease, RegisterEvent, ReleaseStatus

__all__ = [
    "AccessMethod",
    "Register",
    "RegisterEntry",
    "RegisterEvent",
    "RegisteredRelease",
    "ReleaseStatus",
]
