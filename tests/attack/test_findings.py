"""What stands out in an attack is what a look through all subsets finds."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo._attack import Dropped, Findings, RiskFindings, columns_by_fall, risk
from biombo._data import read

QUASI = ["a", "b", "c"]
tables = st.lists(st.tuples(*(st.sampled_from("xyz") for _ in (*QUASI, "s"))), min_size=2, max_size=20)


def looked_up(subsets: pl.DataFrame, prior: float) -> tuple[float, dict[str, float]]:
    """The strongest posterior, and the strongest without each column, or the prior where no subset lacks it."""
    rows = subsets.to_dicts()
    without = {name: [row["posterior"] for row in rows if name not in row["quasi"]] for name in QUASI}
    return max(row["posterior"] for row in rows), {name: max(found, default=prior) for name, found in without.items()}


@settings(max_examples=50)
@given(tables)
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_the_strongest_subset_and_what_is_left_without_each_column(rows) -> None:
    found = risk(read(pl.DataFrame(rows, schema=[*QUASI, "s"], orient="row")), QUASI, ["s"])
    inference, identity = found.attribute_inference, found.reidentification
    findings = [
        (Findings.of_inference(inference, "s"), inference.subsets, inference.priors["s"]),
        (Findings.of_reidentification(identity), identity.subsets, identity.prior),
    ]
    for each, subsets, prior in findings:
        strongest, left = looked_up(subsets, prior)
        assert each.posterior == pytest.approx(strongest)
        assert {fall.column: fall.posterior for fall in each.falls} == pytest.approx(left)
        assert [fall.fall for fall in each.falls] == sorted((strongest - rest for rest in left.values()), reverse=True)
        assert columns_by_fall([each, each]) == [fall.column for fall in each.falls]


def test_every_share_is_told_as_it_may_be() -> None:
    table = pl.DataFrame({"a": list("xxyyz"), "s": list("ppqrs")})
    told = RiskFindings.of(risk(read(table), ["a"], ["s"])).told(lambda share: round(share, 1))

    assert told.identity.posterior == 0.6
    assert (told.guesses["s"].prior, told.guesses["s"].posterior) == (0.4, 0.8)
    assert told.identity.falls == (), "what is left without a column is not told"


@given(st.lists(st.tuples(st.integers(0, 9), st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)))))
def test_rows_left_out_of_several_tables_add_up(tables) -> None:
    total = Dropped.total(Dropped(rows, by_column) for rows, by_column in tables)

    assert total.rows == sum(rows for rows, _ in tables)
    assert dict(total.by_column) == {
        column: sum(by_column.get(column, 0) for _, by_column in tables)
        for column in dict.fromkeys(column for _, by_column in tables for column in by_column)
    }
