"""What goes wrong with one request, release or setting stays with it, and somebody who can mend it is told."""

import re
import shutil
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from portal_site import Site

import biombo as bb


def late(site: Site) -> Any:
    """A request whose requester has let the day pass."""
    case = site.begun("caio", site.another_table())
    site.do("ana", case, bb.AskForMore("which years?"))
    return case


def is_over(case: Any) -> bool:
    case.refresh_from_db()
    return bool(case.state == "withdrawn" or case.owner == "")


def test_a_request_that_cannot_be_read_stops_nothing_of_the_others(unchanged: Site, monkeypatch: pytest.MonkeyPatch):
    from django.utils import timezone

    from biombo._negotiate import Negotiation
    from biombo._portal import expire_what_is_over, forget_opened

    site = unchanged
    broken, sound = late(site), late(site)
    for case in (broken, sound):
        site.model("Case").objects.filter(pk=case.pk).update(due=timezone.now() - timedelta(days=1))
        forget_opened(case)
    chain = Path(broken.folder) / "events.jsonl"
    whole = chain.read_text()
    chain.write_text(whole + "no event\n")
    loaded = Negotiation.load.__func__  # type: ignore[attr-defined]
    in_a_year = timezone.now() + timedelta(days=365)
    monkeypatch.setattr(
        Negotiation,
        "load",
        classmethod(lambda cls, *told, **more: loaded(cls, *told, **more, clock=lambda: in_a_year)),
    )
    expire_what_is_over()
    monkeypatch.undo()

    assert is_over(sound)
    assert not is_over(broken)
    chain.write_text(whole)
    site.do("caio", broken, bb.Withdraw("over"))


def test_regular_work_goes_on_where_one_part_of_it_fails():
    from biombo._portal import do_each

    done: list[str] = []

    def fails() -> None:
        raise OSError

    do_each(lambda: done.append("first"), fails, lambda: done.append("last"))
    assert done == ["first", "last"]


def test_retention_goes_on_where_a_request_cannot_be_read(unchanged: Site):
    site = unchanged
    broken = site.led_to("withdrawn")
    place = site.home.uploads / ("0" * 31 + "f")
    told = {"slug": place.name, "person": broken.requester, "name": "a.pdf", "sha256": "0" * 64, "size": 1}
    attachment = site.model("Attachment").objects.create(case=broken, **told)
    chain = Path(broken.folder) / "events.jsonl"
    whole = chain.read_text()
    chain.write_text("no event\n" + whole)
    try:
        assert site.client("alice").get("/retention").status_code == 200
    finally:
        chain.write_text(whole)
        attachment.delete()


def test_settings_that_no_request_could_begin_with_are_refused(unchanged: Site):
    alice = unchanged.client("alice")
    names = ("votes", "measurements", "retention_days", "reminder_days")
    days = ("answer_days", "extension_days", "appeal_days", "requester_days", "link_days")
    sound = {"name": "Vila Nova", **dict.fromkeys((*names, *days), 5)}
    for name in days:
        answer = alice.post("/settings", sound | {name: 0})
        assert b"errorlist" in answer.body, name
    answer = alice.post("/settings", sound | dict.fromkeys(names, 0))
    assert answer.status_code == 302
    case = unchanged.begun("caio", unchanged.another_table())
    assert case.folder
    unchanged.do("caio", case, bb.Withdraw("over"))


def test_a_request_that_could_not_begin_is_shown_to_managers_and_begins_when_told_to(unchanged: Site):
    site = unchanged
    data_set = site.another_table()
    place = Path(data_set.place)
    away = place.with_suffix(".away")
    place.rename(away)
    case = site.begun("caio", data_set)
    assert case.folder == ""
    again = f"/requests/{case.pk}/begin-again"
    inbox = site.client("ana").get("/requests/inbox").body.decode()
    assert again in inbox
    away.rename(place)

    assert site.client("ana").post(again).status_code == 302
    site.work()
    case.refresh_from_db()
    assert case.state == "requested"
    assert site.record(case).state.began == case.made_at.replace(microsecond=0)
    assert again not in site.client("ana").get("/requests/inbox").body.decode()
    assert site.client("ana").post(again).status_code == 404
    site.do("caio", case, bb.Withdraw("over"))


def test_only_releases_that_were_put_there_to_be_listed_can_be_listed(unchanged: Site):
    site, ana = unchanged, unchanged.client("ana")
    entry = site.entry()
    available = site.cases()["available"]
    where = f"/data/{site.data_set.pk}/releases"
    for folder in (Path(available.folder) / "available", site.home.folder / "published", Path("..") / "published"):
        answer = ana.post(where, {"title": "not for everybody", "folder": str(folder)})
        assert answer.status_code == 422, folder
    shutil.copytree(entry.folder, site.home.to_list / "vacinas")
    (site.home.to_list / "link").symlink_to(Path(available.folder) / "available", target_is_directory=True)
    try:
        page = ana.get(f"/data/{site.data_set.pk}").body.decode()
        assert re.findall(r"<option>([^<]*)</option>", page.partition('id="list-folder"')[2]) == ["vacinas"]
        assert ana.post(where, {"title": "x", "folder": "link"}).status_code == 422
        assert ana.post(where, {"title": "x", "folder": "vacinas"}).status_code == 302
        (job,) = site.work()
        assert (job.status, job.error) == ("done", {})
        site.model("CatalogueEntry").objects.filter(pk=job.asked["entry"]).delete()
    finally:
        (site.home.to_list / "link").unlink()
        shutil.rmtree(site.home.to_list / "vacinas")


def test_a_request_from_a_release_whose_vault_is_gone_is_refused_and_not_one_for_everything(unchanged: Site):
    from biombo._portal import vault_of

    site, entry = unchanged, unchanged.entry()
    assert vault_of(entry.folder).is_dir()
    assert not Path(entry.private).is_absolute()
    case = site.asked("caio", site.data_set)
    case.asked = {**case.asked, "origin": {"release": entry.folder}}
    case.save()
    link = vault_of(entry.folder)
    there = link.readlink()
    link.unlink()
    try:
        job = site.model("Job").objects.create(kind="begin", case=case, person=site.people["caio"])
        site.work()
    finally:
        link.symlink_to(there, target_is_directory=True)
    job.refresh_from_db()
    assert (job.status, job.error["key"]) == ("failed", "portal.no-vault")
    case.refresh_from_db()
    assert case.folder == ""
