"""What publishing will take, told before."""

import shutil
from pathlib import Path

import polars as pl
import pytest

import biombo as bb
from biombo._i18n import set_language

MIB = 1 << 20


def estimate(**changed: float) -> bb.PublishEstimate:
    known = {"rows": 10, "columns": 2, "seconds": 5, "memory": MIB, "public_disk": MIB, "private_disk": MIB}
    return bb.PublishEstimate(**{**known, **changed})


def test_a_larger_table_takes_more() -> None:
    small, large = (bb.estimate_publishing(pl.DataFrame({"a": range(rows)})) for rows in (10, 100_000))

    for name in ("seconds", "memory", "public_disk", "private_disk"):
        assert getattr(small, name) < getattr(large, name)


def test_it_is_not_far_from_what_a_release_takes_on_disk(people, plan, tmp_path) -> None:
    large = pl.concat([people] * 40)
    seem_to_tell = dict.fromkeys(["disease", "visits"], "each person is in the table forty times")
    release = bb.publish(large, plan, tmp_path / "release", other=["visits"], accept=seem_to_tell)
    expected = bb.estimate_publishing(large)

    for folder, needed in ((release.out, expected.public_disk), (release.private, expected.private_disk)):
        assert needed / 10 < sum(path.stat().st_size for path in folder.iterdir()) < needed


@pytest.mark.parametrize(
    ("seconds", "memory", "told"),
    [(4.2, 351 * MIB, "4 s, 350 MiB"), (91, 1536 * MIB, "2 min, 1.5 GiB"), (7300, MIB, "2 h, 1 MiB")],
)
def test_it_is_told_in_round_numbers(seconds, memory, told) -> None:
    assert told in str(estimate(seconds=seconds, memory=memory))


def test_it_is_told_in_portuguese() -> None:
    set_language("pt")

    assert "publicar leva em torno de 5 s, 1,5 GiB de memória" in str(estimate(memory=1536 * MIB))


@pytest.mark.parametrize(("disk", "place"), [("public_disk", "release"), ("private_disk", "home")])
def test_a_disk_that_is_too_small_is_named(tmp_path, disk, place) -> None:
    out, private = tmp_path / "new" / "release", _elsewhere(tmp_path) / "home"
    with pytest.raises(bb.UsageError, match=place):
        estimate(**{disk: 1 << 60}).refuse_full_disk(out, private)


def test_folders_on_one_disk_need_their_room_together(tmp_path) -> None:
    free = _free(tmp_path)
    estimate(public_disk=free, private_disk=free // 2).refuse_full_disk(tmp_path / "a", tmp_path / "b")
    with pytest.raises(bb.UsageError, match="too little room"):
        estimate(public_disk=2 * free, private_disk=2 * free).refuse_full_disk(tmp_path / "a", tmp_path / "b")


def _free(folder: Path) -> int:
    return shutil.disk_usage(folder).free


def _elsewhere(folder: Path) -> Path:
    """A folder on another disk; skips where there is none."""
    other = Path("/dev/shm")
    if not other.is_dir() or other.stat().st_dev == folder.stat().st_dev:
        pytest.skip("there is only one disk")
    return other
