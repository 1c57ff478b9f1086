"""Files of every format are read by workers, as whole files."""

from pathlib import Path

from spark_engine import needs_spark, spark_engine
from written_tables import FORMATS

from biombo._data import Schema, SourceTable, read_counted

pytestmark = needs_spark


def test_workers_read_every_format(tmp_path: Path):
    table = {"code": ["a", "b", "c"], "cid": ["A90", None, "A90"]}
    paths = [tmp_path / f"{number}" / name for number, name in enumerate(FORMATS)]
    for path, write in zip(paths, FORMATS.values(), strict=True):
        path.parent.mkdir()
        write(table, path)
    source = SourceTable.open(paths)
    there = spark_engine().open(source).tuples(["code", "cid"], Schema())
    here = read_counted(source, columns=["code", "cid"])

    def counted(data):
        rows = zip(*(data[name].decoded().to_list() for name in ("code", "cid")), strict=True)
        return dict(zip(rows, data.counts.tolist(), strict=True))

    assert counted(there) == counted(here) == dict.fromkeys(zip(*table.values(), strict=True), len(FORMATS))
