"""Releases made by hand: every hash and the signature are right, and what they claim is not so."""

import csv
import json
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import polars as pl
import pytest
from changed_json import changes
from hand_made_release import content_of, hash_anew, sign_anew, with_claim
from hypothesis import given, settings
from hypothesis import strategies as st

import biombo as bb
from biombo._cli import main


def failed(folder) -> list[str]:
    return [check.claim for check in bb.verify(folder).failures]


@pytest.fixture
def claimed(release):
    """Let the release claim something else, with everything else made to fit."""

    def change(name, change) -> None:
        sign_anew(release.out, with_claim(hash_anew(release.out, content_of(release.out)), name, change))

    return change


def test_what_is_made_to_fit_and_not_changed_holds(release, claimed) -> None:
    claimed("criterion", lambda claim: claim)

    assert failed(release.out) == []
    assert main(["verify", str(release.out)]) == 0


def test_a_k_that_is_overstated(release, claimed, capsys) -> None:
    claimed("criterion", lambda claim: {**claim, "value": claim["value"] + 1})

    assert failed(release.out) == ["criterion"]
    assert main(["verify", str(release.out)]) == 1
    assert "Not as claimed: k-anonymity with k = 10: met" in capsys.readouterr().out


def test_or_understated(release, claimed) -> None:
    claimed("criterion", lambda claim: {**claim, "value": claim["value"] - 1})

    assert failed(release.out) == ["criterion"]


def test_a_criterion_that_is_not_met(release, claimed) -> None:
    claimed("criterion", lambda claim: {**claim, "criterion": {"k-anonymity": {"k": 1000}}})

    assert failed(release.out) == ["criterion"]


@pytest.mark.parametrize(
    ("criterion", "value"),
    [
        ({"k-anonymity": {"k": 10}}, 1000),
        ({"k-anonymity": {"k": 1000}}, 1000),
        ({"k-anonymity": {"k": 1000}}, None),
        ({"l-diversity": {"l": 2}}, 50),
        ({"l-diversity": {"l": 50}}, 50),
        ({"l-diversity": {"l": 1.5, "kind": "entropy"}}, 50),
        ({"l-diversity": {"l": 2, "kind": "recursive", "c": 50}}, 0.01),
        ({"vulnerability": {"max": 0.999}}, 0.01),
        ({"vulnerability": {"max": 0.01}}, 0.01),
        ({"vulnerability": {"max": 0.999, "over": "table"}}, 0.01),
    ],
)
def test_what_the_data_refute_is_not_believed_because_it_is_called_attested(release, claimed, criterion, value) -> None:
    claimed(
        "criterion",
        lambda claim: {
            **claim,
            "criterion": criterion,
            "value": value,
            "kind": "attested",
            "sensitive": [] if "k-anonymity" in criterion else ["disease"],
        },
    )

    assert failed(release.out) == ["criterion"]


@pytest.mark.parametrize(("name", "value"), [("records-released", 299), ("columns", []), ("columns-left-out", ["age"])])
@pytest.mark.parametrize("kind", ["recomputable", "attested", "another"])
def test_what_can_always_be_recomputed_is_whatever_it_is_called(release, claimed, name, value, kind) -> None:
    claimed(name, lambda claim: {**claim, "value": value, "kind": kind})

    assert failed(release.out) == [name]


def test_claims_that_every_release_makes_must_be_there(release) -> None:
    sign_anew(release.out, {**content_of(release.out), "claims": []})

    assert failed(release.out) == ["claim-missing"] * 3


@pytest.mark.parametrize("name", ["nobody-is-in-danger", "criterion", "plan"])
def test_claims_that_nobody_can_check_are_not_passed_over(release, claimed, name) -> None:
    claimed("plan", lambda claim: {**claim, "claim": name, "kind": "recomputable"})

    assert failed(release.out) == ["unknown"]


@pytest.mark.parametrize(
    "change",
    [
        {"quasi": ["nowhere"]},
        {"quasi": "age"},
        {"quasi": None},
        {"sensitive": 5},
        {"criterion": {"k-anonymity": {"k": "ten"}}},
        {"criterion": {"magic": {}}},
        {"criterion": None},
        {"value": "ten"},
        {"value": [10]},
        {"value": 10**400},
    ],
)
@pytest.mark.parametrize("kind", ["recomputable", "attested"])
def test_claims_that_make_no_sense_fail(release, claimed, change, kind) -> None:
    claimed("criterion", lambda claim: {**claim, **change, "kind": kind})

    assert len(failed(release.out)) == 1


def test_the_columns_that_a_criterion_is_about_are_said(release, claimed) -> None:
    """Whoever makes the claim chooses them: by no column at all, everybody is in one large group."""
    claimed("criterion", lambda claim: {**claim, "quasi": ["sex"], "value": 100.0})
    checks = bb.verify(release.out).checks

    assert any(check.detail.endswith("by sex.") for check in checks)
    assert any(check.detail.endswith("by age, sex → disease.") for check in checks)


class TestFiles:
    def test_records_in_a_file_that_is_not_listed(self, release) -> None:
        content = content_of(release.out)
        content["files"].pop("data.csv")
        sign_anew(release.out, content)

        assert failed(release.out) == ["data-unlisted", "file-added"]

    @pytest.mark.parametrize("way", ["../{}/data.csv", "./data.csv", "{}", "*.csv", "data.*"])
    def test_records_by_another_way(self, release, way) -> None:
        path = way.format(release.out.name)
        content = content_of(release.out)
        content["files"][path] = content["files"]["data.csv"]
        sign_anew(release.out, {**content, "data": path})

        assert {"file-missing", "unreadable"} <= set(failed(release.out))

    @pytest.mark.parametrize("name", ["/etc/hostname", "../outside", "..", ".", "", "a\0b", "n" * 300, "a/b"])
    def test_files_outside_of_the_folder_or_with_impossible_names(self, release, name) -> None:
        (release.out.parent / "outside").write_text("outside")
        content = content_of(release.out)
        content["files"][name] = "0" * 64
        sign_anew(release.out, content)

        assert failed(release.out) == ["file-missing"]


@settings(max_examples=60)
@given(data=st.data())
def test_whatever_a_manifest_claims_there_is_an_answer(data, published, tmp_path_factory) -> None:
    """Signed by whoever wrote it; never a traceback."""
    folder = tmp_path_factory.mktemp("changed") / "release"
    shutil.copytree(published.out, folder)
    content = data.draw(changes(content_of(folder)).filter(lambda tree: isinstance(tree, dict)))
    sign_anew(folder, content)
    try:
        found = bb.verify(folder)
    except bb.InputError:
        return

    assert json.dumps(found.as_json())
    assert found.origin_proved is False


TEXTS = st.sampled_from(["a", "b", "", "-", "'", "'=1", " a", "a,b", 'a"b', "a\nb", "1", "1.0", "ã"])


@settings(max_examples=60)
@given(records=st.lists(st.tuples(TEXTS, TEXTS, TEXTS), min_size=1, max_size=30), data=st.data())
def test_what_is_recomputed_is_what_plain_counting_gives(records, data, tmp_path_factory) -> None:
    """Against the definitions, by code that knows nothing of Biombo's; a little more or less does not pass."""
    folder = tmp_path_factory.mktemp("counted")
    with (folder / "data.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(
            [("trace_id", "x", "y", "z"), *((0, *each) for each in records)]
        )
    claims = [
        {"claim": "records-released", "value": len(records), "kind": "recomputable"},
        {"claim": "columns", "value": ["trace_id", "x", "y", "z"], "kind": "recomputable"},
        {"claim": "columns-left-out", "value": ["name"], "kind": "recomputable"},
        *counted(records),
    ]
    content = hash_anew(folder, {"id": "0", "data": "data.csv", "claims": claims})
    sign_anew(folder, content)
    assert failed(folder) == []

    claim = data.draw(st.sampled_from(claims[3:]))
    claim["value"] += data.draw(st.sampled_from([-1, 1, -1e-6, 1e-6]))
    sign_anew(folder, content)
    assert failed(folder) == ["criterion"]


def counted(records: list[tuple[str, str, str]]) -> Iterator[dict[str, Any]]:
    """The smallest group, the fewest values and the largest share of one in a group, by x and y; and by x alone."""
    for quasi in (2, 1):
        groups = defaultdict(Counter)
        for record in records:
            groups[record[:quasi]][record[2]] += 1
        smallest = min(group.total() for group in groups.values())
        fewest = min(map(len, groups.values()))
        share = max(max(group.values()) / group.total() for group in groups.values())
        yield criterion({"k-anonymity": {"k": smallest}}, quasi, [], smallest)
        yield criterion({"vulnerability": {"max": share}}, quasi, ["z"], share)
        if fewest > 1:
            yield criterion({"l-diversity": {"l": fewest}}, quasi, ["z"], fewest)


def criterion(tree: dict[str, Any], quasi: int, sensitive: list[str], value: float) -> dict[str, Any]:
    columns = {"quasi": ["x", "y"][:quasi], "sensitive": sensitive}
    return {"claim": "criterion", "criterion": tree, **columns, "value": value, "kind": "recomputable"}


@pytest.mark.parametrize("format", ["csv", "parquet"])
def test_what_is_written_as_one_value_counts_as_one(tmp_path, format) -> None:
    """An empty text is a missing value."""
    table = pl.DataFrame({"x": ["a"] * 10, "z": ["", "a", None, "b", "c"] * 2})
    plan = bb.Plan([], [bb.LDiversity(2)], quasi=["x"], sensitive=["z"])
    release = bb.publish(table, plan, tmp_path / "release", format=format)
    (claim,) = (claim for claim in release.manifest.claims if claim.name == "criterion")

    assert (claim.kind, claim.value) == ("recomputable", 4)
