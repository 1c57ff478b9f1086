import polars as pl

from biombo._cli import demo


def test_the_demo_attacks_repairs_and_attacks_again(biombo, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(demo, "ROWS", 5_000)
    out = tmp_path / "demo"
    ending = biombo("demo", "--out", out)
    assert ending.code == 0, ending.err
    assert (out / "report.html").exists()
    assert "Proved to be the best of" in ending.out
    assert "was right about" in ending.err
    protected = pl.read_parquet(out / "protected.parquet")
    quasi = [name for name in protected.columns if name != "PA_PROC_ID"]
    assert protected.group_by(quasi).len()["len"].min() >= 10
    private = tmp_path / "demo.private"
    assert sorted(path.name for path in private.iterdir()) == ["plan.yaml", "search.html"]
    assert private.stat().st_mode & 0o077 == 0
