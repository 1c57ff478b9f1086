"""What was answered is read from a history alone, as it was given."""

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._query import past_answers

TABLE = pl.DataFrame(
    {"sex": ["F", "M"] * 40, "city": ["A"] * 50 + ["B"] * 27 + ["C"] * 3, "paid": [n % 7 for n in range(80)]}
)
SCHEMA = {"columns": {"sex": {"domain": ["F", "M"]}}}
questions = st.fixed_dictionaries(
    {
        "by": st.lists(st.sampled_from(["sex", "city"]), unique=True),
        "mean": st.sampled_from([None, "paid"]),
        "where": st.sampled_from([None, {"sex": "F"}, {"city": ["A", "B"]}]),
        "totals": st.booleans(),
    }
)


@examples(25)
@given(asked=st.lists(questions, max_size=4), most=st.sampled_from([6, 1000]))
def test_answers_are_read_as_they_were_given(tmp_path_factory, asked, most) -> None:
    history = tmp_path_factory.mktemp("desk") / "desk.jsonl"
    told = {"history": history, "k": 5, "schema": SCHEMA, "most": most}
    given = [bb.query(TABLE, **question, **told, who=f"person {n}") for n, question in enumerate(asked)]
    first, *others = past_answers(history) or [None]
    assert [each.answer.as_json() for each in others] == [each.as_json() for each in given]
    assert [(each.who, each.approved) for each in others] == [(f"person {n}", "") for n in range(len(asked))]
    assert first is None or (first.who, first.answer.asked) == ("", 1)


def test_a_question_asked_again_under_its_number_gets_what_was_said_then(tmp_path) -> None:
    history = tmp_path / "desk.jsonl"
    told = {"history": str(history), "k": 5, "schema": SCHEMA, "most": 4}
    asked = bb.QueryRequest(by=["sex"], mean="paid", **told)
    first = asked.run(TABLE, number="7").as_json()
    lines = history.read_bytes()
    assert asked.run(TABLE, number="7").as_json() == first
    assert history.read_bytes() == lines
    assert asked.run(TABLE, number="8").as_json() != first  # all cells are used up
    with pytest.raises(bb.BiomboError, match="another one"):
        bb.QueryRequest(by=["city"], **told).run(TABLE, number="7")


def test_what_is_not_there_is_not_begun_and_what_is_damaged_is_not_read(tmp_path) -> None:
    history = tmp_path / "desk.jsonl"
    assert past_answers(history) == []
    assert not history.exists()
    bb.query(TABLE, ["sex"], history=history)
    history.write_text(history.read_text().replace("F", "G", 1))
    with pytest.raises(bb.BiomboError, match="damaged"):
        past_answers(history)
