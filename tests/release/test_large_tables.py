"""What does not fit into memory while its records are shuffled."""

import polars as pl

import biombo as bb
from biombo._engine import MOST_HELD

ROWS = 3000


def test_trace_ids_are_linked_to_the_records_that_they_stand_for(tmp_path) -> None:
    table = pl.DataFrame({"remark": [f"{number:06}" * 2500 for number in range(ROWS)]})
    plan = bb.Plan(sensitive=["remark"])
    release = bb.publish(table, plan, tmp_path / "release", format="parquet", unprotected="a test")
    found = bb.trace(release.out, release.data["trace_id"], source=table, reason="a test")
    numbers = [found[trace_id].number for trace_id in release.data["trace_id"]]

    assert table.estimated_size() > MOST_HELD
    assert sorted(numbers) == list(range(1, ROWS + 1)) != numbers
    assert release.data["remark"].to_list() == table["remark"].gather([number - 1 for number in numbers]).to_list()
