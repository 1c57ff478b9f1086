"""Tables that the rule of retention removes, or does not: one that is gone stands for nothing else, one that a manager
works with stays.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.utils import timezone
from portal_site import Site

import biombo as bb

LONG_AGO = timedelta(days=400)


def closed(site: Site, data_set: Any = None) -> Any:
    """A table that nobody has touched for long."""
    made = data_set or site.another_table()
    site.model("DataSet").objects.filter(pk=made.pk).update(is_offered=False, added_at=timezone.now() - LONG_AGO)
    made.jobs.update(made_at=timezone.now() - LONG_AGO)
    made.refresh_from_db()
    return made


@pytest.fixture
def gone(unchanged: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A table that was removed, while a foreign one lies where the portal was started."""
    from biombo._portal import forget_tables

    made = closed(unchanged)
    pl.read_parquet(made.place).write_parquet(tmp_path / "foreign.parquet")
    assert forget_tables() >= 1
    made.refresh_from_db()
    assert made.place == ""
    monkeypatch.chdir(tmp_path)
    return made


def saved(site: Site, data_set: Any, **told: Any) -> Any:
    return site.client("ana").post(
        f"/data/{data_set.pk}/edit", {"schema": data_set.schema, "seen": data_set.schema_hash, **told}
    )


def test_a_table_that_is_gone_is_said_to_be_and_cannot_be_opened(unchanged: Site, gone: Any):
    page = unchanged.client("ana").get(f"/data/{gone.pk}").body.decode()
    assert "A tabela não existe mais" in page
    assert f"/data/{gone.pk}/workbench" not in page
    assert "removida pela retenção" in unchanged.client("ana").get("/data").body.decode()

    answer = saved(unchanged, gone, is_offered="on")

    assert answer.status_code == 422
    assert "A tabela não existe mais" in answer.body.decode()
    gone.refresh_from_db()
    assert not gone.is_offered


def test_nobody_asks_for_a_table_that_is_gone_however_it_came_to_be_open(unchanged: Site, gone: Any):
    unchanged.model("DataSet").objects.filter(pk=gone.pk).update(is_offered=True, name="A que se foi")

    assert "A que se foi" not in unchanged.client().get("/").body.decode()
    assert "A que se foi" not in unchanged.client("rita").get("/requests/new").body.decode()
    request = {"data_set": gone.pk, "request": {**unchanged.cases()["requested"].asked}}
    answer = unchanged.known("rita").post("/api/requests", request, content_type="application/json")
    assert answer.status_code == 400
    from biombo._portal import faults

    assert [each for each in faults(unchanged.home) if "A que se foi" in each] != []


def test_nothing_else_is_read_for_a_table_that_is_gone(unchanged: Site, gone: Any):
    site = unchanged
    assert site.client("ana").post(f"/data/{gone.pk}/workbench/steps/risk").status_code == 409
    draft = site.model("Draft").objects.create(data_set=gone)
    jobs = site.model("Job").objects
    case = site.asked(data_set=gone)
    asked = [jobs.create(kind="draft-risk", data_set=gone, draft=draft), jobs.create(kind="begin", case=case)]
    asked += [jobs.create(kind=kind, data_set=gone) for kind in ("inspect", "propose-hierarchies")]

    site.work()

    for job in asked:
        job.refresh_from_db()
        assert (job.status, job.error.get("key")) == ("failed", "portal.table-gone"), job.kind


@pytest.fixture
def bereft(unchanged: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A request that goes on, whose table was removed and lies where the portal was started."""
    from biombo._portal import forget_opened

    case = unchanged.begun("caio", unchanged.another_table())
    Path(case.data_set.place).rename(tmp_path / "foreign.parquet")
    unchanged.model("DataSet").objects.filter(pk=case.data_set_id).update(place="")
    monkeypatch.chdir(tmp_path)
    forget_opened(case)
    case.refresh_from_db()
    return case


def test_a_negotiation_whose_table_is_gone_can_be_ended_and_erased(unchanged: Site, bereft: Any):
    site = unchanged
    site.do("caio", bereft, bb.Message("call me: 98765-0000"))
    site.do("caio", bereft, bb.Withdraw("over"))
    answer = site.client("alice").post("/erasures", {"number": bereft.pk, "events": "", "reason": "art. 18"})
    site.work()

    assert answer.status_code == 302
    assert "98765-0000" not in (Path(bereft.folder) / "events.jsonl").read_text()
    assert site.record(bereft).verify() == []


def test_nothing_is_measured_for_a_negotiation_whose_table_is_gone(bereft: Any):
    with pytest.raises(bb.BiomboError, match="not kept any more"):
        _ = bb.Negotiation.load_without_table(bereft.folder).source.columns


@pytest.mark.parametrize("how", ["columns", "edit", "close"])
def test_a_table_that_a_manager_has_just_worked_with_is_kept(unchanged: Site, how: str):
    from biombo._portal import forget_tables

    site, made = unchanged, closed(unchanged)
    if how == "columns":
        page = site.client("ana").get(f"/data/{made.pk}/columns").body.decode()
        roles = dict.fromkeys(re.findall(r'name="(role_\d+)"', page), "other")
        answer = site.client("ana").post(f"/data/{made.pk}/columns", {**roles, "seen": made.schema_hash})
    elif how == "edit":
        answer = saved(site, made, schema=made.schema + "# looked at\n")
    else:
        site.model("DataSet").objects.filter(pk=made.pk).update(is_offered=True)
        answer = saved(site, made)
    assert answer.status_code == 302, answer.body.decode()

    forget_tables()
    assert Path(made.place).exists()

    entries = site.model("TrailEntry").objects.filter(what="data-set-changed", detail__data_set=made.pk)
    assert entries.update(at=timezone.now() - timedelta(days=181)) == 1
    forget_tables()
    assert not Path(made.place).exists()


def test_a_table_that_was_opened_meanwhile_is_not_removed(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    """Retention has found two to be due; while it removes the first, a manager opens the second."""
    from biombo._portal import forget_tables

    sets, (first, second) = unchanged.model("DataSet").objects, (closed(unchanged), closed(unchanged))
    for made, name in ((first, "A"), (second, "B")):
        sets.filter(pk=made.pk).update(name=name)
    unchanged.model("Draft").objects.create(data_set=first)

    def open_second(_draft: Any) -> None:
        sets.filter(pk=second.pk).update(is_offered=True)

    monkeypatch.setattr("biombo._portal.keeping.forget_draft", open_second)

    assert forget_tables() == 1
    assert not Path(first.place).exists()
    assert Path(second.place).exists()
    second.refresh_from_db()
    assert second.place
