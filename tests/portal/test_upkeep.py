"""Copies of a portal, put back elsewhere, and what is found wrong with one."""

import io
import re
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from portal_server import missing_for_portal

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"

pytestmark = pytest.mark.skipif(
    missing_for_portal(browser=False) is not None, reason=str(missing_for_portal(browser=False))
)


def biombo(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


def test_what_is_in_the_code_is_in_the_migrations(site):
    from django.core.management import call_command

    call_command("makemigrations", "portal", check=True, dry_run=True, verbosity=0)


def test_a_copy_put_back_is_the_same_and_sound(site, tmp_path):
    site.cases()
    entry = site.entry()
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"

    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    assert copy.stat().st_mode & 0o077 == 0
    assert biombo("portal", "restore", copy, "--folder", place).returncode == 0
    checked = biombo("portal", "check", "--folder", place)
    assert checked.returncode == 0, checked.stdout + checked.stderr

    vault = place / "releases" / f"{entry.slug}.private"
    assert (vault.resolve() / "release.key").is_file()
    assert vault.resolve().is_relative_to(place)
    vault.unlink()
    checked = biombo("portal", "check", "--folder", place)
    assert (checked.returncode, "private folder" in checked.stdout) == (1, True)

    again = biombo("portal", "restore", copy, "--folder", place)
    assert again.returncode == 2
    assert "is not empty" in again.stderr
    _change_an_event(place)
    broken = biombo("portal", "check", "--folder", place)
    assert broken.returncode == 1
    assert "Request 0" in broken.stdout


def test_released_data_that_are_missing_are_told(site):
    from biombo._portal import faults

    case, entry = site.led_to("available"), site.entry()
    assert list(faults(site.home)) == []
    lost = [Path(case.folder) / "available" / "data.csv", Path(entry.folder) / "data.csv"]
    kept = [path.read_bytes() for path in lost]
    for path in lost:
        path.unlink()
    try:
        found = list(faults(site.home))
    finally:
        for path, content in zip(lost, kept, strict=True):
            path.write_bytes(content)
    assert len(found) == 2
    assert any(str(case) in each for each in found)
    assert any(entry.title in each for each in found)


def test_a_copy_does_not_hold_itself_and_one_that_is_refused_leaves_nothing(site, tmp_path):
    copy, damaged, place = site.home.folder / "copy.tar.gz", tmp_path / "damaged.tar.gz", tmp_path / "elsewhere"
    assert biombo("portal", "backup", copy, "--folder", site.home.folder).returncode == 0
    with tarfile.open(copy) as packed:
        assert [name for name in packed.getnames() if name.endswith((".part", ".tar.gz"))] == []
        with tarfile.open(damaged, "w:gz") as other:
            for name, content in (("portal.json", b"{}"), ("portal.sqlite3", b"SQLite format 3\0" + b"x" * 5000)):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                other.addfile(entry, io.BytesIO(content))
    copy.unlink()

    refused = biombo("portal", "restore", damaged, "--folder", place)

    assert refused.returncode == 2
    assert "no copy of a portal" in refused.stderr
    assert not place.exists()


def _change_an_event(place: Path) -> None:
    for chain in (place / "negotiations").glob("*/events.jsonl"):
        told = chain.read_text()
        changed = re.sub(r'"process": ?1\b', '"process": 2', told, count=1)
        assert changed != told
        chain.write_text(changed)


@pytest.mark.parametrize("content", [b"", b"no archive", b"\x1f\x8b\x08\x00damaged"])
def test_what_is_no_copy_is_refused_in_one_sentence(tmp_path, content):
    (tmp_path / "copy.tar.gz").write_bytes(content)

    ended = biombo("portal", "restore", tmp_path / "copy.tar.gz", "--folder", tmp_path / "there")

    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "is no copy of a portal" in ended.stderr
