"""The workbench by its forms: which plan is published, what is refused in which words, what commands make of it."""

import html
import io
import re
import zipfile
from datetime import date, timedelta
from pathlib import Path

import polars as pl
import pytest
from portal_bench import ROWS, SCHEMA, Bench, table
from portal_site import Site

import biombo as bb
from biombo._cli import main
from biombo._release import Manifest, hashed

pytestmark = pytest.mark.slow


@pytest.fixture
def bench(unchanged: Site) -> Bench:
    return Bench(unchanged)


def test_the_verdict_on_a_release_is_read_in_the_language_of_the_reader(bench: Bench):
    bench.rehearsed()
    bench.publish()
    shown = {}
    for code in ("pt", "en"):
        reader = bench.site.client("bruno")
        reader.cookies["biombo_language"] = code
        page = reader.get(f"{bench.where}/registered").body.decode()
        (verdict,) = re.findall(r'<div class="steps">(.*?)</div>', page, re.DOTALL)
        shown[code] = html.unescape(re.sub(r"<[^>]*>", " ", verdict))
    assert all(each in shown["en"] for each in ("records", "Accepted: the risk"))
    assert all(each in shown["pt"] for each in ("registros", "Aceito: o risco"))
    assert set(re.findall(r"[0-9]+", shown["pt"])) == set(re.findall(r"[0-9]+", shown["en"]))


def test_another_plan_than_the_best_is_published_as_it_was_chosen(bench: Bench):
    bench.do("risk")
    bench.rehearsed(place=1)
    second = bench.draft.results["search"]["plans"][1]
    assert second["levels"] != bench.draft.results["search"]["plans"][0]["levels"]

    page = bench.publish()

    assert "/catalogue/" in page
    private = Path(f"{bench.published}.private")
    plan = bb.Plan.load(private / "plan.yaml")
    levels = {each.column: each.level for each in plan.operations if isinstance(each, bb.Generalise)}
    assert levels == {name: level for name, level in second["levels"].items() if level}
    assert bb.verify(bench.published).holds
    released = pl.read_csv(bench.published / "data.csv")
    assert released.group_by("sexo", "idade", "bairro").len()["len"].min() >= 10


def test_what_is_saved_gives_the_same_release_on_the_command_line(bench: Bench, tmp_path):
    bench.rehearsed(place=1)
    bench.publish()
    archive = bench.ana.get(f"{bench.where}/request.zip")
    with zipfile.ZipFile(io.BytesIO(archive.body)) as packed:
        assert sorted(packed.namelist()) == ["plan.yaml", "request.yaml", "schema.yaml"]
        packed.extractall(tmp_path)
    table().write_parquet(tmp_path / "table.parquet")

    assert main(["publish", "--request", str(tmp_path / "request.yaml")]) == 0

    folders = (bench.published, tmp_path / "release")
    claimed = [[each for each in Manifest.of(folder).claims if each.name != "plan"] for folder in folders]
    assert claimed[0] == claimed[1]
    assert len(claimed[0]) > 3
    plans = [bb.Plan.load(f"{folder}.private/plan.yaml").hash for folder in folders]
    assert plans[0] == plans[1] == bench.draft.results["utility"]["plan_hash"]


def test_what_is_saved_before_the_rehearsal_finds_the_chosen_plan(bench: Bench, tmp_path):
    bench.do("search", k=10, max_suppression="5")
    bench.do("choose", plan=1)
    with zipfile.ZipFile(io.BytesIO(bench.ana.get(f"{bench.where}/request.zip").body)) as packed:
        packed.extractall(tmp_path)
    table().write_parquet(tmp_path / "table.parquet")
    request = bb.Request.load(tmp_path / "request.yaml")

    bench.do("utility")

    assert dict(request.level) == bench.draft.results["search"]["plans"][1]["levels"]
    assert request.rehearse().rehearsal.plan.hash == bench.draft.results["utility"]["plan_hash"]


def test_the_decision_is_shown_before_and_a_risk_above_the_threshold_needs_a_reason(bench: Bench):
    bench.rehearsed(k=5)
    page = bench.page("publish")
    group = bench.draft.results["utility"]["smallest_group"]
    assert f"{group} pessoas" in page
    assert "k = 100" in page  # what would do for high harm

    refused = bench.publish(harm="high")

    assert "O risco está acima do limite" in refused
    assert not bench.site.model("Job").objects.filter(kind="draft-publish", data_set=bench.data_set).exists()
    bench.publish(harm="high", override_reason="Dados de exemplo.")
    assert bench.draft.results["publish"]["number"] >= 1


def test_columns_that_tell_too_much_are_accepted_for_a_reason_in_words_of_the_page(unchanged: Site):
    tree = SCHEMA.to_tree()
    tree["columns"]["bairro"] = {"role": "other"}
    rows = table().with_columns(bairro=pl.Series([f"Rua {number // 3}" for number in range(ROWS)]))
    bench = Bench(unchanged, bb.Schema.from_tree(tree), rows).rehearsed()
    page = bench.page("publish")
    assert "Colunas que revelam demais" in page

    refused = bench.publish()

    assert "Aceite as colunas que revelam demais" in refused
    assert not re.search(r"accept=|--accept|accept_column=", refused)
    assert "Diga por que" in bench.publish(accept_column=["bairro"])
    bench.publish(accept_column=["bairro"], reason="Nomes de rua fictícios.")
    assert "bairro" in pl.read_csv(bench.published / "data.csv").columns


def test_refusals_of_workers_speak_of_the_page(bench: Bench):
    answer = bench.ana.post(f"{bench.where}/steps/search", {"k": 700, "max_suppression": "5"})
    assert answer.status_code == 302
    (job,) = bench.site.work()

    page = bench.page("search")

    assert job.status == "failed"
    assert job.error["key"] == "search.k-above-rows"
    assert not re.search(r"\w+=\.\.\.|--[a-z]", re.sub(r"(?s)<[^>]*>", "", page))


def test_what_follows_about_one_person_is_told_and_never_in_the_database(bench: Bench):
    bench.do("risk")
    row = table().row(0, named=True)
    page = bench.do("person", known_0=row["sexo"], known_1=str(row["idade"]), known_2=row["bairro"])

    fitting = table().filter(pl.col("sexo") == row["sexo"], pl.col("idade") == row["idade"], bairro=row["bairro"])
    assert re.search(rf"{fitting.height} registros? corresponde", page)
    assert fitting["diagnostico"].mode()[0] in page
    answer = bench.ana.post(f"{bench.where}/steps/person", {"known_2": "Zzq-sem-par"})
    (job,) = bench.site.work()
    assert (answer.status_code, job.status, job.error["key"]) == (302, "failed", "portal.no-such-person")
    assert "Centro" not in str(job.error)
    assert "Nenhum registro tem esses valores" in bench.page("risk")
    kept = str([*bench.site.model("Job").objects.filter(data_set=bench.data_set).values(), bench.draft.__dict__])
    assert "Zzq-sem-par" not in kept
    assert row["bairro"] not in kept


def test_criteria_that_make_no_sense_are_refused_by_the_request(bench: Bench):
    page = bench.do("search", k=10, max_suppression="5", l=2, l_kind="recursive")

    assert 'role="alert"' in page
    assert "“c da diversidade recursiva”" in page or "c" in page
    assert "search" not in bench.draft.results


def test_limits_of_levels_and_weights_are_searched_with(bench: Bench):
    bench.do("search", k=10, max_suppression="5", least_1="2", most_0="0", weight_2="4", prefer="precision")

    found = bench.draft.results["search"]
    assert found["asked"]["level"] == {"idade": [2, None], "sexo": [None, 0]}
    assert found["asked"]["weights"] == {"bairro": 4.0}
    assert all(plan["levels"]["idade"] >= 2 and plan["levels"]["sexo"] == 0 for plan in found["plans"])
    page = bench.page("search")
    assert 'name="weight_2"' in page
    assert re.search(r'<option value="4" selected>', page)


def test_plans_can_be_for_predicting_a_column(bench: Bench):
    bench.do("search", k=10, max_suppression="5", prefer="prediction:diagnostico")

    found = bench.draft.results["search"]
    assert found["asked"]["prefer"] == ["prediction:diagnostico"]
    assert found["plans"]
    assert '<option value="prediction:diagnostico" selected>perda para prever diagnostico</option>' in bench.page(
        "search"
    )


def test_a_choice_or_a_search_forgets_what_came_after(bench: Bench):
    bench.rehearsed()
    bench.do("choose", plan=1)
    assert "utility" not in bench.draft.results
    bench.do("utility")
    bench.do("search", k=20, max_suppression="5")
    assert set(bench.draft.results) == {"search"}
    assert bench.draft.answers["plan"] == 0
    assert bench.ana.get(f"{bench.where}/publish").status_code == 302


def test_once_published_nothing_is_done_again(bench: Bench):
    bench.rehearsed()
    bench.publish()
    before = bench.draft.results
    for step in ("risk", "search", "choose", "utility", "publish"):
        bench.do(step, plan=1, k=3, max_suppression="0")
    assert bench.draft.results == before
    entries = bench.site.model("CatalogueEntry").objects.filter(data_set=bench.data_set)
    assert entries.count() == 1


def test_pages_show_the_charts_of_the_reports_without_styles_or_scripts(bench: Bench):
    bench.do("risk")
    bench.rehearsed()
    for name, figures in (("risk", 3), ("search", 2), ("utility", 1)):
        page = bench.page(name)
        told = page[page.index('class="told"') :]
        assert told.count("<svg") >= figures, name
        assert not re.search(r'<script\b(?![^>]*src=)|\sstyle="', told), name
        for step in ("pt", "en"):
            bench.ana.cookies["biombo_language"] = step
            assert bench.page(name)
        bench.ana.cookies["biombo_language"] = "pt"
    assert bench.ana.get(f"{bench.where}/reports/risk").status_code == 200
    assert bench.ana.get(f"{bench.where}/reports/risk-pdf").body.startswith(b"%PDF")
    assert bench.ana.get(f"{bench.where}/reports/nothing").status_code == 404


def test_the_register_lists_searches_exports_and_is_reviewed(bench: Bench):
    bench.rehearsed()
    bench.publish(title="=Pessoas do bairro")
    number = bench.draft.results["publish"]["number"]
    davi = bench.site.client("davi")

    page = davi.get("/register?q=PESSOAS do bairro").body.decode()
    assert "=Pessoas do bairro" in page
    assert "=Pessoas do bairro" not in davi.get("/register?q=no such release").body.decode()
    exported = davi.get("/register.csv?q=pessoas do bairro").body.decode()
    assert "'=Pessoas do bairro" in exported
    assert davi.post(f"/register/{number}/review").status_code == 404
    assert bench.ana.post(f"/register/{number}/review", {"found": "", "next_review": ""}).status_code == 422
    told = {"found": "Nenhuma publicação nova.", "next_review": "2020-01-31"}
    assert bench.ana.post(f"/register/{number}/review", told).status_code == 422
    told["next_review"] = "2039-01-31"
    assert bench.ana.post(f"/register/{number}/review", told).status_code == 302
    assert "31/01/2039" in davi.get("/register").body.decode()
    assert bench.site.client("rita").get("/register").status_code == 404

    bench.ana.post(f"/catalogue/{bench.draft.slug}/withdraw")
    register = bb.Register.open(str(bench.site.home.register))
    assert register.get(number).status == "revoked"
    assert register.get(number).events[1].who == "Ana Souza"


def test_what_a_requester_gets_is_on_record_and_so_is_that_it_was_taken_back(unchanged: Site):
    case = unchanged.led_to("available")
    register = bb.Register.open(str(unchanged.home.register))
    known = register.find(hashed(Path(case.folder) / "available" / "manifest.json"))
    assert known.entry.recipients == (unchanged.people["rita"].name,)
    assert known.entry.access == "copy"

    unchanged.do("ana", case, bb.Revoke("a mistake"))

    assert register.get(known.id).status == "revoked"


def test_a_release_that_is_listed_is_on_record_where_its_risk_was_decided(unchanged: Site, tmp_path):
    site, plan = unchanged, bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=["city"], sensitive=["disease"])
    how = {"accept": {"disease": "made up"}}
    models = {"decided": bb.PublicRelease(harm="medium", own_threshold=0.5), "undecided": None}
    for name, model in models.items():
        bb.publish(bb.samples.clinic(), plan, tmp_path / name, model=model, **how)
        entry = site.model("CatalogueEntry").objects.create(title=f"Clínica {name}", data_set=site.data_set, folder="")
        asked = {"entry": entry.pk, "folder": str(tmp_path / name)}
        site.model("Job").objects.create(kind="list-release", data_set=site.data_set, asked=asked)
        assert [job.status for job in site.work()] == ["done"]

    known = [each.entry.what for each in bb.Register.open(str(site.home.register)).list()]
    assert "Clínica decided" in known
    assert "Clínica undecided" not in known


def test_two_clicks_on_publish_are_one_release_and_no_error(bench: Bench):
    bench.do("risk")
    bench.rehearsed()
    bench.publish()
    first, draft = bench.draft.results["publish"], bench.draft
    entries = bench.site.model("CatalogueEntry").objects.filter(data_set=bench.data_set)
    bench.site.model("Job").objects.create(
        kind="draft-publish", data_set=bench.data_set, draft=draft, person=bench.site.people["ana"]
    )
    (job,) = bench.site.work()

    assert (job.status, job.error) == ("done", {})
    assert bench.draft.results["publish"] == first
    assert first["verdict"]
    assert entries.count() == 1
    assert 'class="errors"' not in bench.page("registered")


def test_what_was_measured_for_other_columns_is_not_kept(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    changed = bench.data_set.schema.replace("role: sensitive", "role: other")
    first = bench.data_set.schema
    bench.do("risk")
    assert bench.draft.results["risk"]
    assert bench.change(changed) == 302
    assert bench.draft.results == {}

    def changed_meanwhile(*_) -> None:
        assert bench.change(first) == 302

    monkeypatch.setattr("biombo._portal.workbench._keep_parts", changed_meanwhile)
    bench.ana.post(f"{bench.where}/steps/risk", {})
    (job,) = bench.site.work()
    assert (job.status, job.error["key"]) == ("failed", "portal.draft-behind")
    assert bench.draft.results == {}


# What is published is what was decided on


def _posted(bench: Bench, **fields) -> int:
    """Ask for publishing, and leave the job to wait."""
    told = {"title": "Pessoas", "department": "Vigilância", "review": "2039-01-31", "harm": "low"}
    return bench.ana.post(f"{bench.where}/steps/publish", told | fields).status_code


def _published_by(bench: Bench) -> int:
    return bench.site.model("CatalogueEntry").objects.filter(data_set=bench.data_set).count()


def test_columns_that_change_while_a_job_waits_are_not_published(bench: Bench):
    bench.rehearsed()
    assert _posted(bench, **bench.decided) == 302
    assert bench.change(bench.data_set.schema.replace("role: sensitive", "role: other")) == 302

    (job,) = bench.site.work()

    assert (job.status, job.error["key"]) == ("failed", "portal.draft-behind")
    assert _published_by(bench) == 0
    assert "o plano nesse meio-tempo" in bench.page("risk")


def test_a_job_publishes_the_plan_that_it_was_asked_for_or_none(bench: Bench):
    bench.rehearsed()
    decided, draft = bench.decided, bench.draft
    bench.do("choose", plan=1)
    bench.do("utility")
    asked = {**decided, "answers": {"title": "Pessoas", "review": "2039-01-31", "harm": "low"}}
    told = {"data_set": bench.data_set, "draft": draft, "person": bench.site.people["ana"], "asked": asked}
    bench.site.model("Job").objects.create(kind="draft-publish", **told)

    (job,) = bench.site.work()

    assert (job.status, job.error["key"]) == ("failed", "portal.draft-behind")
    assert _published_by(bench) == 0


def test_a_form_of_another_plan_is_refused_and_the_page_shows_the_plan_of_now(bench: Bench):
    bench.rehearsed()
    before = bench.decided
    bench.do("choose", plan=1)
    bench.do("utility")

    assert bench.decided["plan_hash"] != before["plan_hash"]
    assert _posted(bench, **before) == 409
    assert _posted(bench) == 409
    assert not bench.site.work()
    assert _posted(bench, **bench.decided) == 302
    (job,) = bench.site.work()
    assert job.status == "done"
    plan = bb.Plan.load(f"{bench.published}.private/plan.yaml")
    assert plan.hash == bench.draft.results["utility"]["plan_hash"] != before["plan_hash"]


def test_files_that_were_made_are_published_with_their_answers_alone(bench: Bench, monkeypatch: pytest.MonkeyPatch):
    bench.rehearsed()
    decided = bench.decided
    with monkeypatch.context() as broken:
        broken.setattr("biombo._portal.on_record.put_on_record", _locked)
        assert _posted(bench, **decided) == 302
        (job,) = bench.site.work()
    assert job.status == "failed"

    assert _posted(bench, **decided, description="other") == 409
    for step in ("risk", "search", "choose", "utility"):
        bench.do(step, plan=1, k=3, max_suppression="0")
    assert bench.decided == decided
    page = bench.page("risk")
    assert "Os arquivos desta publicação estão feitos" in page
    assert f"{bench.where}/anew" in page
    told = {"data_set": bench.data_set, "draft": bench.draft, "person": bench.site.people["ana"]}
    asked = {**job.asked, "answers": {**job.asked["answers"], "harm": "medium"}}
    bench.site.model("Job").objects.create(kind="draft-publish", asked=asked, **told)
    (other,) = bench.site.work()
    assert (other.status, other.error["key"]) == ("failed", "portal.draft-made")

    assert _posted(bench, **decided) == 302
    (job,) = bench.site.work()
    assert job.status == "done"
    assert bb.verify(bench.published).holds


def _locked(*_, **__) -> int:
    raise RuntimeError("the register is locked")


def test_another_release_is_prepared_once_columns_change_after_publishing(bench: Bench):
    bench.rehearsed()
    bench.publish()
    done = bench.draft
    for name in ("", "risk", "search", "utility", "registered"):
        assert f"{bench.where}/anew" in bench.ana.get(f"{bench.where}/{name}".rstrip("/")).body.decode(), name

    assert bench.change(bench.data_set.schema.replace("role: sensitive", "role: other")) == 302

    bench.page("risk")
    assert bench.draft.pk != done.pk
    done.refresh_from_db()
    assert done.results["publish"]["entry"]
    bench.rehearsed()
    bench.publish()
    assert _published_by(bench) == 2


def test_a_description_of_columns_that_somebody_else_changed_is_not_undone(bench: Bench):
    seen, first = bench.data_set.schema_hash, bench.data_set.schema
    changed = first.replace("role: sensitive", "role: other")
    assert bench.change(changed) == 302

    assert bench.change(first, seen) == 409
    assert bench.ana.post(f"/data/{bench.data_set.pk}/edit", {"schema": first}).status_code == 409

    bench.data_set.refresh_from_db()
    assert bench.data_set.schema == changed
    refused = bench.ana.post(f"/data/{bench.data_set.pk}/edit", {"schema": "[", "seen": seen})
    assert f'name="seen" value="{seen}"' in refused.body.decode()  # what is typed is still of the columns before


def test_a_description_that_only_came_back_from_a_browser_changes_nothing(bench: Bench):
    bench.do("risk")
    assert bench.change(bench.data_set.schema.replace("\n", "\r\n")) == 302
    assert "risk" in bench.draft.results


def test_what_was_asked_about_one_person_goes_with_the_columns_and_the_draft(bench: Bench):
    def asked() -> list[Path]:
        bench.do("risk")
        bench.do("person", known_0="F", known_1="20")
        return [bench.site.home.drafts / bench.draft.slug / name for name in ("known.json", "person")]

    first = asked()
    assert all(path.exists() for path in first)
    assert bench.change(bench.data_set.schema.replace("role: sensitive", "role: other")) == 302
    assert not any(path.exists() for path in first)

    second = asked()
    bench.ana.post(f"{bench.where}/anew")
    assert not any(path.exists() for path in second)


def test_a_question_about_one_person_that_waits_is_not_answered_for_other_columns(bench: Bench):
    bench.do("risk")
    bench.ana.post(f"{bench.where}/steps/person", {"known_0": "F"})
    assert bench.change(bench.data_set.schema.replace("role: sensitive", "role: other")) == 302

    (job,) = bench.site.work()

    assert (job.status, job.error["key"]) == ("failed", "portal.draft-behind")


def test_what_is_saved_is_what_was_published_though_columns_change_later(bench: Bench):
    bench.rehearsed().publish()
    published = bench.data_set.schema
    bench.data_set.refresh_from_db()
    model = bench.site.model("DataSet").objects.filter(pk=bench.data_set.pk)
    model.update(schema=bench.data_set.schema.replace("role: sensitive", "role: other"))

    packed = zipfile.ZipFile(io.BytesIO(bench.ana.get(f"{bench.where}/request.zip").body))
    assert packed.read("schema.yaml").decode() == published


def test_a_second_manager_who_publishes_with_other_answers_is_told(bench: Bench):
    day = date.today() + timedelta(days=200)
    told = {
        "title": "A",
        "department": "Vigilância",
        "review": day.isoformat(),
        "harm": "low",
        **bench.rehearsed().decided,
    }
    where, bruno = f"{bench.where}/steps/publish", bench.site.client("bruno")
    assert bench.ana.post(where, told).status_code == 302
    assert bruno.post(where, told).status_code == 302, "the same"
    assert bruno.post(where, {**told, "title": "B"}).status_code == 409
    (job,) = bench.site.work()
    assert job.status == "done", job.error
    assert bruno.post(where, {**told, "title": "B"}).status_code == 409
    assert bench.site.model("CatalogueEntry").objects.get(slug=bench.draft.slug).title == "A"


def test_what_was_measured_goes_with_the_table_and_the_release_stays(bench: Bench):
    """Of a table that nobody asks for, once no manager has worked with it for long."""
    from django.utils import timezone

    from biombo._portal import forget_tables

    bench.do("risk")
    bench.rehearsed().publish()
    draft, place = bench.draft, Path(bench.data_set.place)
    folder = bench.site.home.drafts / draft.slug
    assert (folder / "risk" / "report.html").is_file()
    jobs = bench.site.model("Job").objects.filter(data_set=bench.data_set)
    bench.site.model("DataSet").objects.filter(pk=bench.data_set.pk).update(
        is_offered=False, added_at=timezone.now() - timedelta(days=400)
    )
    jobs.update(made_at=timezone.now() - timedelta(days=179))
    forget_tables()
    assert place.exists()

    jobs.update(made_at=timezone.now() - timedelta(days=181))
    forget_tables()
    draft.refresh_from_db()

    assert not place.exists()
    chosen = {"schema.yaml", "plan.yaml", "request.yaml", "made.json", "published-schema.yaml"}
    assert {path.name for path in folder.iterdir()} - chosen == {"release", "release.private"}
    assert set(draft.results) == {"publish"}
    for page in ("workbench", "columns", ""):
        assert bench.ana.get(f"/data/{bench.data_set.pk}/{page}").status_code < 500
