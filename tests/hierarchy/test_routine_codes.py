"""Codes that the files of public bodies hold beside the lists."""

import pytest

import biombo as bb


@pytest.mark.parametrize(
    ("name", "code", "above"),
    [
        ("municipality", "170000", ("17000", "1700", "17", "1")),
        ("municipality", "530040", ("53001", "5301", "53", "5")),
        ("municipality", "999999", ("99999", "9999", "99", "9")),
        ("cbo", "999993", ("sem ocupação",) * 4),
        ("cbo", "998999", ("ocupação ignorada",) * 4),
        ("cbo", "223115", ("2231", "223", "22", "2")),
        ("cbo", "62202", ("6220", "622", "62", "6")),
        ("sigtap", "0214010104", ("021401", "0214", "02")),
        ("cid10", "A90X", ("A90", "A90-A99", "I")),
        ("state", "AC", ("1",)),
        ("state", "99", ("9",)),
        ("date-dmy-digits", "27091964", ("1964-09", "1964", "1960-1964", "1960-1969")),
    ],
)
def test_they_have_a_place(name, code, above):
    assert bb.Hierarchy.built_in(name).ancestors(code) == above


@pytest.mark.parametrize(
    ("name", "code"), [("sigtap", "9914010104"), ("cbo", "998877"), ("cid10", "A9X0"), ("state", "54")]
)
def test_what_only_looks_like_a_code_has_none(name, code):
    assert not bb.Hierarchy.built_in(name).knows(code)


def test_they_do_not_count_among_the_values_that_loss_is_measured_by():
    towns = bb.Hierarchy.built_in("municipality")
    listed, with_routine = towns.recode(["120040", "120033"]), towns.recode(["120040", "120033", "170000"])
    assert (listed.domain, with_routine.domain) == (5570, 5571)
    assert with_routine.leaves[1].tolist() == [*listed.leaves[1].tolist(), 1]


@pytest.mark.parametrize(
    ("name", "code", "called"),
    [
        ("sigtap", "0416120024", "MASTECTOMIA RADICAL COM LINFADENECTOMIA AXILAR EM ONCOLOGIA"),
        ("cid10", "C509", "Neoplasia maligna da mama, não especificada"),
        ("municipality", "1200401", "Rio Branco"),
        ("municipality", "170000", "Tocantins, município ignorado"),
        ("cbo", "999993", "Aposentado ou pensionista"),
        ("cbo", "225125", "Médico clínico"),
    ],
)
def test_values_have_names(name, code, called):
    assert bb.Hierarchy.built_in(name).name_of(code) == called


def test_nesting_holds_for_them_too():
    for name in ("municipality", "cbo", "sigtap", "cid10", "state"):
        table = bb.Hierarchy.built_in(name)
        codes = [*table.values, *table.routine, "0214010104", "223115", "A90X"]
        paths = [(code, *above) for code in codes if (above := table.ancestors(code)) is not None]
        for level in range(table.height):
            parents = {}
            for path in paths:
                assert parents.setdefault(path[level], path[level + 1]) == path[level + 1], (name, path)
