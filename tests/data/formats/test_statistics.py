"""Files of SPSS, Stata and SAS, with what they say of themselves."""

import builtins
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest
from refusal import refused

from biombo import Watch
from biombo._data import SourceTable, inspect, read, written
from biombo._data.formats import StatisticsFile

FRAME = pd.DataFrame(
    {
        "cnes": ["0000013", "13", ""],
        "race": [1.0, 9.0, None],
        "income": [1500.5, -8.0, 99998.0],
        "born": [date(1990, 1, 31), None, date(2001, 12, 1)],
    }
)


@pytest.fixture
def sav(tmp_path) -> Path:
    path = tmp_path / "people.sav"
    pyreadstat.write_sav(
        FRAME,
        str(path),
        column_labels={"race": "Raça/cor", "income": "Renda"},
        variable_value_labels={"race": {1.0: "branca", 9.0: "ignorado"}},
        missing_ranges={"race": [9.0], "income": [{"lo": 90000.0, "hi": 99999.0}, -8.0]},
    )
    return path


def test_codes_are_values_and_dates_are_dates(sav):
    data = read(sav)
    assert data["cnes"].decoded().to_list() == ["0000013", "13", None]
    assert written(data["race"].decoded()).to_list() == ["1", "9", None]
    assert data["born"].decoded().to_list() == [date(1990, 1, 31), None, date(2001, 12, 1)]


def test_a_file_of_spss_is_known_by_how_it_begins_whatever_it_is_called(sav):
    assert read(sav.rename(sav.with_suffix(".csv")))["cnes"].decoded().to_list() == ["0000013", "13", None]
    damaged = sav.with_suffix(".txt")
    damaged.write_bytes(b"$FL2")
    with refused("input.damaged", str(damaged)):
        read(damaged)


def test_labels_can_be_asked_for(sav):
    table = SourceTable.open(sav)
    assert table.labels == {"race": "Raça/cor", "income": "Renda"}
    assert table.value_labels == {"race": {"1": "branca", "9": "ignorado"}}


def test_codes_for_missing_values_are_kept_and_said_and_proposed_as_invalid(sav):
    said: list[str] = []
    with Watch(remark=said.append):
        found = inspect(read(sav)).schema
    assert found["race"].label == "Raça/cor"
    assert found["race"].invalid == {"9"}
    assert found["income"].invalid == {"-8", "99998"}
    assert found["cnes"].invalid == frozenset()
    assert len(said) == 1
    assert "race, income" in said[0]


def test_stata_and_sas_files_are_read_with_their_labels(tmp_path):
    frame = FRAME.drop(columns="born").assign(seen=[datetime(2024, 1, 31, 13, 5)] * 3)
    labels: Any = {"race": {1: "branca", 9: "ignorado"}}
    pyreadstat.write_dta(frame, str(tmp_path / "x.dta"), column_labels={"race": "Raça"}, variable_value_labels=labels)
    pyreadstat.write_xport(frame.drop(columns="seen"), str(tmp_path / "x.xpt"), column_labels={"race": "Raça"})
    pyreadstat.write_por(frame.drop(columns="seen"), str(tmp_path / "x.por"), column_labels={"race": "Raça"})
    for path in sorted(tmp_path.iterdir()):
        if path.suffix != ".por":  # whose writer loses them
            assert SourceTable.open(path).labels == {"race": "Raça"}
        data = {name.lower(): written(column.decoded()).to_list() for name, column in read(path).columns.items()}
        assert data["cnes"] == ["0000013", "13", None]
        assert data["race"] == ["1", "9", None]
    assert read(tmp_path / "x.dta")["seen"].decoded().to_list() == [datetime(2024, 1, 31, 13, 5)] * 3
    assert SourceTable.open(tmp_path / "x.dta").value_labels == {"race": {"1": "branca", "9": "ignorado"}}


def test_the_kinds_of_missing_that_stata_has_are_missing(tmp_path):
    path = str(tmp_path / "x.dta")
    pyreadstat.write_dta(pd.DataFrame({"age": [30.0, "a", None]}), path, missing_user_values={"age": ["a"]})
    assert read(path)["age"].decoded().to_list() == [30.0, None, None]


def test_more_rows_than_are_read_at_a_time_are_all_read(tmp_path):
    pyreadstat.write_sav(pd.DataFrame({"a": range(25), "b": ["x"] * 25}), str(tmp_path / "x.sav"))
    batches = list(StatisticsFile(tmp_path / "x.sav", cells=10).batches(["a", "b"]))
    assert [batch.num_rows for batch in batches] == [5] * 5
    assert [number for batch in batches for number in batch.column("a").to_pylist()] == list(range(25))


def test_without_the_package_the_line_that_installs_it_is_named(sav, monkeypatch):
    real = builtins.__import__

    def without(name: str, *others: Any) -> Any:
        if name == "pyreadstat":
            raise ImportError
        return real(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    with refused("input.no-pyreadstat", "pip install 'biombo[statistics]'"):
        read(sav)


def test_damaged_files_are_refused(sav):
    whole = sav.read_bytes()
    for content in (whole[:100], whole[: len(whole) - 20], b"$FL2" + bytes(400)):
        sav.write_bytes(content)
        with refused("input.damaged", str(sav)):
            read(sav)
