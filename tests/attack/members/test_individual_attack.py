import polars as pl
import pytest

import biombo as bb


def test_people_alone_in_the_sample_are_looked_up() -> None:
    population = pl.DataFrame({"q": list("abbcddd")})
    sample = pl.DataFrame({"q": ["d", "a", None, "b", "d"]})
    found = bb.membership(bb.read(sample), bb.read(population), ["q"])
    attack = bb.individual_attack(found, ["q"])
    assert (attack.unique, attack.found, attack.not_found, attack.reidentified) == (3, 2, 1, 1)
    assert attack.rows.tolist() == [1]
    row = found.subset(["q"])
    assert (row["unique"], row["unique_found"], row["unique_both"]) == (3, 2, 1)


def test_rows_are_those_of_the_table_that_was_read() -> None:
    schema = bb.Schema({"q": bb.ColumnSchema("quasi", invalid=frozenset({"9"}))})
    population = bb.read(pl.DataFrame({"q": list("abb")}), schema)
    sample = bb.read(pl.DataFrame({"q": ["9", "b", "a"]}), schema)
    assert bb.individual_attack(bb.membership(sample, population), ["q"]).rows.tolist() == [2]


def test_what_a_member_loses_is_one_probability_beside_its_two_steps() -> None:
    population = pl.DataFrame({"q": ["a"] * 4 + ["b"] * 2})
    sample = pl.DataFrame({"q": ["a", "a", "a", "b"], "s": ["flu", "flu", "asthma", "flu"]})
    loss = bb.member_loss(bb.membership(bb.read(sample), bb.read(population), ["q"]), ["q"], "s")
    assert loss.membership == pytest.approx((3 * 3 / 4 + 1 / 2) / 4)
    assert loss.attribute == pytest.approx((3 * 2 / 3 + 1) / 4)
    assert loss.both == pytest.approx((3 * 2 / 4 + 1 / 2) / 4)
    assert loss.worst == 1 / 2
