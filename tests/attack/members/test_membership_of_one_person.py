import polars as pl
import pytest

import biombo as bb
from biombo._attack.members import as_published


@pytest.mark.parametrize(
    ("value", "n", "d", "case"),
    [
        ("a", 1, 0, "unique-out"),
        ("b", 1, 1, "unique-in"),
        ("c", 2, 0, "several-out"),
        ("d", 2, 1, "several-one-in"),
        ("e", 3, 2, "several-several-in"),
    ],
)
def test_the_five_cases(value: str, n: int, d: int, case: str) -> None:
    population = pl.DataFrame({"q": list("abccddeee")})
    sample = pl.DataFrame({"q": list("bdee")})
    found = bb.membership_target(bb.read(sample), bb.read(population), {"q": value})
    assert (found.n, found.d, found.case) == (n, d, case)
    assert found.probability == d / n
    assert found.leakage == pytest.approx(d / n - 4 / 9)
    assert found.published.posterior == (n / d if d else 0)


def test_the_worked_example_gives_the_published_numbers() -> None:
    tables = bb.samples.school()
    known = {"state": "SP", "sex": "F", "age": "31-40"}
    found = bb.membership_target(bb.read(tables.sample), bb.read(tables.population), known)
    assert (found.published.prior, found.published.posterior, found.published.degradation) == (0.4, 1, 2.5)


def test_the_published_degradation_of_the_reidentified_is_one_over_the_prior() -> None:
    assert as_published(n=1, d=1, sampled=2689, people=462_054).degradation == pytest.approx(171.83, abs=0.005)


def test_a_person_outside_the_population_is_refused() -> None:
    population, sample = pl.DataFrame({"q": ["a", "a"]}), pl.DataFrame({"q": ["b"]})
    with pytest.raises(bb.UsageError, match="Nobody in the population"):
        bb.membership_target(bb.read(sample), bb.read(population), {"q": "b"})
    with pytest.raises(bb.UsageError):
        bb.membership_target(bb.read(sample), bb.read(population), {})
