"""What a generalisation costs is the same for counted tuples."""

from dataclasses import asdict

import numpy as np
from counting import counted
from hypothesis import given
from hypothesis import strategies as st
from small_tables import SmallTable, small_tables

from biombo._measures import Marginals
from biombo._search import QuasiColumn


@given(small_tables(rows=40), st.data())
def test_marginals_are_the_same(table: SmallTable, more: st.DataObject) -> None:
    which = more.draw(st.sampled_from([None, "flu", "asthma"]))
    found = []
    for data in (table.data, counted(table.data)):
        values = data["disease"].values.to_list()
        keep = data["disease"].codes == values.index(which) if which in values else None
        columns = [
            QuasiColumn.of(data, name, hierarchy, missing="own-branch").all_levels
            for name, hierarchy in table.options["hierarchies"].items()
        ]
        found.append(Marginals.of(columns, data.rows, keep, data.counts))
    np.testing.assert_equal(asdict(found[0]), asdict(found[1]))


def test_large_counts_do_not_overflow() -> None:
    table = SmallTable(({"a": ("x",), "b": ("x",)},), (("a", "flu", "9", "Ana"), ("b", "flu", "9", "Ana")))
    data = table.data
    column = QuasiColumn.of(data, "q0", table.options["hierarchies"]["q0"]).all_levels
    each = 2**61
    found = Marginals.of([column], data.rows, counts=np.full(2, each))
    assert found.records == 2 * each
    assert found.columns[0].share.tolist() == [each, 2.0 * each]
    assert found.columns[0].entropy.tolist() == [0, 2.0 * each]
