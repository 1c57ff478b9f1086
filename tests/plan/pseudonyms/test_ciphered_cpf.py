import re

import hypothesis.strategies as st
import pytest
from hypothesis import assume, given
from refusal import refused
from validate_docbr import CPF

from biombo._plan.pseudonyms import CipheredCpf
from biombo._plan.pseudonyms.ciphered_cpf import check_digits

SECRET, OTHER = bytes(32), bytes([1]) * 32
bases = st.from_regex(r"[0-9]{9}", fullmatch=True).filter(lambda base: len(set(base)) > 1)


def masked(digits: str) -> str:
    return f"{digits[:3]}.{digits[3:6]}.{digits[6:9]}-{digits[9:]}"


@given(bases)
def test_check_digits_are_those_of_the_tax_office(base) -> None:
    assert CPF().validate(base + check_digits(base))


@given(bases)
def test_a_pseudonym_looks_like_a_cpf_and_can_be_nobodys(base) -> None:
    (pseudonym,) = CipheredCpf(SECRET, "cpf").of([masked(base + check_digits(base))])

    assert masked(pseudonym.replace(".", "").replace("-", "")) == pseudonym
    assert not CPF().validate(pseudonym)


@given(bases)
def test_the_cpf_comes_back_with_the_secret_only(base) -> None:
    value = base + check_digits(base)
    (pseudonym,) = CipheredCpf(SECRET, "cpf").of([value])
    assume(CipheredCpf(OTHER, "cpf").of([value]) != [pseudonym])  # one in 10⁹ secrets agrees about a value

    assert CipheredCpf(SECRET, "cpf").value_of(pseudonym) == value
    assert CipheredCpf(OTHER, "cpf").value_of(pseudonym) != value


@given(bases)
def test_separators_make_no_difference_to_the_digits(base) -> None:
    value = base + check_digits(base)
    plain, separated = CipheredCpf(SECRET, "cpf").of([value, masked(value)])

    assert masked(plain) == separated


@pytest.mark.parametrize(
    "value", ["123.456.789-08", "1234567890", "123.456.78909", "111.111.111-11", "", "12345678909 ", "١٢٣٤٥٦٧٨٩٠٩"]
)
def test_what_is_no_cpf_is_refused_without_being_shown(value) -> None:
    with refused("pseudonyms.no-cpf", "'cpf'", repr(re.sub(r"\d", "9", value))):
        CipheredCpf(SECRET, "cpf").of([value])


def test_what_is_no_pseudonym_has_no_value() -> None:
    cipher = CipheredCpf(SECRET, "cpf")
    (pseudonym,) = cipher.of(["12345678909"])

    assert cipher.value_of("12345678909") is None
    assert cipher.value_of(pseudonym[:-1]) is None
    assert cipher.value_of(pseudonym[:-2] + check_digits(pseudonym[:9])) is None
