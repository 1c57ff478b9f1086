import csv
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import biombo as bb

TABLES = ("cbo", "cid10", "municipality", "sigtap")
RAW = Path("hierarchies")


def column(file: Path, name: str) -> Counter[str | None]:
    """The values of a column as they are written, with how many records have each."""
    return Counter(bb.read(file, columns=[name])[name].decoded().to_list())


def test_each_names_its_source() -> None:
    sources = bb.Hierarchy.built_in_sources()
    assert set(TABLES) | {"age", "cep", "date"} <= set(sources)
    assert all(sources.values())
    assert all(bb.Hierarchy.built_in(name).height for name in sources)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(bb.UsageError, match="'zip'; choose one of: age, cbo"):
        bb.Hierarchy.built_in("zip")


@pytest.mark.parametrize(
    ("name", "cardinalities"),
    [
        ("municipality", (5570, 558, 137, 27, 5)),
        ("cid10", (14_233, 2045, 264, 22)),
        ("sigtap", (4948, 363, 65, 9)),
        ("cbo", (2722, 624, 193, 48, 10)),
    ],
)
def test_tables_are_whole_and_nested(name: str, cardinalities: tuple[int, ...]) -> None:
    table = bb.Hierarchy.built_in(name)
    values = list(table.values)
    for low, high in pairwise(zip(*(table.ancestors(value) for value in values), strict=True)):
        assert len(set(zip(low, high, strict=True))) == len(set(low))
    assert table.recode(values).cardinalities == cardinalities
    assert table.name_of(table.ancestors(values[0])[-1])


def test_a_municipality_is_known_by_six_and_by_seven_digits() -> None:
    municipality = bb.Hierarchy.built_in("municipality")
    assert municipality.ancestors("120040") == municipality.ancestors("1200401") == ("12004", "1202", "12", "1")
    assert not municipality.knows("1200402")
    assert [municipality.name_of(code) for code in ("12004", "1202", "12", "1")] == [
        "Rio Branco",
        "Vale do Acre",
        "Acre",
        "Norte",
    ]


def test_a_diagnosis_is_known_with_its_point_and_as_a_category() -> None:
    cid10 = bb.Hierarchy.built_in("cid10")
    assert cid10.ancestors("F849") == cid10.ancestors("F84.9") == ("F84", "F80-F89", "V")
    assert cid10.ancestors("F84") == ("F84", "F80-F89", "V")


@pytest.mark.parametrize(
    ("category", "group"),
    [("C16", "C15-C26"), ("C50", "C50-C50"), ("T21", "T20-T25"), ("Y05", "X85-Y09"), ("W10", "W00-W19")],
)
def test_of_groups_within_groups_the_innermost_counts(category: str, group: str) -> None:
    assert bb.Hierarchy.built_in("cid10").generalised(category, 2) == group


def test_procedures_and_occupations_go_by_their_digits() -> None:
    assert bb.Hierarchy.built_in("sigtap").ancestors("0301060118") == ("030106", "0301", "03")
    assert bb.Hierarchy.built_in("cbo").ancestors("225125") == ("2251", "225", "22", "2")


def test_ages_come_in_bands() -> None:
    age = bb.Hierarchy.built_in("age")
    assert age.ancestors("042") == ("40-44", "40-49", "40-59", "40-79")
    assert not age.knows("999")


def test_a_postal_code_is_masked_from_the_right() -> None:
    assert bb.Hierarchy.built_in("cep").ancestors("01310-100")[:3] == ("01310-1**", "01310-***", "0131*-***")


def test_months_of_datasus_become_quarters() -> None:
    assert bb.Hierarchy.built_in("month-digits").ancestors("202401") == ("2024-Q1", "2024", "2020-2024", "2020-2029")


def test_municipalities_are_those_of_the_ibge(shared_data: Path) -> None:
    with (shared_data / RAW / "municipios" / "municipios.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    municipality = bb.Hierarchy.built_in("municipality")
    assert list(municipality.values) == [row["municipio6"] for row in rows]
    for row in rows:
        micro, meso, state, region = municipality.ancestors(row["municipio7"])
        assert [micro, meso, state] == [row["id_microrregiao"], row["id_mesorregiao"], row["id_estado"]]
        assert [municipality.name_of(label) for label in (micro, meso, state, region)] == [
            row["microrregiao_nome"],
            row["mesorregiao_nome"],
            row["uf_nome"],
            row["regiao"],
        ]


def test_diagnoses_are_those_of_datasus(shared_data: Path) -> None:
    folder = shared_data / RAW / "cid10"
    subcategories, categories = (
        [line.split(";")[0] for line in (folder / f"CID-10-{file}.CSV").read_text("latin-1").splitlines()[1:]]
        for file in ("SUBCATEGORIAS", "CATEGORIAS")
    )
    cid10 = bb.Hierarchy.built_in("cid10")
    assert (len(subcategories), len(categories)) == (12_451, 2045)
    assert set(cid10.values) == {*subcategories, *categories}
    for code in subcategories:
        category, group, _ = cid10.ancestors(code)
        first, last = group.split("-")
        assert category == code[:3]
        assert first <= category <= last


def test_procedures_are_those_of_sigtap(shared_data: Path) -> None:
    lines = (shared_data / RAW / "sigtap" / "tb_procedimento.txt").read_text("latin-1").splitlines()
    assert set(bb.Hierarchy.built_in("sigtap").values) == {line[:10] for line in lines}


def test_occupations_are_those_of_the_ministry_and_of_sigtap(shared_data: Path) -> None:
    ministry = (shared_data / RAW / "cbo" / "CBO2002_-_Nivel_5_-_Ocupacao.txt").read_text("latin-1").splitlines()
    sigtap = (shared_data / RAW / "sigtap" / "tb_ocupacao.txt").read_text("latin-1").splitlines()
    codes = {line.split("|")[0] for line in ministry}
    assert len(codes) == 2592
    assert set(bb.Hierarchy.built_in("cbo").values) == codes | {line[:6] for line in sigtap}


@pytest.mark.parametrize(
    ("name", "hierarchy", "unknown", "records"),
    [
        ("PA_PROC_ID", "sigtap", 0, 0),
        ("PA_MUNPCN", "municipality", 0, 0),
        ("PA_UFMUN", "municipality", 0, 0),
        ("PA_CIDPRI", "cid10", 2, 94_317),
        ("PA_CBOCOD", "cbo", 0, 0),
        ("PA_IDADE", "age", 1, 4811),
        ("PA_CMP", "month-digits", 0, 0),
    ],
)
def test_the_few_codes_of_siapa_that_are_missing_are_counted_and_given_a_place(
    siapa_file: Path, name: str, hierarchy: str, unknown: int, records: int
) -> None:
    counted = column(siapa_file, name)
    table = bb.Hierarchy.built_in(hierarchy).with_top()
    values, counts = list(counted), list(counted.values())
    found = table.unknown(values, counts)
    assert (len(found), sum(each.count for each in found)) == (unknown, records)
    for answer in ("own-branch", "suppress"):
        codes = table.recode(values, counts=counts, missing=answer)
        assert codes.single_top
        assert list(codes.unknown) == found
