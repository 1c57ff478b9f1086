"""How the released data reach the requester: downloads, encrypted archives, pages to look at, visits on site."""

import re
import shutil
import subprocess
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from portal_site import Site

import biombo as bb
from biombo._negotiate import WAYS
from biombo._release import hashed

SEVEN_ZIP = shutil.which("7zz") or shutil.which("7z") or shutil.which("7za")
PASSWORD = re.compile(rb"<code>([a-z2-9]{5}(?:-[a-z2-9]{5}){5})</code>")


@pytest.fixture(scope="module")
def cases(one_site: Site) -> dict[str, Any]:
    """One request for each way."""
    return {way: one_site.led_to("available", way=way) for way in WAYS}


def what(site: Site, case: Any) -> list[str]:
    return list(site.model("TrailEntry").objects.filter(case=case).order_by("pk").values_list("what", flat=True))


def archived(site: Site, case: Any) -> tuple[str, str]:
    """The address of a new archive, and its password."""
    answer = site.client("ana").post(f"/requests/{case.pk}/archives")
    assert answer.status_code == 200
    found = PASSWORD.search(answer.body)
    assert found is not None
    address = re.search(rb'href="(/requests/\d+/archives/\d+)"', answer.body)
    assert address is not None
    return address[1].decode(), found[1].decode()


def looked_at(site: Site, case: Any) -> str:
    answer = site.client("rita").post(f"/requests/{case.pk}/delivery")
    assert answer.status_code == 302
    return str(answer.headers["Location"])


def test_the_register_tells_how_the_requester_gets_the_data(site: Site, cases: dict[str, Any]):
    register = bb.Register.open(str(site.home.register))
    told = {way: register.find(hashed(Path(cases[way].folder) / "available" / "manifest.json")) for way in WAYS}
    how = {"download": "copy", "encrypted": "copy", "view-only": "online", "on-site": "on-site"}
    assert {way: found.entry.access for way, found in told.items() if found is not None} == how


@pytest.mark.parametrize(
    ("code", "trail", "register"),
    [
        ("pt", "Quando,Quem,Papel,O quê,Pedido", "ID,situação,registrada em,o quê,setor,modelo de divulgação"),
        ("en", "When,Who,Role,What,Request", "ID,status,registered,what,department,release model"),
    ],
)
def test_exports_call_their_columns_in_the_language_of_the_reader(unchanged: Site, code, trail, register):
    reader = unchanged.client("davi")
    reader.cookies["biombo_language"] = code
    assert reader.get("/trail.csv").body.decode().splitlines()[0] == trail
    first = reader.get("/register.csv").body.decode().splitlines()[0]
    assert first.startswith(register)
    assert len(set(first.split(","))) == 15
    other = unchanged.client("davi")
    other.cookies["biombo_language"] = "en" if code == "pt" else "pt"
    rows = [each.get("/trail.csv").body.decode().partition("\n")[2] for each in (reader, other)]
    assert rows[0] == rows[1] != ""  # codes are the same in both


def test_no_export_has_a_formula_in_it(unchanged: Site):
    site, people = unchanged, unchanged.model("Person").objects.filter(pk=unchanged.people["caio"].pk)
    people.update(name="Melo;=HYPERLINK(1)")
    case = site.led_to("available", "caio")
    people.update(name="Caio Melo")
    told = site.client("ana").get("/register.csv").body.decode()
    assert f"{case}" in told
    assert "Melo;'=HYPERLINK(1)" in told
    site.model("TrailEntry").objects.create(what="=1+1", role="auditor")
    assert ",'=1+1," in site.client("davi").get("/trail.csv").body.decode()


@pytest.mark.parametrize("way", WAYS)
def test_the_requesters_page_tells_the_way_and_no_other_route_opens(site: Site, cases: dict[str, Any], way: str):
    case, rita, ana = cases[way], site.client("rita"), site.client("ana")

    page = rita.get(f"/requests/{case.pk}").body.decode()
    assert ("/delivery" in page) == (way in ("download", "view-only"))
    opened = rita.post(f"/requests/{case.pk}/delivery")
    assert (opened.status_code == 302) == (way in ("download", "view-only"))
    assert (ana.post(f"/requests/{case.pk}/archives").status_code == 200) == (way == "encrypted")
    token = opened.headers["Location"].split("/")[4] if opened.status_code == 302 else "t0ken"
    fetched = rita.get(f"/requests/{case.pk}/download/{token}")
    assert (fetched.status_code == 200) == (way == "download")
    seen = rita.get(f"/requests/{case.pk}/view/{token}/1")
    assert (seen.status_code == 200) == (way == "view-only")


def test_a_link_opens_for_its_requester_alone_and_each_fetch_is_an_event(site: Site, cases: dict[str, Any]):
    case = cases["download"]
    link = looked_at(site, case)

    before = what(site, case).count("downloaded")
    assert site.client("rita").get(link).status_code == 200
    assert site.client("rita").get(link).status_code == 200
    assert what(site, case).count("downloaded") == before + 2
    for who in ("caio", "namesake", "ana", "davi", "alice"):
        assert site.client(who).get(link).status_code == 404, who
    site.model("Delivery").objects.filter(case=case).update(expires=site.model("Delivery").objects.first().made_at)
    assert site.client("rita").get(link).status_code == 404


def test_an_archive_opens_with_its_password_and_not_without(site: Site, cases: dict[str, Any], tmp_path: Path):
    if SEVEN_ZIP is None:
        pytest.skip("7-Zip is not installed here (apt install 7zip)")
    address, password = archived(site, cases["encrypted"])
    file = tmp_path / "biombo.zip"
    file.write_bytes(site.client("rita").get(address).body)

    def unpacked(*options: str) -> int:
        command = [SEVEN_ZIP, "x", "-y", f"-o{tmp_path / 'there'}", *options, str(file)]
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False).returncode

    for wrong in ("-p", "-pcurioso", f"-p{password[:-1]}"):
        assert unpacked(wrong) != 0
        shutil.rmtree(tmp_path / "there", ignore_errors=True)
    assert unpacked(f"-p{password}") == 0
    assert (tmp_path / "there" / "manifest.json").is_file()
    assert bb.verify(tmp_path / "there").holds
    listed = subprocess.run([SEVEN_ZIP, "l", "-slt", str(file)], capture_output=True, text=True, check=True).stdout
    methods = [line for line in listed.splitlines() if line.startswith("Method = ")]
    assert methods
    assert all("AES-256" in line for line in methods)


def test_the_password_is_shown_once_and_kept_nowhere(site: Site, cases: dict[str, Any], caplog, capfd):
    case = cases["encrypted"]
    address, password = archived(site, case)

    assert site.client("rita").get(address).status_code == 200
    assert site.client("ana").get(address).status_code == 200
    told = what(site, case)
    assert told[-4:] == ["archive-made", "password-shown", "archive-fetched", "archive-fetched"]
    for who in ("rita", "ana", "davi"):
        assert password.encode() not in site.client(who).get(f"/requests/{case.pk}").body
    kept = [path for path in site.home.folder.rglob("*") if path.is_file() and password.encode() in path.read_bytes()]
    assert kept == []
    assert password not in caplog.text + "".join(capfd.readouterr())


def test_a_new_archive_has_a_new_password_and_ends_the_earlier_one(site: Site, cases: dict[str, Any]):
    case = cases["encrypted"]
    first, password = archived(site, case)
    second, another = archived(site, case)

    assert password != another
    assert site.client("rita").get(first).status_code == 404
    assert site.client("rita").get(second).status_code == 200
    for who in ("caio", "namesake", "celia", "davi", "alice"):
        assert site.client(who).get(second).status_code == 404, who
    number = second.rpartition("/")[2]
    assert second in site.client("rita").get(f"/requests/{case.pk}").body.decode()
    site.client("ana").post(f"/requests/{case.pk}/deliveries/{number}/revoke")
    assert site.client("rita").get(second).status_code == 404
    page = site.client("rita").get(f"/requests/{case.pk}").body.decode()
    assert "/archives/" not in page
    assert "ainda não preparou" in page


def test_pages_show_all_of_the_release_and_each_look_is_an_event(site: Site, cases: dict[str, Any]):
    case, rita = cases["view-only"], site.client("rita")
    first = looked_at(site, case)
    whole = site.record(case).released
    assert whole is not None
    rows = (whole / "data.csv").read_text().splitlines()[1:]

    shown, page = 0, 1
    while (answer := rita.get(first.removesuffix("/1") + f"/{page}")).status_code == 200:
        shown += answer.body.count(b"<tr>") - 1
        assert answer.headers["Cache-Control"] == "no-store"
        page += 1
    assert shown == len(rows) > 0
    seen = site.model("TrailEntry").objects.filter(case=case, what="page-viewed").order_by("pk")
    assert [each.detail["page"] for each in seen][-(page - 1) :] == list(range(1, page))
    for nowhere in (0, 10**12, 10**18, 10**30):
        assert rita.get(first.removesuffix("/1") + f"/{nowhere}").status_code == 404
    for who in ("caio", "namesake", "ana", "davi"):
        assert site.client(who).get(first).status_code == 404, who


def test_visits_are_recorded_by_the_manager_and_seen_by_requester_and_auditor(unchanged: Site, cases: dict[str, Any]):
    site, case, ana = unchanged, cases["on-site"], unchanged.client("ana")
    told = {"visitor": "Rita Lima", "day": "2025-03-07", "place": "sala 204", "watched_by": "Bruno Reis"}

    assert b'id="act-record-visit"' in ana.get(f"/requests/{case.pk}").body
    assert ana.post(f"/requests/{case.pk}/acts/record-visit", told | {"watched_by": ""}).status_code == 422
    assert ana.post(f"/requests/{case.pk}/acts/record-visit", told).status_code == 302
    assert [job.status for job in site.work()] == ["done"]
    for who in ("rita", "davi", "ana"):
        assert "sala 204" in site.client(who).get(f"/requests/{case.pk}").body.decode(), who
    assert "sala 204" in site.client("davi").get(f"/requests/{case.pk}/trail").body.decode()
    assert site.record(case).verify() == []
    assert b'id="act-record-visit"' not in ana.get(f"/requests/{cases['download'].pk}").body


@pytest.mark.parametrize("way", WAYS)
def test_revoking_closes_every_way_at_once(site: Site, way: str):
    case, rita = site.led_to("available", way=way), site.client("rita")
    open_ = [looked_at(site, case)] if way in ("download", "view-only") else []
    open_ += [archived(site, case)[0]] if way == "encrypted" else []
    assert all(rita.get(each).status_code == 200 for each in open_)

    site.do("ana", case, bb.Revoke("a mistake"))

    assert [rita.get(each).status_code for each in open_] == [404] * len(open_)
    assert rita.post(f"/requests/{case.pk}/delivery").status_code == 404
    assert site.client("ana").post(f"/requests/{case.pk}/archives").status_code == 404
    numbers = [each.token for each in case.deliveries.all()]
    left = [path for path in site.home.outgoing.iterdir() if path.stem in (*numbers, Path(case.folder).name)]
    assert left == []
    assert not case.deliveries.filter(revoked_at=None).exists()
    assert b"/delivery" not in rita.get(f"/requests/{case.pk}").body


def test_the_page_warns_where_the_decision_counts_on_more_than_the_way_has(unchanged: Site):
    site = unchanged
    case = site.begun("rita", site.another_table())
    import negotiations

    model = negotiations.MODEL | {"control": ["view-only"]}
    for who, act in (
        ("ana", negotiations.preparation(model=model)),
        ("rita", bb.Accept([negotiations.decades(2)])),
        ("ana", bb.CarryOut()),
        ("ana", bb.AskDiversity(2)),
        ("ana", bb.SendMetrics()),
        ("rita", bb.Review(True)),
        ("ana", bb.WriteReport(department="Vigilância")),
        ("rita", None),
    ):
        site.do(who, case, act or bb.AcceptTerms(site.record(case).terms.hash))
    ana = site.client("ana")
    page = ana.get(f"/requests/{case.pk}").body.decode()

    assert page.count("a decisão conta com") == len(WAYS) - 1
    assert re.search(r'value="view-only"[^>]*checked', page)
    refused = ana.post(f"/requests/{case.pk}/acts/make-available", {"way": "download"})
    assert refused.status_code == 422
    assert "diga aqui o motivo" in refused.body.decode()
    assert ana.post(f"/requests/{case.pk}/acts/make-available", {"way": "view-only"}).status_code == 302
    assert [job.status for job in site.work()] == ["done"]
    assert site.record(case).state.way == "view-only"


def test_a_visit_ahead_is_refused_in_a_sentence(unchanged: Site, cases: dict[str, Any]):
    site, case, ana = unchanged, cases["on-site"], unchanged.client("ana")
    ahead = (date.today() + timedelta(days=9)).isoformat()
    told = {"visitor": "Rita", "day": ahead, "place": "sala", "watched_by": "Ana"}

    ana.post(f"/requests/{case.pk}/acts/record-visit", told)
    site.work()

    assert "não pode estar no futuro" in ana.get(f"/requests/{case.pk}").body.decode()
