"""No key, original value or small count stands where others look: Spark's pages, logs, plans, and files on the disk."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import watched_release
from quick_java import quick_options
from spark_cluster import connect_server, events, free_port, spark_environment, write_settings
from spark_engine import MASTER, needs_spark
from told_counts import counts_in_answer, counts_in_text

import biombo as bb
from biombo._secrets import Key

pytestmark = needs_spark

GROUP = 7919
"""So many records are in one group, and in nothing else."""
ORIGINAL, RARE, NAME = "ORIGINALVALUE", "RAREVALUE", "NAMEOFSOMEBODY"


def table() -> pl.DataFrame:
    """One large group, some small ones, and values that are there once."""
    others = 900
    rows = GROUP + others
    return pl.DataFrame(
        {
            "name": [f"{NAME}-{number}" for number in range(rows)],
            "sex": ["F"] * GROUP + ["M"] * others,
            "age": [30] * GROUP + [20 + number % 60 for number in range(others)],
            "zip": ["70000-000"] * GROUP + ["10000-000"] * (others - 1) + [ORIGINAL],
            "disease": [*(["flu", "gout", "colic"] * rows)[: rows - 1], RARE],
        }
    )


PLAN = bb.Plan(
    [
        bb.Pseudonymise("name", "keyed", key="key-0000000000000000", dataset="people"),
        bb.MaskCharacters("zip", keep_first=1),
        bb.DropDuplicates(["name"]),
        bb.Generalise("age", bb.Hierarchy.by_interval(20), 1),
        bb.SuppressGroups(),
    ],
    [bb.KAnonymity(3)],
    quasi=["sex", "age", "zip"],
    sensitive=["disease"],
    person="name",
)


@pytest.fixture(scope="module", params=["classic", "connect"])
def watched(request, tmp_path_factory) -> Path:
    """The folder of a release that was watched."""
    folder = tmp_path_factory.mktemp(request.param)
    for name in (watched_release.SHARED, watched_release.SEEN, "events", "spark"):
        (folder / name).mkdir()
    named = bb.new_key(folder / "key")
    key = Key.read((folder / "key").read_text())
    table().write_parquet(folder / "people.parquet", row_group_size=3000)
    pseudonyms, *others = PLAN.operations
    pseudonyms = bb.Pseudonymise(pseudonyms.column, pseudonyms.kind, key=named, dataset=pseudonyms.dataset)
    bb.Plan([pseudonyms, *others], PLAN.criteria, PLAN.quasi, PLAN.sensitive, person=PLAN.person).save(
        folder / "plan.yaml"
    )
    markers = {each: each.encode() for each in (ORIGINAL, RARE, NAME)} | watched_release.spellings("key", key.secret)
    (folder / "markers").write_text("".join(f"{name} {each.hex()}\n" for name, each in markers.items()))
    port = free_port()
    settings = {
        "spark.io.encryption.enabled": "true",
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": (folder / "events").as_uri(),
        "spark.ui.enabled": "true",
        "spark.ui.port": str(port),
        "spark.local.dir": str(folder / "spark"),
        "spark.sql.codegen.wholeStage": "true",  # plans and metrics as people have them
        "spark.sql.codegen.factoryMode": "FALLBACK",
    }
    if request.param == "classic":
        environment = spark_environment(write_settings(folder / "spark", settings, quick_options()), folder / "spark")
        del environment["SPARK_LOCAL_DIRS"]
        _run(folder, MASTER, "", environment)
    else:
        (folder / "server").mkdir()
        with connect_server(settings=settings, folder=folder / "server") as address:
            environment = {**os.environ, "TMPDIR": str(folder / "spark")}
            _run(folder, address, f"http://127.0.0.1:{port}", environment, folder / "server")
    return folder


def _run(folder: Path, master: str, pages: str, environment: dict[str, str], *further: Path) -> None:
    watched = ",".join(map(str, [folder / "spark", *further]))
    program = [sys.executable, "-W", "ignore", watched_release.__file__, str(folder), master, pages]
    ended = subprocess.run(
        program, env=environment | {"WATCHED": watched}, capture_output=True, text=True, timeout=600, check=False
    )
    assert ended.returncode == 0, ended.stderr[-4000:]


def markers(folder: Path) -> dict[str, bytes]:
    lines = (folder / watched_release.SEEN / "secrets").read_text().splitlines()
    return dict(watched_release.marker(line) for line in lines)


def told(folder: Path) -> Iterator[tuple[str, str]]:
    """All that Spark told: pages, plans, and its log, by name."""
    for path in sorted((folder / watched_release.SEEN).glob("p*-*.txt")):
        yield path.name, path.read_text()
    for number, event in enumerate(logged(folder)):
        yield f"event {number}", json.dumps(event, ensure_ascii=False)


def logged(folder: Path) -> list[dict[str, Any]]:
    (log,) = (folder / "events").iterdir()
    return list(events(log))


def test_what_spark_tells_has_no_key_and_no_value(watched: Path) -> None:
    unwanted = {name: each.decode("latin-1") for name, each in markers(watched).items()}
    assert {"key", ORIGINAL} <= set(unwanted)
    assert any(name.startswith("seal") for name in unwanted)

    assert [(where, name) for where, text in told(watched) for name, each in unwanted.items() if each in text] == []


def test_what_is_looked_at_is_what_spark_tells(watched: Path) -> None:
    """A marker in a query of its own is on a page and in the log, and every query has a plan."""
    where = {re.sub(r"[-\d. ].*", "", name) for name, text in told(watched) if watched_release.CONTROL in text}
    plans = [text for name, text in told(watched) if name.startswith("plan")]

    assert {"page", "event"} <= where
    assert len(plans) > 5
    assert all("MapInArrow" in text for text in plans)
    assert any("HashAggregate" in text for text in plans)


def test_nor_does_it_tell_how_many_records_are_in_a_group(watched: Path) -> None:
    """By chance no count is this one: pieces have a third of the records each, more or less a few hundred."""
    counts: dict[str, set[int]] = {"page": set(), "plan": set(), "answer": set(), "event": set()}
    for name, text in told(watched):
        content = text.partition("\n")[2]
        if content.startswith(("[", "{")):
            counts["answer"].update(counts_in_answer(json.loads(content)))
        elif not name.startswith("event"):
            counts[name.partition("-")[0]].update(counts_in_text(text))
    counts["event"].update(count for event in logged(watched) for count in counts_in_answer(event))

    assert all(watched_release.CONTROL_ROWS in counts[where] for where in ("page", "answer", "event"))
    assert [where for where, told in counts.items() if GROUP in told] == []


@pytest.mark.parametrize("count", [7919, 31, 123456])
def test_a_count_is_told_from_times_sizes_and_names(count: int) -> None:
    counts = [
        f"<td>{count}</td>",
        f"<td>{count:,}</td>",
        f"number of output rows: {count:,}",
        f"rowCount={count})",
        f"sex = F: {count}, sex = M",
        f'<td sorttable_customkey="{count}">{count}</td>',
        f"labeltooltip=&quot;{count:,} rows&quot;",
    ]
    others = [
        f"session_id: &quot;0ee9cb1a-{count % 10000:04}-4a1b-{count % 10000:04}-{count:012}&quot;",
        f'<td sorttable_customkey="{count}">8 s</td>',
        f'<td sorttable_customkey="{count}">7.7 KiB</td>',
        f'<td sorttable_customkey="{count}">\n  2026/11/17 10:24:37</td>',
        f"{count} ms, {count / 10} s, {count} B, {count:,} B, {count}.0 B",
        f"at 127.0.0.1:{count}, Dataset.scala:{count}, [truncated(size={count:,})]",
        f"n#{count}L, note#{count}, [plan_id={count}], cluster_spark_plan_{count}, RDD [{count}], Stage {count}",
        f"0-&gt;{count};\n  {count} [id=&quot;node_{count}&quot;",
    ]

    assert [text for text in counts if count not in counts_in_text(text)] == []
    assert [text for text in others if count in counts_in_text(text)] == []


@pytest.mark.parametrize("metric", ["number of output rows", "internal.metrics.shuffle.read.recordsRead", "groups"])
def test_a_metric_is_a_count_unless_it_is_a_time_or_a_size(metric: str) -> None:
    assert [*counts_in_answer([{"Name": metric, "Update": "7919", "Value": 7920}])] == [7919, 7920]
    assert [*counts_in_answer({"name": metric, "value": "7,919"})] == [7919]
    assert [*counts_in_answer({"Shuffle": {"Total Records Read": 7919, "Local Bytes Read": 7920}})] == [7919]
    assert [*counts_in_answer([{"Name": "sort time", "Value": "7919"}, {"Name": "data size", "Value": 7919}])] == []


def test_files_are_sealed_while_they_are_needed(watched: Path) -> None:
    files, *found = (watched / watched_release.SEEN / "files.txt").read_text().splitlines()

    assert int(files) > 20
    assert found == []


def test_and_are_gone_afterwards(watched: Path) -> None:
    left = [path for name in (watched_release.SHARED, "spark") for path in (watched / name).rglob("*")]

    assert [path for path in left if path.is_file() and path.name != "spark-defaults.conf"] == []
