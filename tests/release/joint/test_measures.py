"""What is measured of two releases together, against its definitions, without any file."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_joint_risk import PlainJoint, PlainRelease

import biombo as bb
from biombo._data import SourceTable
from biombo._release.joint import Both, Half, Side, Sources, has_one_candidate
from biombo._release.trace import Recognised

ROLES = {"a": "quasi", "b": "quasi", "s": "sensitive", "o": "other"}


def side(frame: pl.DataFrame, places: list[int], roles: dict[str, str], person: str | None) -> Side:
    schema = bb.Schema({name: bb.ColumnSchema(roles[name]) for name in frame.columns}, None)
    if person is not None:
        named = {**schema.columns, person: bb.ColumnSchema("identifier")}
        schema = bb.Schema(named, person)
    return Side("id", Path("release"), bb.read(frame), bb.Plan(), schema, np.array(places, np.int64))


@st.composite
def two_releases(draw: st.DrawFn) -> tuple[pl.DataFrame, list[pl.DataFrame], list[list[int]], list[dict[str, str]]]:
    """Made of a few people over tiny domains; each release has some of them, in an order of its own, some masked."""
    people = draw(st.integers(1, 9))
    values = {"a": "xyz", "b": "xy", "s": ["x", "y", None], "o": "xy", "who": "xyzw"}
    columns = {
        name: draw(st.lists(st.sampled_from(domain), min_size=people, max_size=people))
        for name, domain in values.items()
    }
    original = pl.DataFrame(columns, dict.fromkeys(values, pl.String))
    in_both = draw(st.integers(0, people - 1))
    frames, places, roles = [], [], []
    for _ in range(2):
        drawn = draw(st.lists(st.integers(0, people - 1), unique=True))
        here = list(dict.fromkeys([*drawn, in_both]))
        role = ROLES | {"o": draw(st.sampled_from(["other", "sensitive", "quasi"]))}
        names = draw(st.lists(st.sampled_from("abso"), unique=True, min_size=1))
        masked = pl.Series(draw(st.lists(st.booleans(), min_size=len(here), max_size=len(here))))
        quasi = [
            pl.when(masked).then(pl.lit("*")).otherwise(name).alias(name) for name in names if role[name] == "quasi"
        ]
        frames.append(original[here].select(names).with_columns(quasi))
        places.append(here)
        roles.append(role)
    return original, frames, places, roles


@given(made=two_releases(), counts_people=st.booleans())
def test_everything_is_as_its_definition_says(made, counts_people) -> None:
    original, frames, places, roles = made
    person = "who" if counts_people else None
    sides = [side(*each, person) for each in zip(frames, places, roles, strict=True)]
    sources = Sources([Recognised(SourceTable.open(original).sources[0], original.height)])
    found = Both.of(*sides, sources, None).risk()
    first, second = (
        PlainRelease(
            dict(zip(here, frame.iter_rows(named=True), strict=True)),
            [name for name in frame.columns if role[name] == "quasi"],
        )
        for frame, here, role in zip(frames, places, roles, strict=True)
    )
    who = dict(enumerate(original["who"])) if counts_people else {number: number for number in range(original.height)}
    plain = PlainJoint(first, second, who)

    assert found.records == len(plain.targets)
    assert found.people == len(plain.people(plain.targets))
    assert found.smallest_joint_group == plain.smallest()
    assert found.alone == plain.below(2)
    for told, release in ((found.first, first), (found.second, second)):
        assert told.records - told.only_here == len(plain.targets)
        assert told.smallest_group == plain.smallest_in(release)
        assert told.below == plain.below(told.smallest_group)
    assert found.links.columns == tuple(plain.alike())
    assert found.links.mostly == tuple(plain.mostly())
    assert (found.links.made, found.links.right) == plain.links()
    assert found.reidentification.first == pytest.approx(
        plain.picked({each: first.group(each) for each in plain.targets})
    )
    assert found.reidentification.second == pytest.approx(
        plain.picked({each: second.group(each) for each in plain.targets})
    )
    assert found.reidentification.both == pytest.approx(
        plain.picked({each: plain.joint_group(each) for each in plain.targets})
    )
    for value in found.values:
        teller, other = (second, first) if value.released_in == "second" else (first, second)
        assert value.posterior.both == pytest.approx(plain.joint_posterior(teller, value.column))
        assert value.certain.both == pytest.approx(plain.certain_by_both(teller, other, value.column))
        for name, release in (("first", first), ("second", second)):
            alone = getattr(value.posterior, name), getattr(value.certain, name)
            if value.released_in in (name, "both"):
                expected = plain.posterior(release, value.column), plain.certain(release, value.column)
                assert alone == pytest.approx(expected)
                assert value.posterior.both >= alone[0] - 1e-12
                assert value.certain.both >= alone[1] - 1e-12
            else:
                assert alone == (None, None)


def released_in(found: bb.JointRisk) -> list[tuple[str, str]]:
    return [(each.column, each.released_in) for each in found.values]


def test_a_value_that_the_releases_tell_differently_is_told_of_each() -> None:
    original = pl.DataFrame({"s": ["flu", "gout", "flu"]})
    coarse = pl.DataFrame({"s": ["ill", "ill", "ill"]})
    roles = {"s": "sensitive"}
    sources = Sources([Recognised(SourceTable.open(original).sources[0], 3)])
    found = Both.of(side(original, [0, 1, 2], roles, None), side(coarse, [0, 1, 2], roles, None), sources, None).risk()

    assert released_in(found) == [("s", "first"), ("s", "second")]
    assert [each.posterior.both for each in found.values] == [pytest.approx(2 / 3), 1]


def test_a_link_that_looks_right_may_be_wrong() -> None:
    """The record with gout is another one in each release."""
    original = pl.DataFrame({"s": ["flu", "gout", "gout"]})
    roles = {"s": "sensitive"}
    sources = Sources([Recognised(SourceTable.open(original).sources[0], 3)])
    sides = [side(original[places], places, roles, None) for places in ([0, 1], [0, 2])]
    found = Both.of(*sides, sources, None).risk()

    assert (found.links.made, found.links.right, found.links.share) == (2, 1, 1.0)
    assert "1 further link that looks as good is wrong." in found.sentences()


halves = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5), st.integers(0, 2)), min_size=1, max_size=14)


@pytest.mark.parametrize("at_once", [3, 1 << 22])
@pytest.mark.parametrize("side_by_side", [0, 8])
@given(here=halves, there=halves, of_tuple=st.booleans())
def test_candidates_are_those_of_the_definition_however_they_are_looked_for(
    here, there, of_tuple, at_once, side_by_side, monkeypatch_module
) -> None:
    monkeypatch_module.setattr("biombo._release.joint.intersection._AT_ONCE", at_once)
    monkeypatch_module.setattr("biombo._release.joint.intersection._SIDE_BY_SIDE", side_by_side)
    targets = min(len(here), len(there))
    there = [(group, here[place][1] if place < targets else told, 0) for place, (group, told, _) in enumerate(there)]
    first, second = (np.array(each, np.int64).T for each in (here, there))
    value = first[1] % 2 if of_tuple else first[2]
    own = np.arange(targets)
    found = has_one_candidate(Half(first[0], first[1], own), Half(second[0], second[1], own), value)
    for target in range(targets):
        told = {other[1] for other in there if other[0] == there[target][0]}
        left = {
            int(value[place])
            for place, (group, tuple_, _) in enumerate(here)
            if group == here[target][0] and tuple_ in told
        }
        assert found[target] == (len(left) == 1)


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch
