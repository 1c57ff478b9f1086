"""The files that docs/contributing and docs/architecture.md name are there."""

import re
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
PAGES = ("contributing/README.md", "architecture.md")
PLACES = (REPOSITORY, REPOSITORY / "src" / "biombo", REPOSITORY / "src")


def paths(page: str) -> set[str]:
    """What stands in backquotes and looks like a path; names to fill in stand for any."""
    quoted = re.findall(r"`([^`\s]+)`", (REPOSITORY / "docs" / page).read_text("utf-8"))
    named = [each for each in quoted if "/" in each]
    return {re.sub("NAME|COMMAND", "*", each).replace("version_N", "version_*") for each in named}


@pytest.mark.parametrize("page", PAGES)
def test_every_path_is_there(page):
    assert len(paths(page)) > 15
    assert not [path for path in sorted(paths(page)) if not any(list(place.glob(path)) for place in PLACES)]
