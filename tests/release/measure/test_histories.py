"""A released pseudonym of a person links records: then groups are of people with the same history."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import biombo as bb
from biombo._release.measure import Histories

RECORDS = st.lists(
    st.tuples(st.sampled_from(["p", "q", "r", "s", None]), st.sampled_from("ab"), st.sampled_from("xyz")),
    min_size=1,
    max_size=16,
)


def by_definition(records) -> tuple[int, int]:
    """The fewest people who share the multiset of their tuples, and the fewest values of people who do."""
    people: dict = {}
    for place, (person, quasi, value) in enumerate(records):
        tuples, values = people.setdefault(person if person is not None else place, ([], set()))
        tuples.append(quasi)
        values.add(value)
    classes: dict = {}
    for tuples, values in people.values():
        classes.setdefault(tuple(sorted(tuples)), []).append(values)
    diversity = [1 if set.intersection(*all_) else len(set.union(*all_)) for all_ in classes.values()]
    return min(map(len, classes.values())), min(diversity)


@given(RECORDS)
def test_group_sizes_and_diversity_are_those_of_the_definition(records) -> None:
    frame = pl.DataFrame(records, {"person": pl.String, "quasi": pl.String, "value": pl.String}, orient="row")
    found = Histories.by(bb.read(frame, columns=[]), "person", ["quasi"], ["value"])

    assert (found.smallest_group, found.diversity["value"]) == by_definition(records)


def visits(same: bool) -> pl.DataFrame:
    """Ten people with three visits each: all in the same towns, or nearly everybody in towns of their own."""
    rows = [
        {"patient": f"P{person}", "town": "ABC"[visit if same else (person * (visit + 1)) % 7 % 3], "flu": "yes"}
        for person in range(12)
        for visit in range(3)
    ]
    return pl.DataFrame(rows)


def pseudonymised(*criteria: bb.Criterion) -> bb.Plan:
    return bb.Plan(
        [bb.Pseudonymise("patient", "random")], [bb.KAnonymity(3), *criteria], quasi=["town"], identifiers=["patient"]
    )


def test_people_with_a_history_that_nobody_else_has_are_not_released(tmp_path) -> None:
    frame = visits(same=False)
    histories = Counter(tuple(sorted(frame.filter(patient=person)["town"])) for person in frame["patient"].unique())
    assert min(frame.group_by("town").len()["len"]) >= 3 > min(histories.values())

    with pytest.raises(bb.RefusedError, match="patient links the records of a person"):
        bb.publish(frame, pseudonymised(), tmp_path / "release")
    assert not (tmp_path / "release").exists()


def test_people_with_the_same_history_are_counted_and_that_decides(tmp_path) -> None:
    model = bb.PublicRelease(harm="medium", own_threshold=0.2)
    release = bb.publish(visits(same=True), pseudonymised(), tmp_path / "release", model=model)
    claim = next(each for each in release.manifest.claims if each.name == "histories")

    assert (claim.value, claim.about["column"], claim.kind) == (12, "patient", "recomputable")
    assert release.decision.smallest_group == 12
    assert bb.verify(release.out).holds


def test_a_person_column_counts_people_by_history_too(tmp_path) -> None:
    plan = bb.Plan([bb.Pseudonymise("patient", "random")], [bb.KAnonymity(3)], quasi=["town"], person="patient")

    with pytest.raises(bb.RefusedError, match="people who are alike"):
        bb.publish(visits(same=False), plan, tmp_path / "release")


def test_another_column_that_is_one_persons_links_as_well(tmp_path) -> None:
    frame = visits(same=False).with_columns(card=pl.col("patient").replace_strict({f"P{n}": n for n in range(12)}))
    plan = bb.Plan([], [bb.KAnonymity(3)], quasi=["town"], sensitive=["card"], person="patient")

    with pytest.raises(bb.RefusedError, match="card links the records of a person"):
        bb.publish(frame, plan, tmp_path / "release", accept={"card": "accepted, but not what it links"})


def test_a_pseudonym_of_each_record_links_nothing(tmp_path) -> None:
    frame = visits(same=False).with_row_index("visit").cast({"visit": pl.String})
    plan = bb.Plan([bb.Pseudonymise("visit", "random")], [bb.KAnonymity(3)], quasi=["town"], identifiers=["visit"])
    release = bb.publish(frame, plan, tmp_path / "release")

    assert release.measured.histories == ()


def test_diversity_is_of_people_and_what_cannot_be_judged_so_is_refused(tmp_path) -> None:
    frame = visits(same=True)
    for criterion, words in ((bb.LDiversity(2), "different values of flu"), (bb.TCloseness(0.9), "not judged by all")):
        plan = pseudonymised()
        asked = bb.Plan(plan.operations, [criterion], quasi=["town"], sensitive=["flu"], identifiers=["patient"])
        with pytest.raises(bb.RefusedError, match=words if isinstance(criterion, bb.TCloseness) else "."):
            bb.publish(frame, asked, tmp_path / "release")


@pytest.mark.parametrize("role", ["other", "sensitive", None])
def test_a_pseudonym_links_whatever_the_column_is_called(tmp_path, role) -> None:
    named = {"sensitive": ["patient"]} if role == "sensitive" else {}
    schema = bb.Schema({"patient": bb.ColumnSchema(role="other")}) if role == "other" else None
    plan = bb.Plan([bb.Pseudonymise("patient", "random")], [bb.KAnonymity(3)], quasi=["town"], **named)

    with pytest.raises(bb.RefusedError, match="patient links the records of a person"):
        bb.publish(visits(same=False), plan, tmp_path / "release", schema=schema)


def test_a_typing_error_hides_no_link(tmp_path) -> None:
    frame = visits(same=False).with_columns(card=pl.col("patient").replace_strict({f"P{n}": n for n in range(12)}))
    frame = frame.with_columns(card=pl.when(pl.int_range(pl.len()) == 35).then(0).otherwise("card"))
    plan = bb.Plan([], [bb.KAnonymity(3)], quasi=["town"], sensitive=["card"], person="patient")

    with pytest.raises(bb.RefusedError, match="card links the records of a person"):
        bb.publish(frame, plan, tmp_path / "release", accept={"card": "accepted, but not what it links"})


def test_synonyms_count_as_one_value_of_a_history_too(tmp_path) -> None:
    """Each town has both diseases, but whoever has been to A and B once each has the flu, whatever it is called."""
    histories = {"flu": "AB", "cold": "AAB"}
    rows = [
        {"patient": f"{disease}{person}", "town": town, "disease": disease}
        for disease, towns in histories.items()
        for person in range(12)
        for town in towns
    ]
    words = bb.Diversify("disease", {"flu": ["influenza", "grippe"], "cold": ["chill", "rheum"]}, groups_below=3)
    plan = bb.Plan(
        [words, bb.Pseudonymise("patient", "random")],
        [bb.KAnonymity(3), bb.LDiversity(2)],
        quasi=["town"],
        sensitive=["disease"],
        identifiers=["patient"],
    )

    with pytest.raises(bb.RefusedError, match=r"patient links the records of a person.*disease"):
        bb.publish(pl.DataFrame(rows), plan, tmp_path / "release")
    assert not (tmp_path / "release").exists()
