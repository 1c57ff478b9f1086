"""People whose risks can be computed on paper: the twelve of a clinic, and the class of ten of Rodrigues (2022)."""

from typing import NamedTuple

import polars as pl

_PEOPLE = [
    ("Ana", "F", 34, "Pedra Rasa", "flu"),
    ("Beto", "M", 34, "Pedra Rasa", "flu"),
    ("Caio", "M", 34, "Pedra Rasa", "asthma"),
    ("Dora", "F", 34, "Pedra Rasa", "flu"),
    ("Elias", "M", 60, "Pedra Rasa", "diabetes"),
    ("Flora", "F", 60, "Pedra Rasa", "diabetes"),
    ("Gil", "M", 60, "Rio Fundo", "diabetes"),
    ("Hana", "F", 34, "Rio Fundo", "asthma"),
    ("Ivo", "M", 34, "Rio Fundo", "flu"),
    ("Júlia", "F", 60, "Rio Fundo", "flu"),
    ("Kátia", "F", 60, "Rio Fundo", "diabetes"),
    ("Luís", "M", 60, "Rio Fundo", "asthma"),
]


def clinic() -> pl.DataFrame:
    """Twelve made-up people: ``name`` identifies, ``sex``, ``age`` and ``city`` may be known, ``disease`` is sensitive.

    An adversary who knows nothing says "flu" and is right about 5 of the 12. One who knows some columns says, in each
    group of people that look the same, the group's most frequent disease: posterior = Σ top count / 12.

    ====================  =====================================================================  =========
    known                 top count in each group                                                posterior
    ====================  =====================================================================  =========
    nothing               5 flu                                                                  5/12
    sex                   F 3 flu, M 2 (of three that tie)                                       5/12
    age                   34: 4 flu, 60: 4 diabetes                                              8/12
    city                  Pedra Rasa 3 flu, Rio Fundo 2 (of three that tie)                      5/12
    sex, age              F 34: 2, F 60: 2, M 34: 2, M 60: 2                                     8/12
    sex, city             F Pedra Rasa 2 flu, and 1 in each of the other three                   5/12
    age, city             34 Pedra Rasa 3, 60 Pedra Rasa 2, 34 Rio Fundo 1, 60 Rio Fundo 2       8/12
    sex, age, city        F 34 Pedra Rasa 2, and 1 in each of the other seven                    9/12
    ====================  =====================================================================  =========

    So sex alone leaks nothing, age leaks 3/12, and all three together 4/12. Ana is one of two women of 34 in Pedra
    Rasa, and both have the flu: she is exposed without being alone. Four people are alone in their group.

    >>> from collections import Counter
    >>> people = clinic().rows(named=True)
    >>> def groups(*known):
    ...     found = {}
    ...     for person in people:
    ...         found.setdefault(tuple(person[column] for column in known), []).append(person["disease"])
    ...     return list(found.values())
    >>> def guessed(*known):
    ...     return sum(max(Counter(diseases).values()) for diseases in groups(*known))
    >>> guessed(), guessed("sex"), guessed("age"), guessed("city")
    (5, 5, 8, 5)
    >>> guessed("sex", "age"), guessed("sex", "city"), guessed("age", "city"), guessed("sex", "age", "city")
    (8, 5, 8, 9)
    >>> everything = groups("sex", "age", "city")
    >>> len(everything), sum(len(diseases) == 1 for diseases in everything)
    (8, 4)
    """
    return pl.DataFrame(_PEOPLE, schema=["name", "sex", "age", "city", "disease"], orient="row")


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
