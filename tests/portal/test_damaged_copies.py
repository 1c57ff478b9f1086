"""Copies that were damaged, stopped half-way, or are older than what was answered since: none is taken for sound."""

import io
import json
import random
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

import pytest
from portal_server import missing_for_portal
from portal_site import Site

pytestmark = pytest.mark.skipif(
    missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))
)

FLIPPED = """
import json, sys
from pathlib import Path
from biombo import BiomboError
from biombo._portal import restore
copy, there, place = map(Path, sys.argv[1:4])
whole, told = copy.read_bytes(), []
for at, bit in json.loads(sys.argv[4]):
    damaged = bytearray(whole)
    damaged[at] ^= 1 << bit
    there.write_bytes(damaged)
    try:
        restore(there, place)
        told.append("taken")
        break
    except BiomboError as error:
        told.append([str(error), list(place.iterdir())])
print(json.dumps(told))
"""


def biombo(*arguments: object) -> subprocess.CompletedProcess[str]:
    program = "import sys; from biombo._cli import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "portal", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def python(program: str, *arguments: object) -> Any:
    command = [sys.executable, "-c", program, *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture
def copy(site: Site, tmp_path: Path) -> Path:
    from biombo._portal import back_up

    back_up(site.home, tmp_path / "copy.tar.gz")
    return tmp_path / "copy.tar.gz"


def test_a_copy_of_which_one_bit_is_another_is_refused_and_leaves_nothing(copy: Path, tmp_path: Path) -> None:
    whole, drawn, place = copy.read_bytes(), random.Random(7), tmp_path / "place"
    place.mkdir()
    ends = [(len(whole) - each, 3) for each in range(1, 9)]  # what it should sum up to, and how long it should be
    flips = [*ends, *((drawn.randrange(64, len(whole) - 9), drawn.randrange(8)) for _ in range(60))]

    told = python(FLIPPED, copy, tmp_path / "damaged.tar.gz", place, json.dumps(flips))

    sentence = f"{tmp_path / 'damaged.tar.gz'} is no copy of a portal, or it is damaged."
    assert told == [[sentence, []]] * len(flips)


def packed(copy: Path, other: Path, change: Any) -> Path:
    """The same members, some of them changed or left out: whole by all that the archive itself says."""
    with tarfile.open(copy) as whole, tarfile.open(other, "w:gz") as made:
        for member in whole:
            content = whole.extractfile(member)
            assert content is not None
            told = change(member.name, content.read())
            if told is not None:
                member.size = len(told)
                made.addfile(member, io.BytesIO(told))
    return other


@pytest.mark.parametrize("what", ["changed", "lacking"])
def test_a_copy_with_a_file_that_is_not_what_was_copied_is_refused(copy: Path, tmp_path: Path, what: str) -> None:
    def change(name: str, content: bytes) -> bytes | None:
        if not name.endswith("events.jsonl"):
            return content
        return content[:200] + b"\xff" + content[201:] if what == "changed" else None

    other, place = packed(copy, tmp_path / "other.tar.gz", change), tmp_path / "place"
    refused = biombo("restore", other, "--folder", place, "--lang", "en")
    assert (refused.returncode, refused.stderr.count("\n"), place.exists()) == (2, 1, False), refused.stderr
    assert "is no copy of a portal, or it is damaged" in refused.stderr
