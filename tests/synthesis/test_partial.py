"""Some columns, or some records, stay original; what else comes out is synthetic."""

import polars as pl
import pytest
from made_up_synthesis import people, synthesised

import biombo as bb


def test_kept_columns_are_those_of_the_original():
    table = people(2000, 7)
    made = synthesised(table, 7, columns=("income",), keep=("age", "job"))

    kept = made.data.select("age", "job")
    assert kept.sort("age", "job").equals(table.select("age", "job").sort("age", "job"))
    assert not kept.equals(table.select("age", "job"))  # in another order
    assert made.risk is None
    assert "nothing protects them: the columns age, job" in " ".join(made.sentences())


def test_what_is_drawn_goes_with_what_is_kept():
    table = people(2000, 7)
    made = synthesised(table, 7, columns=("income",), keep=("job",)).data
    students = [each.filter(pl.col("job") == "student")["income"].mean() for each in (table, made)]

    assert students[0] == pytest.approx(students[1], rel=0.1)
    assert set(map(tuple, made.rows())) - set(map(tuple, table.select("job", "income").rows()))


def test_only_the_records_that_are_asked_for_are_replaced():
    table = people(2000, 8).with_columns(mark=pl.int_range(2000) // 20)
    old = pl.col("age") >= 70
    made = synthesised(table, 8, replace_where={"age": {"at-least": 70}})
    data = made.data.select(table.columns)

    assert made.replaced == table.filter(old).height
    assert made.records == 2000
    others = data.filter(~old)
    assert set(table.filter(~old).rows()) <= set(others.rows())
    assert "whole records" in " ".join(made.sentences())


def test_constraints_hold_beside_what_is_kept():
    table = pl.DataFrame({"sex": ["F", "M"] * 100, "x": ["a", "b", "b", "a"] * 50})
    rule = {"when": {"sex": "F"}, "then": {"x": "a"}}
    made = synthesised(table, 8, columns=("x",), keep=("sex",), constraints=(rule,)).data

    assert made["sex"].value_counts()["count"].to_list() == [100, 100]
    assert set(made.filter(pl.col("sex") == "F")["x"]) == {"a"}
    assert set(made.filter(pl.col("sex") == "M")["x"]) == {"a", "b"}


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"columns": ("age",), "keep": ("cpf",)}, "'cpf'"),
        ({"columns": ("age",), "keep": ("age",)}, "choose one of the two"),
        ({"columns": ("age",), "keep": ("sex",), "records": 9}, "leave out records"),
        ({"columns": ("age",), "keep": ("sex",), "epsilon": 1.0}, "for whole tables"),
        ({"columns": ("age",), "replace_where": {"sex": "X"}}, "No record of .* meets the conditions"),
    ],
)
def test_what_makes_no_sense_is_refused(asked, says):
    table = people(60, 9).with_columns(cpf=pl.int_range(60).cast(pl.String) + "-00")
    with pytest.raises(bb.BiomboError, match=says):
        synthesised(table, 9, **asked)
