"""Every operation has what a person needs to choose it: formula, rows by hand, code that runs, what leaks, and when."""

import re
from pathlib import Path

import pytest
from operation_examples import EXAMPLES

PAGE = (Path(__file__).parents[2] / "docs" / "techniques.md").read_text("utf-8")
SECTIONS = {
    name: part
    for part in re.split(r"^(?=##)", PAGE, flags=re.MULTILINE)
    if part.startswith("### ")
    for name in re.findall(r"`([a-z-]+)`", part.splitlines()[0])
}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_a_technique_is_told_whole(name: str) -> None:
    told = SECTIONS[name].lower()

    assert not [part for part in ("formula: ", ">>>", "by hand", "**what it leaks.**", "**when.**") if part not in told]
