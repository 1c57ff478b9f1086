"""Made-up records of vaccination against COVID-19, one for each person, with columns of OpenDataSUS.

They are as many and of the kind that Moraes et al. (2025) took for their case study: a municipality of Maranhão where
nearly all share one postal code, where most are alone with their date of birth, and where the group that somebody was
vaccinated with follows from the age, or from the work, a pregnancy or an illness of a few. The shares below are set so
that as many groups are small, and as many records alone, as they found; ``tests/samples/test_vaccination.py`` has both.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

import numpy as np
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray

from biombo._samples.draws import Codes, Floats, lookup, random
from biombo._samples.world import FINE, between

Days = NDArray[np.datetime64]
Integers = NDArray[np.int64]

_SEED = 63
_PURPOSE = 4
"""Which random numbers under a seed are for these records."""
_MOST_ROWS = 100_000_000

_OLDEST = 106
"""One person is so old and nobody else above 104, so that bands of five years leave somebody alone."""
_AGES = np.arange(_OLDEST + 1)
_AGE_SHARES = np.interp(
    _AGES,
    [0, 1, 2, 3, 4, 5, 9, 10, 11, 12, 17, 18, 19, 24, 50, 60, 64, 65, 70, 75, 80, 90, 95, 100, 104, 105],
    [0, 0.6, 2, 6, 8, 40, 40, 25, 25, 75, 75, 50, 65, 110, 110, 75, 55, 29, 18, 11, 11, 7, 3.7, 1.7, 0.6, 0],
)
_SEXES = {"F": 53.0, "M": 47.0}
_RACES = {"PARDA": 51.0, "BRANCA": 17.0, "SEM INFORMACAO": 13.5, "PRETA": 10.0, "AMARELA": 8.0, "INDIGENA": 0.5}

_CEP = "65597000"
"""The one of the municipality."""
_ELSEWHERE = 0.066
"""The share of people who are registered with another one."""
_OTHER_CEPS = 1_100
_IN_THE_STATE = (650, 651, 652, 653, 654, 656, 657, 658, 659)
"""What others of Maranhão begin with."""
_BEYOND_IT = 60
"""How many beginnings there are outside."""

_FIRST_DAY, _LAST_DAY = np.datetime64("2021-01-19"), np.datetime64("2023-08-31")
"""There is no 29 February between them."""
_YEARS = {2021: 65.0, 2022: 29.0, 2023: 6.0}


@dataclass(frozen=True)
class _Group:
    """Who is called to be vaccinated, and from which day on."""

    name: str
    ages: range
    opened: date
    share: float | None = None
    """Of the people of these ages; the group without one has all those of its ages whom no other has."""
    women_only: bool = False


_PRIORITY = date(2021, 5, 3)
_GROUPS = (
    _Group("Pessoas de 5 a 11 anos", range(5, 12), date(2022, 1, 17)),
    _Group("Pessoas de 12 a 17 anos", range(12, 18), date(2021, 9, 1)),
    _Group("Pessoas de 18 a 64 anos", range(18, 65), date(2021, 6, 1)),
    _Group("Pessoas de 65 a 69 anos", range(65, 70), date(2021, 4, 5)),
    _Group("Pessoas de 70 a 74 anos", range(70, 75), date(2021, 3, 22)),
    _Group("Pessoas de 75 a 79 anos", range(75, 80), date(2021, 3, 8)),
    _Group("Pessoas de 80 anos ou mais", range(80, _OLDEST + 1), date(2021, 2, 8)),
    _Group("Faixa Etária", range(_OLDEST + 1), date(2022, 7, 18), 0.065),
    _Group("Trabalhadores de Saúde", range(18, 70), date(2021, 1, 19), 0.045),
    _Group("Trabalhadores da Educação", range(18, 70), date(2021, 5, 24), 0.025),
    _Group("Gestante", range(14, 45), _PRIORITY, 0.014, women_only=True),
    _Group("Puérpera", range(14, 45), _PRIORITY, 0.005, women_only=True),
    _Group("Pessoas com Deficiência Permanente", range(12, 105), _PRIORITY, 0.006),
    _Group("Hipertensão Arterial", range(18, 105), _PRIORITY, 0.009),
    _Group("Diabetes Mellitus", range(12, 105), _PRIORITY, 0.008),
    _Group("Doenças Cardiovasculares e Cerebrovasculares", range(18, 105), _PRIORITY, 0.006),
    _Group("Pneumopatias Crônicas Graves", range(12, 105), _PRIORITY, 0.005),
    _Group("Obesidade Grave", range(12, 105), _PRIORITY, 0.005),
    _Group("Neoplasias", range(12, 105), _PRIORITY, 0.003),
    _Group("Doença Renal Crônica", range(12, 105), _PRIORITY, 0.003),
)


def vaccination(rows: int = 11_543, seed: int = _SEED) -> pl.DataFrame:
    """``rows`` made-up people of one municipality who were vaccinated against COVID-19, a record each.

    ``paciente_id`` identifies. An adversary may know the age on the day of vaccination, the date of birth, the sex, the
    race, the postal code (CEP) and that day. ``vacina_grupoAtendimento_nome`` is sensitive: why somebody was called,
    which is the age for most and an illness for some.

    >>> people = vaccination()
    >>> people.height, people["paciente_dataNascimento"].is_unique().sum(), people["paciente_idade"].max()
    (11543, 7207, 106)
    """
    between("rows", rows, 1, _MOST_ROWS)
    place, people = random(seed, _PURPOSE, 0), random(seed, _PURPOSE, 1)
    age = _drawn(people, _AGE_SHARES, rows)
    age[people.integers(rows)] = _OLDEST
    sex = _drawn(people, _SEXES.values(), rows)
    group = lookup(_group_shares(), FINE)[len(_SEXES) * age + sex, people.integers(0, FINE, rows)]
    day = _days(place, people, group)
    return pl.DataFrame(
        {
            "paciente_id": _ids(people, rows),
            "paciente_idade": age,
            "paciente_dataNascimento": _years_before(day, age) - people.integers(0, 365, rows),
            "paciente_enumSexoBiologico": pl.Series([*_SEXES]).gather(sex),
            "paciente_racaCor_valor": pl.Series([*_RACES]).gather(_drawn(people, _RACES.values(), rows)),
            "paciente_endereco_cep": _ceps(place, people, rows),
            "vacina_dataAplicacao": day,
            "vacina_grupoAtendimento_nome": pl.Series([each.name for each in _GROUPS]).gather(group),
        }
    )


def _drawn(rng: np.random.Generator, shares: Iterable[float], rows: int) -> Integers:
    weights = np.array([*shares])
    return rng.choice(len(weights), rows, p=weights / weights.sum())


def _group_shares() -> Floats:
    """A row for each age and sex, a column for each group."""
    shares = np.zeros((len(_AGES), len(_SEXES), len(_GROUPS)))
    for number, group in enumerate(_GROUPS):
        shares[group.ages, : 1 if group.women_only else None, number] = group.share or 0
    left = 1 - shares.sum(axis=2)
    for number, group in enumerate(_GROUPS):
        if group.share is None:
            shares[group.ages, :, number] = left[group.ages]
    return shares.reshape(-1, len(_GROUPS))


def _days(place: np.random.Generator, people: np.random.Generator, group: Codes) -> Days:
    """A working day for each person, after the group was called; some days are far busier than others."""
    days = np.arange(_FIRST_DAY, _LAST_DAY + 1)
    busy = place.lognormal(0, 1.1, len(days)) * np.is_busday(days)
    for year, share in _YEARS.items():
        of_year = days.astype("M8[Y]") == np.datetime64(str(year))
        busy[of_year] *= share / busy[of_year].sum()
    upto = np.cumsum(busy) / busy.sum()
    opened = np.array([each.opened for each in _GROUPS], "M8[D]") - _FIRST_DAY
    before = np.append(0, upto)[opened.astype(int)][group]
    chosen = np.searchsorted(upto, before + (1 - before) * people.random(len(group)), side="right")
    drawn: Days = days[np.minimum(chosen, len(days) - 1)]
    return drawn


def _years_before(day: Days, years: Integers) -> Days:
    """The same day of the year, so many years earlier."""
    month = day.astype("M8[M]")
    earlier: Days = (month - 12 * years).astype("M8[D]") + (day - month)
    return earlier


def _ceps(place: np.random.Generator, people: np.random.Generator, rows: int) -> pl.Series:
    """The postal code of the municipality for nearly all, and one of many others for the rest."""
    popularity = place.lognormal(0, 0.5, _OTHER_CEPS)
    is_elsewhere = people.random(rows) < _ELSEWHERE
    chosen = np.where(is_elsewhere, 1 + _drawn(people, popularity, rows), 0)
    return pl.Series([_CEP, *_other_ceps(place)]).gather(chosen)


def _other_ceps(place: np.random.Generator) -> list[str]:
    """Most of the state, fewer of farther away; half of them of a whole town, which ends in 000."""
    beginnings = np.concatenate([place.permutation(_IN_THE_STATE), 100 + place.permutation(550)[:_BEYOND_IT]])
    beginning = beginnings[_drawn(place, np.arange(1.0, len(beginnings) + 1) ** -1.3, _OTHER_CEPS)]
    street = place.integers(0, 900, _OTHER_CEPS) * place.integers(0, 2, _OTHER_CEPS)
    numbers = beginning * 100_000 + place.integers(0, 100, _OTHER_CEPS) * 1_000 + street
    return [str(number) for number in numbers.tolist()]


def _ids(rng: np.random.Generator, rows: int) -> pl.Series:
    """64 hexadecimal digits for each person, as OpenDataSUS has them."""
    digits = rng.bytes(32 * rows).hex().encode()
    ends = np.arange(rows + 1, dtype=np.int64) * 64
    return pl.Series(pa.LargeStringArray.from_buffers(rows, pa.py_buffer(ends), pa.py_buffer(digits)))
