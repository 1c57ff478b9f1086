import random

import pytest
from made_up import dataset
from validate_docbr import CNPJ, CNS, CPF

from biombo._data import MOST_VALUES, ValueSample, recognise, value_sample
from biombo._data.inspection import Recognised, valid_share, value_counts


def sample_of(values) -> ValueSample:
    column = dataset({"x": values})["x"]
    return value_sample(column, value_counts(column))


@pytest.fixture(autouse=True)
def _same_numbers_in_every_run():
    random.seed(11)


@pytest.mark.parametrize(
    ("key", "make"),
    [
        ("cpf", lambda: CPF().generate()),
        ("cpf", lambda: CPF().generate(mask=True)),
        ("cns", lambda: CNS().generate()),
        ("cns", lambda: CNS().generate(mask=True)),
        ("cnpj", lambda: CNPJ().generate(mask=True)),
        ("cnpj", lambda: CNPJ().generate(digits_only=False)),
        ("cnpj", lambda: CNPJ().generate(digits_only=False).lower()),
        ("email", lambda: f"pessoa.{random.randrange(999)}@saude.exemplo.br"),
        ("phone", lambda: f"+55 68 9{random.randrange(10**4):04}-{random.randrange(10**4):04}"),
        ("phone", lambda: f"(11) 3{random.randrange(1000):03}-{random.randrange(10**4):04}"),
        ("phone", lambda: f"689{random.randrange(10**8):08}"),
        ("pseudonym", lambda: f"{random.getrandbits(256):064x}"),
    ],
)
def test_values_that_validate_are_recognised_whatever_the_column_is_called(key, make):
    assert recognise(sample_of([make() for _ in range(200)])) == Recognised(key, 1.0)


def test_cpfs_that_lost_their_leading_zeros_as_numbers_are_recognised():
    numbers = [int(CPF().generate()) for _ in range(300)]

    assert min(numbers) < 10**10
    assert recognise(sample_of(numbers)) == Recognised("cpf", 1.0)


def test_random_numbers_of_eleven_digits_are_no_cpfs_although_some_pass_the_check():
    values = [f"1010{random.randrange(10**7):07}" for _ in range(2000)]

    assert 0 < valid_share("cpf", sample_of(values)) < 0.05
    assert recognise(sample_of(values)) is None


def test_random_numbers_of_fifteen_digits_are_no_cns():
    values = [f"7{random.randrange(10**14):014}" for _ in range(2000)]

    assert recognise(sample_of(values)) is None


def test_two_valid_values_may_be_chance():
    assert recognise(sample_of([CPF().generate() for _ in range(2)] * 50)) is None


def test_a_placeholder_in_most_rows_does_not_hide_the_cpfs():
    found = recognise(sample_of(["00000000000"] * 900 + [CPF().generate() for _ in range(100)]))

    assert found is not None
    assert found.key == "cpf"
    assert found.share == pytest.approx(0.1, abs=0.001)


@pytest.mark.parametrize("values", [["0301060029", "0301060096", "0202010503"] * 9, ["120040", "120020"] * 9])
def test_codes_of_procedures_and_towns_are_no_identifiers(values):
    assert recognise(sample_of(values)) is None


def test_dates_are_no_phones():
    values = [f"{1930 + n % 70}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(500)]

    assert recognise(sample_of(values)) is None
    assert recognise(sample_of([value.replace("-", "") for value in values])) is None


def test_huge_fields_are_looked_at_in_bounded_time():
    assert recognise(sample_of(["@" * 1_000_000, "1" * 1_000_000, "a." * 500_000])) is None


def test_a_column_of_many_values_is_judged_by_a_bounded_draw():
    drawn = sample_of([CPF().generate() for _ in range(MOST_VALUES + 500)])

    assert len(drawn.values) <= MOST_VALUES
    assert recognise(drawn) == Recognised("cpf", 1.0)


def test_missing_values_are_left_out_of_the_share():
    assert recognise(sample_of([None] * 70 + [CPF().generate() for _ in range(30)])) == Recognised("cpf", 1.0)
