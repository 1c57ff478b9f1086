"""One watch for progress, stages, warnings and stopping, for each thread its own."""

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from threading import Barrier, Event, Thread
from time import sleep

import polars as pl
import pytest

import biombo as bb
from biombo._watch import advance, advance_share, begin, instead, remark, tell_noise, unwarned, warn

PLAN = bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=["city"], sensitive=["disease"])


class Heard:
    """Everything that a watch hears, in its order."""

    def __init__(self) -> None:
        self.events: list[tuple[object, ...]] = []
        self.watch = bb.Watch(
            progress=lambda done, total: self.events.append(("progress", done, total)),
            stage=lambda stage: self.events.append(("stage", stage)),
            warning=lambda sentence: self.events.append(("warning", sentence)),
            remark=lambda sentence: self.events.append(("remark", sentence)),
        )

    def of(self, kind: str) -> list[object]:
        return [event[1] for event in self.events if event[0] == kind]


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_the_work_tells_who_watches(heard):
    with heard.watch:
        begin("reading")
        advance(10, 20)
        advance_share(0.5)
        warn("beware")
        remark("by the way")

    assert heard.events == [
        ("stage", "reading"),
        ("progress", 10, 20),
        ("progress", 0.5, 1.0),
        ("warning", "beware"),
        ("remark", "by the way"),
    ]


def test_nobody_hears_what_is_said_outside(heard):
    with heard.watch:
        pass
    begin("reading")
    advance(1)
    remark("by the way")

    assert heard.events == []


def test_a_warning_that_nobody_hears_is_one_of_pythons_and_names_the_caller():
    with pytest.warns(bb.BiomboWarning, match="has a different value in each of its 2 rows") as caught:
        bb.risk(bb.read(pl.DataFrame({"id": ["1", "2"], "age": ["3", "3"]})), ["id", "age"])

    assert {warning.filename for warning in caught} == {__file__}


def test_what_the_inner_watch_does_not_listen_to_goes_to_the_outer(heard):
    inner = []
    with heard.watch, bb.Watch(stage=inner.append):
        begin("reading")
        warn("beware")

    assert inner == ["reading"]
    assert heard.events == [("warning", "beware")]


def test_who_hears_may_speak_to_those_outside(heard):
    with heard.watch, bb.Watch(warning=lambda sentence: warn(f"({sentence})")):
        warn("beware")

    assert heard.of("warning") == ["(beware)"]


def test_warnings_can_be_kept_back(heard):
    with heard.watch, unwarned():
        warn("beware")
        begin("reading")

    assert heard.events == [("stage", "reading")]


def test_an_argument_hears_instead_of_the_watch(heard):
    rows = []
    with heard.watch:
        bb.read(bb.samples.clinic(), progress=lambda done, total: rows.append((done, total)))

    assert rows == [(12, 12)]
    assert heard.of("progress") == []


def test_noise_is_told_before_it_is_drawn(heard, tmp_path):
    noise = bb.Plan([bb.RandomisedResponse("disease", epsilon=1)], quasi=["city"])
    told = []
    domain = {"disease": sorted(set(bb.samples.clinic()["disease"]))}
    schema = bb.Schema.from_tree({"columns": {name: {"role": "sensitive", "domain": domain[name]} for name in domain}})
    with heard.watch:
        bb.apply(bb.samples.clinic(), noise, schema=schema)
        bb.apply(bb.samples.clinic(), noise, schema=schema, before_noise=told.append)
        with bb.Watch(noise=told.append):
            bb.apply(bb.samples.clinic(), noise, schema=schema)

    assert [type(privacy) for privacy in told] == [bb.Privacy, bb.Privacy]
    assert heard.of("remark") == list(told[0].sentences())


def test_nothing_is_told_after_it_was_stopped(heard):
    heard.watch.cancel()
    with heard.watch:
        for say in (begin, lambda _: advance(1), tell_noise, instead(None, begin), instead(print, begin)):
            with pytest.raises(bb.CancelledError, match="cancelled; nothing half-written is left behind"):
                say("reading")

    assert heard.events == []


def test_the_outer_watch_stops_the_work_of_the_inner(heard):
    heard.watch.cancel()
    with heard.watch, bb.Watch(), pytest.raises(bb.CancelledError):
        bb.read(bb.samples.clinic())


STAGES = ["protecting", "reading", "measuring", "comparing", "reporting", "verifying"]


@pytest.mark.parametrize("stage", STAGES)
def test_a_publication_that_is_stopped_leaves_nothing_behind(tmp_path, stage):
    out = tmp_path / "release"
    watch = bb.Watch(stage=lambda begun: watch.cancel() if begun == stage else None)
    with watch, pytest.raises(bb.CancelledError):
        bb.publish(bb.samples.clinic(), PLAN, out)

    assert list(tmp_path.iterdir()) == []


def test_another_thread_stops_a_publication(tmp_path):
    """The table never ends by itself."""
    endless, watch, ended = EndlessRows(), bb.Watch(), []

    def publish() -> None:
        try:
            with watch:
                bb.publish(endless, PLAN, tmp_path / "release")
        except bb.CancelledError as error:
            ended.append(error)

    worker = Thread(target=publish)
    worker.start()
    endless.begun.wait(30)
    watch.cancel()
    worker.join(30)

    assert not worker.is_alive()
    assert len(ended) == 1
    assert list(tmp_path.iterdir()) == []


def in_threads(*works: Callable[[], None]) -> None:
    failures = []

    def kept(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=kept, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failures == []


def test_two_threads_hear_only_their_own(tmp_path):
    both, meeting = [Heard(), Heard()], Barrier(2, timeout=30)

    def publish(place: int) -> Callable[[], None]:
        name, heard = f"column{place}", both[place]
        table = bb.samples.clinic().with_columns(pl.Series(name, [1, "x"] * 6, dtype=pl.Object))
        data = table.drop(name).with_columns(pl.lit(str(place)).alias(name))

        def work() -> None:
            with heard.watch:
                meeting.wait()
                bb.read(table, columns=[name])
                bb.publish(data, PLAN, tmp_path / f"release{place}")
                warn(f"done with {name}")
                meeting.wait()

        return work

    in_threads(publish(0), publish(1))

    for place, heard in enumerate(both):
        assert heard.of("stage") == STAGES
        assert {str(place) in str(sentence) for sentence in heard.of("warning")} == {True}
        assert len(heard.of("warning")) == 2
        assert heard.of("progress")


def modes(folder: Path) -> set[int]:
    return {path.stat().st_mode & 0o777 for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("mask", [0o022, 0o027, 0o077])
def test_files_have_their_modes_whoever_else_writes(tmp_path, mask):
    """Folders and files for all are as the umask has them, private ones for their owner; the umask stays the same."""
    before = os.umask(mask)
    try:
        names = [f"release{place}" for place in range(2)]
        in_threads(*(lambda name=name: bb.publish(bb.samples.clinic(), PLAN, tmp_path / name) for name in names))
        after = os.umask(mask)
    finally:
        os.umask(before)

    assert after == mask
    for name in names:
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o777 & ~mask
        assert modes(tmp_path / name) == {0o666 & ~mask}
        assert (tmp_path / f"{name}.private").stat().st_mode & 0o777 == 0o700
        assert modes(tmp_path / f"{name}.private") == {0o600}


def test_python_warnings_are_left_as_they_are(tmp_path):
    filters = list(warnings.filters)
    with bb.Watch(warning=print):
        bb.publish(bb.samples.clinic(), PLAN, tmp_path / "release")

    assert warnings.filters == filters


class EndlessRows:
    """A table that has always more rows."""

    def __init__(self) -> None:
        self.begun = Event()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        import pyarrow as pa

        schema = pa.schema({"city": pa.string(), "disease": pa.string()})
        rows = pa.RecordBatch.from_pylist([{"city": "a", "disease": "flu"}] * 10, schema)

        def forever():
            while True:
                yield rows
                self.begun.set()
                sleep(0.01)

        return pa.RecordBatchReader.from_batches(schema, forever()).__arrow_c_stream__(requested_schema)
