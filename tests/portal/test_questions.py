"""Questions to a table that stays inside: asked, decided on without its numbers, answered, and on the trail."""

import html
import json
import re
from dataclasses import replace
from datetime import timedelta

import polars as pl
import pytest
from portal_site import Site

import biombo as bb

CELLS = {("F", "A"): 40, ("F", "B"): 3, ("M", "A"): 41, ("M", "C"): 4, ("F", "D"): 30}
SCHEMA = bb.Schema(
    {
        "name": bb.ColumnSchema("identifier"),
        "sex": bb.ColumnSchema("quasi", domain=("F", "M")),
        "city": bb.ColumnSchema("quasi", domain=("A", "B", "C", "D")),
        "paid": bb.ColumnSchema("sensitive", type="discrete"),
    }
)
PURPOSE = {"purpose": "to plan visits"}


@pytest.fixture
def inside(site: Site):
    rows = [cell for cell, number in CELLS.items() for _ in range(number)]
    table = pl.DataFrame(rows, schema=["sex", "city"], orient="row")
    table = table.with_columns(
        name=pl.lit("P") + pl.int_range(len(rows)).cast(str), paid=pl.int_range(len(rows)) % 9 + 1
    )
    made = site.add_table(table, SCHEMA, "Internações")
    opened = site.client("ana").post(f"/data/{made.pk}/questions", {"takes_questions": "on", "questions_k": "5"})
    assert opened.status_code == 302
    return made


def asked(site: Site, data_set, who: str = "rita", **told):
    answer = site.client(who).post(f"/data/{data_set.pk}/ask", told | PURPOSE)
    assert answer.status_code == 302, answer.body.decode()
    return site.model("Inquiry").objects.get(pk=int(answer.headers["Location"].rpartition("/")[2]))


def answered(site: Site, inquiry):
    assert site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"}).status_code == 302
    site.work()
    inquiry.refresh_from_db()
    return inquiry


def page(site: Site, who: str, inquiry) -> str:
    answer = site.client(who).get(f"/questions/{inquiry.pk}")
    assert answer.status_code == 200
    words = re.sub(r"<[^>]*>", " ", answer.body.decode())  # tokens in attributes have digits of their own
    return " ".join(words.split())


def problem(site: Site, inquiry, who: str = "ana") -> str:
    answer = site.client(who).get(f"/questions/{inquiry.pk}").body.decode()
    (found,) = re.findall(r'<div class="errors" role="alert"><p>(.*?)</p>', answer)
    return html.unescape(found)


def test_an_answer_that_was_killed_before_the_trail_had_it_is_noted_once(site: Site, inside, monkeypatch) -> None:
    inquiry, trail = asked(site, inside, by_1="0"), site.model("TrailEntry")
    site.work()
    entries = trail.objects.filter(what="question-answered", detail__question=inquiry.pk)

    def killed(*_told: object, **_more: object) -> None:
        raise SystemExit

    assert site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"}).status_code == 302
    with monkeypatch.context() as patched:
        patched.setattr(trail, "add", killed)
        with pytest.raises(SystemExit):
            site.work()
    site.model("Job").objects.filter(status="running").update(status="waiting")  # as whoever starts it again does
    site.work()

    inquiry.refresh_from_db()
    assert (inquiry.state, entries.count()) == ("answered", 1)


def test_a_question_is_asked_approved_and_answered(site: Site, inside) -> None:
    inquiry = asked(site, inside, by_1="0")
    site.work()
    inquiry.refresh_from_db()
    assert inquiry.foreseen == {"cells": 4, "refused": 0}
    assert "81" not in page(site, "ana", inquiry)
    assert "to plan visits" in page(site, "ana", inquiry)
    answered(site, inquiry)
    assert [cell["records"] for cell in inquiry.answer["cells"]] == [81, None, None, None]
    assert "81" in page(site, "rita", inquiry)
    assert "suprimida" in page(site, "rita", inquiry)

    together = asked(site, inside, only_1="B; C")
    site.work()
    together.refresh_from_db()
    assert together.foreseen == {"cells": 1, "refused": 1}
    answered(site, together)
    assert [cell["cell"] for cell in together.answer["cells"]] == ["refused"]
    assert "a recusa nada revela" in page(site, "rita", together)

    history = (site.home.questions / f"{inside.pk}.jsonl").read_text().splitlines()
    told = [entry for entry in map(json.loads, history) if "question" in entry]
    assert [(entry["who"], entry["approved"]) for entry in told] == [
        ("", ""),
        *[(site.people["rita"].called, "Ana Souza")] * 2,
    ]
    trail = site.model("TrailEntry").objects.filter(what__startswith="question-").order_by("pk")
    assert [each.what for each in trail][:3] == ["question-asked", "question-approved", "question-answered"]
    assert trail[1].detail["foreseen"] == {"cells": 4, "refused": 0}


def test_means_levels_and_totals_are_asked_by_the_form(site: Site, inside) -> None:
    inquiry = answered(site, asked(site, inside, by_0="0", mean="paid", totals="on"))
    assert inquiry.state == "answered", inquiry.error
    assert [cell["records"] for cell in inquiry.answer["cells"]] == [118, 73, 45]
    assert all(cell["mean"] is not None for cell in inquiry.answer["cells"][:2])


def test_a_manager_says_no_and_why(site: Site, inside) -> None:
    inquiry = asked(site, inside, by_0="0")
    empty = site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "reject"})
    assert empty.status_code == 422
    told = {"decision": "reject", "reason": "ask the register"}
    assert site.client("ana").post(f"/questions/{inquiry.pk}/decide", told).status_code == 302
    late = site.client("bruno").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"})
    assert (late.status_code, "já decidiu sobre esta consulta" in late.body.decode()) == (409, True)
    assert f'href="/questions/{inquiry.pk}"' in late.body.decode()
    assert "Fazer outra consulta" in page(site, "rita", inquiry)
    assert "ask the register" in page(site, "rita", inquiry)


def test_a_question_that_was_not_approved_settles_nothing_and_shows_nothing_of_the_data(site: Site) -> None:
    pages = []
    for number in (4, 5):
        table = pl.DataFrame({"city": ["A"] * 30 + ["B"] * 20 + ["C"] * number})
        made = site.add_table(table, bb.Schema({"city": bb.ColumnSchema("quasi")}), "Visitas")
        site.client("ana").post(f"/data/{made.pk}/questions", {"takes_questions": "on", "questions_k": "5"})
        for told in ({"by_0": "0"}, {"only_0": "C"}):
            inquiry = asked(site, made, **told)
            site.work()
            shown = page(site, "ana", inquiry)
            pages.append(shown.replace(str(inquiry), ""))
            assert "fixadas com a primeira resposta" in shown
            site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "reject", "reason": "no"})
        assert not (site.home.questions / f"{made.pk}.jsonl").exists()
    assert pages[:2] == pages[2:]


CHANGED = ["city", "paid", "sex", None]
"""A column that is not decided on any more; none where the table is closed."""


@pytest.mark.parametrize("changed", CHANGED)
@pytest.mark.parametrize("is_approved", [False, True])
def test_what_may_not_be_asked_any_more_is_neither_approved_nor_answered(
    site: Site, inside, changed: str | None, is_approved: bool
) -> None:
    answered(site, asked(site, inside, by_1="0", mean="paid"))  # all columns were asked for before
    answered(site, asked(site, inside, by_0="0"))
    inquiry = asked(site, inside, by_1="0", only_0="F", mean="paid")
    decide = {"decision": "approve"}
    if is_approved:
        assert site.client("ana").post(f"/questions/{inquiry.pk}/decide", decide).status_code == 302
    if changed is None:
        site.client("ana").post(f"/data/{inside.pk}/questions", {"questions_k": "5"})
    else:
        columns = dict(SCHEMA.columns) | {changed: replace(SCHEMA[changed], role="undecided")}
        site.model("DataSet").objects.filter(pk=inside.pk).update(schema=bb.Schema(columns).to_yaml())
    if not is_approved:
        assert site.client("ana").post(f"/questions/{inquiry.pk}/decide", decide).status_code == 409
    site.work()
    inquiry.refresh_from_db()
    assert (inquiry.state, inquiry.answer) == ("failed" if is_approved else "waiting", None)


@pytest.mark.parametrize(
    ("last", "unfit"),
    [
        (("M", "299"), set()),
        (("M", None), {"paid"}),
        (("M", "-1"), {"paid"}),
        (("M", "x"), {"paid"}),
        (("I", "299"), {"sex"}),
    ],
)
def test_what_one_person_has_is_found_when_a_table_is_opened_and_is_in_the_way_of_no_question(
    site: Site, last: tuple[str, str | None], unfit: set[str]
) -> None:
    rows = [("FM"[n % 2], str(n)) for n in range(99)] + [last]
    table = pl.DataFrame(rows, schema=["sex", "paid"], orient="row").with_columns(city=pl.lit("A"))
    schema = bb.Schema({name: SCHEMA[name] for name in ("sex", "paid", "city")})
    made = site.add_table(table, schema, "Gêmeas")
    site.client("ana").post(f"/data/{made.pk}/questions", {"takes_questions": "on", "questions_k": "5"})
    early = asked(site, made, only_0="F", mean="paid")  # before a worker has looked at the columns
    site.work()
    shown = site.client("ana").get(f"/data/{made.pk}").body.decode()
    assert ("não são oferecidas para consulta" in shown) == bool(unfit)
    form = site.client("rita").get(f"/data/{made.pk}/ask").body.decode()
    assert ("Contar por sex" in form, 'value="paid"' in form) == ("sex" not in unfit, "paid" not in unfit)
    refused = site.client("rita").post(f"/data/{made.pk}/ask", {"by_0": "0", "mean": "paid"} | PURPOSE)
    assert (refused.status_code == 302) == (not unfit)
    assert answered(site, asked(site, made, by_2="0")).state == "answered"  # whatever others have
    assert (answered(site, early).state == "failed") == bool(unfit)
    if unfit:
        assert "O órgão pode ver por quê" in page(site, "rita", early)


def test_a_column_that_is_described_otherwise_is_looked_at_again(site: Site, inside) -> None:
    site.work()
    columns = dict(SCHEMA.columns) | {"city": replace(SCHEMA["city"], domain=("A", "B"))}
    site.model("DataSet").objects.filter(pk=inside.pk).update(schema=bb.Schema(columns).to_yaml())
    inquiry = answered(site, asked(site, inside, by_1="0"))
    assert inquiry.state == "failed"
    assert "Contar por city" not in site.client("rita").get(f"/data/{inside.pk}/ask").body.decode()
    assert not (site.home.questions / f"{inside.pk}.jsonl").exists()


@pytest.mark.parametrize("how", ["killed", "broken"])
def test_a_question_whose_job_failed_for_whatever_reason_waits_for_a_manager_again(
    site: Site, inside, monkeypatch, how: str
) -> None:
    from biombo._portal import take_up

    inquiry = asked(site, inside, by_1="0")
    site.work()
    site.client("ana").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"})
    if how == "killed":
        site.model("Job").objects.filter(kind="answer-question", status="waiting").update(status="running", tries=3)
        take_up()
    else:
        with monkeypatch.context() as patched:
            patched.setattr("biombo._portal.questions.schema_of", lambda _: 1 / 0)
            site.work()
    inquiry.refresh_from_db()
    assert inquiry.state == "failed"
    assert "O órgão pode ver por quê" in page(site, "rita", inquiry)
    assert problem(site, inquiry)
    assert "every 1s" not in site.client("ana").get(f"/questions/{inquiry.pk}").body.decode()
    assert answered(site, inquiry).state == "answered"


def test_a_question_that_is_sent_again_while_it_waits_is_one(site: Site, inside) -> None:
    first, again = asked(site, inside, by_0="0"), asked(site, inside, by_0="0")
    other, another = asked(site, inside, by_1="0"), asked(site, inside, "caio", by_0="0")
    assert first == again
    assert len({first.pk, other.pk, another.pk}) == 3
    assert site.model("Job").objects.filter(kind="foresee-question").count() == 3
    answered(site, first)
    assert asked(site, inside, by_0="0") != first


def test_managers_are_written_to_of_questions_by_one_letter_an_hour(site: Site, inside) -> None:
    from django.test import override_settings
    from django.utils import timezone

    letters = site.model("Letter").objects
    letters.all().delete()
    mail = {"host": "127.0.0.1", "port": 1, "sender": "a@b.example"}
    with override_settings(PORTAL_HOME=replace(site.home, mail=mail)):
        for level in ("by_0", "by_1"):
            asked(site, inside, **{level: "0"})
        waiting = list(letters.filter(kind="question"))
        assert sorted(each.to for each in waiting) == sorted(site.people[name].email for name in ("ana", "bruno"))
        letters.update(sent_at=timezone.now())
        asked(site, inside, only_0="F")
    late = letters.filter(kind="question", sent_at=None)
    assert all(each.next_try > timezone.now() + timedelta(minutes=55) for each in late)
    assert late.count() == 2


def test_answers_and_problems_are_read_in_the_readers_language(site: Site, inside) -> None:
    columns = dict(SCHEMA.columns) | {"city": replace(SCHEMA["city"], domain=None)}
    site.model("DataSet").objects.filter(pk=inside.pk).update(schema=bb.Schema(columns).to_yaml())
    inquiry = answered(site, asked(site, inside, by_1="0"))
    answered(site, asked(site, inside, by_0="0", mean="paid"))
    failed = answered(site, asked(site, inside, by_2="0"))
    assert failed.state == "failed"
    read = {"pt": ("(outros)", "já se pediram médias"), "en": ("(others)", "means of the column")}
    for code, (other, sentence) in read.items():
        reader = site.client("ana")
        reader.cookies["biombo_language"] = code
        assert other in reader.get(f"/questions/{inquiry.pk}").body.decode()
        why = html.unescape(reader.get(f"/questions/{failed.pk}").body.decode())
        assert sentence in why
        assert str(site.home.folder) not in why


def test_nobody_else_sees_a_question(site: Site, inside) -> None:
    inquiry = asked(site, inside, by_0="0")
    assert site.client("caio").get(f"/questions/{inquiry.pk}").status_code == 404
    assert site.client("celia").get(f"/questions/{inquiry.pk}").status_code == 404
    assert site.client("rita").post(f"/questions/{inquiry.pk}/decide", {"decision": "approve"}).status_code == 404
    assert site.client("davi").get(f"/questions/{inquiry.pk}").status_code == 200
    assert str(inquiry) not in site.client("caio").get("/questions").body.decode()


def test_only_tables_that_were_opened_are_asked_and_names_never(site: Site, inside) -> None:
    closed = site.another_table()
    assert site.client("rita").get(f"/data/{closed.pk}/ask").status_code == 404
    form = site.client("rita").get(f"/data/{inside.pk}/ask").body.decode()
    assert "Contar por sex" in form
    assert "Contar por name" not in form
    assert site.client("rita").post(f"/data/{inside.pk}/ask", {"by_0": "0"}).status_code == 422
    site.client("ana").post(f"/data/{inside.pk}/questions", {"questions_k": "5"})
    assert site.client("rita").get(f"/data/{inside.pk}/ask").status_code == 404


def test_how_few_people_a_cell_may_have_is_settled_by_the_first_question(site: Site, inside) -> None:
    inquiry = asked(site, inside, by_0="0")
    other = site.client("ana").post(f"/data/{inside.pk}/questions", {"takes_questions": "on", "questions_k": "2"})
    assert other.status_code == 422
    assert "5" in other.body.decode()
    wrong = site.client("ana").post(f"/data/{inside.pk}/questions", {"takes_questions": "on", "questions_k": "1"})
    assert wrong.status_code == 422
    assert answered(site, inquiry).answer["k"] == 5


def test_what_goes_wrong_is_told_to_the_agency_alone(site: Site, inside) -> None:
    inquiry = answered(site, asked(site, inside, only_1="Z"))
    assert inquiry.state == "failed"
    assert "city" in page(site, "ana", inquiry)
    assert "O órgão pode ver por quê" in page(site, "rita", inquiry)
    assert problem(site, inquiry) not in page(site, "rita", inquiry)


def test_no_mean_is_told_of_what_tells_who_somebody_is(site: Site) -> None:
    rows = 40
    table = pl.DataFrame({"prontuario": range(rows), "cartao": range(rows), "sex": ["F", "M"] * (rows // 2)})
    numbers = bb.ColumnSchema("sensitive", type="discrete")
    schema = bb.Schema({"prontuario": numbers, "cartao": bb.ColumnSchema("identifier"), "sex": SCHEMA["sex"]})
    made = site.add_table(table, schema, "Consultas")
    site.client("ana").post(f"/data/{made.pk}/questions", {"takes_questions": "on", "questions_k": "5"})

    refused = site.client("rita").post(f"/data/{made.pk}/ask", {"mean": "cartao"} | PURPOSE)
    assert refused.status_code == 422
    assert "Não se informa média desta coluna" in refused.body.decode()
    inquiry = asked(site, made, mean="prontuario")  # called otherwise by the schema: its name says what it is
    site.work()
    inquiry.refresh_from_db()
    assert "não se informa média" in problem(site, inquiry)
    assert "prontuario" in page(site, "ana", inquiry)
    assert answered(site, inquiry).state == "failed"
    assert problem(site, inquiry) not in page(site, "rita", inquiry)
