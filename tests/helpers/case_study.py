"""The case study of Moraes et al. (2025), section 5, as plans for ``biombo.samples.vaccination``, and what it found."""

from collections.abc import Iterable, Sequence

import polars as pl

import biombo as bb

ROWS = 11_543
PATIENT = "paciente_id"
AGE, BORN, SEX, RACE, CEP, DAY = QUASI = (
    "paciente_idade",
    "paciente_dataNascimento",
    "paciente_enumSexoBiologico",
    "paciente_racaCor_valor",
    "paciente_endereco_cep",
    "vacina_dataAplicacao",
)
GROUP = "vacina_grupoAtendimento_nome"
ACCEPTED = {GROUP: "why somebody was called tells the age, and that is what the release is for"}
"""The group is released as it is, and tells the age of most people better than bands of ten years."""

AGES = bb.Hierarchy.by_interval(5, [2])
DATES = bb.Hierarchy.by_date(["month", "year"])
CEPS = bb.Hierarchy.by_prefix([4, 3], pad="*")

PROACTIVE = (
    bb.Generalise(AGE, AGES, 2),
    bb.SuppressColumn(BORN),
    bb.MaskCharacters(CEP, positions=(-5, -4, -3, -2, -1)),
    bb.Generalise(DAY, DATES, 2),
)
"""Section 5.2."""
ROUND_1 = tuple(bb.Generalise(*each, 1) for each in ((AGE, AGES), (BORN, DATES), (CEP, CEPS), (DAY, DATES)))
ROUND_2 = tuple(bb.Generalise(*each, 2) for each in ((AGE, AGES), (BORN, DATES), (CEP, CEPS), (DAY, DATES)))
"""Section 5.3, process 5."""

HARMLESS = frozenset(
    {
        "Faixa Etária",
        "Pessoas de 5 a 11 anos",
        "Pessoas de 12 a 17 anos",
        "Pessoas de 18 a 64 anos",
        "Pessoas de 65 a 69 anos",
        "Pessoas de 70 a 74 anos",
        "Pessoas de 75 a 79 anos",
        "Pessoas de 80 anos ou mais",
    }
)
"""What groups of fewer than two different values had (process 7)."""


def plan(operations: Iterable[bb.Operation], k: int = 2, max_suppression: float | None = None) -> bb.Plan:
    """The operations on the columns of the case study; k is asked for, whatever comes of it."""
    return bb.Plan(
        operations=[*operations],
        criteria=[bb.KAnonymity(k)],
        quasi=QUASI,
        sensitive=[GROUP],
        identifiers=[PATIENT],
        max_suppression=max_suppression,
    )


def proactive() -> bb.Plan:
    """Ages by ten, years, CEPs without their last five digits, no dates of birth; groups below 10 are masked."""
    return plan([*PROACTIVE, bb.MaskGroups(with_="#####")], k=10)


def requested() -> bb.Plan:
    """The end of the negotiation: the manipulations of round 2, and groups below 3 are suppressed."""
    return plan([*ROUND_2, bb.SuppressGroups()], k=3)


def small(table: pl.DataFrame, columns: str | Sequence[str], k: int) -> pl.Series:
    """The sizes of the groups below ``k``."""
    sizes = table.group_by(columns).len()["len"]
    return sizes.filter(sizes < k)


def alone(table: pl.DataFrame, columns: str | Sequence[str]) -> int:
    """How many records are singled out."""
    return len(small(table, columns, 2))
