import polars as pl
import pytest
from plain_attack import posterior, prior

from biombo._errors import UsageError
from biombo._samples import QUASI, national


@pytest.fixture(scope="module")
def parts() -> dict[tuple[str, str], pl.DataFrame]:
    return national().partition_by("UF", "year", as_dict=True)


def test_every_state_has_rows_in_every_year(parts: dict[tuple[str, str], pl.DataFrame]) -> None:
    assert {uf for uf, _ in parts} == {"SP", "PI", "RR", "DF", "SE"}
    assert {year for _, year in parts} == {"2022", "2023"}
    assert len(parts) == 10
    assert sum(map(len, parts.values())) == 10 * 20_000


def test_procedures_are_done_in_the_year_of_their_part(parts: dict[tuple[str, str], pl.DataFrame]) -> None:
    for (_, year), records in parts.items():
        assert records["PA_CMP"].str.starts_with(year).all()


def test_states_differ_in_what_they_reveal_as_the_real_ones_do(parts: dict[tuple[str, str], pl.DataFrame]) -> None:
    leakage = {part: posterior(records, QUASI) - prior(records) for part, records in parts.items()}
    for year in ("2022", "2023"):
        assert min(leakage["RR", year], leakage["PI", year]) > leakage["SP", year] + 0.03
        assert max(leakage["SE", year], leakage["DF", year]) < leakage["SP", year] - 0.15


def test_the_federal_district_has_the_highest_prior(parts: dict[tuple[str, str], pl.DataFrame]) -> None:
    priors = {part: prior(records) for part, records in parts.items()}
    assert max(priors, key=priors.__getitem__)[0] == "DF"


def test_facilities_belong_to_one_state(parts: dict[tuple[str, str], pl.DataFrame]) -> None:
    of_state = [set(parts[uf, "2022"]["PA_CODUNI"]) | set(parts[uf, "2023"]["PA_CODUNI"]) for uf in ("SP", "PI", "RR")]
    assert len(set.union(*of_state)) == sum(map(len, of_state))


@pytest.mark.parametrize(("argument", "options"), [("rows", {"rows_per_state": 0}), ("years", {"years": []})])
def test_a_sample_without_rows_or_years_is_refused(argument: str, options: dict[str, object]) -> None:
    with pytest.raises(UsageError, match=f"^{argument} is "):
        national(**options)


def test_two_runs_are_equal() -> None:
    assert national(500).equals(national(500))
