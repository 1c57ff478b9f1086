"""The register of releases."""

from biombo._release.register.entry import AccessMethod, RegisterEntry
from biombo._release.register.history import RegisteredRelease, RegisterEvent, ReleaseStatus
from biombo._release.register.register import Register

__all__ = [
    "AccessMethod",
    "Register",
    "RegisterEntry",
    "RegisterEvent",
    "RegisteredRelease",
    "ReleaseStatus",
]
