"""A record must not become the names of the columns: they go out with every release."""

import random
from collections.abc import Sequence
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import given
from refusal import refused
from written_tables import FORMATS

import biombo as bb
from biombo._cli import main
from biombo._data.formats import like_values, title_rows

RANDOM = random.Random(5)
TOWNS = ("120040", "120020", "130260")


def person(number: int) -> list[str]:
    born = f"{RANDOM.randrange(1930, 2010)}-{RANDOM.randrange(1, 13):02}-{RANDOM.randrange(1, 29):02}"
    return [f"Joao Souza {number}", born, RANDOM.choice(TOWNS), RANDOM.choice(["B24", "A90", "J189"])]


PEOPLE = [person(number) for number in range(60)]
NAMES = ["nome", "nascimento", "municipio", "cid"]


def test_a_file_without_a_header_is_refused_by_every_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.csv"
    path.write_text("\n".join(",".join(row) for row in PEOPLE))
    with refused("input.no-header", "people.csv", "1"):
        bb.read(path)
    for command in (["inspect", path], ["start", path, "--yes"], ["risk", path, "--quasi", "nome"]):
        assert main([str(part) for part in command]) == 2
        said = "".join(capsys.readouterr())
        assert "seems to be a record" in " ".join(said.split())
        assert not any(value in said for value in PEOPLE[0])
    assert [each.name for each in tmp_path.iterdir()] == ["people.csv"]


@pytest.mark.parametrize("name", ["table.csv", "table.csv.gz", "csv.zip", "table.xlsx", "table.ods"])
def test_that_holds_for_whatever_has_its_names_in_a_row(tmp_path: Path, name: str) -> None:
    headless = {first: [row[place] for row in PEOPLE[1:]] for place, first in enumerate(PEOPLE[0])}
    FORMATS[name](headless, tmp_path / name)
    with refused("input.no-header", name):
        bb.read(tmp_path / name)


@given(st.sets(st.sampled_from(range(4)), min_size=1), st.integers(0, 40))
def test_any_of_the_columns_gives_it_away_and_names_do_not(places: set[int], first: int) -> None:
    columns = sorted(places)
    rows = [[row[place] for place in columns] for row in PEOPLE[first:]]
    assert like_values(rows[0], rows[1:]) is not None
    assert like_values([NAMES[place] for place in columns], rows) is None


RECORDS: list[list[Sequence[str]]] = [
    [["30"], ["31"], ["28"], ["45"]],
    [["12.5", "F"], ["13.0", "M"], ["9.25", "F"]],
    [["F", "Rio"], ["M", "Lima"], ["F", "Rio"]],
    [["F"], ["M"], ["F"]],
    [["ana@x.org"], ["bia@y.org"], ["caio@z.org"]],
    [["529.982.247-25"], ["111.444.777-35"], ["935.411.347-80"]],
    [["31/12/1990", "x"], ["01/02/1984", "y"]],
    [["1990", "a"], ["1984", "b"], ["2001", "c"]],
    [["1", "2", "5"], ["1", "3", "4"], ["2", "2", "5"]],
    [["White", "*"], ["Black", "*"], ["Asian", "*"]],
    [["Maria Lima", "Rua Bela"], ["Ana Sousa", "Rua Nova"], ["Bia Reis", "Rua Alta"], ["Eva Dias", "Rua Longa"]],
]


@pytest.mark.parametrize("rows", RECORDS)
def test_records_are_not_taken_for_names(rows: list[list[str]]) -> None:
    assert like_values(rows[0], rows[1:]) is not None


HEADERS: list[tuple[Sequence[str], list[Sequence[str]]]] = [
    (["age"], [["30"], ["31"]]),
    (["2019", "2020", "2021"], [["15", "18", "20"], ["2020", "2001", "1999"], ["1999", "2005", "2010"]]),
    (["municipio", "2019"], [["Rio Branco", "1520"], ["Xapuri", "2011"], ["Feijó", "890"]]),
    (["uf", "1990", "2000", "2010", "2022"], [["AC", "1991", "2001", "2002", "2003"], ["AM", "4", "5", "6", "7"]]),
    (["0", "1", "2"], [["5", "1", "2"], ["3", "1", "0"]]),
    (["item", "1", "2"], [["4", "1", "2"], ["5", "2", "2"]]),
    (["uf", "0-4", "5-9", "10+"], [["AC", "12", "3", "44"], ["AM", "5", "6", "7"]]),
    (["city", "2020-03-01", "2020-03-02"], [["Rio", "3", "5"], ["Lima", "0", "1"]]),
    (["id", "dengue", "zika"], [["a", "dengue", ""], ["b", "", ""], ["c", "", "zika"], ["d", "dengue", "zika"]]),
    (["Nome Completo", "Rua ou Avenida"], [["Maria Lima", "Rua e Casa"], ["Ana Reis", "Rua e Lote"]] * 3),
    (["Cidade", "Bairro"], [["Recife", "Centro"], ["Olinda", "Carmo"], ["Caruaru", "Salgado"]]),
    (["id", "name"], [["1", "Ana"], ["id", "name"], ["2", "Bia"]]),  # two files, one behind the other
    (["Q01", "Q02"], [["1", "5"], ["2", "4"]]),
    (["", "x"], [["0", "a"], ["1", "b"]]),
    (["age", "sex"], []),
]


@pytest.mark.parametrize(("names", "rows"), HEADERS)
def test_names_are_not_taken_for_records(names: Sequence[str], rows: list[Sequence[str]]) -> None:
    assert like_values(names, rows) is None


UNTITLED = {
    "one column with commas": "Endereço do paciente\nRua das Flores, Centro, Rio\n"
    "Rua Nova, Lapa, Rio\nAv Sul, Boa Vista, Rio\n",
    "a name above empty ones": "Pessoa do registro,,,,\n"
    + "".join(f"Ana{n},Rua {'BCDEF'[n]},Rio,flu,F\n" for n in range(5)),
    "a list": "Cadastro de pessoas\nMaria da Silva,HIV positiva,Rua A\nJosé Reis,dengue,Rua C\nAna Lima,zika,Rua D\n",
}


@pytest.mark.parametrize("written", UNTITLED.values(), ids=UNTITLED)
def test_no_record_becomes_a_header_because_a_title_stands_above_it(tmp_path: Path, written: str) -> None:
    path = tmp_path / "people.csv"
    path.write_text(written, "utf-8")
    try:
        told = " ".join(bb.read(path).columns)
    except bb.InputError as error:
        told = str(error)
    assert not any(cell.strip() in told for cell in written.splitlines()[1].split(","))


def test_a_title_needs_a_header_that_can_be_told_from_the_rows() -> None:
    rows = [["Ana", "flu", "Rio"], ["Bia", "gripe", "Lima"], ["Caio", "tosse", "Cusco"]]
    assert title_rows([["People of the register", None, None], *rows]) == 0
    assert title_rows([["People of the register", None, None], ["name", "disease", "city"], *rows]) == 1
    assert title_rows([["People of the register", None, None], ["a", "b", "c"], ["1", "2", "3"]]) == 1


def test_the_files_that_are_here_have_headers_or_are_refused(shared_data: Path) -> None:
    for name in ("adult/adult.csv", "credit/creditcard.csv", "hierarchies/municipios/municipios.csv"):
        assert bb.read(shared_data / name).rows > 0
    for name in ("adult/adult_hierarchy_age.csv", "credit/creditcard_int_hierarchy_SEX.csv"):
        with refused("input.no-header"):
            bb.read(shared_data / name)
