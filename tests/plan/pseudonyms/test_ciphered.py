import hypothesis.strategies as st
import pytest
from ffx import FF1
from hypothesis import given
from refusal import refused

from biombo._plan.pseudonyms import Ciphered

SECRET, OTHER = bytes(32), bytes([1]) * 32
DIGITS = "0123456789"
numbers = st.from_regex(r"[0-9]{3}[-. /]?[0-9]{3,12}", fullmatch=True)


@given(numbers)
def test_the_form_stays_and_the_value_comes_back(value) -> None:
    cipher = Ciphered(SECRET, DIGITS, "n")
    (pseudonym,) = cipher.of([value])

    assert [mark for mark in pseudonym if mark not in DIGITS] == [mark for mark in value if mark not in DIGITS]
    assert len(pseudonym) == len(value)
    assert cipher.value_of(pseudonym) == value


@given(numbers)
def test_the_digits_are_ciphered_as_if_nothing_separated_them(value) -> None:
    (pseudonym,) = Ciphered(SECRET, DIGITS, "n").of([value])
    digits = "".join(mark for mark in value if mark in DIGITS)

    assert "".join(mark for mark in pseudonym if mark in DIGITS) == FF1(SECRET, radix=10).encrypt(digits)


@given(st.sets(numbers, min_size=2, max_size=20))
def test_no_two_values_share_a_pseudonym(values) -> None:
    assert len(set(Ciphered(SECRET, DIGITS, "n").of(sorted(values)))) == len(values)


def test_another_secret_gives_another_value() -> None:
    (pseudonym,) = Ciphered(SECRET, DIGITS, "n").of(["123456789012345"])

    assert Ciphered(OTHER, DIGITS, "n").value_of(pseudonym) != "123456789012345"


def test_an_alphabet_of_ones_own() -> None:
    cipher = Ciphered(SECRET, "ACGT", "dna")
    (pseudonym,) = cipher.of(["ACGTACGT-AC"])

    assert set(pseudonym) <= set("ACGT-")
    assert cipher.value_of(pseudonym) == "ACGTACGT-AC"


@pytest.mark.parametrize(("alphabet", "enough"), [(DIGITS, "123456"), ("ACGT", "ACGTACGTAC"), ("01", "01" * 10)])
def test_fewer_than_a_million_texts_are_too_few(alphabet, enough) -> None:
    cipher = Ciphered(SECRET, alphabet, "n")

    assert len(alphabet) ** len(enough) >= 1_000_000 > len(alphabet) ** (len(enough) - 1)
    assert cipher.value_of(*cipher.of([enough])) == enough
    with refused("pseudonyms.short", "'n'", str(len(enough))):
        cipher.of([enough[:-1]])
    assert cipher.value_of(enough[:-1]) is None


def test_what_would_stay_in_the_open_is_refused_without_being_shown() -> None:
    with refused("pseudonyms.strange", "'AAAAA 9999999'"):
        Ciphered(SECRET, DIGITS, "n").of(["Maria 1234567"])
    assert Ciphered(SECRET, DIGITS, "n").value_of("Maria 1234567") is None
