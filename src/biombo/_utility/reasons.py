"""Why a number is missing."""

from typing import Literal

from biombo._i18n import text

Reason = Literal[
    "no-plan",
    "no-quasi",
    "more-records",
    "other-detail",
    "other-plan",
    "not-ordered",
    "not-numbers",
    "nothing-released",
    "nothing-told",
    "drawn",
    "other-release",
]


def worded(reason: Reason) -> str:
    """The reason in the language in use."""
    return text(f"utility.reason.{reason}")
