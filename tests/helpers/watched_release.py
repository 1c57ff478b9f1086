"""A release that is made on Spark while everything that others could see of it is kept for a test to look into.

Run as a program: ``python watched_release.py FOLDER MASTER PAGES``. What is asked for lies in ``FOLDER``; what was seen
is put there, the address of Spark's pages being ``PAGES`` where the session does not know it.
"""

import base64
import contextlib
import io
import os
import re
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import biombo as bb
from biombo._engine import SparkEngine

SHARED, SEEN = "shared", "seen"
CONTROL = "CONTROL-MARKER"
"""Stands in a query of its own, so that whoever finds it nowhere knows that nothing was looked at."""
CONTROL_ROWS = 7907
"""Rows of that query, so that whoever finds no such count knows that counts were not looked at."""
_MOST_PAGES = 400
_THE_SAME = re.compile(r"/static/|/kill|[?&][\w.]*(sort|page|pageSize)=")
"""Links to what is no page of its own, or one in another order."""


class Watcher:
    """Keeps the plans of all queries, and looks into files whenever one has been answered."""

    def __init__(self, folder: Path) -> None:
        self.seen = folder / SEEN
        self.markers = dict(marker(line) for line in (folder / "markers").read_text().splitlines())
        self.places = [folder / SHARED, *map(Path, os.environ["WATCHED"].split(","))]
        self.files = 0
        self.found: set[str] = set()
        self._looked: set[tuple[object, ...]] = set()
        self._queries = 0

    def around(self, action: Callable[..., Any], frame_of: Callable[[Any], Any]) -> Callable[..., Any]:
        def watched(asked: Any, *arguments: Any, **named: Any) -> Any:
            self._queries += 1
            frame = frame_of(asked)
            if hasattr(frame, "explain"):  # what a client of Connect writes is a plan, which the server's pages have
                with contextlib.redirect_stdout(io.StringIO()) as told:
                    frame.explain(extended=True)
                (self.seen / f"plan-{self._queries}.txt").write_text(told.getvalue())
            answer = action(asked, *arguments, **named)
            self.look()
            return answer

        return watched

    def knowing_seals(self, jobs_on: Callable[..., Any]) -> Callable[..., Any]:
        def jobs(*asked: Any) -> Any:
            made = jobs_on(*asked)
            self.markers |= spellings(f"seal {len(self.markers)}", made.workplace.seal.secret)
            return made

        return jobs

    def look(self) -> None:
        """For markers, and for the secrets of seals, in all files as they are now."""
        for path in (path for place in self.places for path in place.rglob("*") if path.is_file()):
            with contextlib.suppress(FileNotFoundError):
                self.files += 1
                known = path.stat()
                state = (path, known.st_ino, known.st_size, known.st_mtime_ns, len(self.markers))
                if state in self._looked:
                    continue
                self._looked.add(state)
                for name in self._markers_in(path):
                    self.found.add(f"{name} in {path.name}")

    def _markers_in(self, path: Path) -> Iterator[str]:
        contents = [path.read_bytes()]
        if path.suffix == ".parquet":
            contents += _values(path)
        for content in contents:
            yield from (name for name, marker in self.markers.items() if marker in content)


def _values(path: Path) -> Iterator[bytes]:
    """What is compressed in a file."""
    from pyarrow import parquet

    for column in parquet.read_table(path, partitioning=None).columns:
        yield repr(column.to_pylist()).encode()
        yield from (value for value in column.to_pylist() if isinstance(value, bytes))


def marker(line: str) -> tuple[str, bytes]:
    """What a marker is called, and what it is."""
    name, _, content = line.rpartition(" ")
    return name, bytes.fromhex(content)


def spellings(name: str, secret: bytes) -> dict[str, bytes]:
    """A secret as it is, and as it may be written."""
    return {name: secret, f"{name} in hex": secret.hex().encode(), f"{name} in base64": base64.b64encode(secret)}


def keep_pages(address: str, folder: Path) -> None:
    """All pages that can be reached from the first, and what Spark tells programs."""
    asked, waiting = set(), [f"{address}/jobs/", f"{address}/api/v1/applications"]
    while waiting and len(asked) < _MOST_PAGES:
        page = waiting.pop(0)
        if page in asked:
            continue
        asked.add(page)
        with contextlib.suppress(OSError):
            text = urllib.request.urlopen(page, timeout=20).read().decode(errors="replace")
            (folder / f"page-{len(asked)}.txt").write_text(f"{page}\n{text}")
            links = (link.replace("&amp;", "&") for link in re.findall(r'href="(/[^"#]*)', text))
            waiting += [
                address + link
                for link in links
                if not re.search(r"/static/|/kill|[?&;][\w.]*(sort|page|pageSize)=", link)
            ]
            if page.endswith("/applications"):
                (name,) = re.findall(r'"id" : "([^"]+)"', text)
                further = ("jobs", "stages?details=true", "environment", "executors", "sql?details=true&length=1000")
                waiting[:0] = [f"{page}/{name}/{each}" for each in further]


def main(folder: Path, master: str, pages: str) -> None:
    watcher = Watcher(folder)
    engine = SparkEngine(master, folder=folder / SHARED, rows_in_part=3000)
    engine.jobs = watcher.knowing_seals(engine.jobs)  # type: ignore[method-assign]
    session = engine.session
    session.sql(f"select '{CONTROL}' as marker from range({CONTROL_ROWS})").toArrow()
    frame, writer = type(session.range(1)), type(session.range(1).write)
    frame.toArrow = watcher.around(frame.toArrow, lambda asked: asked)  # type: ignore[method-assign]
    writer.parquet = watcher.around(writer.parquet, lambda asked: asked._df)  # type: ignore[method-assign]
    bb.publish(
        folder / "people.parquet",
        folder / "plan.yaml",
        folder / "release",
        plan_keys=folder / "key",
        accept={"disease": "a test", "name": "a test"},
        engine=engine,
    )
    keep_pages(pages or session.sparkContext.uiWebUrl, watcher.seen)
    (watcher.seen / "files.txt").write_text("\n".join([str(watcher.files), *sorted(watcher.found)]))
    (watcher.seen / "secrets").write_text("\n".join(f"{n} {m.hex()}" for n, m in watcher.markers.items()))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])
