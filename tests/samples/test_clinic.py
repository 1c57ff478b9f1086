import pytest
from plain_attack import prior

from biombo._samples import clinic


def test_the_hand_computed_prior_is_that_of_the_table() -> None:
    people = clinic().rename({"disease": "PA_PROC_ID"})
    assert prior(people) == pytest.approx(5 / 12)


def test_nobody_appears_twice() -> None:
    assert clinic()["name"].is_unique().all()


def test_each_call_gives_a_table_of_its_own() -> None:
    clinic().drop_in_place("name")
    assert clinic().columns == ["name", "sex", "age", "city", "disease"]
