"""Made-up records beside people who stand out (PDPC 2018, 16.6): they are counted, marked, and never people."""

import json
import re
import stat

import hypothesis.strategies as st
import numpy as np
import polars as pl
import pytest
from examples import examples
from hypothesis import given
from made_up_synthesis import people, synthesised
from refusal import refused

import biombo as bb
from biombo._cli import main

ROLES = bb.Schema(
    {
        "job": bb.ColumnSchema("quasi"),
        "city": bb.ColumnSchema("quasi"),
        "income": bb.ColumnSchema("other", "discrete"),
        "sex": bb.ColumnSchema("sensitive"),
    }
)


def table(records: int = 300) -> pl.DataFrame:
    common = people(records, 5).select("job", "city", "income", "sex")
    alone = {"job": ["pilot"], "city": ["city 1"], "income": [9999], "sex": ["F"]}
    return pl.concat([common, pl.DataFrame(alone, schema=common.schema)])


def filled(frame: pl.DataFrame, size: int = 5, schema: bb.Schema = ROLES, **asked):
    return synthesised(frame, 3, schema, columns=tuple(schema.columns), fill_groups=size, **asked)


def test_every_person_is_still_there_and_every_group_has_so_many_records() -> None:
    original = table()
    made = filled(original)
    data, mark = made.data.select(original.columns), made.filling.made_up

    assert data.filter(~mark).sort(original.columns).equals(original.sort(original.columns))
    assert data.group_by("job", "city").len()["len"].min() == 5
    added = data.filter(mark)
    assert added.height == made.filling.added == made.replaced > 0
    assert set(added.select("job", "city").rows()) <= set(original.select("job", "city").rows())
    assert 9999 not in added["income"].to_list()


def test_no_k_follows() -> None:
    """The pilot is one person before and afterwards, though five records are alike."""
    made = filled(table())
    told = " ".join(made.sentences())

    assert made.filling.smallest == 1
    assert "of people, the smallest group has 1. No other k may be claimed" in told
    assert made.guarantee is None
    assert made.risk is None
    assert bb.judge(bb.read(table(), ROLES), bb.KAnonymity(5)).verdicts[0].achieved == made.filling.smallest


def test_people_are_counted_and_not_their_records() -> None:
    visits = pl.DataFrame({"who": [1, 1, 1, *range(2, 9)], "town": list("AAABBBBBBB"), "ill": ["no", "yes"] * 5})
    columns = {"town": bb.ColumnSchema("quasi"), "ill": bb.ColumnSchema("sensitive")}
    schema = bb.Schema({"who": bb.ColumnSchema("identifier"), **columns}, person="who")
    made = synthesised(visits, 1, schema, columns=("town", "ill"), fill_groups=3, k=3)

    assert (made.filling.added, made.filling.smallest, made.filling.people) == (2, 1, 1)
    assert made.data["town"].value_counts().sort("town")["count"].to_list() == [5, 7]


@examples(40)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), min_size=2, max_size=25), st.integers(2, 6))
def test_what_is_measured_is_measured_against_the_truth(rows: list[tuple[str, str]], size: int) -> None:
    """Record by record, with the records that came out."""
    rows = [*rows, *([("d", "x")] * 6)]
    frame = pl.DataFrame(rows, ["town", "ill"], orient="row")
    schema = bb.Schema({"town": bb.ColumnSchema("quasi"), "ill": bb.ColumnSchema("sensitive")})
    made = synthesised(frame, len(rows), schema, columns=("town", "ill"), fill_groups=size, k=size)
    data, mark, found = made.data, made.filling.made_up, made.filling
    share = {value: sum(ill == value for _, ill in rows) / len(rows) for value in "xyz"}
    picked, first, second = 0.0, 0.0, 0.0
    for town, ill in data.filter(~mark).rows():
        group = data.filter(pl.col("town") == town)["ill"].to_list()
        added = data.filter(mark & (pl.col("town") == town)).height
        there = {value: group.count(value) for value in share if share[value]}
        less = {value: count - added * share[value] for value, count in there.items()}
        picked += 1 / len(group)
        for scores in (there, less):
            best = [value for value in scores if np.isclose(scores[value], max(scores.values()))]
            right = (ill in best) / len(best)
            first, second = (first + right, second) if scores is there else (first, second + right)

    assert found.record[1] == pytest.approx(picked / len(rows))
    assert found.guessed["ill"][1] == pytest.approx(max(first, second) / len(rows))
    assert found.record[1] <= found.record[0] + 1e-12
    assert found.added == data.height - len(rows)


@pytest.mark.parametrize(
    ("towns", "told"),
    [("AAAAAAAB", []), ("AAAAAABC", []), ("AAAAAABBCC", []), ("AAAAAAABBCDE", ["6"])],
)
def test_what_is_public_tells_nothing_of_few_people_and_nothing_false(towns: str, told: list[str]) -> None:
    """Two people may have more made-up records beside them than a group has, and four people fewer."""
    frame = pl.DataFrame({"town": list(towns), "ill": ["no", "yes"] * (len(towns) // 2)})
    schema = bb.Schema({"town": bb.ColumnSchema("quasi"), "ill": bb.ColumnSchema("other")})
    made = synthesised(frame, 1, schema, columns=("town", "ill"), fill_groups=3, k=3)

    assert re.findall(r"\d+", made.filling.public_sentence()) == told


def test_which_records_are_made_up_stands_in_the_private_folder_alone(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    table().write_csv("people.csv")
    ROLES.save("schema.yaml")
    asked = "synthesise people.csv --schema schema.yaml --fill-groups 5 --out filled.csv --json"
    assert main(asked.split()) == 0
    found = json.loads(capsys.readouterr().out)["filling"]
    kept = tmp_path / "filled.csv.private" / "made-up.csv"
    places = [int(line) - 1 for line in kept.read_text().splitlines()[1:]]
    result = pl.read_csv("filled.csv")
    left = result.filter(~pl.int_range(result.height).is_in(places))

    assert len(places) == found["added"]
    assert left.sort(left.columns).equals(table().select(left.columns).sort(left.columns))
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert "made" not in "".join(result.columns)


def test_what_makes_no_sense_is_refused() -> None:
    with refused("synthesis.fill-no-quasi"):
        synthesised(table(), 1, columns=("job", "sex"), fill_groups=5)
    for asked in ({"epsilon": 1.0}, {"records": 9}, {"keep": ("city",), "columns": ("job",)}):
        with refused("synthesis.fill-alone"):
            synthesised(table(), 1, ROLES, **{"columns": ("job", "sex"), "fill_groups": 5} | asked)
    with pytest.raises(bb.UsageError, match="fill"):
        filled(table(), 1)
    for k in (1, 4):
        with refused("synthesis.fill-k"):
            filled(table(), 5, k=k)


def test_what_one_person_has_is_not_drawn_beside_them() -> None:
    """Of the 29 records beside the only person of Z, some have what that person has not."""
    schema = bb.Schema({"town": bb.ColumnSchema("quasi"), "ill": bb.ColumnSchema("sensitive")})
    rows = [("A", "gout"), ("A", "flu")] * 40 + [("Z", "gout")]
    made = filled(pl.DataFrame(rows, ["town", "ill"], orient="row"), 30, schema, k=30)
    added = made.data.filter(made.filling.made_up)

    assert added["town"].to_list() == ["Z"] * 29
    assert set(added["ill"]) == {"gout", "flu"}


def test_where_nobody_stands_out_nothing_is_added() -> None:
    frame = pl.DataFrame({"job": ["clerk"] * 9, "city": ["A"] * 9, "income": [1] * 9, "sex": ["F"] * 9})
    made = filled(frame)

    assert (made.filling.added, made.filling.smallest, made.records) == (0, 9, 9)
    assert "may be made up" in made.filling.public_sentence()
