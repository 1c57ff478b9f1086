import shlex

import polars as pl
import pytest

import biombo as bb


@pytest.fixture
def small(monkeypatch) -> None:
    monkeypatch.setattr("biombo._cli.demo.ROWS", 5_000)


def test_the_demo_attacks_publishes_and_attacks_again(biombo, tmp_path, small) -> None:
    out = tmp_path / "demo"
    for _ in range(2):
        ending = biombo("demo", "--out", out)
        assert ending.code == 0, ending.err
    assert (out / "report.html").exists()
    assert "Proved the best of" in ending.out
    assert "was right about" in ending.err
    released = pl.read_parquet(out / "release" / "data.parquet")
    quasi = [name for name in released.columns if name not in ("trace_id", "PA_PROC_ID")]
    assert released.group_by(quasi).len()["len"].min() >= 10
    private = tmp_path / "demo.private"
    assert sorted(path.name for path in private.iterdir()) == ["release", "search.html"]
    assert private.stat().st_mode & 0o077 == 0
    assert bb.verify(out / "release", key=private / "release" / "public.key").origin_proved


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_the_demo_ends_with_commands_that_work_as_printed(biombo, tmp_path, small, monkeypatch, lang) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", [".venv/bin/biombo"])
    monkeypatch.setattr("shutil.which", lambda _name: None)
    lines = biombo("demo", "--out", "my demo", "--lang", lang).err.splitlines()
    commands = [shlex.split(line) for line in lines if line.startswith(".venv/bin/biombo ")]

    assert [command[1] for command in commands] == ["risk", "utility", "verify"]
    told = " ".join(lines).partition(shlex.join(commands[-1]))[2]
    assert ".venv/bin/biombo serve --demo" in told
    assert "pip install 'biombo[portal]'" in told
    assert [biombo(*command[1:]).code for command in commands] == [0, 0, 0]


def test_what_is_no_release_is_not_removed(biombo, tmp_path, small) -> None:
    folder = tmp_path / "demo" / "release"
    folder.mkdir(parents=True)
    (folder / "thesis.txt").touch()

    ending = biombo("demo", "--out", tmp_path / "demo")

    assert ending.code == 2
    assert "is not a release" in ending.err
    assert (folder / "thesis.txt").exists()
