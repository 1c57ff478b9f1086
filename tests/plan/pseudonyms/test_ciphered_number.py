"""Pseudonyms that look like numbers with check digits, and can be nobody's."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import assume, example, given
from refusal import refused
from validate_docbr import CNPJ, CNS, CPF

from biombo._plan.pseudonyms import CHECKED_NUMBERS, CheckedNumber, CipheredNumber

SECRET, OTHER = bytes(32), bytes([1]) * 32
VALIDATORS = {"cpf": CPF(), "cnpj": CNPJ(), "cns": CNS()}
MASKS = {"cpf": "###.###.###-##", "cnpj": "##.###.###/####-##", "cns": "### #### #### ####"}
BASES = {
    "cpf": st.from_regex(r"[0-9]{9}", fullmatch=True),
    "cnpj": st.from_regex(r"[0-9]{12}|[0-9A-Z]{12}", fullmatch=True),
    "cns": st.from_regex(r"[789][0-9]{13}|[12][0-9]{10}00[01]", fullmatch=True),
}


@st.composite
def numbers(draw) -> tuple[str, str]:
    """A format, and a number of that format that somebody may have."""
    key = draw(st.sampled_from(sorted(CHECKED_NUMBERS)))
    base = draw(BASES[key])
    value = base + (CHECKED_NUMBERS[key].check_digits(base) or "")
    assume(VALIDATORS[key].validate(value))
    return key, value


def separated(key: str, marks: str) -> str:
    following = iter(marks)
    return "".join(next(following) if mark == "#" else mark for mark in MASKS[key])


def cipher(key: str, secret: bytes = SECRET) -> CipheredNumber:
    return CipheredNumber(CHECKED_NUMBERS[key], secret, "id")


@given(numbers())
def test_whatever_is_given_out_gets_a_pseudonym_of_its_form_that_is_nobodys(number) -> None:
    key, value = number
    (pseudonym,) = cipher(key).of([separated(key, value)])

    assert separated(key, re.sub("[^0-9A-Z]", "", pseudonym)) == pseudonym
    assert value.isdecimal() == re.sub("[^0-9A-Z]", "", pseudonym).isdecimal()
    assert not VALIDATORS[key].validate(pseudonym)
    assert not CHECKED_NUMBERS[key].is_given_out(re.sub("[^0-9A-Z]", "", pseudonym))


@given(numbers())
def test_the_number_comes_back_with_the_secret_only(number) -> None:
    key, value = number
    (pseudonym,) = cipher(key).of([value])
    assume(cipher(key, OTHER).of([value]) != [pseudonym])  # one in 10⁹ secrets agrees about a value

    assert cipher(key).value_of(pseudonym) == value
    assert cipher(key, OTHER).value_of(pseudonym) != value


@given(numbers())
def test_separators_make_no_difference_to_the_digits(number) -> None:
    key, value = number
    plain, with_separators = cipher(key).of([value, separated(key, value)])

    assert separated(key, plain) == with_separators


@given(st.sampled_from("12789"), st.from_regex(r"[0-9]{10}(00[01]|[0-9]{3})[0-9]", fullmatch=True))
@example("1", "61866898840011")
def test_a_cns_is_given_out_where_the_health_service_says_so(first, others) -> None:
    assert CHECKED_NUMBERS["cns"].is_given_out(first + others) == VALIDATORS["cns"].validate(first + others)


@given(st.from_regex(r"[0-9A-Z]{12}[0-9]{2}", fullmatch=True), st.booleans())
def test_check_digits_of_a_cnpj_are_those_of_the_tax_office(marks, right) -> None:
    base = marks[:12]
    marks = base + (CHECKED_NUMBERS["cnpj"].check_digits(base) or "") if right else marks
    assume(len(set(marks)) > 1)
    assert CHECKED_NUMBERS["cnpj"].is_given_out(marks) == VALIDATORS["cnpj"].validate(marks)


class FewLetters:
    """A cipher that gives a number without letters every other time, which FF1 does once in five million times."""

    turns = ("12ABC34501DE", "000000000001", "000000000002", "77ABC34501DE")

    def of(self, texts: list[str]) -> list[str]:
        return [self.turns[self.turns.index(texts[0]) + 1]]

    def value_of(self, text: str) -> str:
        return self.turns[self.turns.index(text) - 1]


def test_a_number_with_letters_is_ciphered_until_it_has_some_again() -> None:
    numbers = cipher("cnpj")
    numbers._letters = FewLetters()
    (pseudonym,) = numbers.of(["12.ABC.345/01DE-35"])

    assert pseudonym.startswith("77.ABC.345/01DE-")
    assert numbers.value_of(pseudonym) == "12.ABC.345/01DE-35"


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("cpf", each) for each in ("123.456.789-08", "1234567890", "123.456.78909", "111.111.111-11", "")),
        *(("cpf", each) for each in ("12345678909 ", "١٢٣٤٥٦٧٨٩٠٩")),
        *(("cnpj", each) for each in ("12.ABC.345/01DE-36", "12.abc.345/01de-35", "12ABC34501DE3", "00000000000000")),
        *(("cns", each) for each in ("700000000000004", "700 000000000 005", "500000000000009", "161866898840011")),
    ],
)
def test_what_is_no_such_number_is_refused_without_being_shown(key, value) -> None:
    shape = "".join("9" if mark.isdigit() else "A" if mark.isalpha() else mark for mark in value)
    with refused("pseudonyms.no-such-number", "'id'", key.upper(), repr(shape)):
        cipher(key).of([value])


@pytest.mark.parametrize(
    ("key", "value"), [("cpf", "12345678909"), ("cnpj", "12ABC34501DE35"), ("cns", "7" + 13 * "0" + "5")]
)
def test_what_is_no_pseudonym_has_no_value(key, value) -> None:
    number: CheckedNumber = CHECKED_NUMBERS[key]
    (pseudonym,) = cipher(key).of([value])
    base = pseudonym[: -number.checks]

    assert cipher(key).value_of(value) is None
    assert cipher(key).value_of(pseudonym[:-1]) is None
    assert cipher(key).value_of(base + (number.check_digits(base) or "9" * number.checks)) is None


def test_a_cns_that_no_pseudonym_is_of_has_no_value() -> None:
    """Where the secret leads to digits that no check digit goes with, as once in eleven times."""
    number, nobody = CHECKED_NUMBERS["cns"], cipher("cns")
    bases = [f"7{n:013}" for n in range(200)]
    found = [nobody.value_of(base + number.wrong_digits(base)) for base in bases]

    assert 0 < found.count(None) < 60
