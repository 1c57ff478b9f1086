"""The library that ciphers does so as NIST prints it, in all samples for FF1 that go with SP 800-38G."""

import pytest
from ffx import FF1

KEY = bytes.fromhex("2B7E151628AED2A6ABF7158809CF4F3CEF4359D8D580AA4F7F036D6F04FC6A94")
NO_TWEAK, TWEAK, LONG_TWEAK = "", "39383736353433323130", "3737373770717273373737"
DIGITS, LETTERS = "0123456789", "0123456789abcdefghi"


@pytest.mark.parametrize(
    ("key_bytes", "tweak", "plain", "ciphered"),
    [
        (16, NO_TWEAK, DIGITS, "2433477484"),
        (16, TWEAK, DIGITS, "6124200773"),
        (16, LONG_TWEAK, LETTERS, "a9tv40mll9kdu509eum"),
        (24, NO_TWEAK, DIGITS, "2830668132"),
        (24, TWEAK, DIGITS, "2496655549"),
        (24, LONG_TWEAK, LETTERS, "xbj3kv35jrawxv32ysr"),
        (32, NO_TWEAK, DIGITS, "6657667009"),
        (32, TWEAK, DIGITS, "1001623463"),
        (32, LONG_TWEAK, LETTERS, "xs8a0azh2avyalyzuwd"),
    ],
)
def test_the_samples_of_nist(key_bytes, tweak, plain, ciphered) -> None:
    cipher = FF1(KEY[:key_bytes], radix=10 if plain == DIGITS else 36)

    assert cipher.encrypt(plain, tweak=bytes.fromhex(tweak)) == ciphered
    assert cipher.decrypt(ciphered, tweak=bytes.fromhex(tweak)) == plain
