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
from spark_cluster import connect_server, events, free_port, spark_environment, write_settings
from spark_engine import MASTER, needs_spark

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
    }
    if request.param == "classic":
        environment = spark_environment(write_settings(folder / "spark", settings), folder / "spark")
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
    pages = [text for name, text in told(watched) if not name.startswith("event")]
    answers = {
        text: json.loads(text.partition("\n")[2]) for text in pages if text.partition("\n")[2].startswith(("[", "{"))
    }
    said = [*logged(watched), *answers.values()]
    texts = [text for text in pages if text not in answers]
    texts += [text for each in said for text in _texts(each)]

    numbers = {number for each in said for number in _numbers_of_rows(each)}
    assert len(answers) > 3
    assert not [text for text in texts if re.search(rf"(?<![\d.]){GROUP}(?![\d.]| ?[mB])|7,919(?!\d)", text)]
    assert len(numbers) > 3
    assert GROUP not in numbers


def _texts(event: Any) -> Iterator[str]:
    if isinstance(event, str):
        yield event
    elif isinstance(event, dict | list):
        for each in event.values() if isinstance(event, dict) else event:
            yield from _texts(each)


def _numbers_of_rows(event: Any) -> Iterator[int]:
    """What is counted in rows or records; sizes and times may be any number."""
    if isinstance(event, list):
        for each in event:
            yield from _numbers_of_rows(each)
    elif isinstance(event, dict):
        if re.search("row|record", str(event.get("Name", event.get("name", "")))):
            told = (str(event.get(each)).replace(",", "") for each in ("Value", "Update", "value"))
            yield from (int(each) for each in told if each.isdigit())
        for name, each in event.items():
            if isinstance(each, int) and "Records" in name:
                yield each
            yield from _numbers_of_rows(each)


def test_files_are_sealed_while_they_are_needed(watched: Path) -> None:
    files, *found = (watched / watched_release.SEEN / "files.txt").read_text().splitlines()

    assert int(files) > 20
    assert found == []


def test_and_are_gone_afterwards(watched: Path) -> None:
    left = [path for name in (watched_release.SHARED, "spark") for path in (watched / name).rglob("*")]

    assert [path for path in left if path.is_file() and path.name != "spark-defaults.conf"] == []
