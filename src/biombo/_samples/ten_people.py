"""A class of ten and the four of them who were asked: the example that runs through document 002."""

from typing import NamedTuple

import polars as pl


class School(NamedTuple):
    """Everyone, and the sample of them that was asked."""

    population: pl.DataFrame
    sample: pl.DataFrame


def school() -> School:
    """Ten people by state, sex and age, and a sample of four with their answers.

    Groups by all three columns: (SP, F, 31-40) has n = 1 in the population and d = 1 in the sample, (MG, F, 21-30) 2
    and 1, (RJ, M, 21-30) 3 and 2, (SP, M, 31-40) 4 and 0. So the mean of d/n over the four is
    (1/1 + 1/2 + 2/3 + 2/3)/4 = 0.7083…, and in-or-out is guessed right for (1 + 1 + 2 + 4)/10 = 0.8.

    >>> len(school().population), len(school().sample)
    (10, 4)
    """
    groups = [("SP", "F", "31-40", 1), ("MG", "F", "21-30", 2), ("RJ", "M", "21-30", 3), ("SP", "M", "31-40", 4)]
    people = [group[:3] for group in groups for _ in range(group[3])]
    names = ["state", "sex", "age"]
    asked = [("SP", "F", "31-40", "1"), ("MG", "F", "21-30", "0"), ("RJ", "M", "21-30", "0"), ("RJ", "M", "21-30", "1")]
    return School(
        pl.DataFrame(people, schema=names, orient="row"), pl.DataFrame(asked, schema=[*names, "answer"], orient="row")
    )
