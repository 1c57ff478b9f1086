from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

import biombo as bb


@dataclass(frozen=True)
class Worked:
    """What came of a plan, and the file that it was written to."""

    applied: bb.Applied
    lines: list[str]


@pytest.fixture
def worked(tmp_path: Path) -> Callable[..., Worked]:
    """Applies a plan to a table, both as files that a person could have written; ``keep`` names columns to keep."""

    def work(before: str, plan: str, keep: str = "", key: Path | None = None, **files: str) -> Worked:
        for name, content in {"before.csv": before, "plan.yaml": f"biombo-plan: 1\n{plan}"}.items():
            (tmp_path / name).write_text(content.lstrip())
        for name, content in files.items():
            (tmp_path / f"{name}.csv").write_text(content)
        source, saved, out = (tmp_path / name for name in ("before.csv", "plan.yaml", "after.csv"))
        kept = keep.split(",") if keep else []
        applied = bb.apply(source, saved, out, keep=kept, keep_order=True, key=key, force=True)
        return Worked(applied, out.read_text().splitlines())

    return work
