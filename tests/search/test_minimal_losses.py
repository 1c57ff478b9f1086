"""The figures of Samarati and Sweeney, against brute force and on their example."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_tables import SmallTable, shares, small_tables

import biombo as bb
from biombo._search import losses_alone, spread_of_minimal

KS = (1, 2, 3, 4)


@settings(max_examples=60)
@given(small_tables(rows=12), shares, st.sampled_from(["loss", "precision"]))
def test_precision_and_completeness_are_those_of_all_minimal_generalisations(
    table: SmallTable, share: float, prefer: str
) -> None:
    ks = [k for k in KS if k <= len(table.rows)]
    plain = SmallTable(table.hierarchies, table.rows, loss_domain=table.loss_domain)
    found = bb.frontier(plain.data, ks=ks, limits=[share], prefer=prefer, **plain.options)
    limit = found.explored.question.limit(share)

    spread = {each.k: each for each in spread_of_minimal(found.explored, limit)}
    for k in ks:
        plainly = plain.plainly([bb.KAnonymity(k)], share)
        heights = [column.height for column in plain.columns]
        precision = [
            1 - sum(level / max(height, 1) for level, height in zip(node, heights, strict=True)) / len(heights)
            for node in plainly.minimal
        ]
        kept = [plainly.costs[node].completeness for node in plainly.minimal]
        for told, values in ((spread[k].precision, precision), (spread[k].completeness, kept)):
            assert (told.lowest, told.highest) == pytest.approx((min(values), max(values)))
            assert told.mean == pytest.approx(sum(values) / len(values))
        assert spread[k].generalisations == len(plainly.minimal)


@settings(max_examples=60)
@given(small_tables(rows=12), shares)
def test_each_column_is_generalised_as_if_it_were_the_only_one(table: SmallTable, share: float) -> None:
    ks = [k for k in KS if k <= len(table.rows)]
    found = bb.frontier(table.data, ks=[1], limits=[share], **table.options)
    question = found.explored.question
    alone = {(each.column, each.k): each for each in losses_alone(question, ks, question.limit(share))}

    for name, column in zip(table.quasi, table.columns, strict=True):
        for k in ks:
            shown = [column.at(level) for level in range(column.height + 1)]
            lost = [sum(values.count(value) < k for value in values) for values in shown]
            level = next(level for level, gone in enumerate(lost) if gone <= question.limit(share))
            each = alone[name, k]
            assert each.level == level
            assert each.generalisation == pytest.approx(level / max(column.height, 1))
            assert each.suppression == pytest.approx(lost[level] / len(table.rows))


def test_sex_alone_meets_a_small_k_and_loses_nothing() -> None:
    people = pl.DataFrame({"sex": ["f"] * 5 + ["m"] * 4, "zip": [f"0213{place}" for place in range(9)]})
    by_column = {"sex": bb.Hierarchy.all_or_nothing(), "zip": bb.Hierarchy.by_prefix([4])}
    found = bb.frontier(bb.read(people), ks=[2, 5], limits=[0], quasi=["sex", "zip"], hierarchies=by_column)
    alone = losses_alone(found.explored.question, (2, 5), 0)

    assert [(each.column, each.k, each.generalisation, each.suppression) for each in alone] == [
        ("sex", 2, 0.0, 0.0),
        ("sex", 5, 1.0, 0.0),
        ("zip", 2, 1.0, 0.0),
        ("zip", 5, 1.0, 0.0),
    ]
