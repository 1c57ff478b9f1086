"""Tables that the rule of retention removes, or does not: one that is gone stands for nothing else, one that a manager
works with stays.
"""

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import yaml
from django.utils import timezone
from portal_site import Site

import biombo as bb

LONG_AGO = timedelta(days=400)
LOOKED_UP = ("values", "plans")


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


def test_what_a_worker_that_was_stopped_had_begun_to_remove_is_removed(unchanged: Site):
    """The file was gone, and what names its values was not."""
    from biombo._portal import forget_tables

    site, made = unchanged, closed(unchanged)
    history = site.home.questions / f"{made.pk}.jsonl"
    history.write_text("what was said\n")
    Path(made.place).unlink()
    fault = {"key": "query.several", "values": {"column": "city", "person": "name"}}
    told = {"unfit": {"schema": made.schema_hash, "by": {"city": fault}, "mean": {}}}
    site.model("DataSet").objects.filter(pk=made.pk).update(place="", **told)
    question = {"by": {}, "mean": None, "where": None, "totals": False}
    failed = {"state": "failed", "error": fault, "purpose": "to know", "asked": question, "person": site.people["rita"]}
    inquiry = site.model("Inquiry").objects.create(data_set=made, **failed)

    assert forget_tables() == 1
    assert forget_tables() == 0

    made.refresh_from_db()
    inquiry.refresh_from_db()
    assert not history.exists()
    assert (made.unfit, inquiry.error, "hierarchy" in made.schema) == (None, {}, False)
    assert site.model("TrailEntry").objects.filter(what="table-forgotten", detail__data_set=made.pk).count() == 1


class KilledError(BaseException):
    """Ends whatever is done, as a kill does: what was not committed is not."""


@pytest.mark.parametrize("moment", ["before the file is gone", "after it", "before the trail says so"])
def test_a_removal_that_was_killed_at_any_moment_is_ended_by_the_next(
    unchanged: Site, monkeypatch: pytest.MonkeyPatch, moment: str
):
    from biombo._portal import forget_tables

    site, made, unlink = unchanged, closed(unchanged), Path.unlink
    place, trail = Path(made.place), site.model("TrailEntry")

    def killed(path: Path, **told: Any) -> None:
        if path == place and moment == "before the file is gone":
            raise KilledError
        unlink(path, **told)
        if path == place:
            raise KilledError

    def killed_at_last(*_told: Any, **_more: Any) -> None:
        raise KilledError

    with monkeypatch.context() as patched:
        if moment == "before the trail says so":
            patched.setattr(trail, "add", killed_at_last)
        else:
            patched.setattr(Path, "unlink", killed)
        with pytest.raises(KilledError):
            forget_tables()
    entries = trail.objects.filter(what="table-forgotten", detail__data_set=made.pk)
    assert not entries.exists()

    assert forget_tables() == 1
    made.refresh_from_db()
    assert (made.place, place.exists(), entries.count()) == ("", False, 1)
    assert forget_tables() == 0


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


@pytest.mark.parametrize("how", ["close", "decide"])
def test_a_table_that_was_just_closed_to_questions_or_decided_on_is_kept(unchanged: Site, how: str):
    from biombo._portal import forget_tables

    site, made = unchanged, closed(unchanged)
    if how == "close":
        answer = site.client("ana").post(f"/data/{made.pk}/questions", {"questions_k": "5"})
        assert answer.status_code == 302
    else:
        told = {"person": site.people["rita"], "asked": {}, "purpose": "x", "state": "rejected"}
        site.model("Inquiry").objects.create(data_set=made, decided_at=timezone.now(), **told)
    forget_tables()
    assert Path(made.place).exists()

    long_ago = timezone.now() - LONG_AGO
    site.model("TrailEntry").objects.filter(detail__data_set=made.pk).update(at=long_ago)
    site.model("Inquiry").objects.filter(data_set=made).update(decided_at=long_ago)
    forget_tables()
    assert not Path(made.place).exists()


@pytest.mark.parametrize("kind", ["foresee-question", "answer-question"])
def test_a_table_is_not_removed_while_a_question_to_it_waits_for_a_worker(unchanged: Site, kind: str):
    from biombo._portal import forget_tables

    site, made = unchanged, closed(unchanged)
    inquiry = site.model("Inquiry").objects.create(data_set=made, person=site.people["rita"], asked={}, purpose="x")
    job = site.model("Job").objects.create(kind=kind, asked={"question": inquiry.pk})
    forget_tables()
    assert Path(made.place).exists()

    site.model("Job").objects.filter(pk=job.pk).update(status="failed")
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


def released(site: Site, way: str = "download") -> Any:
    """A request whose data are available, and whose table retention has removed since."""
    from biombo._portal import forget_tables

    case = site.led_to("available", "caio", way=way)
    site.client("ana").post(f"/requests/{case.pk}/plans", {"l": 2})
    site.work()
    closed(site, case.data_set)
    settings = site.model("AgencySettings").objects.filter(pk=1)
    settings.update(retention_days=0)
    forget_tables()
    settings.update(retention_days=180)
    case.refresh_from_db()
    assert case.data_set.is_gone
    return case


@pytest.mark.parametrize("way", ["download", "view-only", "encrypted"])
def test_what_was_released_is_had_though_its_table_is_gone(unchanged: Site, way: str):
    site = unchanged
    case = released(site, way)
    caio, ana, where = site.client("caio"), site.client("ana"), f"/requests/{case.pk}"
    if way == "encrypted":
        assert ana.post(f"{where}/archives").status_code == 200
        assert f"{where}/archives/" in caio.get(where).body.decode()
    else:
        assert caio.get(caio.post(f"{where}/delivery").headers["Location"]).status_code == 200
    assert "a regra de retenção a removeu" in ana.get(where).body.decode()


def test_no_request_starts_from_one_whose_table_is_gone(unchanged: Site):
    site = unchanged
    case = released(site)
    where, cases = f"/requests/{case.pk}", site.model("Case").objects
    before = cases.count()

    assert f"{where}/acts/amend" not in site.client("caio").get(where).body.decode()
    refused = site.client("caio").post(f"{where}/acts/amend", {"reason": "more detail"})
    assert (refused.status_code, "faça um novo" in refused.body.decode()) == (409, True)
    act = {"act": {"amend": {"reason": "more detail"}}}
    told = site.known("caio").post(f"/api{where}/acts", act, content_type="application/json")
    assert (400 <= told.status_code < 500, "faça um novo" in told.json()["error"]) == (True, True)
    seen = {"asked": {"amend": {"reason": "more detail"}}, "seen": site.record(case).head}
    site.model("Job").objects.create(kind="act", case=case, person=site.people["caio"], **seen)
    (job,) = site.work()
    assert (job.status, job.error["key"]) == ("failed", "portal.no-amending")
    assert cases.count() == before


def test_values_of_a_table_that_is_gone_are_nowhere_in_the_database(unchanged: Site):
    """What was looked up for a waiver, trees and domains of columns."""
    site = unchanged
    case = site.led_to("available", "caio")
    found = {"values": {"disease": {"asthma": 28}}}
    looked = [site.model("Job").objects.create(kind=kind, case=case, status="done", asked=found) for kind in LOOKED_UP]
    tree = yaml.safe_load(case.data_set.schema)
    tree["columns"]["disease"] |= {"domain": ["asthma", "flu"], "reason": {"en": "asthma", "pt": "asthma"}}
    site.model("DataSet").objects.filter(pk=case.data_set_id).update(schema=yaml.safe_dump(tree))
    case.refresh_from_db()
    closed(site, case.data_set)
    site.model("AgencySettings").objects.filter(pk=1).update(retention_days=0)
    from biombo._portal import forget_tables

    forget_tables()

    for job in looked:
        job.refresh_from_db()
        assert "asthma" not in str(job.asked)
    case.data_set.refresh_from_db()
    assert case.data_set.is_gone
    kept = yaml.safe_load(case.data_set.schema)["columns"]
    assert "asthma" not in str(kept)
    assert kept.keys() == tree["columns"].keys()
    assert kept["disease"]["role"] == tree["columns"]["disease"]["role"]


def test_the_page_of_retention_says_that_releases_stay(unchanged: Site):
    closed(unchanged)
    page = " ".join(unchanged.client("alice").get("/retention").body.decode().split())
    assert "O que delas foi liberado permanece" in page


def test_no_file_names_values_of_a_table_that_is_gone(unchanged: Site):
    """Drafts and the history of questions go with it; the answers that were given stay, and are no fault."""
    from biombo._portal import faults, forget_tables

    site, made = unchanged, unchanged.another_table()
    tree = yaml.safe_load(made.schema)
    tree["columns"]["disease"] |= {"domain": ["asthma", "flu", "rare and telling"]}
    tree["columns"]["city"] |= {"domain": ["rare and telling"], "role": "quasi"}
    site.model("DataSet").objects.filter(pk=made.pk).update(schema=yaml.safe_dump(tree), takes_questions=True)
    site.client("ana").post(f"/data/{made.pk}/workbench/steps/risk")
    (draft,) = made.draft_set.all()
    history, folder = site.home.questions / f"{made.pk}.jsonl", site.home.drafts / draft.slug
    site.work()
    (folder / "published-schema.yaml").write_text("rare and telling")
    history.write_text("rare and telling")
    told = {"asked": {"by": {}, "mean": None, "where": None, "totals": False}, "answer": {"cells": []}}
    told |= {"person": site.people["rita"], "purpose": "x", "state": "answered"}
    site.model("Inquiry").objects.create(data_set=made, **told)
    assert "rare and telling" in (folder / "schema.yaml").read_text()
    assert [each for each in faults(site.home) if made.name in each] != []

    site.model("DataSet").objects.filter(pk=made.pk).update(takes_questions=False, name="A que se foi")
    closed(site, made)
    forget_tables()

    made.refresh_from_db()
    assert made.is_gone
    kept = [path for place in (folder, site.home.questions) for path in place.rglob("*") if path.is_file()]
    assert [path for path in kept if b"rare and telling" in path.read_bytes()] == []
    assert [each for each in faults(site.home) if made.name in each] == []


@pytest.mark.parametrize("whose", ["table", "request"])
def test_a_table_is_not_removed_while_something_is_done_with_it(unchanged: Site, whose: str):
    from biombo._portal import forget_tables

    site = unchanged
    case = site.led_to("withdrawn", "caio")
    made = closed(site, case.data_set)
    about = {"data_set": made} if whose == "table" else {"case": case}
    job = site.model("Job").objects.create(kind="inspect", status="running", made_at=timezone.now() - LONG_AGO, **about)
    site.model("AgencySettings").objects.filter(pk=1).update(retention_days=0)
    forget_tables()
    assert Path(made.place).exists()

    site.model("Job").objects.filter(pk=job.pk).update(status="done")
    forget_tables()
    assert not Path(made.place).exists()


def test_a_table_that_was_removed_while_it_was_looked_at_does_not_come_back(
    unchanged: Site, monkeypatch: pytest.MonkeyPatch
):
    site, made = unchanged, unchanged.another_table()

    def meanwhile(table: Any) -> Any:
        site.model("DataSet").objects.filter(pk=made.pk).update(place="")
        return bb.inspect(table)

    monkeypatch.setattr("biombo._portal.tables.inspect", meanwhile)
    site.model("Job").objects.create(kind="inspect", data_set=made)

    (job,) = site.work()

    assert (job.status, job.error["key"]) == ("failed", "portal.table-gone")
    kept = made.place
    made.refresh_from_db()
    assert made.place == ""
    assert not Path(kept).exists()


@pytest.mark.parametrize("page", ["columns", "workbench", "workbench/risk", "workbench/search"])
def test_pages_of_a_table_that_is_gone_say_so(unchanged: Site, gone: Any, page: str):
    assert "A tabela não existe mais" in unchanged.client("ana").get(f"/data/{gone.pk}/{page}").body.decode()


def test_what_came_with_a_request_is_kept_while_there_may_be_an_appeal(unchanged: Site):
    from biombo._portal import forget

    site = unchanged
    case = site.unlisted("caio", declined=True)
    told = {"slug": "a" * 32, "person": case.requester, "name": "termo.pdf", "sha256": "0" * 64, "size": 4}
    attachment = site.model("Attachment").objects.create(case=case, **told)
    place = site.home.uploads / ("a" * 32)
    place.write_bytes(b"%PDF")
    where = f"/requests/{case.pk}/attachments/{attachment.slug}"
    site.model("AgencySettings").objects.filter(pk=1).update(retention_days=0)
    forget("attachment")
    assert place.exists()
    assert where in site.client("caio").get(f"/requests/{case.pk}").body.decode()

    site.model("TrailEntry").objects.filter(case=case, what="declined").update(at=timezone.now() - LONG_AGO)
    forget("attachment")
    assert not place.exists()
    assert where not in site.client("caio").get(f"/requests/{case.pk}").body.decode()
