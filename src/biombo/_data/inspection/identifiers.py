"""Values that give a person or a company away by themselves: CPF, CNS, CNPJ, e-mail, phone, pseudonym."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from validate_docbr import CNPJ, CNS, CPF

from biombo._data.inspection.profile import ValueSample


@dataclass(frozen=True)
class Identifier:
    """One kind of identifier and how its values are told from others."""

    key: str
    """Names its text in the catalogue."""
    shape: re.Pattern[str]
    valid: Callable[[str], bool]
    enough: int
    """How many different values must validate before chance is ruled out: a random number of the right length passes
    the check digits of a CPF or CNPJ one time in a hundred, those of a CNS one time in eleven."""
    needed_share: float
    """The share of the different values that must validate."""
    digits: int | None = None
    """The full length, for numbers that lost their leading zeros."""

    def matches(self, value: str, numeric: bool) -> bool:
        """Whether ``value`` is a valid one; ``numeric`` says that leading zeros may be lost."""
        if numeric and self.digits and self.digits - 3 < len(value) < self.digits:
            value = value.zfill(self.digits)
        return self.shape.fullmatch(value) is not None and self.valid(value)


@dataclass(frozen=True)
class Recognised:
    """The kind of identifier that a column holds."""

    key: str
    share: float
    """The share of rows with a value whose value validates."""


def _always(_: str) -> bool:
    return True


IDENTIFIERS = (
    Identifier("cpf", re.compile(r"\d{3}\.?\d{3}\.?\d{3}-?\d{2}"), CPF().validate, 3, 0.5, digits=11),
    Identifier(
        "cnpj",
        re.compile(r"[\dA-Z]{2}\.?[\dA-Z]{3}\.?[\dA-Z]{3}/?[\dA-Z]{4}-?\d{2}", re.IGNORECASE | re.ASCII),
        CNPJ().validate,
        3,
        0.5,
        digits=14,
    ),
    Identifier("cns", re.compile(r"[12789]\d{2} ?\d{4} ?\d{4} ?\d{4}"), CNS().validate, 6, 0.5),
    Identifier("email", re.compile(r"[^@\s]+@[^@\s]+\.[^\W\d]{2,}"), _always, 1, 0.5),
    Identifier(
        "phone",
        re.compile(
            r"(\+?55 ?)?\(?0?[1-9]{2}\)?[ -]?(9\d{4}|[2-5]\d{3})[ .-]?\d{4}"
            r"|(9\d{4}|[2-5]\d{3})-\d{4}"
            r"|\+\d{1,3}[ .-]?\(?\d[\d ().-]{5,14}\d"
        ),
        _always,
        3,
        0.9,
    ),
    Identifier(
        "pseudonym",
        re.compile(r"[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}|[\da-f]{32,128}", re.IGNORECASE | re.ASCII),
        _always,
        3,
        0.9,
    ),
)


def recognise(sample: ValueSample) -> Recognised | None:
    """The kind of identifier that most values of ``sample`` validate as."""
    for identifier in IDENTIFIERS:
        valid = [identifier.matches(value, sample.numeric) for value in sample.values]
        if sum(valid) >= max(identifier.enough, identifier.needed_share * len(valid)):
            return Recognised(identifier.key, sample.share_of_rows(valid))
    return None


def valid_share(key: str, sample: ValueSample) -> float:
    """The share of rows with a value whose value validates as the kind ``key``, however small."""
    identifier = _by_key()[key]
    return sample.share_of_rows([identifier.matches(value, sample.numeric) for value in sample.values])


@cache
def _by_key() -> dict[str, Identifier]:
    return {identifier.key: identifier for identifier in IDENTIFIERS}
