"""What stands out in an attack is what a look through all subsets finds."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biombo import UsageError
from biombo._attack import Dropped, Facts, Findings, Risk, RiskFindings, columns_by_fall, fewest_facts, risk
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


def slow_facts(shares: list[tuple[tuple[str, ...], float]]) -> list[tuple[int, float]]:
    """How many columns and what share: of one column, of each limit that is passed first, or else of the worst."""
    by_size = {size: max(share for known, share in shares if len(known) == size) for size in (1, 2, 3)}
    sizes = [1]
    for limit in (0.5, 0.9, 0.99):
        sizes += [size for size in (1, 2, 3) if by_size[size] > limit][:1]
    if max(by_size.values()) <= 0.99:
        sizes += [size for size in (1, 2, 3) if by_size[size] == max(by_size.values())][:1]
    steps = [(size, by_size[size]) for size in sorted(set(sizes))]
    return steps if len(steps) == 1 else [step for step in steps if step[1] > 0]


@settings(max_examples=50)
@given(tables)
@pytest.mark.filterwarnings("ignore::biombo.BiomboWarning")
def test_the_fewest_facts_are_what_a_look_through_all_subsets_finds(rows) -> None:
    found = risk(read(pl.DataFrame(rows, schema=[*QUASI, "s"], orient="row")), QUASI, ["s"])
    inference, identity = found.attribute_inference, found.reidentification
    alone = [(tuple(row["quasi"]), row["unique"] / len(rows)) for row in identity.subsets.to_dicts()]
    right = [(tuple(row["quasi"]), row["posterior"]) for row in inference.subsets.to_dicts()]
    for shares, facts in ((alone, fewest_facts(found)), (right, fewest_facts(found, "s"))):
        assert [(len(each.quasi), each.share) for each in facts] == slow_facts(shares)
        assert all((each.quasi, each.share) in shares for each in facts)


def attacked(**columns: list[object]) -> Risk:
    return risk(read(pl.DataFrame(columns)), [name for name in columns if name != "s"], ["s"] if "s" in columns else [])


def test_the_fewest_facts_that_single_people_out_come_before_many() -> None:
    born, sex = [*range(8), 8, 8], [*"ffffmmmm", "f", "m"]
    found = attacked(born=born, sex=sex, city=["x"] * 10)

    assert fewest_facts(found) == (Facts(("born",), 0.8), Facts(("born", "sex"), 1.0)), "and never all three"


def test_one_fact_that_does_nothing_is_no_headline() -> None:
    assert fewest_facts(attacked(a=[*"xxyy"], b=[*"xyxy"])) == (Facts(("a", "b"), 1.0),)
    assert fewest_facts(attacked(a=[*"xxyy"])) == (Facts(("a",), 0.0),), "unless there is nothing else"


def test_the_fewest_facts_that_give_a_sensitive_value_away() -> None:
    found = attacked(a=[*"xxyy"], b=[*"xyxy"], s=[*"pqrr"])

    assert fewest_facts(found, "s") == (Facts(("a",), 0.75), Facts(("a", "b"), 1.0))


def test_no_sensitive_column_no_guess() -> None:
    with pytest.raises(UsageError):
        fewest_facts(attacked(a=[*"xxyy"]), "s")
