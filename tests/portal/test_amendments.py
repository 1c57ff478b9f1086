"""A change that is asked for becomes one request, however often it is clicked, sent or tried."""

from typing import Any

import pytest
from portal_site import Site

import biombo as bb

AMEND: dict[str, Any] = {"amend": {"reason": "ages in years"}}


@pytest.fixture
def case(site: Site) -> Any:
    """Rita's request, whose data she has."""
    return site.led_to("available")


def requested(site: Site, case: Any, asked: Any = AMEND) -> Any:
    """A change that Rita asks for, as she sees the request now."""
    told = {"asked": asked, "seen": site.record(case).head, "person": site.people["rita"]}
    return site.model("Job").objects.create(kind="act", case=case, **told)


def amendments(site: Site, case: Any) -> list[Any]:
    return list(site.model("Case").objects.filter(amends=case).order_by("pk"))


def sent(site: Site, case: Any, reason: str = AMEND["amend"]["reason"]) -> Any:
    """By a program that says nothing of what it has seen."""
    body = {"act": {"amend": {"reason": reason}}}
    return site.known("rita").post(f"/api/requests/{case.pk}/acts", body, content_type="application/json")


def everything_done(site: Site) -> None:
    while site.work():
        pass


@pytest.mark.parametrize("times", [1, 3])
def test_an_amendment_that_is_tried_again_is_one_request(site: Site, case: Any, times: int) -> None:
    job = requested(site, case)
    everything_done(site)
    for _ in range(times):
        site.model("Job").objects.filter(pk=job.pk).update(status="waiting", tries=1)  # a worker that was stopped
        everything_done(site)
        job.refresh_from_db()
        assert (job.status, job.error) == ("done", {})
    (made,) = amendments(site, case)
    assert made.state == "requested"
    assert [event.fact.name for event in site.record(case).events].count("amend") == 1


def test_an_amendment_whose_request_could_not_be_kept_is_made_when_it_is_tried_again(
    site: Site, case: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.db import OperationalError

    from biombo._portal import run_job

    def away(*_: Any, **__: Any) -> None:
        raise OperationalError

    job = requested(site, case)
    with monkeypatch.context() as patch:
        patch.setattr("biombo._portal.jobs.ask_for", away)
        with pytest.raises(OperationalError):
            run_job(job.pk)
    assert amendments(site, case) == []
    site.model("Job").objects.filter(pk=job.pk).update(status="waiting")
    everything_done(site)
    (made,) = amendments(site, case)
    assert made.state == "requested"


def test_two_clicks_are_one_request(site: Site, case: Any) -> None:
    jobs = [requested(site, case), requested(site, case)]
    everything_done(site)
    for job in jobs:
        job.refresh_from_db()
    assert [job.status for job in jobs] == ["done", "failed"]
    assert len(amendments(site, case)) == 1


def test_what_a_program_or_a_page_sends_again_is_one_request_until_that_is_over(site: Site, case: Any) -> None:
    assert sent(site, case).status_code == 202
    everything_done(site)
    again = sent(site, case)
    (first,) = amendments(site, case)
    assert again.status_code == 422
    assert str(first) in again.json()["error"]
    page = site.client("rita").post(f"/requests/{case.pk}/acts/amend", AMEND["amend"])
    assert page.status_code == 409
    assert str(first) in page.body.decode()
    requested(site, case)  # one that was let in a moment before
    everything_done(site)
    assert len(amendments(site, case)) == 1

    assert sent(site, case, "towns too").status_code == 202
    everything_done(site)
    assert len(amendments(site, case)) == 2
    site.do("rita", first, bb.Withdraw("not needed any more"))
    assert sent(site, case).status_code == 202
    everything_done(site)
    assert len(amendments(site, case)) == 3


def test_clicks_and_calls_that_come_at_the_same_time_are_one_request(site: Site, case: Any) -> None:
    """Each in a thread of its own, as a server answers them, by a page and by a program."""
    from concurrent.futures import ThreadPoolExecutor

    from django.db import connection

    def by_page(client: Any) -> int:
        return int(client.post(f"/requests/{case.pk}/acts/amend", AMEND["amend"]).status_code)

    def by_program(client: Any) -> int:
        body = {"act": AMEND}
        path = f"/api/requests/{case.pk}/acts"
        return int(client.post(path, body, content_type="application/json").status_code)

    def sent_by(asked: tuple[Any, Any]) -> int:
        try:
            return asked[0](asked[1])  # type: ignore[no-any-return]
        finally:
            connection.close()

    clients = [(by_page, site.client("rita")) for _ in range(3)] + [(by_program, site.known("rita")) for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(sent_by, clients))
    everything_done(site)
    answers += [sent_by((by_program, site.known("rita"))), sent_by((by_page, site.client("rita")))]  # and once more
    everything_done(site)

    assert set(answers) <= {202, 302, 409, 422}, answers
    assert len(amendments(site, case)) == 1
    assert [event.fact.name for event in site.record(case).events].count("amend") == 1
