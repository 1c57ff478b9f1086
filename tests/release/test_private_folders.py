"""A private folder whose release was ever whole is never touched; one whose release never was is in nobody's way."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from killing import Killed, killed

import biombo as bb
from biombo._release import staged

OUTS, PRIVATES = ("release", "other"), ("release.private", "private")
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
RANDOM = re.compile(r"[0-9a-f]{8,}(-[0-9a-f]{8,})?")
NEVER = 1_000_000
"""Changes to the disk that no run makes."""


@dataclass
class World:
    """A folder in which runs come and go, and what became of each release."""

    folder: Path
    whole: set[str] = field(default_factory=set)
    """The vaults of all releases that ever had their name."""
    runs: Iterator[int] = field(default_factory=count)

    def run(self, out: str, private: str, die_before: int = NEVER) -> str:
        """How it ended: done, refused or killed."""
        vault, ending = f"the vault of run {next(self.runs)}", "done"
        try:
            with killed(self.folder, die_before), staged(self.folder / out, self.folder / private) as staging:
                (staging.public / "data.csv").write_text(vault)
                (staging.private / "trace.vault").write_text(vault)
        except Killed:
            ending = "killed"
        except bb.UsageError:
            ending = "refused"
        if self.content(out, "data.csv") == vault:
            self.whole.add(vault)
        self.check()
        return ending

    @property
    def state(self) -> str:
        """All that a later run can find, whatever it was called at random: from there on everything goes the same."""
        paths = sorted(self.folder.rglob("*"))
        found = [(str(each), each.stat().st_mode, each.is_file() and each.read_bytes()) for each in paths]
        numbers: dict[str, int] = {}
        return RANDOM.sub(lambda name: f"#{numbers.setdefault(name[0], len(numbers))}", f"{found} {sorted(self.whole)}")

    def keep(self, name: str) -> None:
        """Nothing happens."""

    def move(self, name: str) -> None:
        if (self.folder / name).exists():
            (self.folder / name).rename(self.folder / f"moved-{next(self.runs)}")

    def remove(self, name: str) -> None:
        shutil.rmtree(self.folder / name, ignore_errors=True)

    def content(self, folder: str, file: str) -> str | None:
        path = self.folder / folder / file
        return path.read_text() if path.is_file() else None

    def check(self) -> None:
        there = {path.read_text() for path in self.folder.glob("[!.]*/trace.vault")}
        assert self.whole <= there

    def check_nothing_is_in_the_way(self) -> None:
        """But the private parts of releases: whatever else is there is swept away by whoever wants its place."""
        for private in PRIVATES:
            kept = self.content(private, "trace.vault") in self.whole
            assert self.run(f"at-last-{private}", private) == ("refused" if kept else "done")
        for out in OUTS:
            self.move(out)
            assert self.run(out, f"{out}-at-last") == "done"
        left = {path.name: list(path.iterdir()) for path in self.folder.glob(".*")}
        assert left.keys() <= {f".{private}.biombo-part" for private in PRIVATES}  # of runs killed when all was done
        assert not any(left.values())


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory, because each run waits for the disk many times."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.mark.parametrize("do", ["keep", "move", "remove"])
@pytest.mark.parametrize("second_private", PRIVATES)
def test_killed_before_each_change_and_the_next_before_each_of_its_changes(folder, do, second_private) -> None:
    """For the same release, which is kept, moved or removed in between. What leaves the disk as something before it did
    is not tried again.
    """
    begun, ended = set(), set()
    for first in count():
        for second in count():
            world = World(folder / "world")
            world.folder.mkdir()
            ending = world.run("release", "release.private", first)
            if (second == 0 and world.state in begun) or (do != "keep" and not world.whole):
                break  # there is nothing new, or no release to move or remove
            begun.add(world.state)
            getattr(world, do)("release")
            second_ending = world.run("release", second_private, second)
            if world.state not in ended:
                ended.add(world.state)
                world.check_nothing_is_in_the_way()
            shutil.rmtree(world.folder)
            if second_ending != "killed":
                break
        shutil.rmtree(folder / "world", ignore_errors=True)
        if ending == "done":
            break

    assert first > 20


runs = st.tuples(st.just("run"), st.sampled_from(OUTS), st.sampled_from(PRIVATES), st.integers(0, 40))
deeds = st.tuples(st.sampled_from(["move", "remove"]), st.sampled_from(OUTS))


@examples(100)
@given(story=st.lists(runs | deeds, min_size=2, max_size=8))
def test_whatever_happens_in_whatever_order(story) -> None:
    """Runs for two releases and two private folders in any combination, each of them killed anywhere or not at all."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        world = World(Path(folder))
        for deed, *arguments in story:
            getattr(world, deed)(*arguments)
        world.check_nothing_is_in_the_way()


def killed_between_the_names(folder: Path) -> World:
    """The private part has its name, and the release has not."""
    for step in count():
        world = World(folder)
        world.run("release", "private", step)
        assert not world.whole
        if (folder / "private").exists():
            return world
    raise AssertionError


def test_the_whole_place_may_be_moved_after_a_run_was_killed(folder) -> None:
    (folder / "before").mkdir()
    killed_between_the_names(folder / "before")
    (folder / "before").rename(folder / "after")

    assert World(folder / "after").run("release", "private") == "done"


def test_a_private_part_that_never_had_a_release_says_so_once_its_other_half_is_gone(folder) -> None:
    world = killed_between_the_names(folder)

    assert world.content("private", "never-published") is None
    assert world.run("release", "elsewhere") == "done"
    assert world.content("private", "never-published") is not None
    assert world.run("other", "private") == "done"
    assert world.content("private", "never-published") is None


@pytest.mark.parametrize("mark", ["", "/", ".", "\0", "..", "{folder}", "{folder}/.release.biombo-part", "\udcff"])
def test_a_mark_that_tells_nothing_proves_nothing(folder, mark) -> None:
    private = folder / "private"
    for place in (private, folder / ".release.biombo-part"):
        place.mkdir()
    (private / "unfinished").write_bytes(os.fsencode(mark.replace("{folder}", str(folder))))
    (private / "trace.vault").write_text("precious")
    with (
        pytest.raises(bb.UsageError, match=r"private is from a run that was killed .* remove it if you are sure"),
        staged(folder / "release", private),
    ):
        pass

    assert (private / "trace.vault").read_text() == "precious"
