"""JSON: lists of records, and records line by line."""

from pathlib import Path

import pytest
from refusal import refused

from biombo._data import read, written
from biombo._errors import BiomboWarning


@pytest.fixture
def table(tmp_path):
    def write(text: str | bytes, name: str = "table.json") -> Path:
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / name

    return write


def values(path: Path) -> dict[str, list[object]]:
    return {name: column.decoded().to_list() for name, column in read(path).columns.items()}


def test_texts_stay_texts_and_numbers_numbers(table):
    path = table('[{"cnes": "0000013", "age": 13, "kg": 1.5, "ok": true, "x": null}, {"cnes": "13", "age": 14}]')
    assert values(path) == {
        "cnes": ["0000013", "13"],
        "age": [13, 14],
        "kg": [1.5, None],
        "ok": [True, None],
        "x": [None, None],
    }


def test_one_and_one_point_zero_are_one_value_and_the_text_is_another_until_it_is_written(table):
    assert read(table('[{"x": 1}, {"x": 1.0}]'))["x"].cardinality == 1
    with pytest.warns(BiomboWarning, match="x"):
        column = read(table('[{"x": 1}, {"x": "1"}, {"x": "a"}]'))["x"]
    assert column.decoded().to_list() == ["1", "1", "a"]


@pytest.mark.parametrize(
    "text", ['{"a": 1}\n{"a": 2}\n', '{"a": 1}{"a": 2}', '\ufeff[{"a":1},\r\n{"a":2}]\n', ' [ {"a":1} , {"a":2} ] ']
)
def test_a_list_and_records_one_after_the_other_are_both_read(table, text):
    assert values(table(text)) == {"a": [1, 2]}


def test_a_field_that_only_a_late_record_has_is_a_column(table):
    path = table("".join(f'{{"a": {number}}}\n' for number in range(3_000)) + '{"b": "x"}', "table.jsonl")
    assert values(path)["b"] == [*[None] * 3_000, "x"]


def test_nan_is_missing_and_infinite_numbers_are_refused(table):
    assert values(table('[{"a": NaN}, {"a": 2.5}]')) == {"a": [None, 2.5]}
    for number in ("Infinity", "-Infinity", "1e999"):
        with refused("input.infinite", "nfinit" if "I" in number else "inf", "2"):
            read(table(f'[{{"a": 1}}, {{"a": {number}}}]'))


def test_a_field_twice_in_a_record_is_refused(table):
    with refused("input.key-twice", "'a'", "2"):
        read(table('[{"a": 1}, {"a": 1, "a": 2}]'))


def test_fields_of_several_values_are_refused_only_when_asked_for(table):
    path = table('[{"a": 1, "b": [1, 2]}, {"a": 2, "b": {"c": 1}}]')
    assert read(path, columns=["a"]).rows == 2
    with refused("input.nested", "'b'"):
        read(path)


def test_a_table_with_something_around_it_is_refused_with_its_place(table):
    with refused("input.wrapped", "'data'"):
        read(table('{"status": "ok", "data": [{"a": 1}, {"a": 2}]}'))


@pytest.mark.parametrize(
    "text",
    [
        *("[1, 2]", '["a"]', "3", '"a"', "[{]", '[{"a": 1}', '[{"a": 1} {"a": 2}]', '[{"a": 1}] x', '{"a": 1}\n2'),
        *("[,]", '[{"a": 1},]', '{"a": 1', "{'a': 1}", '[[{"a": 1}]]', "null"),
    ],
)
def test_what_is_no_list_of_records_is_refused(table, text):
    with refused("input.no-json", "table.json"):
        read(table(text))


def test_a_list_of_nothing_is_refused(table):
    for text in ("[]", "[{}]", " "):
        with refused("input.empty", "table.json"):
            read(table(text))


def test_depth_without_end_is_refused(table):
    with refused("input.deep", "table.json", "1"):
        read(table('[{"a": ' + "[" * 200_000))


def test_numbers_of_thousands_of_digits_are_refused(table):
    with refused("input.no-json"):
        read(table('[{"a": ' + "9" * 10_000 + "}]"))


def test_other_encodings_are_refused(table):
    with refused("input.not-utf8", "UTF-8"):
        read(table('[{"a": "São"}]'.encode("latin-1")))
    with refused("input.utf16"):
        read(table('[{"a": 1}]'.encode("utf-16")))
    with refused("input.half-letters"):
        read(table('[{"a": "\\ud800"}]'))


def test_a_record_that_is_too_long_is_refused(table):
    with refused("input.no-json", "16 MiB"):
        read(table('[{"a": "' + "x" * (18 << 20) + '"}]'))


def test_records_cut_anywhere_by_the_size_of_a_read_are_whole(table):
    """More than a read's worth, of letters that take one to four bytes."""
    rows = [f"{number}é𝄞" * 9 for number in range(120_000)]
    path = table("[" + ",".join(f'{{"a": "{row}"}}' for row in rows) + "]")
    assert path.stat().st_size > 2 * (1 << 22)
    assert values(path) == {"a": rows}


def test_fields_without_a_name_are_called_by_their_place(table):
    assert values(table('[{"": 1, " b ": 2}]')) == {"column_1": [1], "b": [2]}


def test_numbers_are_written_as_everywhere(table):
    column = read(table('[{"a": 1.0}, {"a": 2.50}, {"a": -0.0}]'))["a"]
    assert written(column.decoded()).to_list() == ["1", "2.5", "0"]
