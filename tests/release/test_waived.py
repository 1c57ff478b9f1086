"""A release whose plan waives a criterion says so wherever criteria are told, and nobody reads there that it is met."""

import json
import re
from dataclasses import replace
from datetime import date

import polars as pl
import pytest
from report_reading import read_back

import biombo as bb
from biombo._i18n import LANGUAGES

WHO, REASON = "Ana-Quem-Aceitou", "só faixas etárias; o termo foi assinado"
RELEASED_RARE, SUPPRESSED = "valor-de-uma-pessoa", "valor-de-quem-não-sai"
BANDS = {"Faixa Etária": "low", "Pessoas de 12 a 17 anos": "low"}
RARE = {RELEASED_RARE: "high", SUPPRESSED: "medium"}
THREE = bb.LDiversity(3, column="group")
GROUPS = {
    "A": ["Faixa Etária"] * 8,
    "B": [*["Pessoas de 12 a 17 anos"] * 7, RELEASED_RARE],
    "C": ["Faixa Etária", "Comorbidades", "Trabalhadores de Saúde"] * 3,
    "D": [SUPPRESSED] * 2,
}
"""A and B fail what is waived, C meets it, D is suppressed."""


def table() -> pl.DataFrame:
    rows = [(district, group) for district, values in GROUPS.items() for group in values]
    frame = pl.DataFrame(rows, schema=["district", "group"], orient="row")
    return frame.with_columns(name=pl.format("Pessoa-{}-Inventada", pl.int_range(pl.len())))


def plan(criterion: bb.Criterion = THREE, **about) -> bb.Plan:
    waiver = bb.Waiver(criterion, reason=REASON, accepted_by=WHO, values=BANDS | RARE)
    roles = {"quasi": ["district"], "sensitive": ["group"], "identifiers": ["name"]}
    return bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(5)], **roles, **{"waived": [waiver]} | about)


@pytest.fixture(scope="module", params=LANGUAGES)
def release(request, tmp_path_factory) -> bb.Release:
    bb.set_language(request.param)
    model = bb.PublicRelease(harm="low", own_threshold=0.5)
    return bb.publish(table(), plan(), tmp_path_factory.mktemp(request.param) / "release", model=model, pdf=False)


@pytest.fixture(autouse=True)
def language(request):
    """The language that the release is in."""
    named = request.node.callspec.params.get("release") if hasattr(request.node, "callspec") else None
    bb.set_language(named or "en")
    yield named
    bb.set_language("en")


WORD = {"en": "aived", "pt": "ispensad"}
MET = {"en": r"(?<!not )\bmet\b", "pt": r"(?<!não )(?<!declara )\batendido\b"}
L = {"en": "l-diversity with l = 3", "pt": "l-diversidade (valores distintos) com l = 3"}


def claim_of(release: bb.Release):
    (claim,) = (claim for claim in release.manifest.claims if claim.name == "criterion-waived")
    return claim


def page(release: bb.Release, *, private: bool):
    return read_back(release.page(private=private))


def test_the_manifest_claims_that_it_was_waived_and_why(release) -> None:
    claim = claim_of(release)

    assert claim.kind == "attested"
    assert claim.about == {
        "criterion": {"l-diversity": {"l": 3, "column": "group"}},
        "quasi": ["district"],
        "sensitive": ["group"],
        "reason": REASON,
        "further_values": True,
    }
    assert claim.value == sorted(BANDS)
    met = [each.about["criterion"] for each in release.manifest.claims if each.name == "criterion"]
    assert met == [{"k-anonymity": {"k": 5}}]


def test_who_accepted_it_and_what_few_people_have_is_in_no_public_file(release) -> None:
    for path in release.out.iterdir():
        content = f"{path.name} {path.read_text()}"
        assert WHO not in content
        assert SUPPRESSED not in content
        assert RELEASED_RARE not in content or path.name == "data.csv"


def test_the_private_report_has_all_of_it(release, language) -> None:
    seen = page(release, private=True)
    caption = {"en": "Values of group that were accepted", "pt": "Valores de group que foram aceitos"}[language]
    values = [[*row.values()] for row in seen.table(caption)]

    assert WHO in seen.text
    assert REASON in seen.text
    assert str(release.applied.waived[0]) in seen.text
    low, medium, high = {"en": ("low", "medium", "high"), "pt": ("baixa", "média", "alta")}[language]
    assert values == [
        ["Faixa Etária", low, "8"],
        ["Pessoas de 12 a 17 anos", low, "7"],
        [RELEASED_RARE, high, "1"],
        [SUPPRESSED, medium, "0"],
    ]


def test_the_public_report_tells_it_and_the_reason_and_that_there_are_further_values(release, language) -> None:
    seen = page(release, private=False)
    caption = {"en": "What was waived", "pt": "O que foi dispensado"}[language]
    ((criterion, reason, values),) = (row.values() for row in seen.table(caption))

    assert L[language] in criterion
    assert reason == REASON
    assert values == f"{', '.join(sorted(BANDS))}; {'further values' if language == 'en' else 'outros valores'}"


@pytest.mark.parametrize("private", [False, True])
def test_wherever_a_report_tells_of_the_criterion_it_says_waived(release, language, private) -> None:
    seen = page(release, private=private)
    holds = seen.table({"en": "What holds", "pt": "O que se afirma"}[language])
    told = [each for each in re.split(r"(?<=[.;:]) ", seen.text) if L[language] in each]

    assert not any(L[language] in cell for row in holds for cell in row.values())
    assert len(told) >= 4
    assert not [each for each in told if re.search(MET[language], each)]
    assert seen.text.count(WORD[language]) >= len(told)


def test_the_headline_the_readme_and_verify_say_it(release, language) -> None:
    readme = (release.out / {"en": "README.txt", "pt": "LEIAME.txt"}[language]).read_text()
    found = bb.verify(release.out)
    (check,) = (check for check in found.checks if check.claim == "criterion-waived")

    assert [
        WORD[language] in " ".join(text.split()) for text in (" ".join(release.headline), readme, check.detail)
    ] == [True] * 3
    assert REASON in " ".join(readme.split())
    assert (check.holds, check.waived) == (None, True)
    assert not re.search(MET[language], check.detail)
    assert found.holds


def test_the_ten_steps_and_the_full_view_say_it(release, language) -> None:
    steps = bb.ten_steps(release.plan, release.decision)

    assert WORD[language] in steps[6].sentence
    assert release.as_json()["applied"]["judgement"]["waived"][0]["accepted_by"] == WHO
    assert json.loads((release.private / "result.json").read_text())["applied"]["judgement"]["waived"]


def test_whoever_has_the_plan_sees_that_all_it_waives_is_told(release) -> None:
    found = bb.verify(release.out, private=release.private)

    assert found.holds
    assert [check.holds for check in found.checks if check.claim == "waivers"] == [True]


def test_the_register_notes_it(release, tmp_path, language) -> None:
    register = bb.Register.open(f"sqlite:///{tmp_path}/register.db")
    number = bb.put_on_record(release.out, register, department="Saúde", review=date(2027, 1, 31))
    note = register.get(number).events[0].note

    assert WORD[language] in note
    assert REASON in note
    assert WHO not in note


def test_nothing_is_noted_where_nothing_was_waived(tmp_path) -> None:
    model = bb.PublicRelease(harm="low", own_threshold=0.5)
    release = bb.publish(table(), plan(waived=()), tmp_path / "release", model=model)
    register = bb.Register.open(f"sqlite:///{tmp_path}/register.db")
    number = bb.put_on_record(release.out, register, department="Saúde", review=date(2027, 1, 31))

    assert register.get(number).events[0].note is None
    assert "aived" not in page(release, private=True).text
    assert not any(check.claim == "waivers" for check in bb.verify(release.out, private=release.private).checks)


def test_one_that_holds_after_all_is_still_not_claimed(tmp_path) -> None:
    two = bb.Vulnerability(0.99, over="table", column="group")
    release = bb.publish(table(), plan(two), tmp_path / "release")

    assert release.applied.waived[0].holds
    assert "waived, though it holds" in page(release, private=True).text
    assert "though it holds" not in page(release, private=False).text
    assert claim_of(release).kind == "attested"
    assert [claim.name for claim in release.manifest.claims].count("criterion") == 1


def test_a_value_that_is_not_listed_stops_all_of_it(tmp_path) -> None:
    (waiver,) = plan().waived
    short = plan(waived=[replace(waiver, values=BANDS)])

    with pytest.raises(bb.WaiverError) as caught:
        bb.publish(table(), short, tmp_path / "release")
    assert caught.value.unlisted == (RELEASED_RARE,)
    assert list(tmp_path.iterdir()) == []


def test_what_is_waived_protects_nobody(tmp_path) -> None:
    with pytest.raises(bb.UsageError, match="protects nobody"):
        bb.publish(table(), replace(plan(), operations=(), criteria=()), tmp_path / "release")


def visits(illnesses: str) -> pl.DataFrame:
    """Four people with two visits each, all in the same two towns."""
    rows = [(f"P{n}", town, illnesses[2 * n + place]) for n in range(4) for place, town in enumerate("AB")]
    return pl.DataFrame(rows, schema=["patient", "town", "ill"], orient="row")


def linked(criterion: bb.Criterion, *listed: str) -> bb.Plan:
    waiver = bb.Waiver(criterion, reason=REASON, accepted_by=WHO, values=dict.fromkeys(listed, "low"))
    return bb.Plan(
        [bb.Pseudonymise("patient", "random")], [bb.KAnonymity(3)], ["town"], ["ill"], ["patient"], waived=[waiver]
    )


def test_where_a_pseudonym_links_records_every_value_must_be_listed(tmp_path) -> None:
    """By town each group has two illnesses; but each person has the flu, which whoever knows the two visits learns."""
    people, two = visits("fgfggfgf"), bb.LDiversity(2, column="ill")

    with pytest.raises(bb.WaiverError) as caught:
        bb.publish(people, linked(two, "g"), tmp_path / "release")
    assert caught.value.unlisted == ("f",)
    release = bb.publish(people, linked(two, "f", "g"), tmp_path / "release")
    assert release.applied.waived[0].holds
    assert bb.verify(release.out).holds


def test_unless_it_is_met_by_histories_too(tmp_path) -> None:
    release = bb.publish(visits("ffgghhff"), linked(bb.LDiversity(2, column="ill")), tmp_path / "release")

    assert release.measured.histories
    assert release.applied.waived[0].holds


def test_what_cannot_be_judged_by_histories_is_listed_whole(tmp_path) -> None:
    with pytest.raises(bb.WaiverError) as caught:
        bb.publish(visits("ffgghhff"), linked(bb.Vulnerability(0.9, column="ill"), "f"), tmp_path / "release")
    assert caught.value.unlisted == ("g", "h")


def test_the_headline_of_a_language_is_what_publishing_in_it_says(tmp_path) -> None:
    said = {}
    for code in LANGUAGES:
        bb.set_language(code)
        model = bb.PublicRelease(harm="high", own_threshold=0.01)
        told = {"model": model, "override": REASON, "pdf": False}
        made = bb.publish(table(), plan(), tmp_path / code, **told)
        assert made.headline == made.headlines[code]
        said[code] = made.headlines
    assert said["en"] == said["pt"]
    assert set(said["en"]["en"]).isdisjoint(said["en"]["pt"])
