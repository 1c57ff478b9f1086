"""Releases that claim no k: decided by the risk measured against the truth, and said so wherever they are spoken of."""

import json
import random
import re
from datetime import date

import polars as pl
import pytest
from partition_engine import PartitionEngine
from refusal import refused
from report_reading import read_back

import biombo as bb
from biombo._cli import main
from biombo._i18n import LANGUAGES, set_language

AGES = bb.Hierarchy.by_interval(10, top=80)
BANDS = AGES.domain(1, bounds=(0, 110))
CITIES = ("A", "B", "C")
DISEASES = ("flu", "gout", "cold")
ROLES = {"quasi": ["age", "city"], "sensitive": ["disease"], "identifiers": ["name"]}
DISEASE = bb.NoiseUniformGroups(2, bb.RandomisedResponse("disease", 1, DISEASES))
SMALL = bb.NoiseSmallGroups(
    7, [bb.Exponential("age", 3, BANDS, distance="order"), bb.RandomisedResponse("city", 1, CITIES)]
)
HYBRID = bb.Plan([bb.Generalise("age", AGES, 1), SMALL, DISEASE], **ROLES)
STRUCTURE = bb.Plan([bb.Geometric("age", 2, (0, 110)), bb.RandomisedResponse("city", 1, CITIES), DISEASE], **ROLES)
PLANS = {"hybrid": HYBRID, "structure": STRUCTURE}
WORDS_OF_K = re.compile(
    r"\bk = \d|groups? of at least|smallest group|nobody is in a group|grupos? de pelo menos|menor grupo", re.IGNORECASE
)
ABOUT = {"department": "Health", "review": date(2027, 1, 31), "recipients": ["University"]}


@pytest.fixture(scope="module")
def clinic() -> pl.DataFrame:
    """Made up; few people are old, and few are in C."""
    chance = random.Random(9)
    rows = 400
    return pl.DataFrame(
        {
            "name": [f"Pessoa-{n:04}" for n in range(rows)],
            "age": [min(99, int(chance.expovariate(1 / 25))) for _ in range(rows)],
            "city": chance.choices(CITIES, [6, 3, 1], k=rows),
            "disease": chance.choices(DISEASES, k=rows),
        }
    )


def controlled(**entries) -> bb.ControlledRelease:
    usual = {
        "harm": "medium",
        "controls_counted": True,
        "insider": bb.DeliberateInsider("low", "high"),
        "recognition": bb.InadvertentRecognition(acquaintances=0, prevalence=0.0),
        "breach": bb.DataBreach(0.02),
        "controls": ["limited-recipients"],
    }
    return bb.ControlledRelease(**usual | entries)


@pytest.fixture(scope="module", params=sorted(PLANS))
def release(request, clinic, tmp_path_factory) -> bb.Release:
    folder = tmp_path_factory.mktemp(request.param)
    return bb.publish(clinic, PLANS[request.param], folder / request.param, model=controlled())


def pages(release: bb.Release) -> dict[str, str]:
    folders = {"public": release.out, "private": release.private}
    return {kind: read_back((folder / "report.html").read_text()).text for kind, folder in folders.items()}


class TestDecision:
    def test_it_goes_by_what_was_measured(self, release) -> None:
        decision, exposure = release.decision, release.measured.exposure

        assert decision.smallest_group is None
        assert decision.given_attempt == exposure.surest
        assert decision.reidentification == pytest.approx(exposure.surest * 0.03)
        assert 0 < exposure.surest <= 1
        assert decision.with_others is None

    def test_above_the_threshold_nothing_is_published_unless_somebody_says_why(self, clinic, tmp_path) -> None:
        strict = controlled(own_threshold=1e-6)
        with refused("release.above-threshold", "000001"):
            bb.publish(clinic, HYBRID, tmp_path / "release", model=strict)
        assert list(tmp_path.iterdir()) == []
        release = bb.publish(clinic, HYBRID, tmp_path / "release", model=strict, override="a court asked")
        assert release.decision.overridden

    def test_the_kind_of_protection_says_whether_anything_is_guaranteed(self, release) -> None:
        kind = {"hybrid": "by-measured-risk", "structure": "without-k"}[release.out.name]
        assert release.protection.kind == kind

    def test_noise_on_small_groups_needs_a_decision_or_a_reason(self, clinic, tmp_path) -> None:
        with refused("release.undecided-noise"):
            bb.publish(clinic, HYBRID, tmp_path / "release")
        release = bb.publish(clinic, HYBRID, tmp_path / "release", unprotected="a test")
        assert release.protection.kind == "unprotected"

    def test_noise_that_guarantees_nothing_is_by_measured_risk_too(self, clinic, tmp_path) -> None:
        plan = bb.Plan([bb.ExponentialAsPublished("age", 1)], quasi=["age"], sensitive=["disease"])
        release = bb.publish(clinic, plan, tmp_path / "release", model=controlled())

        assert release.protection.kind == "by-measured-risk"
        assert release.decision.given_attempt == pytest.approx(1 / 400)

    def test_without_noise_on_quasi_columns_there_must_be_a_k(self, clinic, tmp_path) -> None:
        plan = bb.Plan([bb.RandomisedResponse("disease", 1, DISEASES)], quasi=["city"], sensitive=["disease"])
        with refused("release.nothing-judged"):
            bb.publish(clinic, plan, tmp_path / "release", model=controlled())


LATE = [bb.MaskGroups(), bb.RandomisedResponse("city", 1, CITIES)]


class TestRefusals:
    def test_k_by_other_columns_is_no_k_of_the_release(self, clinic, tmp_path) -> None:
        plan = bb.Plan(STRUCTURE.operations[:1], [bb.KAnonymity(2, quasi=["city"])], ["age", "city"], ["disease"])
        with refused("release.k-beside-noise", "age", "geometric"):
            bb.publish(clinic, plan, tmp_path / "release", model=controlled())

    @pytest.mark.parametrize("late", LATE, ids=lambda each: each.name)
    def test_quasi_columns_do_not_change_after_small_groups_got_noise(self, clinic, tmp_path, late) -> None:
        noise = bb.NoiseSmallGroups(7, [bb.Exponential("age", 3, BANDS)])
        operations = [bb.Generalise("age", AGES, 1), noise, late]
        plan = bb.Plan(operations, [bb.LDiversity(2)], ["age", "city"], ["disease"])
        with refused("release.after-noise", late.name, "noise-small-groups"):
            bb.publish(clinic, plan, tmp_path / "release", model=controlled())

    def test_records_of_a_person_that_can_be_linked_are_not_measured(self, clinic, tmp_path) -> None:
        operations = [*STRUCTURE.operations[:2], bb.Pseudonymise("name", "random")]
        plan = bb.Plan(operations, quasi=["age", "city"], sensitive=["disease"], person="name")
        with refused("release.linked-noise", "name"):
            bb.publish(pl.concat([clinic, clinic]), plan, tmp_path / "release", model=controlled())


class TestWhatIsSaid:
    def test_it_is_verified_and_claims_no_criterion(self, release) -> None:
        claims, exposure = {each.name: each for each in release.manifest.claims}, release.measured.exposure

        assert bb.verify(release.out).holds
        assert "criterion" not in claims
        assert (claims["without-k"].value, claims["without-k"].kind) == (["age", "city"], "attested")
        alone = exposure.alone.records
        told = (alone, "recomputable") if alone >= 10 else (None, "attested")
        assert (claims["records-alone"].value, claims["records-alone"].kind) == told
        noised = {each.operation: each.count.records for each in release.applied.noised}
        for operation, records in noised.items():
            assert claims[f"records-{operation}"].value == (records if records >= 10 else None)

    def test_records_that_are_alone_are_counted_again(self, clinic, tmp_path) -> None:
        release = bb.publish(clinic, STRUCTURE, tmp_path / "release", model=controlled())
        counts = release.data.group_by("age", "city").len()["len"]

        assert release.measured.exposure.alone.records == (counts == 1).sum() > 10
        assert any(each.claim == "records-alone" and each.holds for each in bb.verify(release.out).checks)

    @pytest.mark.parametrize("kind", ["public", "private"])
    def test_no_report_speaks_of_k_or_of_the_size_of_groups(self, release, kind) -> None:
        page = pages(release)[kind]

        assert not WORDS_OF_K.findall(page)
        assert "No k is claimed" in page
        assert "measured against the truth" in page
        assert "records stay in groups" not in page
        assert "the groups are smaller than they seem" not in page

    def test_the_guarantee_is_none_and_why_in_both_reports(self, release) -> None:
        for page in pages(release).values():
            assert "guarantee: none, because which records are noised depends on the data" in page

    def test_how_many_are_alone_is_exact_in_private_and_by_the_rule_in_public(self, release) -> None:
        exposure, found = release.measured.exposure, pages(release)
        alone, true = exposure.alone.records, exposure.alone_and_true

        assert f"{alone} record" in found["private"]
        assert re.search(rf"\b{true} of (it|them) still", found["private"])
        assert "of them still" not in found["public"]
        assert f"{'0–9' if alone < 10 else alone} records alone" in found["public"]

    def test_dictionary_and_readme_say_that_values_need_not_be_true(self, release) -> None:
        dictionary = json.loads((release.out / "dictionary.json").read_text())
        (age,) = (" ".join(each["done"]) for each in dictionary["columns"] if each["column"] == "age")
        readme = " ".join((release.out / "README.txt").read_text().split())

        assert "at random" in age or "Random noise" in age
        assert "no k: values of these columns were drawn at random" in readme
        assert "age, city" in readme

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_language_says_it(self, clinic, tmp_path, language) -> None:
        set_language(language)
        try:
            found = pages(bb.publish(clinic, HYBRID, tmp_path / "release", model=controlled()))
        finally:
            set_language("en")
        for page in found.values():
            assert {"en": "No k is claimed", "pt": "Não se afirma k algum"}[language] in page
            assert not WORDS_OF_K.findall(page)


class TestRegister:
    def test_it_is_on_record_without_k(self, release, tmp_path) -> None:
        address = f"sqlite:///{tmp_path}/register.db"
        entry = bb.Register.open(address).get(bb.put_on_record(release.out, bb.Register.open(address), **ABOUT)).entry

        assert entry.smallest_group is None
        assert entry.risk == release.decision.reidentification
        assert entry.threshold == 0.1
        assert bb.verify(release.out, register=address).origin_proved
        assert bb.Register.open(address).list()[0].as_json()["smallest_group"] is None

    def test_it_is_shown_without_k(self, release, tmp_path, capsys) -> None:
        address = str(tmp_path / "register.db")
        bb.put_on_record(release.out, address, **ABOUT)

        assert main(["register", "show", "1", "--register", address]) == 0
        assert "no k is claimed" in " ".join(capsys.readouterr().out.split())


def test_another_engine_measures_the_same(clinic, tmp_path) -> None:
    """Noise that changes nothing, so that both release the same records."""
    noise = bb.NoiseSmallGroups(7, [bb.RandomisedResponse("age", 100, BANDS)])
    plan = bb.Plan([bb.Generalise("age", AGES, 1), noise], quasi=["age", "city"], sensitive=["disease"])
    here, there = (
        bb.publish(clinic, plan, tmp_path / str(place) / "release", model=controlled(own_threshold=1), engine=engine)
        for place, engine in enumerate(["local", PartitionEngine(3)])
    )
    claims = [[each.to_tree() for each in one.manifest.claims if each.name != "plan"] for one in (here, there)]

    assert here.measured.exposure == there.measured.exposure
    assert here.measured.exposure.alone.records == here.measured.exposure.alone_and_true > 0
    assert claims[0] == claims[1]
