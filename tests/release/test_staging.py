"""Where releases are built, and how they get their names."""

import os
import shutil
import stat
from pathlib import Path

import pytest

import biombo as bb
from biombo._release import places_of, staged

BOTH = {"release", "release.private"}


@pytest.fixture
def places(tmp_path) -> tuple[Path, Path]:
    return places_of(tmp_path / "release", None)


@pytest.fixture
def open_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def build(out: Path, private: Path, content: str = "new") -> None:
    with staged(out, private) as staging:
        (staging.public / "data.csv").write_text(content)
        (staging.private / "trace.vault").write_text(content)


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_both_get_their_names_and_nothing_else_is_left(places, tmp_path) -> None:
    build(*places)

    assert names_in(tmp_path) == BOTH
    assert [names_in(place) for place in places] == [{"data.csv"}, {"trace.vault"}]


def test_nobody_else_can_look_in_while_it_is_built_whatever_the_umask(places, tmp_path, open_umask) -> None:
    with staged(*places):
        assert {mode(path) for path in tmp_path.iterdir()} == {0o700}

    assert [mode(place) for place in places] == [0o777, 0o700]


def test_files_do_not_tell_when_each_of_them_was_made(places) -> None:
    with staged(*places) as staging:
        for number, name in enumerate(["data.csv", "manifest.json"]):
            (staging.public / name).touch()
            os.utime(staging.public / name, (number, number))

    assert len({path.stat().st_mtime_ns for path in (places[0], *places[0].iterdir())}) == 1


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt])
def test_nothing_is_left_after_a_failure(places, tmp_path, failure) -> None:
    with pytest.raises(failure), staged(*places):
        raise failure

    assert names_in(tmp_path) == set()


def test_empty_folders_are_taken(places, tmp_path) -> None:
    for place in places:
        place.mkdir(mode=0o755)
    build(*places)

    assert names_in(tmp_path) == BOTH
    assert mode(places[1]) == 0o700


def test_the_folder_at_hand_can_be_the_release(tmp_path, monkeypatch) -> None:
    (tmp_path / "release").mkdir()
    monkeypatch.chdir(tmp_path / "release")
    build(*places_of(".", None))

    assert names_in(tmp_path) == BOTH


def test_folders_on_the_way_are_made(tmp_path) -> None:
    build(tmp_path / "a" / "b" / "release", tmp_path / "c" / "d" / "private")

    assert names_in(tmp_path / "a" / "b") == {"release"}
    assert names_in(tmp_path / "c" / "d") == {"private"}


def test_both_can_be_on_different_disks(tmp_path) -> None:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is only one disk")
    private = memory / f"biombo-test-{os.getpid()}" / "private"
    try:
        build(tmp_path / "release", private)
        assert names_in(private.parent) == {"private"}
    finally:
        shutil.rmtree(private.parent)


class TestInTheWay:
    def test_a_release_that_appears_meanwhile_is_not_touched_and_ours_leaves_nothing(self, places, tmp_path) -> None:
        out, private = places
        with pytest.raises(bb.UsageError, match="could not be written"), staged(*places):
            (out / "theirs").mkdir(parents=True)

        assert names_in(tmp_path) == {"release"}
        assert names_in(out) == {"theirs"}
        build(tmp_path / "other", private)

    def test_a_private_folder_that_appears_meanwhile_is_not_touched(self, places, tmp_path) -> None:
        private = places[1]
        with pytest.raises(bb.UsageError, match="could not be written"), staged(*places):
            (private / "theirs").mkdir(parents=True)

        assert names_in(tmp_path) == {"release.private"}
        assert names_in(private) == {"theirs"}

    def test_two_releases_do_not_share_a_private_folder_that_is_being_built(self, tmp_path) -> None:
        private = tmp_path / "private"
        with staged(tmp_path / "one", private) as staging:
            (staging.private / "trace.vault").touch()
            with pytest.raises(bb.UsageError, match="at this moment"):
                build(tmp_path / "other", private)

        assert names_in(private) == {"trace.vault"}
        assert names_in(tmp_path) == {"one", "private"}

    @pytest.mark.parametrize("name", [".release.biombo-part", ".release.private.biombo-part"])
    def test_a_link_where_it_is_built_is_not_followed(self, places, tmp_path, name) -> None:
        """Somebody else may have put it there, where all may write."""
        (tmp_path / "home").mkdir(mode=0o755)
        (tmp_path / "home" / "letter").touch()
        (tmp_path / name).symlink_to(tmp_path / "home")
        with pytest.raises(bb.UsageError, match="an earlier run of yours"):
            build(*places)

        assert names_in(tmp_path) == {"home", name}
        assert names_in(tmp_path / "home") == {"letter"}
        assert mode(tmp_path / "home") == 0o755

    @pytest.mark.skipif(os.geteuid() != 0, reason="only root can give folders away")
    def test_nor_is_a_folder_of_somebody_else_used(self, places, tmp_path) -> None:
        theirs = tmp_path / ".release.private.biombo-part"
        theirs.mkdir()
        os.chown(theirs, 12345, 12345)
        with pytest.raises(bb.UsageError, match="an earlier run of yours"):
            build(*places)

        assert names_in(tmp_path) == {theirs.name}

    @pytest.mark.parametrize("place", [0, 1])
    @pytest.mark.parametrize("target", ["empty", "nowhere", "release.private", "release"])
    def test_a_link_is_no_free_place(self, places, tmp_path, place, target) -> None:
        (tmp_path / "empty").mkdir()
        places[place].symlink_to(tmp_path / target)
        with pytest.raises(bb.UsageError):
            build(*places)

        assert names_in(tmp_path) == {"empty", places[place].name}


class TestInsideOfEachOther:
    def check(self, tmp_path: Path, out: Path, private: Path) -> None:
        before = names_in(tmp_path)
        with pytest.raises(bb.UsageError, match="inside of the"):
            build(out, private)
        assert names_in(tmp_path) == before

    def test_the_private_folder_by_a_link_into_the_release(self, tmp_path) -> None:
        (tmp_path / "release").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "release")
        self.check(tmp_path, tmp_path / "release", tmp_path / "link" / "private")

    def test_the_release_by_a_link_into_the_private_folder(self, tmp_path) -> None:
        (tmp_path / "private").mkdir()
        (tmp_path / "link").symlink_to(tmp_path / "private")
        self.check(tmp_path, tmp_path / "link" / "release", tmp_path / "private")

    @pytest.mark.parametrize("private", ["release/../release/private", ".release.biombo-part", "."])
    def test_by_other_ways(self, tmp_path, private) -> None:
        self.check(tmp_path, tmp_path / "release", tmp_path / private)


@pytest.mark.parametrize("parent", ["/proc", "/proc/version", "/dev/null"])
def test_where_nothing_can_be_written_is_said(parent) -> None:
    with pytest.raises(bb.UsageError, match=r"could not be written|cannot be made"):
        build(Path(parent) / "release", Path(parent) / "private")


def test_links_that_lead_to_each_other_are_said(tmp_path) -> None:
    (tmp_path / "one").symlink_to(tmp_path / "other")
    (tmp_path / "other").symlink_to(tmp_path / "one")
    with pytest.raises(bb.UsageError):
        build(tmp_path / "one" / "release", tmp_path / "private")


def test_everything_is_on_the_disk_before_the_name_that_leads_there(people, plan, places, monkeypatch) -> None:
    """So that a power cut leaves what a killed program leaves: no name is there before its content."""
    happened: list[tuple[str, str]] = []
    fsync, rename = os.fsync, os.rename

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        happened.append(("on disk", str(os.fstat(descriptor).st_ino)))

    def noted_rename(source, target, **options) -> None:
        happened.append(("named", str(Path(target).name)))
        rename(source, target, **options)

    monkeypatch.setattr(os, "fsync", noted_fsync)
    monkeypatch.setattr(os, "rename", noted_rename)
    bb.publish(people, plan, places[0])
    out, private = places

    def first(event: tuple[str, str]) -> int:
        return happened.index(event)

    def on_disk(path: Path) -> list[int]:
        return [place for place, event in enumerate(happened) if event == ("on disk", str(path.stat().st_ino))]

    for folder in (private, out):
        named = first(("named", folder.name))
        assert all(on_disk(path)[0] < on_disk(folder)[0] < named for path in folder.iterdir())
    between = range(first(("named", private.name)), first(("named", out.name)))
    assert any(place in between for place in on_disk(out.parent))
    assert on_disk(out.parent)[-1] > first(("named", out.name))


@pytest.mark.parametrize(
    "name", ["a*b [1]", "a?b", "ção", "two\nlines", os.fsdecode(b"of another encoding \xff"), "a{b}"]
)
def test_a_release_can_have_any_name(people, tmp_path, name) -> None:
    plan = bb.Plan([], sensitive=["disease"])
    release = bb.publish(people, plan, tmp_path / name, unprotected="a test")

    assert bb.verify(release.out, key=release.private / "public.key").holds
    assert bb.trace(release.out, release.data["trace_id"][0], source=people, reason="test")
    assert names_in(tmp_path) == {name, f"{name}.private"}


@pytest.mark.parametrize("call", ["os.mkdir", "os.open", "fcntl.flock"])
def test_whoever_is_interrupted_before_anything_is_built_leaves_nothing(places, tmp_path, monkeypatch, call) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(call, interrupted)
    with pytest.raises(KeyboardInterrupt):
        build(*places)
    monkeypatch.undo()

    assert names_in(tmp_path) == set()
