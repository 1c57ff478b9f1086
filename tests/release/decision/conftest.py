from collections.abc import Callable
from typing import Any

import pytest

from biombo import ControlledRelease, DataBreach, DeliberateInsider, InadvertentRecognition


@pytest.fixture
def controlled() -> Callable[..., ControlledRelease]:
    """A controlled release in which only the insider counts, unless a test says otherwise."""

    def make(motivation: Any = "medium", level: Any = "medium", **entries: Any) -> ControlledRelease:
        usual = {
            "harm": "medium",
            "controls_counted": True,
            "insider": DeliberateInsider(motivation, level),
            "recognition": InadvertentRecognition(acquaintances=0, prevalence=0.0),
            "breach": DataBreach(0.0),
        }
        return ControlledRelease(**usual | entries)

    return make
