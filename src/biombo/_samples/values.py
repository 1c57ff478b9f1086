"""What the codes stand for. All made up: no facility, municipality or procedure of these numbers is meant."""

import numpy as np
import pyarrow as pa

from biombo._samples.procedures import PROCEDURES
from biombo._samples.sampling import random
from biombo._samples.state import State
from biombo._samples.world import AGES, RACES

INVALID = {"PA_MUNPCN": "999999", "PA_IDADE": "999", "PA_RACACOR": "99", "PA_SEXO": "0"}
"""What stands for an unknown value; it has the code after the last valid one."""


def dictionaries(state: State, seed: int, year: int) -> dict[str, pa.StringArray]:
    """The values of each column in the order of their codes."""
    values = {
        "PA_CODUNI": _facilities(state, seed),
        "PA_MUNPCN": [f"{state.number}{9000 + municipality}" for municipality in range(state.municipalities)],
        "PA_IDADE": [f"{age:03}" for age in range(AGES)],
        "PA_MVM": _months(year, 15),
        "PA_CMP": _months(year, 12),
        "PA_RACACOR": [f"{race:02}" for race in range(1, RACES + 1)],
        "PA_SEXO": ["F", "M"],
        "PA_PROC_ID": [_procedure(number) for number in range(PROCEDURES)],
    }
    return {name: pa.array([*column, *_invalid(name)]) for name, column in values.items()}


def _invalid(column: str) -> list[str]:
    return [INVALID[column]] if column in INVALID else []


def _facilities(state: State, seed: int) -> list[str]:
    numbers = random(seed, 2, state.number).choice(10_000_000, state.facilities, replace=False, shuffle=False)
    return [f"{number:07}" for number in np.sort(numbers)]


def _months(year: int, count: int) -> list[str]:
    return [f"{year + month // 12}{month % 12 + 1:02}" for month in range(count)]


def _procedure(number: int) -> str:
    """Group, subgroup, form, number and check digit, as in SIGTAP; its subgroups end well below the 31 used here."""
    form, item = divmod(number, 15)
    subgroup, form = divmod(form, 5)
    group, subgroup = divmod(subgroup, 3)
    digits = f"{group + 1:02}{subgroup + 31}{form + 1:02}{item + 1:03}"
    return f"{digits}{sum(map(int, digits)) % 10}"
