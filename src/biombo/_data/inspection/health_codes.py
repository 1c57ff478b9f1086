"""Values that tell of somebody's health by themselves: codes of diseases and of procedures, and diseases by name."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from biombo._data.inspection.column_names import words_of
from biombo._data.inspection.profile import ValueSample
from biombo._hierarchy import Hierarchy, TableHierarchy

_ENOUGH = 3
"""How many different values must be known before chance is ruled out."""

_BETWEEN_CODES = re.compile(r"[*/;,+| ]+")
_NOTHING_SAID = re.compile(r"0*")
_CID10 = re.compile(r"[A-Z]\d\d(\.?[\dX])?[*+]?", re.IGNORECASE)
_SIGTAP = re.compile(r"\d{9,10}|\d\d\.\d\d\.\d\d\.\d{3}-\d")

_DISEASES = re.compile(
    r"\b(aids|hiv|dengue|zika|chikungunya|covid|malaria|tuberculos\w*|hansen\w*|leprosy|sifilis|syphilis|hepatit\w*"
    r"|diabet\w*|hiperten\w*|hyperten\w*|cancer\w*|tumou?r\w*|neoplas\w*|leuk\w*|leucemia|linfoma|lymphoma|melanoma"
    r"|asma|asthma|bronquit\w*|bronchit\w*|pneumonia|gripe|flu|influenza|infarto|infarct\w*|avc|stroke|cardiopat\w*"
    r"|heart (attack|disease|failure)|insuficiencia (renal|cardiaca)|depress\w*|esquizofren\w*|schizophren\w*"
    r"|ansiedade|anxiety|bipolar\w*|autis\w*|alzheimer|parkinson|epileps\w*|demencia|dementia|obesi\w*|anemia|anaemia"
    r"|artrite|arthritis|lupus|gastrit\w*|ulcer\w*|apendicit\w*|appendicit\w*|fratura\w*|fractures?|sarampo|measles"
    r"|rubeola|rubella|coqueluche|pertussis|meningit\w*|hantav\w*|leptospir\w*|leishman\w*|chagas|raiva|rabies"
    r"|alcoolismo|alcoholism|aborto|abortion)\b"
)


@dataclass(frozen=True)
class HealthValues:
    """One kind of values, and how they are known."""

    key: str
    """Names its text in the catalogue."""
    known: Callable[[str], bool]
    needed_share: float
    """The share of the different values that must be known."""


def _is_cid10(value: str) -> bool:
    codes = [code for code in _BETWEEN_CODES.split(value) if code]
    return bool(codes) and all(_CID10.fullmatch(code) and _in_cid10(code) for code in codes)


def _in_cid10(code: str) -> bool:
    plain = code.upper().strip("*+").replace(".", "").removesuffix("X")
    return plain in _values("cid10") or plain[:3] in _values("cid10")


def _is_sigtap(value: str) -> bool:
    digits = re.sub(r"\D", "", value) if _SIGTAP.fullmatch(value) else ""
    return bool(digits) and digits.zfill(10) in _values("sigtap")


def _is_disease(value: str) -> bool:
    return _DISEASES.search(words_of(value)) is not None


@cache
def _values(hierarchy: str) -> frozenset[str]:
    found = Hierarchy.built_in(hierarchy)
    return frozenset(found.levels) if isinstance(found, TableHierarchy) else frozenset()


HEALTH_VALUES = (
    HealthValues("cid10", _is_cid10, 0.8),
    HealthValues("sigtap", _is_sigtap, 0.8),
    HealthValues("disease", _is_disease, 0.5),
)


def health_values(sample: ValueSample) -> tuple[str, float] | None:
    """The kind of values that most of ``sample`` are, and the share of rows with one; values that only say that there
    is none, such as 0000, do not count.

    >>> health_values(ValueSample(("A90", "B24", "E119", "0000"), (5, 2, 2, 1), numeric=False))
    ('cid10', 0.9)
    """
    said = [not _NOTHING_SAID.fullmatch(value) for value in sample.values]
    for kind in HEALTH_VALUES:
        known = [told and kind.known(value) for value, told in zip(sample.values, said, strict=True)]
        if sum(known) >= max(_ENOUGH, kind.needed_share * sum(said)):
            return kind.key, sample.share_of_rows(known)
    return None
