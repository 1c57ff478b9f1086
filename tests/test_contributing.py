"""What docs/contributing tells people to touch is there."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
PAGE = REPOSITORY / "docs" / "contributing" / "README.md"
PLACES = (REPOSITORY, REPOSITORY / "src" / "biombo", REPOSITORY / "src")


def paths() -> set[str]:
    """What stands in backquotes and looks like a path; names to fill in stand for any."""
    quoted = re.findall(r"`([^`\s]+)`", PAGE.read_text("utf-8"))
    named = [each for each in quoted if "/" in each]
    return {re.sub("NAME|COMMAND", "*", each).replace("version_N", "version_*") for each in named}


def test_every_path_is_there():
    assert len(paths()) > 15
    assert not [path for path in sorted(paths()) if not any(list(place.glob(path)) for place in PLACES)]
