"""Some levels of a hierarchy, and hierarchies that answer for values that they lack."""

import hypothesis.strategies as st
import pytest
from hypothesis import given

import biombo as bb

AGES = bb.Hierarchy.built_in("age")


@given(st.sets(st.integers(1, 4), min_size=1).map(sorted), st.integers(0, 130).map(str))
def test_the_levels_that_are_left_are_as_they_were(levels, age):
    picked = AGES.picked(levels)
    assert picked.ancestors(age) == tuple(AGES.ancestors(age)[level - 1] for level in levels)
    assert bb.Hierarchy.load(picked.to_tree()) == picked
    assert picked.level_names == tuple(AGES.level_names[level - 1] for level in levels)


@pytest.mark.parametrize("only", [[], [2, 1], [5], ["decade"], [0], "state", [True]])
def test_levels_that_are_not_there_are_refused(only):
    with pytest.raises(bb.BiomboError):
        bb.Hierarchy.load({"kind": "built-in", "name": "age", "only": only})


@pytest.mark.parametrize(
    ("missing", "above", "topped"),
    [("own-branch", ("?",) * 4, ("?", "?", "?", "?", "*")), ("suppress", ("*",) * 4, ("*",) * 5)],
)
def test_a_value_that_is_lacking_gets_the_answer(missing, above, topped):
    answering = bb.Hierarchy.load({"kind": "built-in", "name": "age", "missing": missing})
    assert (answering.ancestors("?"), answering.with_top().ancestors("?")) == (above, topped)
    assert answering.ancestors("37") == AGES.ancestors("37")
    assert answering.strict == AGES
    assert bb.Hierarchy.load(answering.with_top().to_tree()) == answering.with_top()
    assert answering.content_hash() != AGES.content_hash()


def test_the_answer_is_the_one_that_recoding_would_give():
    values = ["37", "?", "41", None, "999"]
    for missing in ("own-branch", "suppress"):
        asked = AGES.with_top().recode(values, missing=missing)
        own = AGES.answering(missing).with_top().recode(values)
        assert own.codes.tolist() == asked.codes.tolist()
        assert own.labels == asked.labels
        assert [leaves.tolist() for leaves in own.leaves] == [leaves.tolist() for leaves in asked.leaves]
        assert own.domain == asked.domain


def test_a_value_that_stays_must_not_be_called_like_a_group():
    with pytest.raises(bb.BiomboError, match="35-39"):
        AGES.answering("own-branch").recode(["37", "35-39"])
