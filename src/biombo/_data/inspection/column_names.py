"""What the name of a column says about it, in Portuguese, English and the short forms of DATASUS."""

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property

from biombo._data.schema import ColumnType, Role


@dataclass(frozen=True)
class Meaning:
    """What columns of some names are about."""

    key: str
    """Names its text in the catalogue."""
    role: Role
    names: str
    """A regular expression for one or more whole words of a column's name."""
    type: ColumnType | None = None
    """How such values are read when their look alone does not tell."""

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.names})\b")

    def found_in(self, words: str) -> bool:
        """Whether ``words``, as :func:`words_of` gives them, speak of this."""
        return self._pattern.search(words) is not None


_PEOPLE = (
    "paciente|pcn|patient|pessoa|person|cidadao|citizen|aluno|student|usuario|user|beneficiario|segurado|cliente"
    "|customer|subject|participante?|individuo|individual|employee|funcionario|servidor"
)
_NUMBER = "id|ids|cod|codigo|code|num|numero|number|nr|nu|co|cd|uuid|hash|key|chave"

MEANINGS = (
    # Documents and contacts: nothing else that the name says makes them less of an identifier.
    Meaning("professional", "identifier", r"cns ?(med|prof)\w*|cpf ?(med|prof)\w*|crm|coren|npi"),
    Meaning("cpf", "identifier", r"cpf\w*|\w+cpf"),
    Meaning("cnpj", "identifier", r"cnpj\w*"),
    Meaning("cns", "identifier", r"cns\w*|cartao (nacional de saude|sus)"),
    Meaning("email", "identifier", r"e ?mails?"),
    Meaning("phone", "identifier", r"telefones?|tel|fone|celular|whatsapp|fax|phone\w*|mobile|telephone"),
    Meaning("document", "identifier", r"rg(?! resi)|registro geral|passaporte|passport|cnh|ctps|pis|pasep|nis|nit|ssn"),
    Meaning("document", "identifier", r"social security|national id|tax id|titulo (de )?eleitor|driver license"),
    Meaning("record", "identifier", r"matricula|prontuario|medical record|mrn|insc ?pn"),
    Meaning("certificate", "identifier", r"numero ?d[on]|num ?reg ?cart\w*|certidao|(death|birth) certificate"),
    Meaning("case", "identifier", r"autoriz\w*|(n|num) ?aih|aih|atendimento id|encounter id|visit id"),
    Meaning("record", "identifier", rf"({_PEOPLE}) ({_NUMBER})|({_NUMBER}) ({_PEOPLE})"),
    # What others know of a person; before the sensitive ones, for a place or a time of something sensitive.
    Meaning("marital", "quasi", r"estado civil|est ?civ\w*|situacao conjugal|marital\w*|civil status", "categorical"),
    Meaning("postal", "quasi", r"cep|zip|zip ?code|postcode|postal code|codigo postal", "categorical"),
    Meaning(
        "place",
        "quasi",
        r"mun|\w*munic\w*|mun(pcn|res|nasc|ocor|atend)\w*|cod ?mun\w*|ufmun|uf|ufs|cidade|city|town|village|bairro"
        r"|neighbou?rhood|district|distrito|county|comarca|localidade|state|estado(?! de saude)|province|regiao|region"
        r"|country|(co|nm)? ?pais|naturalidade|birthplace|nacionalidade|nationality|latitude|longitude|lat|lon|lng"
        r"|residencia|setor censitario|mn resi",
        "categorical",
    ),
    Meaning(
        "event",
        "quasi",
        r"(dt|data)( de| da| do)? ?(obito|inter\w*|saida|alta|notific\w*|sin ?pri|atend\w*|aplic\w*|vacin\w*|consulta)"
        r"|vacina data ?aplic\w*|(admission|discharge|visit|vaccination) date|date of (death|admission|discharge)",
        "date",
    ),
    Meaning("birth", "quasi", r"nasc|\w*nascimento|\w*(dt|data) ?nasc\w*|birth\w*|dob|date of birth", "date"),
    Meaning("age", "quasi", r"idade(?!min|max)\w*|age|faixa etaria|fx etaria|age group", "discrete"),
    Meaning("sexuality", "sensitive", r"orientacao sexual|sexual orientation|sexuality|sexualidade", "categorical"),
    Meaning("sex", "quasi", r"\w*sexo\w*|sex|genero|gender", "categorical"),
    Meaning("race", "quasi", r"raca\w*|cor|race|ethnic\w*|etnia|etnic\w*|skin colou?r|indigena", "categorical"),
    Meaning("education", "quasi", r"escolaridade|esc|escol\w*|escmae\w*|instru\w*|educa\w*|schooling", "categorical"),
    Meaning(
        "occupation",
        "quasi",
        r"ocup\w*|cod ?ocup\w*|occup\w*|profiss\w*|profession|cbo\w*|cargo|job\w*|work ?class|emprego|employment",
        "categorical",
    ),
    Meaning(
        "facility",
        "quasi",
        r"cnes|cod ?uni|cod ?estab\w*|id unidade|unidade (de )?saude|estabelecimento\w*|hospital\w*|clinica"
        r"|clinic|facility|health unit",
        "categorical",
    ),
    Meaning("family", "quasi", r"filhos|children|dependentes|moradores|household\w*|parentesco|relationship"),
    Meaning("stay", "quasi", r"dias perm\w*|tempo de (permanencia|internacao)|length of stay|los", "discrete"),
    Meaning("period", "quasi", r"competencia|cmp|mvm|(?<!uti )mes|month|ano|year", "categorical"),
    # What an adversary wants to learn.
    Meaning(
        "diagnosis",
        "sensitive",
        r"cid|cid(pri|sec|cas|asso|morte|obito)\w*|icd|diag\w*|doencas?|disease\w*|illness\w*|\w*morbid\w*"
        r"|sintomas?|symptom\w*|causa ?bas\w*|causa (da )?(morte|obito)|cause of death|agravo|patolog\w*|sindrome"
        r"|syndrome|deficiencia|disabilit\w*|alergia\w*|allerg\w*|hiv|aids|linha ?(a|b|c|d|ii)|causa ?mat\w*|atestado"
        r"|acid ?trab\w*",
        "categorical",
    ),
    Meaning(
        "procedure",
        "sensitive",
        r"proc|procedimentos?|procedures?|tratamentos?|treatments?|terapia|therapy|cirurgia|surgery|medicamentos?"
        r"|medications?|drugs?|drogas?|prescri\w*|vacinas?|vaccin\w*|sigtap",
        "categorical",
    ),
    Meaning(
        "pregnancy",
        "sensitive",
        r"gestac\w*|sema ?gestac|gestant\w*|gest ?risco|gravid\w*|parto|(tp|st)? ?parto\w*|pre ?natal\w*|cons ?prenat"
        r"|mes ?prenat|consultas|apgar|(id|cod)? ?anomal\w*|peso( ao nascer)?|qtd ?(fil|gest|part)\w*|\w*ult ?menst\w*"
        r"|pregnan\w*|childbirth|delivery mode",
        "categorical",
    ),
    Meaning(
        "result",
        "sensitive",
        r"resultados?|results?|exames?|exams?|desfecho|outcome|evolucao|obito\w*|circ ?obito|morte\w*|tp ?morte\w*"
        r"|death|died|deceased|classi fin|classificacao final|assist ?med\w*|necropsia|autopsy|internado|hospitalized",
    ),
    Meaning(
        "money",
        "sensitive",
        r"renda|rendimentos?|salarios?|salary|salaries|income|wages?|earnings|remuneracao|dividas?|debts?|saldo"
        r"|patrimonio|beneficio|capital (gain|loss)",
    ),
    Meaning(
        "belief",
        "sensitive",
        r"religiao|religion|politic\w*|partido|sindica\w*|trade union|biometr\w*|genetic\w*|criminal|antecedentes"
        r"|violencia|violence",
    ),
    # Names come last: the name of a town or of a disease is not a person's.
    Meaning("address", "identifier", r"enderecos?|address\w*|logradouro|rua|street|avenida"),
    Meaning(
        "person",
        "identifier",
        r"nomes?|name|nm|sobrenome|surname|(first|last|full|fore|middle) ?name|apelido|mae|mother|pai|father",
    ),
)


def meaning_of(name: str) -> Meaning | None:
    """What a column called ``name`` is about, as far as the name tells.

    >>> meaning_of("PA_MUNPCN").key, meaning_of("DataNascimento").key, meaning_of("salary-class").role
    ('place', 'birth', 'sensitive')
    """
    words = words_of(name)
    return next((meaning for meaning in MEANINGS if meaning.found_in(words)), None)


def words_of(name: str) -> str:
    """The words of a column's name: accents and case folded, split at camelCase, digits and signs.

    >>> words_of("Município_IBGE2"), words_of("dataNascimento"), words_of("CPFPaciente")
    ('municipio ibge 2', 'data nascimento', 'cpf paciente')
    """
    plain = "".join(mark for mark in unicodedata.normalize("NFKD", name) if not unicodedata.combining(mark))
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[^\W\d])(?=\d)|(?<=\d)(?=[^\W\d])", " ", plain)
    return " ".join(re.findall(r"[^\W_]+", spaced)).casefold()
