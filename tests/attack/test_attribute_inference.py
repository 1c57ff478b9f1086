from contextlib import nullcontext
from itertools import combinations

import polars as pl
import pytest
from definition import slow_posterior
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb

QUASI = ["sex", "age", "city"]


def test_the_clinic_gives_the_values_computed_on_paper(clinic: bb.Dataset) -> None:
    found = bb.attribute_inference(clinic, quasi=QUASI, sensitive="disease")
    assert found.prior == 5 / 12
    assert [tuple(row) for row in found.subsets.select("quasi", "posterior", "groups").iter_rows()] == [
        (["sex"], 5 / 12, 2),
        (["age"], 8 / 12, 2),
        (["city"], 5 / 12, 2),
        (["sex", "age"], 8 / 12, 4),
        (["sex", "city"], 5 / 12, 4),
        (["age", "city"], 8 / 12, 4),
        (["sex", "age", "city"], 9 / 12, 8),
    ]
    assert found.subsets["leakage"].to_list() == [p - 5 / 12 for p in found.subsets["posterior"]]
    assert found.subsets["multiplicative"].to_list() == [p / (5 / 12) for p in found.subsets["posterior"]]


def test_best_is_the_strongest_subset_of_each_size(clinic: bb.Dataset) -> None:
    best = bb.attribute_inference(clinic, QUASI, "disease").best()
    assert best.select("size", "quasi", "posterior").rows() == [
        (1, ["age"], 8 / 12),
        (2, ["sex", "age"], 8 / 12),
        (3, ["sex", "age", "city"], 9 / 12),
    ]


def test_without_each_names_posterior_and_leakage_correctly(clinic: bb.Dataset) -> None:
    missing = bb.attribute_inference(clinic, QUASI, "disease").without_each()
    assert missing.select("without", "quasi", "posterior").rows() == [
        ("sex", ["age"], 8 / 12),
        ("age", ["sex"], 5 / 12),
        ("city", ["age"], 8 / 12),
    ]
    assert missing["leakage"].to_list() == [8 / 12 - 5 / 12, 0, 8 / 12 - 5 / 12]


def test_max_size_limits_the_subsets(clinic: bb.Dataset) -> None:
    found = bb.attribute_inference(clinic, QUASI, "disease", max_size=2)
    assert found.subsets["size"].to_list() == [1, 1, 1, 2, 2, 2]


def test_several_sensitive_columns_are_guessed_each_and_jointly(clinic: bb.Dataset) -> None:
    found = bb.attribute_inference(clinic, quasi=["age"], sensitive=["disease", "city"])
    assert found.sensitive == ("disease", "city", "disease+city")
    assert found.subsets.select("sensitive", "posterior").rows() == [
        ("disease", 8 / 12),
        ("city", 8 / 12),
        ("disease+city", 5 / 12),
    ]
    with pytest.raises(bb.UsageError, match="disease, city, disease\\+city"):
        _ = found.prior


value = st.one_of(st.none(), st.sampled_from(["0", "00", "000", "x", ""]))
rows_of_values = st.lists(st.tuples(value, value, value, value, value), min_size=1, max_size=40)


@settings(max_examples=60, deadline=None)
@given(rows=rows_of_values)
def test_every_subset_agrees_with_the_definition(rows: list[tuple[str | None, ...]]) -> None:
    names = ["a", "b", "c", "s", "t"]
    data = bb.read(pl.DataFrame({n: pl.Series([r[i] for r in rows], dtype=pl.String) for i, n in enumerate(names)}))
    rows = [tuple(value or None for value in row) for row in rows]  # an empty text is a missing value
    with pytest.warns(bb.BiomboWarning) if _has_key(rows) else nullcontext():
        found = bb.attribute_inference(data, quasi=["a", "b", "c"], sensitive=["s", "t"])
    joint = [(*row, (row[3], row[4])) for row in rows]
    for place, sensitive in enumerate(found.sensitive, start=3):
        subsets = found.subsets.filter(pl.col("sensitive") == sensitive)
        expected = [slow_posterior(joint, s, place) for size in (1, 2, 3) for s in combinations(range(3), size)]
        assert subsets["posterior"].to_list() == pytest.approx(expected, abs=1e-12)
        assert found.priors[sensitive] == pytest.approx(slow_posterior(joint, [], place), abs=1e-12)
    for subset in (["a"], ["b", "c"], ["a", "b", "c"]):
        records = found.records(subset, "s")
        assert records.success.mean == pytest.approx(
            slow_posterior(rows, ["abc".index(n) for n in subset], 3), abs=1e-12
        )


def _has_key(rows: list[tuple[str | None, ...]]) -> bool:
    return len(rows) > 1 and any(len({row[column] for row in rows}) == len(rows) for column in range(3))


def test_records_come_in_row_order_in_both_senses(clinic: bb.Dataset) -> None:
    records = bb.attribute_inference(clinic, QUASI, "disease").records(["age", "city"])
    # 34 in Pedra Rasa: flu, flu, asthma, flu; 60 in Rio Fundo: diabetes, flu, diabetes, asthma; 34 in Rio Fundo: a tie
    assert records.table["row"].to_list() == list(range(12))
    assert records.table["vulnerability"].to_list() == [3 / 4] * 4 + [1, 1] + [1 / 2] * 6
    assert records.table["success"].to_list() == [1, 1, 0, 1, 1, 1, 1, 1 / 2, 1 / 2, 0, 1, 0]
    assert records.vulnerability.mean == records.success.mean == pytest.approx(8 / 12)


def test_distributions_read_off_cells_are_those_of_the_records(clinic: bb.Dataset) -> None:
    found = bb.attribute_inference(clinic, QUASI, "disease")
    for subset in (["age"], ["age", "city"], QUASI):
        records = found.records(subset)
        for of_cells, of_records in (
            (found.distribution(subset), records.vulnerability),
            (found.successes(subset), records.success),
        ):
            assert of_cells.histogram(8).equals(of_records.histogram(8))
            assert of_cells.count_above(0.6) == of_records.count_above(0.6)


def test_invalid_rows_are_dropped_once_and_counted_per_column() -> None:
    table = pl.DataFrame(
        {"sex": ["F", "0", "0", "M", "F"], "age": ["20", "999", None, "30", "20"], "care": list("abcad")}
    )
    schema = bb.Schema(
        {
            "sex": bb.ColumnSchema(role="quasi", invalid=frozenset({"0"})),
            "age": bb.ColumnSchema(role="quasi", invalid=frozenset({"999", None})),
            "care": bb.ColumnSchema(role="sensitive"),
        }
    )
    found = bb.attribute_inference(bb.read(table, schema))
    assert found.rows == 3
    assert (found.dropped.rows, found.dropped.by_column) == (2, {"sex": 2, "age": 2, "care": 0})
    assert found.records(["sex"]).table["row"].to_list() == [0, 3, 4]


def test_a_missing_value_is_a_value_of_its_own() -> None:
    data = bb.read(pl.DataFrame({"q": [None, None, "", "0"], "s": ["a", "b", "a", "c"]}))
    found = bb.attribute_inference(data, ["q"], "s")
    assert found.subsets["groups"].to_list() == [2]  # an empty text is a missing value too
    assert found.subsets["posterior"].to_list() == [3 / 4]


def test_leading_zeros_tell_values_apart() -> None:
    data = bb.read(pl.DataFrame({"q": ["1", "01", "001"], "s": ["a", "b", "c"]}))
    with pytest.warns(bb.BiomboWarning, match="'q'"):
        assert bb.attribute_inference(data, ["q"], "s").subsets["posterior"].to_list() == [1]


def test_named_adversaries_are_evaluated_by_name_beyond_max_size(clinic: bb.Dataset) -> None:
    roles = {name: bb.ColumnSchema(role="quasi") for name in QUASI} | {"disease": bb.ColumnSchema(role="sensitive")}
    schema = bb.Schema(roles, adversaries={"neighbour": ("city", "sex", "age"), "stranger": ("age",)})
    found = bb.attribute_inference(bb.read(bb.samples.clinic(), schema), max_size=1)
    assert found.adversaries().select("adversary", "posterior", "groups").rows() == [
        ("neighbour", 9 / 12, 8),
        ("stranger", 8 / 12, 2),
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"quasi": "sex", "sensitive": "disease"}, "list"),
        ({"quasi": ["sex", "disease"], "sensitive": "disease"}, "disease"),
        ({"quasi": ["sex", "sex"], "sensitive": "disease"}, "sex"),
        ({"quasi": ["sexo"], "sensitive": "disease"}, "did you mean 'sex'"),
        ({"quasi": [], "sensitive": "disease"}, "quasi"),
        ({"quasi": ["sex"], "sensitive": []}, "sensitive"),
        ({"quasi": ["sex"], "sensitive": "disease", "max_size": 0}, "at least 1"),
    ],
)
def test_nonsense_is_refused_with_a_sentence(clinic: bb.Dataset, arguments: dict[str, object], words: str) -> None:
    with pytest.raises(bb.BiomboError, match=words):
        bb.attribute_inference(clinic, **arguments)  # type: ignore[call-overload]


def test_too_many_subsets_need_max_size() -> None:
    data = bb.read(pl.DataFrame({f"q{i}": ["a", "b"] for i in range(18)} | {"s": ["x", "y"]}))
    quasi = [f"q{i}" for i in range(18)]
    with pytest.raises(bb.UsageError, match="262,143"):
        bb.attribute_inference(data, quasi, "s")
    with pytest.warns(bb.BiomboWarning):
        assert len(bb.attribute_inference(data, quasi, "s", max_size=2).subsets) == 18 + 18 * 17 // 2


def test_a_table_whose_rows_are_all_invalid_is_refused() -> None:
    schema = bb.Schema({"q": bb.ColumnSchema("quasi", invalid=frozenset({"x"})), "s": bb.ColumnSchema("sensitive")})
    with pytest.raises(bb.InputError, match="'q'"):
        bb.attribute_inference(bb.read(pl.DataFrame({"q": ["x", "x"], "s": ["a", "b"]}), schema))
