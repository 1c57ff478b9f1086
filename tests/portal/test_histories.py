"""Histories of questions and the database that was copied before them: the history is the truth, and lacks nothing."""

import json
import subprocess
import sys
import tarfile
import time
from datetime import datetime
from pathlib import Path
from threading import Thread
from typing import Any

import polars as pl
import pytest
from portal_site import Site

import biombo as bb

PROGRAM = "import sys; from biombo._cli import main; sys.exit(main())"
SCHEMA = bb.Schema({"city": bb.ColumnSchema("quasi", domain=("A", "B", "C", "D"))})
SMALL = {"by": {}, "mean": None, "where": {"city": ["A", "B"]}, "totals": False}
"""Two small groups together, which is refused once each was asked for."""


@pytest.fixture
def inside(site: Site) -> Any:
    table = pl.DataFrame({"city": ["A"] * 3 + ["B"] * 4 + ["C"] * 60 + ["D"] * 50})
    made = site.add_table(table, SCHEMA, "Internações")
    site.model("DataSet").objects.filter(pk=made.pk).update(takes_questions=True, questions_k=5)
    return made


def asked(site: Site, data_set: Any, **told: Any) -> Any:
    question = {"by": {"city": ["0"]}, "mean": None, "where": None, "totals": False} | told
    person = site.people["rita"]
    return site.model("Inquiry").objects.create(person=person, data_set=data_set, asked=question, purpose="to know")


def approved(site: Site, inquiry: Any) -> Any:
    answer = site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"})
    assert answer.status_code == 302
    return site.model("Job").objects.latest("pk")


def answered(site: Site, inquiry: Any) -> Any:
    approved(site, inquiry)
    site.work()
    inquiry.refresh_from_db()
    assert inquiry.state == "answered", inquiry.error
    return inquiry


def history(site: Site, data_set: Any) -> Path:
    return Path(site.home.questions / f"{data_set.pk}.jsonl")


def faults_about(site: Site, data_set: Any) -> list[str]:
    from biombo._portal import faults

    return [each for each in faults(site.home) if data_set.name in each]


def test_answers_that_a_history_lacks_are_told(site: Site, inside: Any) -> None:
    first, second = answered(site, asked(site, inside)), answered(site, asked(site, inside, **SMALL))
    assert faults_about(site, inside) == []
    path = history(site, inside)
    whole = path.read_text()

    path.write_text("".join(whole.splitlines(keepends=True)[:-1]))
    (fault,) = faults_about(site, inside)
    assert f"question {second}" in fault
    assert "close the table to questions" in fault
    path.unlink()
    both = sorted(faults_about(site, inside))
    assert [f"question {each}" in fault for each, fault in zip((first, second), both, strict=True)] == [True, True]
    path.write_text(whole.replace('"count": 60', '"count": 61'))
    (fault,) = faults_about(site, inside)
    assert "is damaged" in fault
    path.write_text(whole)
    changed = json.loads(json.dumps(second.answer).replace("refused", "suppressed"))
    site.model("Inquiry").objects.filter(pk=second.pk).update(answer=changed)
    (fault,) = faults_about(site, inside)
    assert f"question {second}" in fault


@pytest.mark.parametrize("kept", [0, -1])
def test_nothing_is_answered_against_a_history_that_lacks_an_answer(site: Site, inside: Any, kept: int) -> None:
    """Against the rest of it two small groups, which were found to be small, would be told together."""
    answered(site, asked(site, inside))
    path, inquiry = history(site, inside), asked(site, inside, **SMALL)
    whole = path.read_text()
    path.write_text("".join(whole.splitlines(keepends=True)[:kept]))
    left = path.read_text()

    approved(site, inquiry)
    site.work()

    inquiry.refresh_from_db()
    assert (inquiry.state, inquiry.answer, inquiry.error["key"]) == ("failed", None, "portal.history-behind")
    assert path.read_text() == left
    assert "history" not in site.client("rita").get(f"/questions/{inquiry.pk}").body.decode()
    path.write_text(whole)
    assert [cell["cell"] for cell in answered(site, inquiry).answer["cells"]] == ["refused"]


def test_questions_wait_for_each_other_without_a_worker_and_what_was_approved_comes_first(
    site: Site, inside: Any
) -> None:
    """Many questions, each of which takes long, leave workers to everybody else."""
    from biombo._portal import queue, run_job
    from biombo._secrets import HeldLog

    jobs = site.model("Job").objects
    first = approved(site, asked(site, inside))
    looked_at = jobs.create(kind="foresee-question", asked={"question": asked(site, inside).pk})
    second = approved(site, asked(site, inside, **SMALL))
    queue().flush()
    with HeldLog.at(history(site, inside)):  # as if the first took long
        workers = [Thread(target=run_job, args=[job.pk], daemon=True) for job in (first, looked_at, second)]
        workers[0].start()
        while jobs.get(pk=first.pk).status != "running":
            time.sleep(0.01)
        for worker in workers[1:]:
            worker.start()
            worker.join(30)
            assert not worker.is_alive()
        assert [jobs.get(pk=job.pk).status for job in (looked_at, second)] == ["waiting"] * 2
    workers[0].join(60)
    assert jobs.get(pk=first.pk).status == "done"

    assert [each.args for each in queue().pending()] == [(second.pk,)]
    run_job(second.pk)
    run_job(looked_at.pk)
    assert [jobs.get(pk=job.pk).status for job in (looked_at, second)] == ["done"] * 2


def test_a_copy_and_a_check_do_not_wait_for_whoever_is_asked(site: Site, inside: Any, tmp_path: Path) -> None:
    from biombo._secrets import HeldLog

    answered(site, asked(site, inside))
    path, copy = history(site, inside), tmp_path / "copy.tar.gz"
    whole = path.read_bytes()
    with HeldLog.at(path):
        path.write_bytes(whole + b'{"column": "a line that is just being')
        written = biombo("backup", copy, "--folder", site.home.folder, timeout=60)
        checked = biombo("check", "--folder", site.home.folder, timeout=60)
    path.write_bytes(whole)
    assert written.returncode == 0, written.stderr
    assert inside.name not in checked.stdout
    with tarfile.open(copy) as packed:
        kept = packed.extractfile(f"questions/{path.name}")
        assert kept is not None
        assert kept.read() == whole


def test_what_a_worker_had_said_when_it_was_stopped_is_not_asked_again(site: Site, inside: Any) -> None:
    inquiry = asked(site, inside)
    job = approved(site, inquiry)
    site.work()
    lines = history(site, inside).read_text().count("\n")
    site.model("Inquiry").objects.filter(pk=inquiry.pk).update(state="approved", answer=None)
    assert faults_about(site, inside) != []  # nothing is done, and the history has it
    site.model("Job").objects.filter(pk=job.pk).update(status="waiting", tries=1)
    assert faults_about(site, inside) == []
    site.work()
    inquiry.refresh_from_db()
    assert [cell["records"] for cell in inquiry.answer["cells"]] == [None, None, 60, None]
    assert history(site, inside).read_text().count("\n") == lines


def test_an_answer_that_the_database_lost_is_not_asked_for_again_by_any_job(site: Site, inside: Any) -> None:
    """Whether the worker was stopped, or an older database was put back: the history knows the question."""
    first = answered(site, asked(site, inside))
    again = answered(site, asked(site, inside))  # the same question, as another
    lines = history(site, inside).read_text().count("\n")
    for each in (first, again):
        site.model("Inquiry").objects.filter(pk=each.pk).update(state="waiting", answer=None, decided_by=None)
        assert answered(site, asked_before(site, each)).answer == each.answer
    assert history(site, inside).read_text().count("\n") == lines


def asked_before(site: Site, inquiry: Any) -> Any:
    return site.model("Inquiry").objects.get(pk=inquiry.pk)


RESTORED = """
import json, sys
from pathlib import Path
from biombo._portal import PortalHome, configure
home = PortalHome.at(Path(sys.argv[1]))
configure(home)
from biombo._portal import run_job
from biombo._portal.models import Inquiry, Job, Person
number, small = json.loads(sys.argv[2])
def told(inquiry):
    return [inquiry.state, inquiry.answer and [cell["cell"] for cell in inquiry.answer["cells"]]]
for job in list(Job.objects.filter(status="waiting").order_by("pk").values_list("pk", flat=True)):
    run_job(job)
first = Inquiry.objects.get(pk=number)
manager = first.decided_by and first.decided_by.name
asked = {"person": first.person, "data_set": first.data_set, "asked": small, "purpose": "to know"}
second = Inquiry.objects.create(**asked, state="approved", decided_by=Person.objects.get(name="Ana Souza"))
Inquiry.objects.filter(pk=second.pk).update(decided_at=second.made_at)
run_job(Job.objects.create(kind="answer-question", person=first.person, asked={"question": second.pk}).pk)
second.refresh_from_db()
lines = (home.questions / f"{first.data_set_id}.jsonl").read_text().splitlines()
entries = [entry for entry in map(json.loads, lines) if "cells" in entry]
print(json.dumps([told(first), told(second), manager, len(entries), first.decided_at.isoformat()]))
"""


def biombo(*arguments: object, timeout: float = 300) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, "portal", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


@pytest.mark.parametrize("copied_when", ["waiting", "approved", "answered"])
def test_a_copy_made_while_a_question_is_answered_agrees_with_its_history(
    site: Site, inside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copied_when: str
) -> None:
    """Whenever the database was copied, the copy has the answer, once, and what follows is decided on against it."""
    from biombo._portal import back_up

    inquiry = asked(site, inside)
    if copied_when != "waiting":
        approved(site, inquiry)
    if copied_when == "answered":
        site.work()
    add = tarfile.TarFile.add

    def then_go_on(archive: Any, path: Any, name: str, **told: Any) -> None:
        add(archive, path, name, **told)
        if name == "portal.sqlite3" and copied_when != "answered":
            if copied_when == "waiting":
                approved(site, inquiry)
            site.work()

    monkeypatch.setattr(tarfile.TarFile, "add", then_go_on)
    copy, place = tmp_path / "copy.tar.gz", tmp_path / "elsewhere"
    back_up(site.home, copy)
    restored = biombo("restore", copy, "--folder", place)
    assert restored.returncode == 0, restored.stderr
    checked = biombo("check", "--folder", place)
    assert inside.name not in checked.stdout, checked.stdout

    worked = subprocess.run(
        [sys.executable, "-c", RESTORED, place, json.dumps([inquiry.pk, SMALL])],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert worked.returncode == 0, worked.stderr
    first, second, manager, entries, decided = json.loads(worked.stdout)
    assert first == ["answered", ["suppressed", "suppressed", "answered", "refused"]]
    assert second == ["answered", ["refused"]]
    assert manager == "Ana Souza"
    assert entries == 3  # the number of all, and each question once
    known = asked_before(site, inquiry)
    if copied_when == "waiting":  # nothing but the history says when
        assert datetime.fromisoformat(decided) >= known.decided_at.replace(microsecond=0)
    else:
        assert datetime.fromisoformat(decided) == known.decided_at
