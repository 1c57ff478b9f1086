"""What pages of a negotiation show: charts, what the requester sees, lists by day, trails with their chains."""

import re
from datetime import timedelta
from pathlib import Path

import negotiations
from django.utils import timezone
from portal_site import Site

import biombo as bb


def page(site: Site, who: str, path: str) -> str:
    client = site.client(who)
    client.cookies["biombo_language"] = "en"
    answer = client.get(path)
    assert answer.status_code == 200, path
    return str(answer.body.decode())


def bars(content: str) -> list[tuple[str, str]]:
    """Names and numbers of all bars."""
    rows = re.findall(r'<th scope="row">([^<]+)</th><td class="bar">.*?<td class="n">([^<]+)</td>', content)
    return [(name, told) for name, told in rows]


def test_offers_are_drawn_beside_the_best_plans(unchanged: Site):
    site = unchanged
    case = site.led_to("applying")
    path = f"/requests/{case.pk}/offers"
    offers = site.record(case).state.offers

    before = page(site, "ana", path)
    assert before.count("<svg role=") + before.count('role="img"') >= 1
    named = re.findall(r"<text[^>]*font-weight=\"bold\"[^>]*>([\d, ]+)</text>", before)
    assert sorted(", ".join(named).split(", ")) == [str(each.number) for each in offers]
    assert "best plans" not in re.sub("<button.*?</button>", "", before)

    site.client("ana").post(f"/requests/{case.pk}/plans", {"offers": "yes"})
    (job,) = site.work()
    assert job.status == "done", job.error
    job.refresh_from_db()
    best = job.asked["best"]
    after = page(site, "ana", path)
    assert "best plans" in after
    assert len({tuple(each["levels"].items()) for each in best}) == len(best) >= 1
    cheapest = min(each["loss"] for each in best)
    assert all(each.measured.loss_at_k >= cheapest - 1e-9 for each in offers), "nothing beats the best plan"


def test_the_manager_sees_what_the_requester_sees(unchanged: Site):
    site = unchanged
    case = site.cases()["manipulations"]

    theirs = bars(page(site, "rita", f"/requests/{case.pk}"))

    assert len(theirs) >= 2
    assert bars(page(site, "ana", f"/requests/{case.pk}/offers")) == theirs


def test_the_review_has_pictures_of_what_was_lost(unchanged: Site):
    site = unchanged
    case = site.cases()["review"]
    metrics = site.record(case).state.metrics.metrics
    exact = [*metrics["column_loss"].values(), *metrics["distances"].values()]

    shown, theirs = page(site, "ana", f"/requests/{case.pk}"), page(site, "rita", f"/requests/{case.pk}")

    assert [told for _, told in bars(shown)][: len(exact)] == [f"{round(100 * each)}%" for each in exact]
    assert bars(theirs) == [], "of so few records a requester is told no shares"
    assert "made-up examples" in theirs


def test_the_budget_is_told_before_it_is_used(unchanged: Site):
    site = unchanged
    case = site.cases()["manipulations"]
    left = site.record(case).budget.left

    shown = page(site, "rita", f"/requests/{case.pk}")

    assert len(re.findall(rf'class="budget">[^<]*{left} left', shown)) == 2, "for a choice, and for plans"


def test_lists_begin_with_what_is_due_and_mark_what_is_overdue(unchanged: Site):
    site = unchanged
    later, late = site.begun("rita"), site.begun("caio")
    now = timezone.now()
    site.model("Case").objects.filter(pk=late.pk).update(due=now - timedelta(days=3))
    site.model("Case").objects.filter(pk=later.pk).update(due=now - timedelta(days=1))

    shown = page(site, "ana", "/requests/inbox")

    rows = re.findall(r"<tr><th scope=\"row\"><a href=\"/requests/(\d+)\">.*?</tr>", shown, re.DOTALL)
    assert [int(each) for each in rows][:2] == [late.pk, later.pk]
    assert shown.count("Overdue:") >= 2
    assert "3 days ago" in shown
    site.model("Case").objects.filter(pk__in=(late.pk, later.pk)).update(due=now + timedelta(days=20))


def test_a_page_shows_what_was_added_a_moment_ago(unchanged: Site):
    site = unchanged
    case = site.begun("rita")
    assert "as quickly as you can" not in page(site, "rita", f"/requests/{case.pk}")

    site.do("ana", case, bb.Message("as quickly as you can"))

    assert "as quickly as you can" in page(site, "rita", f"/requests/{case.pk}")


def test_a_trail_is_searched_and_its_chain_verified(unchanged: Site):
    site = unchanged
    case = site.begun("rita")
    site.do("ana", case, bb.Message("a word of mine"))
    path, events = f"/requests/{case.pk}/trail", len(site.record(case).events)

    assert f"The chain of {events} events is whole" in page(site, "davi", path)
    found = page(site, "davi", f"{path}?q=WORD+ana")
    assert "a word of mine" in found
    assert "1 event found" in found
    assert "0 events found" in page(site, "davi", f"{path}?q=nothing+of+this")

    chain = Path(case.folder) / "events.jsonl"
    told, times = chain.read_bytes(), chain.stat()
    import os

    chain.write_bytes(told.replace(b"a word of mine", b"a word of hers"))
    os.utime(chain, ns=(times.st_atime_ns, times.st_mtime_ns))  # as whoever hides it would
    assert "is whole" not in page(site, "davi", path)
    broken = page(site, "davi", "/trail?verify=yes")
    chain.write_bytes(told)
    assert broken.count('class="high"') >= 1
    assert "whole" in broken
    assert "Chains of requests" not in page(site, "alice", "/trail?verify=yes"), "nothing of it is the administrator's"


def test_the_trail_is_found_by_its_words_its_day_and_the_request(unchanged: Site):
    site = unchanged
    case = site.cases()["declined"]
    today = timezone.localdate()

    assert f"/requests/{case.pk}" in page(site, "davi", "/trail?q=no+such+data")
    assert f"/requests/{case.pk}" in page(site, "davi", f"/trail?q={case.pk}&first={today}&last={today}")
    assert f"/requests/{case.pk}" not in page(site, "davi", f"/trail?q={case.pk}&last={today - timedelta(days=1)}")
    table = site.client("davi").get(f"/trail.csv?q={case.pk}").body.decode()
    assert {row.split(",")[4].strip() for row in table.splitlines()[1:]} == {str(case.pk)}


def test_terms_are_asked_for_once_they_are_all_that_is_missing(unchanged: Site):
    site = unchanged
    case = site.led_to("review")
    site.do("rita", case, bb.Review(True))

    shown = page(site, "rita", f"/requests/{case.pk}")

    assert re.search(r'<section class="do-now"[^>]*>.*?id="act-accept-terms"', shown, re.DOTALL)


def test_whoever_has_voted_waits_for_the_others(unchanged: Site):
    site = unchanged
    case, celia = site.led_to("vote", votes=2), site.client("celia")
    where = f"/requests/{case.pk}"
    assert "É a sua vez" in celia.get(where).body.decode()
    site.do("celia", case, bb.Vote(approve=True, reason="good enough"))

    page = celia.get(where).body.decode()
    assert case.state == "vote"
    assert "Você já votou" in page
    assert "É a sua vez" not in page
    assert f"{where}/acts/vote" not in page
    assert celia.post(f"{where}/acts/vote", {"approve": "yes", "reason": "again"}).status_code == 409
    program = site.client(headers={"Authorization": f"Bearer {site.token('celia')}"})
    told = {"act": {"vote": {"approve": True, "reason": "again"}}}
    answer = program.post(f"/api/requests/{case.pk}/acts", told, content_type="application/json")
    assert answer.status_code == 409


def test_pages_tell_the_days_that_the_agency_has_set(unchanged: Site):
    site, settings = unchanged, unchanged.model("AgencySettings").objects
    settings.update_or_create(pk=1, defaults={"answer_days": 15, "extension_days": 7, "appeal_days": 5})
    assert "has 15 days" in page(site, "rita", "/requests/new")
    case = site.begun("rita", site.another_table())
    settings.update(extension_days=9, appeal_days=8)
    assert "7 days more, once" in page(site, "ana", f"/requests/{case.pk}")  # as when the negotiation began
    site.do("ana", case, bb.Reject("there are too many"))
    assert "appeal within 5 days" in page(site, "rita", f"/requests/{case.pk}")
    assert "20 days" not in page(site, "rita", f"/requests/{case.pk}")


def test_a_waived_criterion_is_called_so(unchanged: Site):
    site = unchanged
    case = site.led_to("diversity")
    where, said = f"/requests/{case.pk}", "waived by the agency"
    values = {"disease": dict.fromkeys(negotiations.DISEASES, "low")}
    site.do("ana", case, bb.Waive(3, "harmless", values))
    assert case.state == "utility"
    assert said in page(site, "ana", where)
    assert said in page(site, "rita", where)
    assert "different sensitive values in a group (QMASG)</li>" not in page(site, "rita", where)
    other = site.cases()["review"]  # where it is met
    assert said not in page(site, "rita", f"/requests/{other.pk}")
    assert "different sensitive values in a group (QMASG)</li>" in page(site, "rita", f"/requests/{other.pk}")


def test_the_catalogue_asks_those_to_ask_who_may(unchanged: Site):
    site, entry = unchanged, unchanged.entry()
    site.model("CatalogueEntry").objects.filter(pk=entry.pk).update(private="somewhere")
    for who, asks in (
        (None, True),
        ("rita", True),
        ("ana", False),
        ("celia", False),
        ("davi", False),
        ("alice", False),
    ):
        for path in ("/", f"/catalogue/{entry.slug}"):
            answer = site.client(who).get(path)
            assert answer.status_code == 200
            links = re.findall(r'href="(/requests/new[^"]*)"', answer.body.decode())
            assert bool(links) == asks, (who, path)
            assert all(site.client(who).get(each).status_code in (200, 302) for each in links)


def test_the_editor_describes_fields_by_what_is_there(unchanged: Site):
    site = unchanged
    wanted = {"age": "in years", "Town": "of residence", "disease": "what was diagnosed"}
    columns = {"age": "age", "Town": "city", "disease": "disease"}
    case = site.begun("rita", site.another_table(), wanted=wanted)
    site.do("ana", case, negotiations.preparation(columns=columns))
    content = page(site, "rita", f"/requests/{case.pk}")
    described = [name for each in re.findall('aria-describedby="([^"]+)"', content) for name in each.split()]
    assert [each for each in described if f'id="{each}"' not in content] == []
    assert [each for each in described if "city" in each]
