"""A table that stays inside is asked, question by question, against the history of all answers."""

import json
import threading
from dataclasses import replace

import polars as pl
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb

SCHEMA = {"columns": {"sex": {"domain": ["F", "M"]}, "city": {"domain": ["A", "B", "C"]}}}
CELLS = {("F", "A"): 40, ("F", "B"): 15, ("F", "C"): 3, ("M", "A"): 41, ("M", "B"): 21, ("M", "C"): 2}


def people(cells=CELLS) -> pl.DataFrame:
    rows = [cell for cell, number in cells.items() for _ in range(number)]
    table = pl.DataFrame(rows, schema=["sex", "city"], orient="row")
    return table.with_columns(paid=pl.int_range(1, len(rows) + 1), age=pl.int_range(len(rows)) % 30 + 20)


@pytest.fixture
def ask(tmp_path):
    def asked(by, table=None, **told):
        table = people() if table is None else table
        return bb.query(table, by, history=tmp_path / "desk.jsonl", **{"k": 5, "schema": SCHEMA, **told})

    return asked


def reasons(answer) -> list[str]:
    return [outcome.reason for outcome in answer.outcomes]


def test_a_question_that_cannot_be_asked_begins_no_history(ask) -> None:
    """Another table, and other rules, can be asked with the same history afterwards."""
    with pytest.raises(bb.InputError, match="no rows"):
        ask(["sex"], people().clear(), k=9)
    assert ask([]).to_frame().rows() == [(122, "answered")]


def test_counts_are_told_and_what_is_left_of_them_is_not_given_away(ask) -> None:
    assert ask([]).to_frame().rows() == [(122, "answered")]
    assert ask(["sex"]).to_frame()["records"].to_list() == [58, 64]
    city = ask(["city"])
    assert city.to_frame()["records"].to_list() == [81, 36, 5]
    assert reasons(city) == ["told", "told", "follows"]
    inner = ask(["sex", "city"])
    assert inner.to_frame()["records"].to_list()[2::3] == [None, None]
    assert inner.of("answered") >= 2


def test_a_question_that_could_give_a_cell_away_is_refused(ask) -> None:
    assert reasons(ask(["city"], where={"city": ["B", "C"], "sex": "M"})) == ["told", "few"]
    assert reasons(ask([], where={"city": ["A", "C"], "sex": "M"})) == ["told"]


def test_a_history_is_of_one_table(ask) -> None:
    ask([])
    with pytest.raises(bb.BiomboError, match="another table"):
        ask(["city"], people({("F", "A"): 3, ("F", "B"): 4, ("M", "C"): 60}))


def test_two_small_groups_are_not_told_together(tmp_path) -> None:
    small = people({("F", "A"): 3, ("F", "B"): 4, ("M", "C"): 60})
    told = {"history": tmp_path / "desk.jsonl", "k": 5, "schema": SCHEMA}
    assert reasons(bb.query(small, ["city"], **told)) == ["few", "few", "gives-away"]
    assert reasons(bb.query(small, [], where={"city": ["A", "B"]}, **told)) == ["gives-away"]
    assert reasons(bb.query(small, [], **told)) == ["follows"]
    assert reasons(bb.query(small, ["sex"], **told)) == ["told", "follows"]


def test_totals_come_before_what_they_are_totals_of(ask) -> None:
    answer = ask(["sex"], totals=True)
    assert answer.to_frame().rows() == [("Total", 122, "answered"), ("F", 58, "answered"), ("M", 64, "answered")]


def test_means_are_told_with_their_counts_unless_one_person_has_nearly_all(tmp_path) -> None:
    rows = [("F", 5), ("F", 15)] * 6 + [("M", 5), ("M", 15)] * 4 + [("M", 100_000)]
    table = pl.DataFrame(rows, schema=["sex", "paid"], orient="row")
    told = {"history": tmp_path / "desk.jsonl", "k": 5, "schema": {"columns": {"sex": {"domain": ["F", "M"]}}}}
    answer = bb.query(table, ["sex"], mean="paid", **told)
    assert answer.to_frame()["paid: mean"].to_list() == [10.0, None]
    assert [outcome.mean.reason for outcome in answer.outcomes] == ["told", "dominated"]
    assert answer.asked == 3
    whole = bb.query(table, [], mean="paid", **told)
    assert whole.outcomes[0].mean.reason == "gives-away"
    assert whole.outcomes[0].count == 21


def test_levels_of_a_hierarchy_are_asked_by_their_number(ask) -> None:
    by_ten = {"age": bb.Hierarchy.by_interval(10)}
    answer = ask({"age": 1}, hierarchies=by_ten)
    told = dict(answer.to_frame().select("age", "records").rows())
    assert told["[20, 30)"] == 42
    assert "(others)" in told
    again = ask({"age": 1}, hierarchies=by_ten, where={"sex": "F"})
    assert again.of("refused") + again.of("answered") + again.of("suppressed") == len(again.cells)
    with pytest.raises(bb.BiomboError, match="hierarchy of the column 'age'"):
        ask({"age": 1}, hierarchies={"age": bb.Hierarchy.by_interval(5)})


def test_people_count_once(tmp_path) -> None:
    table = pl.DataFrame({"who": [f"p{i // 2}" for i in range(40)], "sex": ["F", "F", "M", "M"] * 10, "day": range(40)})
    told = {"history": tmp_path / "desk.jsonl", "k": 5, "person": "who"}
    answer = bb.query(table, ["sex"], schema={"columns": {"sex": {"domain": ["F", "M"]}}}, **told)
    assert answer.to_frame()["records"].to_list() == [10, 10]
    with pytest.raises(bb.BiomboError, match="somebody has several values"):
        bb.query(table, ["day"], **told)


def test_the_history_is_private_only_added_to_and_says_who(ask, tmp_path) -> None:
    ask(["sex"], who="Ana", approved="Rui")
    path = tmp_path / "desk.jsonl"
    before = path.read_bytes()
    assert path.stat().st_mode & 0o077 == 0
    ask(["sex"])
    assert path.read_bytes().startswith(before)
    last = json.loads(before.splitlines()[-1])
    assert (last["who"], last["approved"], [cell["count"] for cell in last["cells"]]) == ("Ana", "Rui", [58, 64])


def test_after_a_stated_number_of_cells_nothing_is_answered(ask) -> None:
    assert reasons(ask(["sex"], most=4)) == ["told", "follows"]
    assert reasons(ask(["city"], most=4)) == ["limit"] * 3
    assert reasons(ask([], most=4)) == ["follows"]


def test_what_is_foreseen_looks_at_no_numbers(tmp_path) -> None:
    desks = []
    for number in (3, 90):
        path = tmp_path / f"{number}.jsonl"
        table = bb.QueryRequest(history=str(path), k=5, schema=SCHEMA, by=["city"])
        desks.append(table.foreseen(people(CELLS | {("F", "C"): number})))
    assert desks[0] == desks[1] == [False] * 3


@pytest.mark.parametrize("is_begun", [False, True])
def test_what_is_foreseen_settles_nothing_and_never_tells_categories_by_the_data(tmp_path, is_begun) -> None:
    foreseen = []
    for number in (4, 5):
        path = tmp_path / f"{number}.jsonl"
        table = people(CELLS | {("F", "C"): number - 2})
        told = {"history": str(path), "k": 5, "schema": {"columns": {"sex": SCHEMA["columns"]["sex"]}}}
        if is_begun:
            bb.QueryRequest(by=["sex"], **told).run(table)
        before = path.read_bytes() if is_begun else None
        for asked in ({"by": ["city"]}, {"by": [], "where": {"city": ["C"]}}, {"by": ["sex"], "totals": True}):
            foreseen.append(bb.QueryRequest(**asked, **told).foreseen(table))
        assert (path.read_bytes() if path.exists() else None) == before
        last = bb.QueryRequest(by=["city"], **told).run(table)
        assert len(last.cells) == number  # the data tell, with the first answer
    assert foreseen[:2] == foreseen[3:5] == [None, None]
    assert foreseen[2] == foreseen[5] == [False] * 3


@examples(20)
@given(
    last=st.tuples(st.sampled_from(["F", "M", "I", None]), st.sampled_from(["7", "-7", "seven", None])),
    person=st.sampled_from([None, "who"]),
    whose=st.sampled_from(["29", "30", None]),
    is_settled=st.booleans(),
)
def test_a_column_is_unfit_where_no_question_by_it_is_answered(
    tmp_path_factory, last, person, whose, is_settled
) -> None:
    """Found before anybody asks, by what each column has alone; nothing is noted for it."""
    folder = tmp_path_factory.mktemp("desk")
    rows = [("FM"[n % 2], str(n), str(n)) for n in range(30)] + [(*last, whose)]
    table = pl.DataFrame(rows, schema=["sex", "paid", "who"], orient="row")
    schema = {"columns": {"sex": {"role": "quasi", "domain": ["F", "M"]}, "paid": {"role": "sensitive"}}}

    def told(name):
        return {"history": str(folder / name), "k": 5, "person": person, "schema": schema}

    def answers(name, **asked) -> bool:
        try:
            return bb.QueryRequest(**asked, **told(name)).run(table) is not None
        except bb.BiomboError:
            return False

    is_settled = is_settled and answers("desk", by=["sex"])
    before = (folder / "desk").read_bytes() if is_settled else None
    found = bb.QueryRequest(**told("desk")).desk(table).unfit(["sex"], ["paid"])
    assert before is None or (folder / "desk").read_bytes() == before
    is_fit = {"sex": answers("by", by=["sex"]), "paid": answers("mean", by=[], mean="paid")}
    assert {use: [*some] for use, some in found.items()} == {
        "by": [] if is_fit["sex"] else ["sex"],
        "mean": [] if is_fit["paid"] else ["paid"],
    }


def test_questions_that_come_at_once_are_answered_one_after_the_other(ask, tmp_path) -> None:
    ask([])
    threads = [threading.Thread(target=ask, args=(["sex"],)) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    entries = [json.loads(line) for line in (tmp_path / "desk.jsonl").read_text().splitlines()]
    said = [[cell["reason"] for cell in entry["cells"]] for entry in entries if "cells" in entry]
    assert said == [["told"], ["follows"], ["told", "follows"], ["follows"] * 2, ["follows"] * 2]


@pytest.mark.parametrize(
    ("by", "told", "sentence"),
    [
        (["size"], {}, "size"),
        (["sex"], {"k": 7}, "k is 5, not 7"),
        (["sex"], {"mean": "city"}, "no numbers"),
        (["sex"], {"mean": "sex"}, "ask for the mean of another"),
        (["sex"], {"where": {"city": "Z"}}, "No category of the column 'city'"),
        ({"sex": 3}, {}, "no hierarchy"),
        (["sex"], {"schema": {"columns": {"sex": {"role": "identifier"}}}}, "tells who somebody is"),
        (["city"], {"schema": {"columns": {"city": {"domain": ["A"]}}}}, "does not list"),
    ],
)
def test_what_cannot_be_asked_is_said_in_one_sentence(ask, by, told, sentence) -> None:
    ask([])
    with pytest.raises(bb.BiomboError, match=sentence):
        ask(by, **told)


@pytest.mark.parametrize(
    "damage",
    [
        lambda lines: [*lines, '{"question": 1}\n'],
        lambda lines: [*lines, "7\n"],
        lambda lines: [*lines[:-1], lines[-1][:-20]],
        lambda lines: [lines[0][:-20]],
        lambda lines: [line for line in lines if '"leaves"' not in line],
        lambda lines: [*lines[:-2], lines[-1]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [line.replace('"count": 58', '"count": "x"') for line in lines],
        lambda lines: [line.replace('"count": 58', '"count": 57') for line in lines],
        lambda lines: [line.replace('"tested": []', '"tested": [[[99], []]]') for line in lines],
        lambda lines: [line.replace('"who": "Ana"', '"who": "Eva"') for line in lines],
    ],
)
def test_a_damaged_history_answers_nothing(ask, tmp_path, damage) -> None:
    ask(["sex"], who="Ana")
    path = tmp_path / "desk.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert damage(lines) != lines
    path.write_text("".join(damage(lines)))
    with pytest.raises(bb.BiomboError, match="damaged"):
        ask(["sex"])


def test_a_last_line_of_which_only_the_end_is_missing_counts(ask, tmp_path) -> None:
    ask(["sex"])
    path = tmp_path / "desk.jsonl"
    path.write_text(path.read_text().rstrip("\n"))
    assert reasons(ask(["sex"])) == reasons(ask(["sex"])) == ["follows"] * 2


def test_nobody_who_meets_a_condition_is_left_out_in_silence(tmp_path) -> None:
    people = pl.DataFrame({"age": [20] * 50 + [21] * 50 + [*range(60, 72)]})
    told = {"history": tmp_path / "desk.jsonl", "k": 10}
    for limits in ({"at-least": 20}, {"missing": False, "below": 90}):
        with pytest.raises(bb.BiomboError, match="could be met by values that are not listed"):
            bb.query(people, [], where={"age": limits}, **told)
    for values in (["20", "60"], "60"):
        with pytest.raises(bb.BiomboError, match="one of the values that it names"):
            bb.query(people, [], where={"age": values}, **told)
    assert bb.query(people, [], where={"age": ["20", "21"]}, **told).outcomes[0].count == 100
    assert bb.query(people, [], where={"age": {"missing": False}}, **told).cells[0].group == {"age": {"0", "1", "3"}}
    schema = {"columns": {"age": {"domain": [str(age) for age in range(100)]}}}
    listed = {"history": tmp_path / "listed.jsonl", "k": 10, "schema": schema}
    assert bb.query(people, [], where={"age": {"at-least": 21}}, **listed).outcomes[0].count == 62


@pytest.mark.parametrize("nobody", [None, ""])
def test_records_of_nobody_are_refused(tmp_path, nobody) -> None:
    people = pl.DataFrame({"who": [*map(str, range(40)), *[nobody] * 20]})
    with pytest.raises(bb.BiomboError, match="'who' that tells people apart"):
        bb.query(people, [], history=tmp_path / "desk.jsonl", person="who")


def test_the_smallest_k_is_two(tmp_path) -> None:
    with pytest.raises(bb.BiomboError, match="at least 2"):
        bb.query(people(), [], history=tmp_path / "new.jsonl", k=1)
    assert replace(bb.query(people(), [], history=tmp_path / "newer.jsonl", k=2)).holds
