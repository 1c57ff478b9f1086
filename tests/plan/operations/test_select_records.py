"""Which records there are: no suppression, and nothing of the others."""

from pathlib import Path

import polars as pl
import pyarrow as pa
import pytest
import yaml
from pyarrow import parquet
from refusal import refused

import biombo as bb
from biombo._data import SourceTable
from biombo._engine import LOCAL, Fate
from biombo._plan import Context

PEOPLE = pl.DataFrame(
    {
        "town": ["211130", "211130", "210005", "211130", "210005", "211130"],
        "day": ["2023-01-01", "2023-12-31", "2023-05-01", "2022-12-31", "2023-05-01", "2023-07-09"],
        "age": ["30", "31", "n/a", "32", "n/a", "33"],
        "ill": ["flu", "gout", "HIV", "flu", "HIV", "flu"],
    }
)
YEAR = {"town": ["211130"], "day": {"at-least": "2023-01-01", "below": "2024-01-01"}}


def chosen(table, where, **marks) -> list[int]:
    """The numbers of the rows that are selected."""
    plan = bb.Plan([bb.SelectRecords(where, **marks)], sensitive=["row"])
    return bb.apply(table.with_row_index("row"), plan, keep_order=True).data["row"].to_list()


def test_one_town_in_one_year() -> None:
    assert chosen(PEOPLE, YEAR) == [0, 1, 5]
    assert chosen(PEOPLE, {"town": "210005"}) == [2, 4]


def test_conditions_are_those_of_suppression() -> None:
    """Whoever meets them is selected by the one and suppressed by the other."""
    for where, marks in (
        (YEAR, {}),
        ({"ill": ["flu", "gout"]}, {}),
        ({"day": {"above": "2023-05-01"}}, {}),
        ({"age": {"at-least": 31, "apart": ["n/a"]}}, {}),
        ({"age": {"missing": False}}, {}),
    ):
        left = bb.Plan([bb.SuppressRecords(where, **marks)], sensitive=["row"])
        numbered = PEOPLE.with_row_index("row")
        try:
            others = bb.apply(numbered, left, keep_order=True).data["row"].to_list()
        except bb.SuppressionError:
            others = []
        assert sorted([*chosen(PEOPLE, where, **marks), *others]) == list(range(PEOPLE.height))


def test_it_is_no_suppression() -> None:
    plan = bb.Plan([bb.SelectRecords({"town": "211130"})], [bb.KAnonymity(4, quasi=["town"])], ["town"], ["ill"])
    applied = bb.apply(PEOPLE, bb.Plan(plan.operations, plan.criteria, plan.quasi, plan.sensitive, max_suppression=0))

    assert (applied.rows, applied.suppressed, applied.invalid, applied.holds) == (4, 0, 0, True)
    assert applied.outcome.total.total == 4
    assert applied.as_json()["people"]["suppressed"] == 0


def test_what_was_known_beforehand_is_known_of_the_selected_alone() -> None:
    """In all of the table half of the people have HIV, of the selected nobody: no group is far from what is known."""
    table = pl.DataFrame(
        {"town": ["A"] * 4 + ["B"] * 4, "sex": ["F", "F", "M", "M"] * 2, "ill": ["flu"] * 4 + ["HIV"] * 4}
    )
    about = {"criteria": [bb.TCloseness(0.1)], "quasi": ["sex"], "sensitive": ["ill"]}
    verdicts = [
        bb.apply(table, bb.Plan([operation], **about)).judgement.verdicts[0].achieved
        for operation in (bb.SelectRecords({"town": "A"}), bb.SuppressRecords({"town": "B"}))
    ]

    assert verdicts == [0.0, 0.5]


def test_what_others_have_stops_nothing() -> None:
    """Ages that no interval holds, and that cannot be compared, are those of the other town."""
    ages = bb.Generalise("age", bb.Hierarchy.by_interval(10), 1)
    with pytest.raises(bb.BiomboError, match="n/a"):
        bb.apply(PEOPLE, bb.Plan([ages], quasi=["age"]))
    here = bb.Plan([bb.SelectRecords({"age": {"above": 30}, "town": "211130"}), ages], quasi=["age"])
    assert bb.apply(PEOPLE, here).data["age"].to_list() == ["[30, 40)"] * 3


def test_several_selections_hold_together() -> None:
    """By one after the other, so that the second does not meet what the first has left out."""
    selections = [bb.SelectRecords({"town": "211130"}), bb.SelectRecords({"age": {"at-least": 31}})]
    plan = bb.Plan(selections, quasi=["age"])

    assert sorted(bb.apply(PEOPLE, plan).data["age"]) == ["31", "32", "33"]


def test_a_plan_in_yaml_reads_back_the_same() -> None:
    written = "select-records: {where: {town: ['211130'], day: {at-least: 2023-01-01, below: 2024-01-01}}}"
    plan = bb.Plan.from_tree({"biombo-plan": 1, "operations": [yaml.safe_load(written)]})

    assert plan.operations == (bb.SelectRecords(YEAR),) == plan.selections
    assert bb.Plan.from_tree(yaml.safe_load(plan.to_yaml())) == plan
    assert bb.Plan.from_tree(plan.to_tree()).hash == plan.hash != bb.Plan().hash


def test_it_stands_before_everything_else() -> None:
    first, second = bb.SelectRecords({"town": "211130"}), bb.SelectRecords({"ill": "flu"})
    bb.Plan([first, second, bb.DropInvalid({"age": ["n/a"]})])
    for other in (bb.DropInvalid({"age": ["n/a"]}), bb.SuppressRecords({"ill": "HIV"}), bb.Sample(records=2)):
        with refused("plan.late-selection", "select-records", other.name):
            bb.Plan([first, other, second])


def test_a_plan_is_begun_with_a_selection_once() -> None:
    selection, plan = bb.SelectRecords({"town": "211130"}), bb.Plan([bb.Sample(records=2)])

    assert plan.selecting([selection]).operations == (selection, *plan.operations)
    assert plan.selecting([selection]).selecting([selection]) == plan.selecting([selection])
    assert plan.selecting([]) == plan


def test_a_column_that_is_only_selected_by_does_not_come_out() -> None:
    applied = bb.apply(PEOPLE, bb.Plan([bb.SelectRecords({"town": "211130"})], sensitive=["ill"]))

    assert applied.data.columns == ["ill"]
    assert applied.unspoken == ("town", "day", "age")


def test_nobody_is_selected() -> None:
    with refused("input.none-selected", "Polars"):
        bb.apply(PEOPLE, bb.Plan([bb.SelectRecords({"town": "999999"})], sensitive=["ill"]))
    with refused("input.none-selected"):
        bb.preview(PEOPLE, bb.Plan([bb.SelectRecords({"town": "999999"})], sensitive=["ill"]))


@pytest.mark.parametrize(
    "operations",
    [[], [bb.SuppressGroups()], [bb.MaskGroups()], [bb.Sample(records=1)]],
    ids=["none", "suppress", "mask", "sample"],
)
def test_of_fewer_than_k_people_it_is_not_told_how_many_there_are(operations, tmp_path) -> None:
    plan = bb.Plan([bb.SelectRecords({"town": "210005"}), *operations], [bb.KAnonymity(5)], ["age"], ["ill"])
    for act in (bb.apply, bb.preview):
        with pytest.raises(bb.SuppressionError) as caught:
            act(PEOPLE, plan, **({"out": tmp_path / "out.csv"} if act is bb.apply else {}))
        assert caught.value.key == "plan.few-selected"
        assert "5" in str(caught.value)
        assert "2" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_people_are_counted_where_they_are_named() -> None:
    table = PEOPLE.with_columns(who=pl.Series(["Ana", "Ana", "Bia", "Ana", "Caio", "Bia"]))
    about = {"quasi": ["town"], "sensitive": ["ill"], "person": "who"}
    two, three = (bb.Plan([bb.SelectRecords({"town": "211130"})], [bb.KAnonymity(k)], **about) for k in (2, 3))

    assert bb.apply(table, two).holds
    with refused("plan.few-selected", "3"):
        bb.apply(table, three)


def test_a_warning_says_where_being_selected_tells_something_sensitive() -> None:
    plan = bb.Plan([bb.SelectRecords({"ill": "HIV"})], sensitive=["ill", "day"])
    with pytest.warns(bb.BiomboWarning, match="'ill'"):
        bb.apply(PEOPLE, plan)


@pytest.mark.parametrize(
    ("where", "key"),
    [
        ({}, "plan.where-empty"),
        ({"age": 7}, "plan.where-values"),
        ({"age": {"atleast": 7}}, "plan.where-entries"),
        ({"age": {"at-least": "seven"}}, "plan.where-limit"),
        ({"age": {"missing": True, "above": 7}}, "plan.where-missing"),
    ],
)
def test_conditions_that_make_no_sense_are_refused(where, key) -> None:
    with refused(key, *where):
        bb.SelectRecords(where)


def test_unknown_columns_and_values_that_cannot_be_compared_are_named() -> None:
    with refused("column.missing-close", "'towns'", "'town'"):
        bb.apply(PEOPLE, bb.Plan([bb.SelectRecords({"towns": "7"})], sensitive=["ill"]))
    with refused("plan.where-number", "'age'", "'n/a'"):
        bb.apply(PEOPLE, bb.Plan([bb.SelectRecords({"age": {"above": 30}})], sensitive=["ill"]))


def test_whoever_reads_the_whole_table_leaves_the_others_out_all_the_same() -> None:
    """An operation does what it says wherever it is carried out, though nobody has opened the table by the plan."""
    plan = bb.Plan([bb.SelectRecords({"town": "211130"})], sensitive=["ill"])
    context = Context()
    flow = LOCAL.open(SourceTable.open(PEOPLE)).flow(
        bb.Schema(), context, random=context.random, folder=None, warn=context.warn
    )
    counted = flow.mapped(plan.operations[0]).counted(["town"])

    found = dict(zip(counted.data["town"].decoded(), counted.fates.tolist(), strict=True))
    assert found == {"211130": Fate.RELEASED, "210005": Fate.NOT_SELECTED}
    assert (counted.total.left_out, counted.total.out) == (2, 2)


def test_a_column_of_the_files_names_can_be_selected_by(tmp_path) -> None:
    for town, some in PEOPLE.group_by("town", maintain_order=True):
        some.drop("town").write_csv(tmp_path / f"people{town[0]}.csv")
    plan = bb.Plan([bb.SelectRecords({"town": "210005"})], sensitive=["ill"])
    found = bb.apply(str(tmp_path / "*.csv"), plan, filename="people{town:6}.csv")

    assert found.data["ill"].to_list() == ["HIV", "HIV"]


def test_values_of_others_are_in_no_dictionary(tmp_path: Path) -> None:
    """Text that is coded, viewed or repeated in Arrow is selected as any other; what only others have is gone."""
    encoded = pa.table(
        {
            "town": pa.array(PEOPLE["town"].to_list()).dictionary_encode(),
            "ill": pa.array(PEOPLE["ill"].to_list()).dictionary_encode(),
            "age": pa.array(PEOPLE["age"].to_list()).cast(pa.string_view()),
            "one": pa.RunEndEncodedArray.from_arrays([4, 6], ["x", "y"]),
        }
    )
    parquet.write_table(encoded.drop_columns(["one"]), tmp_path / "people.parquet")
    for source, columns in ((encoded, ["ill", "age", "one"]), (tmp_path / "people.parquet", ["ill", "age"])):
        table = SourceTable.open(source).selected([bb.SelectRecords({"town": "211130"})])
        (batch,) = (batch for _, batch in table.batches(columns))
        assert batch.column("age").to_pylist() == ["30", "31", "32", "33"]
        assert set(bb.read(table, columns=columns)["ill"].values) == {"flu", "gout"}
        assert "HIV" not in getattr(batch.column("ill"), "dictionary", pa.array([])).to_pylist()


def test_where_each_record_lies_is_known(tmp_path: Path) -> None:
    for number, part in enumerate((PEOPLE[:3], PEOPLE[3:])):
        part.write_csv(tmp_path / f"{number}.csv")
    table = SourceTable.open(str(tmp_path / "*.csv"))
    selected = table.selected([bb.SelectRecords({"town": "211130"})])

    assert selected.places().tolist() == [0, 1, 3, 5]
    assert table.places().tolist() == list(range(6))
    assert (table.rows, selected.rows, selected.whole) == (table.rows, None, table)
    assert selected.label != table.label
