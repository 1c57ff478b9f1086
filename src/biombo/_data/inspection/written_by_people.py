"""Values that somebody wrote about one person: names of people and free text, whatever the column is called."""

import re

from biombo._data.inspection.column_names import words_of
from biombo._data.inspection.profile import ColumnProfile, ValueSample

_FIRST_NAMES = frozenset(
    [
        "maria",
        "jose",
        "ana",
        "joao",
        "antonio",
        "francisco",
        "carlos",
        "paulo",
        "pedro",
        "lucas",
        "luiz",
        "luis",
        "marcos",
        "gabriel",
        "rafael",
        "daniel",
        "marcelo",
        "bruno",
        "eduardo",
        "felipe",
        "raimundo",
        "rodrigo",
        "manoel",
        "manuel",
        "mateus",
        "matheus",
        "andre",
        "fernando",
        "fabio",
        "leonardo",
        "gustavo",
        "guilherme",
        "leandro",
        "tiago",
        "thiago",
        "anderson",
        "ricardo",
        "marcio",
        "jorge",
        "sebastiao",
        "alexandre",
        "roberto",
        "edson",
        "diego",
        "vitor",
        "victor",
        "sergio",
        "claudio",
        "francisca",
        "antonia",
        "adriana",
        "juliana",
        "marcia",
        "fernanda",
        "patricia",
        "aline",
        "sandra",
        "camila",
        "amanda",
        "bruna",
        "jessica",
        "leticia",
        "julia",
        "luciana",
        "vanessa",
        "mariana",
        "gabriela",
        "vera",
        "vitoria",
        "larissa",
        "claudia",
        "beatriz",
        "rita",
        "luana",
        "sonia",
        "renata",
        "eliane",
        "josefa",
        "simone",
        "natalia",
        "cristiane",
        "carla",
        "debora",
        "rosangela",
        "jaqueline",
        "rosa",
        "aparecida",
        "marlene",
        "terezinha",
        "raimunda",
        "lucia",
        "helena",
        "james",
        "john",
        "robert",
        "michael",
        "william",
        "david",
        "richard",
        "joseph",
        "thomas",
        "mary",
        "patricia",
        "jennifer",
        "linda",
        "elizabeth",
        "barbara",
        "susan",
    ]
)
_LAST_NAMES = frozenset(
    [
        "silva",
        "santos",
        "oliveira",
        "souza",
        "sousa",
        "rodrigues",
        "ferreira",
        "alves",
        "pereira",
        "lima",
        "gomes",
        "ribeiro",
        "carvalho",
        "almeida",
        "lopes",
        "soares",
        "fernandes",
        "vieira",
        "barbosa",
        "rocha",
        "dias",
        "nascimento",
        "andrade",
        "moreira",
        "nunes",
        "marques",
        "machado",
        "mendes",
        "freitas",
        "cardoso",
        "ramos",
        "goncalves",
        "santana",
        "teixeira",
        "araujo",
        "costa",
        "melo",
        "barros",
        "pinto",
        "moura",
        "cavalcanti",
        "campos",
        "batista",
        "correia",
        "castro",
        "smith",
        "johnson",
        "williams",
        "brown",
        "jones",
        "miller",
        "davis",
        "wilson",
        "anderson",
        "taylor",
    ]
)
_OF_ROWS = 0.3
"""In a list of people in Brazil, about half bear one of these names; in a list of anything else, hardly any."""

_DIFFERENT = 0.5
_WORDS = re.compile(r"[^\W\d_]{2,}")


def are_names_of_people(sample: ValueSample) -> bool:
    """Whether many values have two words or more, of which the first or the last is a name that many people bear.

    >>> are_names_of_people(ValueSample(("MARIA JOSÉ DA SILVA", "Tarsila Prado", "João Lima"), (1, 1, 1), False))
    True
    >>> are_names_of_people(ValueSample(("infarto agudo", "doença de Parkinson", "rosa"), (1, 1, 1), False))
    False
    """
    return sample.share_of_rows([_is_somebody(value) for value in sample.values]) >= _OF_ROWS


def is_free_text(profile: ColumnProfile, sample: ValueSample, rows: int) -> bool:
    """Whether most rows have words in them that no other row has."""
    worded = [len(_WORDS.findall(value)) > 1 for value in sample.values]
    return of_its_own(profile, rows) >= _DIFFERENT and sample.share_of_rows(worded) >= _DIFFERENT


def of_its_own(profile: ColumnProfile, rows: int) -> float:
    """Of the rows that have a value, the share whose value no other row has."""
    unique = round(profile.unique_share * rows) - (profile.missing == 1)
    return unique / max(rows - profile.missing, 1)


def _is_somebody(value: str) -> bool:
    if any(mark.isdigit() for mark in value):
        return False
    words = words_of(value.title()).split()
    return 2 <= len(words) <= 8 and (words[0] in _FIRST_NAMES or words[-1] in _LAST_NAMES)
