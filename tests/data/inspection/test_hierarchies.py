"""How columns can be generalised: what is proposed for values of each kind, and why."""

import random

import pytest
from made_up import dataset

import biombo as bb
from biombo._data.inspection import inspect

RANDOM = random.Random(7)
TOWNS = list(bb.Hierarchy.built_in("municipality").values)
DAYS = [f"{1940 + n % 70}-{1 + n % 12:02}-{1 + n % 28:02}" for n in range(200)]


def proposed(name: str, values: list, **others: list):
    return inspect(dataset({name: values, **others})).hierarchies[name]


@pytest.mark.parametrize(
    ("name", "values", "document"),
    [
        ("munic_res", TOWNS[:60] * 2, "municipality"),
        ("munic_res", [f"{town}?"[:6] for town in TOWNS[:60]], "municipality"),
        ("cod_municipio", list(bb.Hierarchy.built_in("municipality").spellings)[:60] * 2, "municipality"),
        ("uf", ["AC", "SP", "RJ"] * 20, "state"),
        ("cep", [f"6990{n:04}" for n in range(50)] * 2, "cep"),
        ("cbo", list(bb.Hierarchy.built_in("cbo").values)[:50] * 2, "cbo"),
        ("idade", [str(n) for n in range(90)], "age"),
        ("idade", [f"4{n:02}" for n in range(90)] + ["310", "205"], "coded-age"),
        ("nu_idade_n", [f"4{n:03}" for n in range(90)], "coded-age"),
        ("dtnasc", DAYS, "date"),
        ("dtnasc", [day.replace("-", "") for day in DAYS], "date-digits"),
        ("dtnasc", ["".join(reversed(day.split("-"))) for day in DAYS], "date-dmy-digits"),
        ("dtnasc", ["/".join(reversed(day.split("-"))) for day in DAYS], "date-dmy"),
        ("sexo", ["F", "M"] * 20, {"kind": "all-or-nothing"}),
    ],
)
def test_values_that_are_known_get_the_hierarchy_that_comes_with_the_program(name, values, document):
    assert proposed(name, values).document == document


def test_dates_of_a_short_period_are_told_by_months_and_quarters():
    days = [f"202001{1 + n % 28:02}" for n in range(60)] + [f"2020{1 + n % 12:02}10" for n in range(60)]
    assert proposed("dt_inter", days, sexo=["F", "M"] * 60).document == {
        "kind": "date",
        "levels": ["month", "quarter", "year"],
        "format": "YYYYMMDD",
    }


def test_values_that_the_hierarchy_lacks_stay_apart_so_that_no_search_stops_at_them():
    found = proposed("idade", [str(n) for n in range(90)] + ["888", "888"])
    assert found.document == {"kind": "built-in", "name": "age", "missing": "own-branch"}
    assert found.hierarchy.knows("888")
    assert "888" not in str(found.document)


def test_a_facility_becomes_its_municipality_and_then_what_that_is_in():
    facilities = [f"20{RANDOM.randrange(40):05}" for _ in range(400)]
    place = {name: TOWNS[int(name) % 9] for name in facilities}
    found = proposed("cnes", facilities, munic_mov=[place[name] for name in facilities])
    assert found.document == {"kind": "columns", "columns": ["munic_mov"], "then": "municipality"}
    assert found.example[1] == place[found.example[0]]
    assert not any(name in str(found.document) for name in facilities)


def test_columns_that_are_kept_back_are_not_read_for_labels():
    facilities = [f"20{RANDOM.randrange(40):05}" for _ in range(400)]
    found = proposed("cnes", facilities, gestor=[TOWNS[int(name) % 9] for name in facilities])
    assert found.document is None
    assert "no hierarchy" in found.reason


def test_a_column_for_which_nothing_fits_says_so():
    found = proposed("pais", [f"country {'abcdefghijklmnopqrstuvwxyz'[n]}{'x' * n}" for n in range(26)] * 4)
    assert (found.document, found.levels, found.example) == (None, (), ())
    assert "no hierarchy" in found.reason


def test_numbers_that_no_document_holds_get_no_bands():
    found = proposed("filhos", [str(10**19 * (10 + n % 70)) for n in range(210)], sexo=["F", "M"] * 105)
    assert (found.document or {}).get("kind") != "interval"


def test_sensitive_codes_get_one_for_their_names():
    codes = list(bb.Hierarchy.built_in("cid10").values)[:40] * 2
    assert inspect(dataset({"cid": codes, "sexo": ["F", "M"] * 40})).schema["cid"].hierarchy == "cid10"


def test_what_is_written_into_the_schema_can_be_searched_with(tmp_path):
    rows = 600
    facilities = [f"20{RANDOM.randrange(40):05}" for _ in range(rows)]
    table = {
        "cnes": facilities,
        "munic_mov": [TOWNS[int(name) % 9] for name in facilities],
        "idade": [f"4{RANDOM.randrange(90):02}" for _ in range(rows - 1)] + ["999"],
        "sexo": [RANDOM.choice("FM") for _ in range(rows)],
        "dtobito": [f"{1 + n % 28:02}{1 + n % 12:02}2022" for n in range(rows)],
    }
    file = tmp_path / "schema.yaml"
    file.write_text(inspect(dataset(table)).to_yaml(), "utf-8")
    import polars as pl

    found = bb.search(bb.read(pl.DataFrame(table), schema=file), bb.KAnonymity(10), max_suppression=0.05)
    assert found
    again = bb.Plan.from_tree(found[0].plan.to_tree())
    assert again == found[0].plan


def test_many_columns_get_so_few_levels_that_all_combinations_can_be_tried():
    rows = 300
    table = {f"munic_{n}": [RANDOM.choice(TOWNS) for _ in range(rows)] for n in range(12)}
    found = inspect(dataset(table)).hierarchies
    combinations = 1
    for each in found.values():
        combinations *= each.hierarchy.with_top().height + 1
    assert combinations <= 4_194_304
    assert all("only" in each.document or each.document == {"kind": "all-or-nothing"} for each in found.values())
    assert any("only" in each.document for each in found.values())
