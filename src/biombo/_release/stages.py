"""The stages of a publication, for whoever waits."""

from collections.abc import Callable
from typing import Literal

Stage = Literal["protecting", "reading", "comparing", "reporting", "verifying"]
"""In their order: the plan is carried out, what it did not read of the original is read, both are compared, and the
release is written and verified."""

OnStage = Callable[[Stage], object]
"""Called with each stage as it begins."""
