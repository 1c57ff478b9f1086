import hashlib
import hmac
from collections import Counter

import hypothesis.strategies as st
from hypothesis import given

from biombo._plan.pseudonyms import Keyed

ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"


def written(digest: str, alphabet: str, length: int) -> str:
    """The digits of the four numbers in ``digest``, in the base of the alphabet, lowest first, taken in turns."""
    numbers = [int(digest[start : start + 16], 16) for start in range(0, 64, 16)]
    letters = ""
    for place in range(length):
        numbers[place % 4], digit = divmod(numbers[place % 4], len(alphabet))
        letters += alphabet[digit]
    return letters


@given(st.binary(min_size=32, max_size=32), st.text(), st.sampled_from([ALPHABET, "0123456789"]), st.integers(1, 32))
def test_a_pseudonym_is_the_hmac_of_the_value_in_other_letters(secret, value, alphabet, length) -> None:
    digest = hmac.new(secret, value.encode(), hashlib.sha256).hexdigest()

    assert Keyed(secret, alphabet, length).of([value]) == [written(digest, alphabet, length)]


def test_every_letter_is_as_frequent_as_the_others() -> None:
    pseudonyms = Keyed(bytes(32), ALPHABET, 20).of([str(number) for number in range(2_000)])
    counts = Counter("".join(pseudonyms))

    expected = 2_000 * 20 / 32
    statistic = sum((counts[letter] - expected) ** 2 / expected for letter in ALPHABET)
    assert statistic < 70  # the chi-squared distribution with 31 degrees of freedom exceeds it once in 10,000 times
