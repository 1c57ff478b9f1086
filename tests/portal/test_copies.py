"""Copies that are made while workers go on: each is of one moment, and what was done meanwhile is not done twice."""

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from django.utils import timezone
from portal_site import Site

from biombo._i18n import text

RESTORED = """
import json, sys
from pathlib import Path
from biombo._portal import faults, restore
home = restore(Path(sys.argv[1]), Path(sys.argv[2]))
before = list(faults(home))
from biombo._portal import run_job
from biombo._portal.models import CatalogueEntry, DataSet, Job
from biombo._portal.on_record import on_record
for number in list(Job.objects.filter(status="waiting").order_by("pk").values_list("pk", flat=True)):
    run_job(number)
data_set = DataSet.objects.get(pk=int(sys.argv[3]))
print(json.dumps({
    "faults": [before, list(faults(home))],
    "jobs": [job.status for job in data_set.jobs.order_by("pk")],
    "on record": [each.entry.what for each in on_record()],
    "entries": [[each.folder, each.holds] for each in CatalogueEntry.objects.filter(data_set=data_set)],
    "place": data_set.place,
}))
"""


def restored(copy: Path, place: Path, data_set: Any) -> dict[str, Any]:
    """What is in a copy that was put back, once a worker has done there what waited."""
    command = [sys.executable, "-c", RESTORED, str(copy), str(place), str(data_set.pk)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert ended.returncode == 0, ended.stderr
    told: dict[str, Any] = json.loads(ended.stdout)
    assert told["faults"] == [[], []]
    return told


def copied_while(site: Site, copy: Path, moment: str, meanwhile: Callable[[], Any], patch: pytest.MonkeyPatch) -> None:
    """Copy a portal; right after the first file of a ``moment`` something is done."""
    from biombo._portal import back_up

    add, seen = tarfile.TarFile.add, []

    def then(archive: Any, path: Any, name: str, **told: Any) -> None:
        add(archive, path, name, **told)
        if name.startswith(moment) and not seen:
            seen.append(name)
            meanwhile()

    patch.setattr(tarfile.TarFile, "add", then)
    back_up(site.home, copy)
    assert seen


def rehearsed(site: Site) -> tuple[Any, str]:
    """A table whose release was rehearsed, and where its workbench is."""
    made = site.another_table()
    where, ana = f"/data/{made.pk}/workbench", site.client("ana")
    for step, told in (("search", {"k": 3, "max_suppression": "50"}), ("utility", {})):
        assert ana.post(f"{where}/steps/{step}", told).status_code == 302
        assert [(job.status, job.error) for job in site.work()] == [("done", {})]
    return made, where


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["sources/", "portal.sqlite3", "releases/", "register.db", "negotiations/"])
def test_a_release_that_was_published_meanwhile_is_published_and_on_record_once(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
):
    made, where = rehearsed(site)
    ana = site.client("ana")
    page = ana.get(f"{where}/publish").body.decode()
    decided = dict(re.findall(r'<input type="hidden" name="(plan_hash|schema_hash)" value="(\w+)"', page))
    day = timezone.localdate() + timedelta(days=200)
    told = {"title": f"Por faixa {moment}", "department": "Vigilância", "review": day.isoformat(), "harm": "low"}
    told |= {"accept_column": ["disease"], "reason": "a made-up one", "override_reason": "made-up people"}
    answer = ana.post(f"{where}/steps/publish", told | decided)
    assert answer.status_code == 302, answer.body.decode()

    def published() -> None:
        assert [(job.status, job.error) for job in site.work()] == [("done", {})]

    copied_while(site, tmp_path / "copy.tar.gz", moment, published, monkeypatch)
    there = restored(tmp_path / "copy.tar.gz", tmp_path / "elsewhere", made)

    assert there["on record"].count(f"Por faixa {moment}") == 1
    ((folder, holds),) = there["entries"]
    assert holds
    made_at = tmp_path / "elsewhere" / "drafts" / Path(folder).name / "release"
    assert (made_at / "manifest.json").read_bytes() == (Path(folder) / "manifest.json").read_bytes()


@pytest.mark.parametrize("moment", ["sources/", "portal.sqlite3"])
def test_a_table_that_was_chosen_meanwhile_is_in_the_copy(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
):
    given = site.home.sources / f"{'f' * 32}.zip"
    with zipfile.ZipFile(given, "w") as packed:
        for name, column in (("a.csv", "idade"), ("b.csv", "renda")):
            packed.writestr(name, f"cidade,{column}\n" + "Lima,40\nRio,41\n" * 50)
    made = site.model("DataSet").objects.create(name="Duas", place=str(given), added_by=site.people["ana"])
    site.model("Job").objects.create(kind="inspect", data_set=made, asked={"sheet": "b.csv"})

    def chosen() -> None:
        assert [(job.status, job.error) for job in site.work()] == [("done", {})]
        assert not given.exists()

    copied_while(site, tmp_path / "copy.tar.gz", moment, chosen, monkeypatch)
    there = restored(tmp_path / "copy.tar.gz", tmp_path / "elsewhere", made)

    assert there["jobs"] == ["done"]
    assert pl.read_parquet(there["place"]).columns == ["cidade", "renda"]


@pytest.mark.parametrize("moment", ["uploads/", "portal.sqlite3"])
def test_an_attachment_that_retention_removes_meanwhile_is_not_half_in_the_copy(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
):
    from biombo._portal import forget

    case = site.led_to("withdrawn", "caio")
    places = [site.home.uploads / (letter * 32) for letter in "cd"]
    for place in places:
        told = {"slug": place.name, "person": case.requester, "name": "termo.pdf", "sha256": "0" * 64, "size": 4}
        site.model("Attachment").objects.create(case=case, **told)
        place.write_bytes(b"%PDF")
    site.model("AgencySettings").objects.update_or_create(pk=1, defaults={"retention_days": 0})

    def removed() -> None:
        forget("attachment")
        assert not any(place.exists() for place in places)

    copied_while(site, tmp_path / "copy.tar.gz", moment, removed, monkeypatch)
    restored(tmp_path / "copy.tar.gz", tmp_path / "elsewhere", site.data_set)  # and nothing is wrong with it


def test_a_vault_of_another_release_is_told(site: Site, tmp_path: Path):
    from biombo._portal import faults, vault_of

    entry, other = site.entry(), site.publish(tmp_path / "other")
    sentence, link = text("portal.check.other-vault", title=entry.title), vault_of(entry.folder)
    there = link.readlink()
    assert sentence not in list(faults(site.home))
    link.unlink()
    link.symlink_to(vault_of(other), target_is_directory=True)
    try:
        assert sentence in list(faults(site.home))
    finally:
        link.unlink()
        link.symlink_to(there, target_is_directory=True)
