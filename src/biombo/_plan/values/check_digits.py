"""Numbers with check digits, which give away what is hidden of them (document 003, 8.4)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from biombo._data import IDENTIFIERS, ValueSample, recognise

_CHECK_DIGITS = {"cpf": 2, "cnpj": 2, "cns": 1}
"""How many digits at the end follow from those before."""

Hidden = Callable[[str], Sequence[bool]]
"""Which characters of a value are hidden."""


@dataclass(frozen=True)
class GivenAway:
    """What check digits tell about the hidden part of a number."""

    kind: str
    checks: int
    """How many check digits there are, at the end."""
    promised: int
    """Possibilities that the hidden digits seem to leave."""
    left: int
    """About how many of them have the right check digits."""


def given_away(sample: ValueSample, hidden: Hidden) -> GivenAway | None:
    """What check digits tell where ``sample`` is of such numbers, and either they or all others are visible."""
    recognised = recognise(sample)
    if recognised is None or recognised.key not in _CHECK_DIGITS:
        return None
    (shape,) = (identifier.shape for identifier in IDENTIFIERS if identifier.key == recognised.key)
    example = next(value for value in sample.values if shape.fullmatch(value))
    digits = [is_hidden for sign, is_hidden in zip(example, hidden(example), strict=True) if sign.isalnum()]
    checks = _CHECK_DIGITS[recognised.key]
    base_hidden, checks_hidden = sum(digits[:-checks]), sum(digits[-checks:])
    if base_hidden and checks_hidden == checks:
        return None
    left = 10 ** max(0, base_hidden - (checks - checks_hidden))
    return GivenAway(recognised.key.upper(), checks, 10 ** sum(digits), left)
