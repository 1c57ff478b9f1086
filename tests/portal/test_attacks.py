"""What somebody tried against the portal, each as a test: none of it may work."""

import copy
import json
from pathlib import Path
from time import process_time
from typing import Any

import negotiations
import polars as pl
import pytest
import yaml
from portal_site import Site, yaml_of

import biombo as bb
from biombo._negotiate import plain_fact


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A file of the server that could be a hierarchy."""
    path = tmp_path / "patients.csv"
    path.write_text("value,level1\nTOPSECRET,GROUPSECRET\nother,GROUPSECRET\n")
    return path


def form_for(name: str, case: Any, *filled: Any) -> Any:
    from biombo._portal.acts import form_of  # once there is a portal

    return form_of(name)(*filled, record=Site.record(case), case=case)


def sent(site: Site, who: str, path: str, body: Any) -> Any:
    """What a program of somebody's is answered."""
    return site.known(who).post(path, json.dumps(body), content_type="application/json")


def act_of(site: Site, who: str, case: Any, act: Any) -> Any:
    return sent(site, who, f"/api/requests/{case.pk}/acts", {"act": act})


def prepared_with(hierarchy: object) -> dict:
    tree = copy.deepcopy(dict(plain_fact(negotiations.preparation())))
    tree["prepare"]["schema"]["columns"]["age"]["hierarchy"] = hierarchy
    return json.loads(json.dumps(tree))


# Files of the server


def test_no_act_of_a_requester_opens_a_file_of_the_server(unchanged, secret):
    case, told = unchanged.cases()["manipulations"], set()
    for place in (str(secret), str(secret.parent / "absent"), "/etc/passwd", "/dev/zero", "/proc/self/environ"):
        generalise = {"generalise": {"column": "age", "hierarchy": place, "level": 1}}
        answer = act_of(unchanged, "rita", case, {"accept": {"manipulations": [generalise]}})
        assert answer.status_code == 422
        told.add(answer.content)
    assert len(told) == 1  # not even whether there is one
    assert b"SECRET" not in told.pop()


def test_a_worker_opens_no_file_for_an_act_either(unchanged, secret):
    case, told = unchanged.led_to("manipulations"), []
    for place in (str(secret), "/nowhere/gone.csv"):
        generalise = {"generalise": {"column": "age", "hierarchy": place, "level": 1}}
        asked = {"asked": {"accept": {"manipulations": [generalise]}}, "seen": unchanged.record(case).head}
        unchanged.model("Job").objects.create(kind="act", case=case, person=unchanged.people["rita"], **asked)
        (job,) = unchanged.work()
        assert job.status == "failed"
        told.append(job.error)
    assert told[0] == told[1]


@pytest.mark.parametrize("behind", [False, True])
def test_no_preparation_names_a_file_and_pages_open_afterwards(unchanged, secret, behind):
    case = unchanged.begun(data_set=unchanged.another_table())
    for place in (str(secret), "/tmp/gone.csv"):
        hierarchy = {"kind": "columns", "columns": ["city"], "then": place} if behind else place
        answer = act_of(unchanged, "ana", case, prepared_with(hierarchy))
        assert answer.status_code == 422
        assert b"SECRET" not in answer.content
    for who in ("rita", "ana", "davi"):
        assert unchanged.client(who).get(f"/requests/{case.pk}").status_code == 200


def test_a_schema_that_names_a_file_is_used_by_nobody(unchanged, secret):
    """Neither typed on its page nor where one got into the database in another way."""
    columns = {**negotiations.SCHEMA.columns, "age": bb.ColumnSchema(role="quasi", hierarchy=str(secret))}
    made, client = unchanged.another_table(), unchanged.client("ana")
    named = yaml_of(bb.Schema(columns))
    assert client.post(f"/data/{made.pk}/edit", {"schema": named}).status_code == 422
    unchanged.model("DataSet").objects.filter(pk=made.pk).update(schema=named)
    client.post(f"/data/{made.pk}/workbench/steps/risk")
    for job in unchanged.work():
        assert "SECRET" not in json.dumps([job.error, job.asked])
    case = unchanged.begun(data_set=made)
    form = {"label:0": "age", "role:0": "quasi", "label:1": "city", "role:1": "quasi", "k": "3"}
    answer = client.post(f"/requests/{case.pk}/acts/prepare", {**form, **negotiations.MODEL})
    assert answer.status_code == 422
    assert b"SECRET" not in answer.content


def test_the_portal_reads_hierarchies_by_what_reads_no_file():

    folder = Path(bb.__file__).parent / "_portal"
    loading = [path.name for path in folder.rglob("*.py") if "Hierarchy.load(" in path.read_text("utf-8")]
    assert loading == []


def test_a_request_for_more_detail_names_no_path(unchanged):
    entry, client = unchanged.entry(), unchanged.client("rita")
    form = {
        "data_set": entry.data_set_id,
        "kind": "public-institution",
        "address": "São Luís",
        "document_type": "CPF",
        "document": unchanged.asked("rita").asked["requester"]["document"],
        "dimension": "truth",
        "purpose": "more detail",
        **{f"label_{place}": label for place, label in enumerate(negotiations.WANTED)},
    }
    answer = client.post(f"/requests/new?release={entry.slug}", form)
    assert answer.status_code == 302, answer.content
    unchanged.work()
    case = unchanged.model("Case").objects.latest("number")
    assert case.folder
    for path in (f"/requests/{case.pk}/chain.jsonl", f"/requests/{case.pk}", f"/api/requests/{case.pk}"):
        read = unchanged.known("rita").get(path)
        assert read.status_code == 200
        assert str(unchanged.home.folder) not in read.body.decode()
    assert unchanged.record(case).state.request.origin == bb.RequestOrigin(release=entry.slug)
    unchanged.do("ana", case, negotiations.preparation())
    assert "origin-found" in [event.fact.name for event in unchanged.record(case).events]


def test_a_program_names_no_release_to_start_from(unchanged):
    request = {**unchanged.asked("rita").asked, "origin": {"release": "/etc"}}
    body = {"data_set": unchanged.data_set.pk, "request": request}
    assert sent(unchanged, "rita", "/api/requests", body).status_code == 400


# Who learns what


def test_a_requester_sees_no_job_of_others(unchanged):
    """That the manager looks values up leaves no event, and is nobody's business."""
    case = unchanged.led_to("diversity")
    asked = {"case": case, "person": unchanged.people["ana"], "asked": {"l": 2}, "seen": unchanged.record(case).head}
    job = unchanged.model("Job").objects.create(kind="values", **asked)
    own = unchanged.model("Job").objects.filter(case=case, person=unchanged.people["rita"]).first()
    client = unchanged.known("rita")

    assert b'id="job"' not in client.get(f"/requests/{case.pk}").content
    assert client.get(f"/requests/{case.pk}/jobs/{job.pk}").status_code == 404
    assert client.get(f"/api/requests/{case.pk}/jobs/{job.pk}").status_code == 404
    assert client.get(f"/requests/{case.pk}/jobs/{own.pk}").status_code == 200
    assert unchanged.client("ana").get(f"/requests/{case.pk}/jobs/{job.pk}").status_code == 200


def test_nobody_reads_votes_before_they_are_counted(unchanged):
    unchanged.model("AgencySettings").objects.update_or_create(pk=1, defaults={"votes": 2, "name": "Vila Nova"})
    case = _voted_on(unchanged)
    unchanged.do("celia", case, bb.Vote(False, "SECRETVOTE it is risky"))
    assert case.state == "vote"
    for who in ("davi", "ana", "rita"):
        for path in (f"/requests/{case.pk}/chain.jsonl", f"/requests/{case.pk}", f"/api/requests/{case.pk}"):
            read = unchanged.known(who).get(path)
            assert "SECRETVOTE" not in read.body.decode(), (who, path)
    chain = unchanged.known("davi").get(f"/requests/{case.pk}/chain.jsonl").body
    whole = [json.loads(line) for line in chain.splitlines()]
    assert [each["role"] for each in whole if "fact" not in each] == ["committee"]


def _voted_on(site: Site) -> Any:
    case = site.begun("rita", site.another_table())
    for who, act in (
        ("ana", negotiations.preparation()),
        ("rita", bb.Accept([negotiations.decades(2)])),
        ("ana", bb.CarryOut()),
        ("ana", bb.AskDiversity(2)),
        ("ana", bb.SendMetrics()),
        ("rita", bb.Review(True)),
        ("ana", bb.WriteReport(department="Vigilância")),
    ):
        site.do(who, case, act)
    return case


# Too much of something


def test_a_request_has_few_labels_and_short_ones(unchanged):
    asked = unchanged.asked("rita").asked
    for wanted in (
        {f"label {place}": "x" for place in range(101)},
        {"x" * 301: "x"},
        {"x": "x" * 2001},
    ):
        body = {"data_set": unchanged.data_set.pk, "request": {**asked, "wanted": wanted}}
        assert sent(unchanged, "rita", "/api/requests", body).status_code == 422


def test_the_manager_opens_a_request_of_the_most_labels_for_many_columns_in_no_time(unchanged):
    table = negotiations.table().with_columns(pl.lit("x").alias(f"column_of_number_{n}") for n in range(300))
    schema = bb.Schema({name: negotiations.SCHEMA[name] for name in table.columns})
    meanings = {f"What number {n} of them is": f"{'palavra ' * 240}{n}" for n in range(97)}
    case = unchanged.begun(data_set=unchanged.add_table(table, schema), wanted={**negotiations.WANTED, **meanings})
    began = process_time()
    page = unchanged.client("ana").get(f"/requests/{case.pk}")
    assert process_time() - began < 10
    assert page.status_code == 200
    form = form_for("prepare", case)
    assert [form.fields[f"label:{n}"].initial for n in range(3)] == ["age", "city", "disease"]


def test_a_table_of_many_columns_gets_its_roles_and_more_is_refused_on_a_page(unchanged):
    columns = {f"c{place}": bb.ColumnSchema(role="other") for place in range(1500)}
    made, client = unchanged.another_table(), unchanged.client("ana")
    unchanged.model("DataSet").objects.filter(pk=made.pk).update(schema=yaml_of(bb.Schema(columns)))
    page = client.get(f"/data/{made.pk}/columns")
    seen = page.content.decode().partition('name="seen" value="')[2].partition('"')[0]
    roles = {f"role_{place}": "other" for place in range(1500)} | {"role_7": "sensitive", "seen": seen}
    assert client.post(f"/data/{made.pk}/columns", roles).status_code == 302
    made.refresh_from_db()
    assert bb.Schema.from_tree(yaml.safe_load(made.schema)).sensitive == ("c7",)

    from urllib.parse import urlencode

    many = urlencode({f"a{place}": "" for place in range(60_000)})
    answer = client.post(f"/data/{made.pk}/columns", many, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 400
    assert b"<main" in answer.content
    assert b"<main" in client.get("/data", {"q": "a\0b"}).content


def test_a_name_that_ends_in_many_letters_and_a_long_search_do_not_fail(unchanged):
    from django.core.files.uploadedfile import SimpleUploadedFile

    given = SimpleUploadedFile(f"a.{'b' * 230}.gz", b"x")
    told = {"name": "x", "source": "upload", "file": given}
    assert unchanged.client("ana").post("/data/new", told).status_code < 500
    assert unchanged.client("davi").get("/trail", {"q": "a" * 60_000}).status_code == 200


def test_amendments_count_among_the_requests_of_a_day(unchanged, monkeypatch):
    case = unchanged.cases()["available"]
    monkeypatch.setattr("biombo._portal.asking.MOST_A_DAY", 0)
    assert act_of(unchanged, "rita", case, {"amend": {"reason": "more"}}).status_code == 429
    answer = unchanged.client("rita").post(f"/requests/{case.pk}/acts/amend", {"reason": "more"})
    assert answer.status_code == 429
    assert not case.jobs.filter(status="waiting").exists()


@pytest.mark.parametrize(
    ("kind", "document", "status"),
    [
        ("CPF", "123.456.789-10", 422),
        ("cpf", "111.111.111-11", 422),
        ("CNPJ", "11.222.333/0001-80", 422),
        ("CNPJ", "11.222.333/0001-81", 202),
        ("CPF", "123.456.789-09", 202),
        ("Passport", "FX 12", 202),
    ],
)
def test_a_document_is_checked_by_its_digits(unchanged, kind, document, status):
    name = f"new-{kind}-{document}".translate(str.maketrans(" ./", "---"))
    unchanged.people[name] = unchanged.model("Person").objects.create_user(
        f"{name}@home.example", "pequi-maduro-42", name="Nova", role="requester"
    )
    asked = unchanged.asked("rita").asked
    requester = {**asked["requester"], "document": document, "document-type": kind}
    body = {"data_set": unchanged.data_set.pk, "request": {**asked, "requester": requester}}
    assert sent(unchanged, name, "/api/requests", body).status_code == status


# Names


def test_columns_and_values_with_any_letters_are_waived_on_the_page(unchanged):
    values = {"diag:main": {"a:b": 3, 'say "x"\n': 4}, "diag": {"main:a:b": 5}}
    case = unchanged.led_to("diversity")
    record = unchanged.record(case)
    unchanged.model("Job").objects.create(
        kind="values", status="done", case=case, person=unchanged.people["ana"], asked={"l": 2, "values": values},
        seen=record.head,
    )  # fmt: skip
    shown = form_for("waive", case)
    names = [name for name in shown.fields if name.startswith("value:")]
    form = form_for("waive", case, {"l": "2", "reason": "x", **dict.fromkeys(names, "low")})
    assert form.is_valid(), form.errors
    assert form.entries()["values"] == {column: dict.fromkeys(each, "low") for column, each in values.items()}


def test_a_list_of_values_that_the_manager_wrote_is_not_told_to_the_requester(unchanged):
    site, tree = unchanged, bb.Hierarchy.by_hand({"Coast": ["North", "Paratyville"], "Inland": ["South"]})
    columns = {**negotiations.SCHEMA.columns, "city": bb.ColumnSchema(role="quasi", hierarchy=tree.to_tree())}
    prepare = bb.Prepare(dict(negotiations.COLUMNS), bb.Schema(columns), dict(negotiations.MODEL), k=2)
    case = site.begun("rita", site.another_table())
    site.do("ana", case, prepare)
    site.do("rita", case, bb.Accept([negotiations.decades(2), bb.Generalise("city", tree, 1)]))
    site.do("ana", case, bb.Suggest([bb.Generalise("city", tree, 1)], message="by coast"))

    rita = site.known("rita")
    for path in (f"/requests/{case.pk}", f"/requests/{case.pk}/chain.jsonl", f"/api/requests/{case.pk}"):
        assert "Paratyville" not in rita.get(path).body.decode(), path
    said = [each["act"] for each in rita.get(f"/api/requests/{case.pk}").json()["view"]["said"]]
    assert {"accept", "suggest"} <= set(said)
    assert "Paratyville" in site.known("ana").get(f"/api/requests/{case.pk}").body.decode()
