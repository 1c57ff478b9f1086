"""What columns had in common, and what analysts find out about amounts, before and after."""

import numpy as np
import plain_utility
import polars as pl
import pytest

import biombo as bb

TENS = bb.Hierarchy.by_interval(10)


def test_each_pair_is_measured_by_what_its_columns_are(people: pl.DataFrame) -> None:
    found = bb.utility(people.drop("name"), people.drop("name")).associations

    assert {(pair.first, pair.second): pair.measure for pair in found.pairs} == {
        ("age", "sex"): "correlation-ratio",
        ("age", "cost"): "pearson",
        ("age", "dose"): "correlation-ratio",
        ("sex", "cost"): "correlation-ratio",
        ("sex", "dose"): "cramers-v",
        ("cost", "dose"): "correlation-ratio",
    }
    assert all(pair.difference == 0 for pair in found.pairs)


def test_the_numbers_of_both_tables_are_those_of_the_definitions(people: pl.DataFrame) -> None:
    release = people.head(150)
    found = {(pair.first, pair.second): pair for pair in bb.utility(people, release).associations.pairs}

    for table, side in ((people, "original"), (release, "release")):
        values = {name: table[name].to_list() for name in table.columns}
        assert getattr(found["age", "dose"], side) == pytest.approx(
            plain_utility.correlation_ratio(values["dose"], values["age"])
        )
        assert getattr(found["sex", "dose"], side) == pytest.approx(
            plain_utility.cramers_v(values["sex"], values["dose"]), abs=1e-9
        )
        assert getattr(found["age", "cost"], side) == pytest.approx(np.corrcoef(values["age"], values["cost"])[0, 1])


def test_what_generalising_hides_is_lost(people: pl.DataFrame) -> None:
    plan = bb.Plan([bb.Generalise("age", bb.Hierarchy.all_or_nothing(), 1)], quasi=["age"], sensitive=["dose"])

    found = bb.utility(people, bb.apply(people, plan).data, plan=plan).associations
    lost = next(pair for pair in found.pairs if (pair.first, pair.second) == ("age", "dose"))

    assert lost.measure == "cramers-v"
    assert (lost.original > 0.5, lost.release) == (True, 0)


def test_masked_records_are_left_out_of_a_pair() -> None:
    table = pl.DataFrame({"a": ["x", "y"] * 20, "b": ["u", "v"] * 20})
    release = table.with_columns(a=pl.when(pl.int_range(40) < 30).then("a").otherwise(pl.lit("*")))

    pair = bb.utility(table, release).associations.pairs[0]

    assert pair.release == pytest.approx(plain_utility.cramers_v(["x", "y"] * 15, ["u", "v"] * 15))


def test_the_matrix_and_the_heat_map_show_the_same_differences(people: pl.DataFrame) -> None:
    found = bb.utility(people.drop("name"), people.drop("name").head(100)).associations
    matrix = found.matrix()

    assert np.array_equal(matrix, np.transpose(matrix))
    assert np.diagonal(matrix).tolist() == [0] * 4
    place = found.columns.index
    cells = found.heat_map()
    assert len(cells) == 4 * 3
    assert all(matrix[place(cell["row"])][place(cell["column"])] == cell["difference"] for cell in cells)


def test_ranks_are_compared_as_well() -> None:
    table = pl.DataFrame({"a": [1.5, 2.5, 3.5, 40.5] * 8, "b": [1.5, 4.5, 9.5, 10.5] * 8, "c": ["x", "y"] * 16})

    pairs = bb.utility(table, table, schema=bb.Schema({n: bb.ColumnSchema(type="continuous") for n in "ab"}))

    by_name = {(pair.first, pair.second): pair for pair in pairs.associations.pairs}
    assert by_name["a", "b"].ranks == pytest.approx((1, 1))
    assert by_name["a", "b"].original < 0.9
    assert by_name["a", "c"].ranks is None


def test_statistics_are_those_of_numpy(people: pl.DataFrame) -> None:
    release = people.head(100)
    summary = next(each for each in bb.utility(people, release).summaries if each.column == "cost")

    found = {each.name: each for each in summary.statistics}
    assert list(found) == ["mean", "variance", "q05", "q25", "q50", "q75", "q95"]
    for table, side in ((people, "original"), (release, "release")):
        cost = table["cost"].to_numpy()
        expected = [cost.mean(), cost.var(ddof=1), *np.quantile(cost, [0.05, 0.25, 0.5, 0.75, 0.95])]
        assert [getattr(each, side) for each in found.values()] == pytest.approx(expected)
    mean = found["mean"]
    assert mean.error == abs(mean.release - mean.original)
    assert mean.relative_error == mean.error / mean.original


def test_intervals_count_by_their_middle() -> None:
    table = pl.DataFrame({"age": ["31", "37", "48"]})
    schema = bb.Schema({"age": bb.ColumnSchema(type="discrete")})

    summary = bb.utility(table, pl.DataFrame({"age": ["[30, 40)", "[30, 40)", "*", "[40, 50)"]}), schema=schema)

    found = summary.summaries[0]
    assert found.statistics[0].release == pytest.approx((35 + 35 + 45) / 3)
    assert (found.told, found.by_middle) == (0.75, True)


def test_what_is_not_told_in_numbers_has_no_statistics() -> None:
    table = pl.DataFrame({"age": ["31", "37", "92"]})
    schema = bb.Schema({"age": bb.ColumnSchema(type="discrete")})

    found = bb.utility(table, pl.DataFrame({"age": ["31", "37", "≥ 90"]}), schema=schema).summaries[0]

    assert (found.statistics, found.reason) == ((), "not-numbers")


def test_what_the_schema_calls_invalid_has_no_part_in_a_mean() -> None:
    table = pl.DataFrame({"age": ["30", "40", "999"]})
    schema = bb.Schema({"age": bb.ColumnSchema(type="discrete", invalid=frozenset({"999"}))})

    assert bb.utility(table, table, schema=schema).summaries[0].statistics[0].original == 35


def test_a_mean_of_zero_has_no_relative_error() -> None:
    table = pl.DataFrame({"x": [-1.0, 1.0]})
    schema = bb.Schema({"x": bb.ColumnSchema(type="continuous")})

    assert bb.utility(table, table, schema=schema).summaries[0].statistics[0].relative_error is None


def test_a_schema_given_counts_more_than_the_one_the_table_was_read_with() -> None:
    data = bb.read(pl.DataFrame({"age": ["30", "40", "999"]}))
    schema = bb.Schema({"age": bb.ColumnSchema(type="discrete", invalid=frozenset({"999"}))})

    assert bb.utility(data, data, schema=schema).summaries[0].statistics[0].original == 35


def test_a_column_without_any_number_holds_no_amounts() -> None:
    table = pl.DataFrame({"age": ["999", "unknown"]})
    schema = bb.Schema({"age": bb.ColumnSchema(type="discrete", invalid=frozenset({"999"}))})

    found = bb.utility(table, pl.DataFrame({"age": ["31"]}), schema=schema)

    assert found.summaries == ()
    assert found.distances[0].reasons == ("other-detail",)
