"""What does not fit into memory while its records are shuffled."""

import numpy as np
import polars as pl

import biombo as bb
from biombo._data import SourceTable
from biombo._engine import MOST_HELD
from biombo._plan import Onlooker, apply_to_table
from biombo._release.trace_ids import Links, written_ids

ROWS = 3000


def test_trace_ids_are_linked_to_the_records_that_they_stand_for(tmp_path) -> None:
    table = pl.DataFrame({"remark": [f"{number:06}" * 2500 for number in range(ROWS)]})
    ids, keys = [], []
    links = Links(lambda some, of: (ids.append(some), keys.append(of)))
    onlooker = Onlooker(links.named, lambda _counted: None)
    out = tmp_path / "data.parquet"
    apply_to_table(SourceTable.open(table), bb.Plan(sensitive=["remark"]), out, bb.Schema(), onlooker=onlooker)
    released = pl.read_parquet(out)

    assert table.estimated_size() > MOST_HELD
    assert released["trace_id"].to_list() == written_ids(np.concatenate(ids)).to_list()
    assert released["remark"].to_list() == table["remark"].gather(np.concatenate(keys)).to_list()
    assert sorted(np.concatenate(keys)) == list(range(ROWS))
