import numpy as np
import polars as pl
import pytest

import biombo as bb


@pytest.fixture
def states() -> pl.DataFrame:
    random = np.random.default_rng(7)
    n = 3000
    uf = random.choice(["AC", "RR", "SE", "SP"], n, p=[0.1, 0.2, 0.3, 0.4])
    q = random.integers(0, 12, n)
    spread = {"AC": 2, "RR": 3, "SE": 8, "SP": 12}
    s = np.array([(qq * 5 + random.integers(0, spread[u])) % 17 for qq, u in zip(q, uf, strict=True)])
    year = random.choice(["2022", "2023"], n)
    r = random.integers(0, 3, n)
    return pl.DataFrame({"UF": uf, "year": year, "q": q.astype(str), "r": r.astype(str), "s": s.astype(str)})


def test_each_part_is_what_its_rows_alone_would_give(states: pl.DataFrame) -> None:
    found = bb.attribute_inference(bb.read(states), ["q", "r"], "s", by=["UF", "year"])
    assert list(found) == sorted(states.select("UF", "year").unique().rows())
    for uf, year in found:
        alone = states.filter((pl.col("UF") == uf) & (pl.col("year") == year))
        expected = bb.attribute_inference(bb.read(alone), ["q", "r"], "s")
        assert found[(uf, year)].subsets.equals(expected.subsets)
        assert found[(uf, year)].priors == expected.priors


def test_several_datasets_are_parts(states: pl.DataFrame) -> None:
    tables = {uf: bb.read(states.filter(pl.col("UF") == uf)) for uf in ("AC", "SP")}
    found = bb.attribute_inference(tables, ["q", "r"], "s")
    assert found.by == ("dataset",)
    assert found["AC"].subsets.equals(bb.attribute_inference(tables["AC"], ["q", "r"], "s").subsets)


def test_correlations_are_pearsons(states: pl.DataFrame) -> None:
    found = bb.attribute_inference(bb.read(states), ["q", "r"], "s", by=["UF"])
    best = {size: [found[uf].best()["leakage"][size - 1] for (uf,) in found] for size in (1, 2)}
    records = [found[uf].rows for (uf,) in found]
    entropy = [found[uf].entropies["s"] for (uf,) in found]
    for row in found.correlation().iter_rows(named=True):
        assert row["records"] == pytest.approx(np.corrcoef(best[row["size"]], records)[0, 1])
        assert row["entropy"] == pytest.approx(np.corrcoef(best[row["size"]], entropy)[0, 1])


def test_entropy_is_shannons(states: pl.DataFrame) -> None:
    shares = states["s"].value_counts()["count"] / len(states)
    expected = -(shares * shares.log(2)).sum()
    assert bb.attribute_inference(bb.read(states), ["q"], "s").entropies["s"] == pytest.approx(expected)


def test_correlation_over_two_parts_is_not_defined(states: pl.DataFrame) -> None:
    found = bb.attribute_inference(bb.read(states), ["q"], "s", by=["year"])
    assert found.correlation().select("records", "entropy").rows() == [(None, None)]


def test_a_part_column_stops_being_quasi() -> None:
    quasi, sensitive = bb.ColumnSchema("quasi"), bb.ColumnSchema("sensitive")
    schema = bb.Schema({"a": quasi, "b": quasi, "s": sensitive})
    data = bb.read(pl.DataFrame({"a": list("11222"), "b": list("xxyyx"), "s": list("uvuuu")}), schema)
    found = bb.attribute_inference(data, by=["a"])
    assert found["1"].quasi == ("b",)
    with pytest.raises(bb.ColumnError, match="'a'"):
        bb.attribute_inference(data, ["a", "b"], "s", by=["a"])


def test_a_part_without_valid_rows_is_left_out_with_a_warning() -> None:
    schema = bb.Schema({"q": bb.ColumnSchema("quasi", invalid=frozenset({"?"})), "s": bb.ColumnSchema("sensitive")})
    table = pl.DataFrame({"p": ["a", "a", "b"], "q": ["1", "1", "?"], "s": ["u", "v", "u"]})
    data = bb.read(table, schema, columns=["p", "q", "s"])
    with pytest.warns(bb.BiomboWarning, match="b"):
        found = bb.attribute_inference(data, by=["p"])
    assert list(found) == [("a",)]


def test_a_single_string_for_the_parts_is_refused(clinic: bb.Dataset) -> None:
    with pytest.raises(bb.UsageError, match="list"):
        bb.attribute_inference(clinic, ["age"], "disease", by="sex")
