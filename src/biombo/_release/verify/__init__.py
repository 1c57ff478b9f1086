"""Whether a release is what it claims to be."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.verify.check import Check
    from biombo._release.verify.recount import plainly_read, recounted
    from biombo._release.verify.verification import Verification, verify

__all__ = [
    "Check",
    "Verification",
    "plainly_read",
    "recounted",
    "verify",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
