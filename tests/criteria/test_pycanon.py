"""Agreement with pycanon, as far as it goes by the same definitions.

It differs in these ways.
- Rows with a missing value in a quasi column are left out, as pandas groups. Ours are groups of their own, so there are
  none here.
- Entropy diversity is cut to a whole number, without a tolerance.
- Recursive diversity sorts the counts from the rarest value up, so that its r₁ is the rarest value instead of the most
  frequent one, and cuts c to a whole number. Both agree where all values of a group are equally frequent.
- Distances go by the column's type: numbers are ordered, text is not.
- δ-disclosure leaves out values that a group lacks, as ARX does; by the definition such a group fails. Logarithms are
  natural ones.
"""

from collections import Counter
from math import floor, log

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pycanon import anonymity

import biombo as bb

QUASI = ["a", "b"]
row = st.tuples(st.sampled_from("xyz"), st.sampled_from("12"), st.sampled_from("pqrs"), st.integers(1, 4))
tables = st.lists(row, min_size=1, max_size=30).map(lambda rows: pd.DataFrame(rows, columns=[*QUASI, "text", "number"]))
fewer = settings(max_examples=40)


def achieved(table: pd.DataFrame, criterion: bb.Criterion, *sensitive: str) -> float:
    value = bb.judge(bb.read(table), criterion, quasi=QUASI, sensitive=sensitive or None).verdicts[0].achieved
    assert value is not None
    return value


@fewer
@given(tables)
def test_k_anonymity(table: pd.DataFrame) -> None:
    assert achieved(table, bb.KAnonymity(2)) == anonymity.k_anonymity(table, QUASI)


@fewer
@given(tables)
def test_distinct_diversity_of_several_columns(table: pd.DataFrame) -> None:
    ours = achieved(table, bb.LDiversity(2), "text", "number")
    assert ours == anonymity.l_diversity(table, QUASI, ["text", "number"])


@fewer
@given(tables)
def test_entropy_diversity(table: pd.DataFrame) -> None:
    ours = achieved(table, bb.LDiversity(2, kind="entropy"), "text", "number")
    theirs = anonymity.entropy_l_diversity(table, QUASI, ["text", "number"])
    # e to the power of log 3 is 2.9999999999999996, which pycanon cuts to 2.
    assert theirs in {floor(ours - 1e-9), floor(ours + 1e-9)}


@fewer
@given(tables)
def test_equal_distances(table: pd.DataFrame) -> None:
    ours = achieved(table, bb.TCloseness(0.5), "text")
    assert ours == pytest.approx(anonymity.t_closeness(table, QUASI, ["text"]))


@fewer
@given(tables.filter(lambda table: table["number"].nunique() > 1))  # pycanon divides by the number of values less one
def test_ordered_distances(table: pd.DataFrame) -> None:
    ours = achieved(table, bb.TCloseness(0.5, kind="ordered"), "number")
    assert ours == pytest.approx(anonymity.t_closeness(table, QUASI, ["number"]))


@fewer
@given(tables)
def test_the_largest_share_of_a_value(table: pd.DataFrame) -> None:
    alpha, k = anonymity.alpha_k_anonymity(table, QUASI, ["text"])
    assert achieved(table, bb.Deassociation(0.5), "text") == pytest.approx(alpha)
    assert achieved(table, bb.KAnonymity(2)) == k


@fewer
@given(tables)
def test_the_largest_gain_of_a_value(table: pd.DataFrame) -> None:
    ours = achieved(table, bb.BetaLikeness(1, kind="basic"), "text")
    assert ours == pytest.approx(anonymity.basic_beta_likeness(table, QUASI, ["text"]), abs=1e-12)


@fewer
@given(tables)
def test_the_largest_change_of_a_value_where_no_group_lacks_one(table: pd.DataFrame) -> None:
    every = pd.DataFrame([(a, b, s, 1) for a, b in {*zip(table["a"], table["b"], strict=True)} for s in "pqrs"])
    table = pd.concat([table, every.set_axis(table.columns, axis=1)], ignore_index=True)
    theirs = anonymity.delta_disclosure(table, QUASI, ["text"])
    assert achieved(table, bb.DeltaDisclosure(1), "text") == pytest.approx(theirs / log(2), abs=1e-12)


@pytest.mark.parametrize(
    "groups",
    [
        ["pq", "pqr"],
        ["ppqqrr", "pqrs"],
        ["pq", "qr", "ppqqrrss"],
    ],
)
def test_recursive_diversity_where_the_values_of_each_group_are_equally_frequent(groups: list[str]) -> None:
    table = pd.DataFrame([(str(i), "1", value) for i, group in enumerate(groups) for value in group])
    table.columns = [*QUASI, "text"]
    c, l = anonymity.recursive_c_l_diversity(table, QUASI, ["text"])  # noqa: E741
    assert floor(achieved(table, bb.LDiversity(l, kind="recursive", c=1.0), "text")) + 1 == c
    assert min(len(Counter(group)) for group in groups) == l


def test_recursive_diversity_is_about_the_most_frequent_value() -> None:
    table = pd.DataFrame([("x", "1", value) for value in "ppppppppqr"], columns=[*QUASI, "text"])
    assert anonymity.recursive_c_l_diversity(table, QUASI, ["text"]) == (1, 3)  # 1 of r against 8 of p
    assert achieved(table, bb.LDiversity(3, kind="recursive", c=1.0), "text") == 8  # 8 of p against 1 of r
