"""Which register is meant."""

import os

VARIABLE = "BIOMBO_REGISTER"
"""The environment variable that names the register where no option does."""


def register_address(typed: str | None) -> str | None:
    """What is typed, or else what the environment names; an empty text means none."""
    return (os.environ.get(VARIABLE) if typed is None else typed) or None
