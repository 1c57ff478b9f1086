"""The proactive flow of Moraes et al. (2025), 5.2, on as many made-up records of the same kind: k = 10, masked."""

import re

import polars as pl
import pytest
from case_study import ACCEPTED, AGE, BORN, GROUP, PATIENT, QUASI, ROWS, proactive
from report_reading import read_back

import biombo as bb

KNOWN = [column for column in QUASI if column != BORN]


@pytest.fixture(scope="module")
def release(tmp_path_factory) -> bb.Release:
    people, model = bb.samples.vaccination(), bb.PublicRelease(harm="medium")
    place = tmp_path_factory.mktemp("case") / "release"
    with pytest.raises(bb.RefusedError, match=f"{GROUP} tells {AGE} more finely"):  # people of 65 to 69 are called so
        bb.publish(people, proactive(), place, model=model)
    return bb.publish(people, proactive(), place, model=model, accept=ACCEPTED)


def test_no_group_is_below_10_the_masked_one_included(release) -> None:
    groups = release.data.group_by(KNOWN).len()
    masked = release.data.filter(pl.all_horizontal(pl.col(KNOWN) == "#####"))

    assert release.data.height == ROWS
    assert groups["len"].min() >= 10
    assert masked.height == release.applied.masked >= 10


def test_dates_of_birth_are_not_in_it(release) -> None:
    assert release.data.columns == ["trace_id", *KNOWN, GROUP]


def test_it_is_accepted_and_everybody_can_verify_it(release) -> None:
    assert release.decision.passes
    assert bb.verify(release.out, key=release.private / "public.key").origin_proved


def test_no_patient_is_in_the_public_folder(release) -> None:
    public = "".join(path.read_text() for path in release.out.iterdir())
    told = set(re.findall("[0-9a-f]{64}", public))

    assert told, "there are hashes in the manifest"
    assert told.isdisjoint(bb.samples.vaccination()[PATIENT])


@pytest.mark.slow
def test_it_ends_with_the_accuracy_table(release, tmp_path) -> None:
    some = bb.samples.vaccination().head(2_000)
    again = bb.publish(some, release.plan, tmp_path / "release", predict=GROUP, accept=ACCEPTED)
    seen = read_back((again.private / "report.html").read_text())
    rows = seen.table(f"{GROUP} predicted from the other columns, 10 folds")

    assert [row["learned from → tested on"] for row in rows] == [
        "original → original",
        "release → release",
        "release → original records held out",
    ]
    assert all(_share(row["decision tree"]) > _share(row["most frequent value"]) for row in rows)
    assert {row["records tested"] for row in rows} == {"2,000"}


def _share(told: str) -> float:
    return float(told.removesuffix("%")) / 100
