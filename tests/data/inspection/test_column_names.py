import pytest

from biombo._data.inspection import MEANINGS, meaning_of
from biombo._i18n import set_language, text


@pytest.mark.parametrize(
    ("name", "key", "role"),
    [
        ("CPF", "cpf", "identifier"),
        ("nuCpfPaciente", "cpf", "identifier"),
        ("e-mail", "email", "identifier"),
        ("Telefone_Celular", "phone", "identifier"),
        ("NU_PRONTUARIO", "record", "identifier"),
        ("paciente_id", "record", "identifier"),
        ("nome da mãe", "person", "identifier"),
        ("lastName", "person", "identifier"),
        ("Endereço", "address", "identifier"),
        ("ssn", "document", "identifier"),
        ("CS_SEXO", "sex", "quasi"),
        ("identidade_genero", "sex", "quasi"),
        ("RAÇA/COR", "race", "quasi"),
        ("NU_IDADE_N", "age", "quasi"),
        ("paciente_idade", "age", "quasi"),
        ("DTNASC", "birth", "quasi"),
        ("birthDate", "birth", "quasi"),
        ("CODMUNRES", "place", "quasi"),
        ("nome_municipio", "place", "quasi"),
        ("Estado Civil", "marital", "quasi"),
        ("zipCode", "postal", "quasi"),
        ("PA_CBOCOD", "occupation", "quasi"),
        ("CNES", "facility", "quasi"),
        ("PA_CMP", "period", "quasi"),
        ("PA_CIDPRI", "diagnosis", "sensitive"),
        ("cid10", "diagnosis", "sensitive"),
        ("nome_doenca", "diagnosis", "sensitive"),
        ("DIAG_PRINC", "diagnosis", "sensitive"),
        ("PROC_REA", "procedure", "sensitive"),
        ("Orientação Sexual", "sexuality", "sensitive"),
        ("Salário", "money", "sensitive"),
        ("hiv_result", "diagnosis", "sensitive"),
    ],
)
def test_names_are_understood_in_both_languages_and_in_short_forms(name, key, role):
    meaning = meaning_of(name)

    assert meaning is not None
    assert (meaning.key, meaning.role) == (key, role)


@pytest.mark.parametrize("name", ["", "x", "PA_QTDPRO", "cidadela", "IDADEMIN", "package", "nomenclatura", "rgb", "42"])
def test_other_names_say_nothing(name):
    assert meaning_of(name) is None


def test_a_town_is_no_disease_although_the_words_share_their_beginning():
    assert meaning_of("cidade").key == "place"


@pytest.mark.parametrize("language", ["en", "pt"])
def test_every_meaning_has_words(language):
    set_language(language)

    assert all(text(f"inspect.meaning.{meaning.key}") for meaning in MEANINGS)
