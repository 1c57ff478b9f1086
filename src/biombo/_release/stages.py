"""The stages of a publication, for whoever waits."""

from collections.abc import Callable
from typing import Literal

Stage = Literal["protecting", "reading", "measuring", "comparing", "reporting", "verifying"]
"""In their order: the plan is carried out, what it did not read of the original is read, what goes out as it is is
measured, both are compared, and the release is written and verified."""

OnStage = Callable[[Stage], object]
"""Called with each stage as it begins."""
