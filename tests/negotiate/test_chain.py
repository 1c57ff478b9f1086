"""A chain names the event that was changed, dropped or put elsewhere, and keeps that once content is forgotten."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from negotiations import ANA, FABIO, RITA, begun, led_to, table

import biombo as bb
from biombo._negotiate import excerpt, faults_of, read_chain


@pytest.fixture
def talk(tmp_path) -> bb.Negotiation:
    talk = led_to(tmp_path, "applying")
    talk.act(RITA, bb.Message("Is that enough?"))
    return talk


def numbers(events) -> list[int]:
    return [fault.number for fault in faults_of(events)]


def test_a_chain_as_it_was_recorded_is_whole(talk):
    assert talk.verify() == []
    assert faults_of(read_chain(talk.folder)) == []
    assert [event.number for event in talk.events] == [*range(1, len(talk.events) + 1)]


def test_a_changed_event_is_named(talk):
    events = list(talk.events)
    events[-1] = replace(events[-1], fact=bb.Message("That is enough."))

    assert numbers(events) == [len(events)]


def test_who_acted_is_part_of_it(talk):
    events = list(talk.events)
    events[-1] = replace(events[-1], actor=bb.Actor("requester", "Somebody Else"))

    assert numbers(events) == [len(events)]


@pytest.mark.parametrize("place", [0, 2, 4])
def test_a_dropped_event_is_named(talk, place):
    events = list(talk.events)
    del events[place]

    assert numbers(events)[0] == place + 1


def test_events_that_changed_places_are_named(talk):
    events = list(talk.events)
    events[2], events[3] = events[3], events[2]

    assert numbers(events)[:2] == [3, 4]


def test_a_time_that_was_changed_breaks_the_link(talk):
    events = list(talk.events)
    events[1] = replace(events[1], at=events[0].at)

    assert numbers(events) == [3]


def test_events_taken_from_the_end_are_seen_by_a_hash_that_was_noted(talk):
    head, cut = talk.head, list(talk.events)[:-1]

    assert faults_of(cut) == []
    assert [fault.number for fault in faults_of(cut, head=head)] == [len(cut) + 1]


def test_any_change_of_a_line_is_seen(talk, tmp_path):
    lines = (talk.folder / "events.jsonl").read_text().splitlines()
    for place, line in enumerate(lines):
        tree = json.loads(line)
        for entry in tree:
            if entry == "fact":
                continue
            changed = tree | {entry: _other(tree[entry])}
            file = tmp_path / "changed.jsonl"
            file.write_text("\n".join([*lines[:place], json.dumps(changed), *lines[place + 1 :], ""]))
            with suppress(bb.InputError):  # it may be no event any more
                # What stands in the last event alone is told by the hash that somebody has noted.
                assert faults_of(read_chain(file), head=talk.head), (place, entry)


def _other(value):
    if isinstance(value, int):
        return value + 1
    last = "1" if value[-1] != "1" else "2"
    return value[:-1] + last


def test_the_requester_gets_the_whole_chain_without_what_is_not_for_them(talk, tmp_path):
    talk.excerpt(tmp_path / "mine.jsonl")
    mine = read_chain(tmp_path / "mine.jsonl")

    assert faults_of(mine, head=talk.head) == []
    assert {event.number for event in mine if event.fact is None} == {
        event.number for event in talk.events if event.role != "requester" and not event.fact.seen_by_requester
    }
    assert "offered" not in (tmp_path / "mine.jsonl").read_text()
    assert all(event.salt is None for event in excerpt(talk.events) if event.fact is None)


def test_what_is_forgotten_leaves_the_chain_whole(talk):
    number, head = talk.events[-1].number, talk.head
    talk.act(FABIO, bb.Erase((number,), "the person asked for it"))

    assert talk.verify(head=head) == []
    assert "Is that enough?" not in (talk.folder / "events.jsonl").read_text()
    assert talk.events[number - 1].fact is None
    assert bb.Negotiation.load(talk.folder, talk.source.table).state == talk.state


def test_what_the_agreement_depends_on_cannot_be_forgotten_yet(talk):
    with pytest.raises(bb.UsageError, match="once the negotiation is over"):
        talk.act(FABIO, bb.Erase((1,), "the person asked for it"))


def test_everything_can_be_forgotten_once_it_is_over(tmp_path):
    talk = begun(tmp_path)
    talk.act(RITA, bb.Withdraw("no longer needed"))
    talk.act(FABIO, bb.Erase((1,), "the person asked for it"))

    assert "123.456.789-09" not in (talk.folder / "events.jsonl").read_text()
    assert talk.verify() == []


def test_what_may_be_forgotten_is_told_beforehand(tmp_path, talk):
    assert [talk.events[number - 1].fact.name for number in talk.record.erasable] == ["message"]
    over = begun(tmp_path / "over")
    over.act(RITA, bb.Message("call me"))
    over.act(RITA, bb.Withdraw("no longer needed"))
    assert over.record.erasable == (1, 2, 3)
    over.act(FABIO, bb.Erase(over.record.erasable, "the person asked for it"))
    assert over.record.erasable == ()
    assert over.verify() == []


def test_how_it_ended_is_never_forgotten(tmp_path):
    talk = begun(tmp_path)
    talk.act(RITA, bb.Withdraw("no longer needed"))

    with pytest.raises(bb.UsageError, match="says how the negotiation ended"):
        talk.act(FABIO, bb.Erase((2,), "the person asked for it"))


def test_what_was_emptied_without_being_erased_is_named(talk):
    file = talk.folder / "events.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for entry in ("salt", "actor", "fact"):
        del lines[-1][entry]
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))

    assert [fault.number for fault in talk.verify()] == [len(lines)]


def test_nothing_is_done_on_a_chain_that_was_changed(talk):
    file = talk.folder / "events.jsonl"
    file.write_text(file.read_text().replace('"k": 3', '"k": 2'))

    with pytest.raises(bb.InputError, match="chain of events is broken"):
        bb.Negotiation.load(talk.folder, talk.source.table).act(ANA, bb.CarryOut())


def test_a_program_that_was_stopped_between_an_act_and_what_follows_goes_on(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    file, state = talk.folder / "events.jsonl", talk.state
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:3]))  # asked, prepared, told so

    again = bb.Negotiation.load(talk.folder, talk.source.table)
    assert again.state.name == "manipulations"
    assert again.state.records == state.records


def test_replay_gives_the_same_state(talk):
    again = bb.Negotiation.load(talk.folder, talk.source.table)

    assert again.state == talk.state
    assert again.head == talk.head


def test_a_file_that_is_cut_in_the_middle_is_told_and_nothing_is_lost(talk):
    file = talk.folder / "events.jsonl"
    before, events = file.read_bytes(), talk.events
    file.write_bytes(before + before.splitlines()[-1][:40])

    with pytest.raises(bb.InputError, match=f"the {len(events)} events before it are whole"):
        read_chain(talk.folder)
    with pytest.warns(bb.BiomboWarning, match="set apart"):
        again = bb.Negotiation.load(talk.folder, talk.source.table)
    assert again.state == talk.state
    with pytest.warns(bb.BiomboWarning):
        again.act(ANA, bb.Message("We go on."))
    assert (talk.folder / "events.torn").read_bytes() == before.splitlines()[-1][:40] + b"\n"
    assert again.verify() == []


def test_a_line_that_is_no_event_is_named(talk):
    file = talk.folder / "events.jsonl"
    file.write_text("\n".join([*file.read_text().splitlines()[:2], "{}", ""]))

    with pytest.raises(bb.InputError, match="Line 3 is not an event"):
        read_chain(talk.folder)


def test_two_at_once_one_wins_and_the_other_is_told(talk):
    other = bb.Negotiation.load(talk.folder, talk.source.table)
    talk.act(ANA, bb.CarryOut())

    with pytest.raises(bb.UsageError, match="acted meanwhile"):
        other.act(ANA, bb.Decline("no"))
    assert other.state == talk.state  # and has looked again


@pytest.mark.parametrize("changed", [{"votes": 0}, {"precision": 2}, {"measurements": 3000}])
def test_changed_settings_are_seen_and_nothing_is_done_on_them(tmp_path, changed):
    talk = led_to(tmp_path, "report", votes=2)
    file = talk.folder / "negotiation.json"
    told = json.loads(file.read_text())
    told["agency"] |= changed
    file.write_text(json.dumps(told))
    again = bb.Negotiation.load(talk.folder, table())

    assert [fault.number for fault in again.verify()] == [1]
    with pytest.raises(bb.InputError, match=r"negotiation\.json is not what"):
        again.act(ANA, bb.WriteReport("Surveillance"))


@pytest.mark.parametrize("ended", [bb.Withdraw("no longer needed"), bb.Revoke("a mistake")])
def test_whoever_asked_can_be_forgotten_to_the_last_trace(tmp_path, ended):
    talk = led_to(tmp_path, "available" if isinstance(ended, bb.Revoke) else "ready")
    talk.act(ANA if isinstance(ended, bb.Revoke) else RITA, ended)
    by_rita = [event.number for event in talk.events if event.role == "requester"]
    talk.act(FABIO, bb.Erase((1,), "asked for"))
    over = talk.state.name
    talk.act(FABIO, bb.Erase(tuple(by_rita[1:]), "asked for"))

    again = bb.Negotiation.load(talk.folder, table())
    assert (again.verify(), again.state.name) == ([], over)
    assert over == ("revoked" if isinstance(ended, bb.Revoke) else "withdrawn")
    left = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert not [word for word in (RITA.name, "Mangueiras", "123.456") if word.encode() in left]
    assert again.view(ANA).turn.may == ("message", "note")
    for act in (bb.Message("hello"), bb.Erase((2,), "me too")):
        with pytest.raises(bb.UsageError, match="was erased"):
            again.act(RITA, act)
    with pytest.raises(bb.UsageError, match="was erased"):
        again.view(RITA)


def test_nothing_is_done_on_a_chain_that_somebody_emptied(talk):
    file = talk.folder / "events.jsonl"
    lines = file.read_text().splitlines()
    lines[0] = json.dumps({name: value for name, value in json.loads(lines[0]).items() if name not in ("salt", "fact")})
    file.write_text("\n".join(lines) + "\n")
    with pytest.raises(bb.InputError, match="nobody erased it"):
        bb.Negotiation.load(talk.folder, table()).act(ANA, bb.Message("hello"))


def test_an_erasure_names_events(talk):
    with pytest.raises(bb.UsageError, match="Name the events"):
        talk.act(FABIO, bb.Erase((), "nothing"))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"role": ', '"note": "smuggled in", "role": '),
        ('{"number": 2', '{"number": 9, "number": 2'),
        ('+00:00"', 'Z"'),
    ],
)
def test_nothing_stands_in_an_event_that_no_hash_is_made_of(talk, before, after):
    file = talk.folder / "events.jsonl"
    lines = file.read_text().splitlines(keepends=True)
    lines[1] = lines[1].replace(before, after, 1)
    file.write_text("".join(lines))
    with pytest.raises(bb.InputError, match="Line 2 is not an event"):
        talk.verify()
