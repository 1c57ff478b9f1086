import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusal import refused

from biombo._data import read
from biombo._data.formats import CsvFile


@pytest.fixture
def written(tmp_path):
    def write(content: bytes | str, name: str = "table.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def rows(path: Path) -> list[tuple[str | None, ...]]:
    data = read(path)
    return list(zip(*(column.decoded().to_list() for column in data.columns.values()), strict=True))


def test_codes_stay_text(written):
    assert rows(written("cnes,age\n0000013,007\n0000014,7\n")) == [("0000013", "007"), ("0000014", "7")]


def test_an_empty_field_is_missing_quoted_or_not(written):
    assert rows(written('a,b\n1,\n"",2\n')) == [("1", None), (None, "2")]


@pytest.mark.parametrize("word", ["NA", "NULL", "nan", "None", "-", " "])
def test_words_for_missing_stay_words(written, word):
    assert rows(written(f"a,b\n{word},1\n")) == [(word, "1")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(written, delimiter):
    content = f"a{delimiter}b{delimiter}c\n1{delimiter}x y{delimiter}3\n"
    assert rows(written(content)) == [("1", "x y", "3")]


def test_a_delimiter_inside_quotes_does_not_count(written):
    content = 'name;value\n"a,b,c";"1,5"\n"d,e,f";"2,5"\n'
    assert rows(written(content)) == [("a,b,c", "1,5"), ("d,e,f", "2,5")]


def test_decimal_commas_do_not_pass_for_delimiters(written):
    assert rows(written("uf;valor\nAC;1,5\nSP;2,5\n")) == [("AC", "1,5"), ("SP", "2,5")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252"])
def test_the_encoding_is_found(written, encoding):
    path = written("município;uf\nSão João d'Aliança;GO\n".encode(encoding))
    assert CsvFile(path).columns == ["município", "uf"]
    assert rows(path) == [("São João d'Aliança", "GO")]


def test_the_euro_sign_of_windows_is_understood(written):
    assert rows(written("a,b\n5 €,1\n".encode("cp1252"))) == [("5 €", "1")]


def test_an_accent_late_in_the_file_is_still_understood(written):
    content = b"a,b\n" + b"x,1\n" * 300_000 + "é,2\n".encode("latin-1")
    assert read(written(content))["a"].values.to_list() == ["x", "é"]


def test_newlines_within_quotes_belong_to_the_value(written):
    assert rows(written('a,b\n"x\ny",1\n"z\r\n",2\n')) == [("x\ny", "1"), ("z\r\n", "2")]


def test_quotes_are_written_twice(written):
    assert rows(written('a,b\n"say ""hi""",1\n5" pipe,2\n')) == [('say "hi"', "1"), ('5" pipe', "2")]


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_ending_is_understood(written, newline):
    assert rows(written(newline.join(["a,b", "1,2", "3,4"]))) == [("1", "2"), ("3", "4")]


def test_blank_lines_do_not_count(written):
    assert rows(written("\n\na,b\n1,2\n\n3,4\n\n")) == [("1", "2"), ("3", "4")]


def test_in_a_single_column_a_blank_line_is_a_missing_value(written):
    assert rows(written("a\n1\n\n3\n")) == [("1",), (None,), ("3",)]


def test_columns_without_a_name_are_called_by_their_place(written):
    assert CsvFile(written(",a,\n1,2,3\n")).columns == ["column_1", "a", "column_3"]


def test_only_the_columns_asked_for_are_read(written):
    data = read(written("a,b,c\n1,2,3\n"), columns=["c", "a"])
    assert list(data.columns) == ["c", "a"]


def test_a_gzip_compressed_file_is_unpacked(written):
    assert rows(written(gzip.compress(b"a,b\n01,2\n"), "table.csv.gz")) == [("01", "2")]


def test_a_row_of_the_wrong_length_is_refused_with_its_line(written):
    path = written('a,b\n1,2\n\n"x\ny",3\n4,5,6\n7,8\n')
    with refused("input.fields", "6", str(path), "3", "2"):
        read(path)


def test_a_short_row_late_in_the_file_is_refused_with_its_line(written):
    with refused("input.fields"):
        read(written("a,b\n" + "1,2\n" * 50_000 + "1\n"))


def test_empty_files_are_refused(written):
    for content in ("", "\n\n", "\ufeff"):
        path = written(content)
        with refused("input.empty-file", str(path)):
            read(path)


@pytest.mark.parametrize("content", ["a,b\n", "a,b"])
def test_a_header_without_rows_is_refused(written, content):
    path = written(content)
    with refused("input.empty", str(path)):
        read(path)


def test_repeated_names_in_the_header_are_refused(written):
    with refused("input.repeated-columns", "age"):
        read(written("age,sex,age\n1,2,3\n"))


@pytest.mark.parametrize("content", ['a,b\n1,"2\n3,4\n', 'a,b\n1,"2\n3,4', 'a,b\n"1,2\n3,4\n', 'a,b\n1,2\n3,"'])
def test_a_quote_left_open_is_refused_instead_of_swallowing_rows(written, content):
    path = written(content)
    with refused("input.open-quote", str(path)):
        read(path)


def test_a_quote_left_open_in_a_large_file_is_refused(written):
    with refused("input.long-row", "16 MiB"):
        read(written(b'a,b\n1,"2\n' + b"3,4\n" * 10_000_000))


def test_another_delimiter_than_the_known_ones_is_named_when_a_column_is_missing(written):
    with refused("column.single", "'age'", "'age#sex'"):
        read(written("age#sex\n1#2\n"), columns=["age"])


def test_zero_bytes_are_refused(written):
    for content in (b"a,b\n1,\x00\n", b"a,b\n" + b"1,2\n" * 100_000 + b"1,\x00\n"):
        with refused("input.nul"):
            read(written(content))


def test_utf_16_is_refused_with_the_remedy(written):
    with refused("input.utf16", "UTF-8"):
        read(written("a,b\n1,2\n".encode("utf-16")))


def test_bytes_of_no_encoding_are_refused(written):
    with refused("input.undecodable", "'b'"):
        read(written(b"a,b\n1,\x81\x8d\n"))
    with refused("input.undecodable-header"):
        read(written(b"a\x81,b\n1,2\n"))


def test_a_first_line_without_end_is_refused(written):
    for content in (b"a" * 400_000, b",".join([b"abc"] * 100_000)):
        with refused("input.long-header"):
            read(written(content))


def test_a_field_of_a_megabyte_is_read(written):
    assert rows(written("a,b\n1," + "x" * 1_000_000 + "\n")) == [("1", "x" * 1_000_000)]


cells = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=6)


@given(
    st.integers(2, 4).flatmap(lambda width: st.lists(st.tuples(*[cells] * width), min_size=1)),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_what_the_standard_library_writes_is_read_back(tmp_path_factory, table, delimiter):
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([[f"name{place}" for place in range(len(table[0]))], *table])
    path = tmp_path_factory.mktemp("csv") / "table.csv"
    path.write_bytes(buffer.getvalue().encode())
    assert rows(path) == [tuple(cell or None for cell in row) for row in table]


def test_a_row_of_the_wrong_length_in_latin_1_is_refused_with_its_line(written):
    with refused("input.fields", "3"):
        read(written("a,b\nã,é\né\n".encode("latin-1")))


def test_commas_in_texts_do_not_make_a_header_of_a_record(tmp_path):
    rows = ["nome;cidade;queixa", *("Ana;Rio;dor" for _ in range(39)), "Maria Z;Canta;dor, sexo, idade"]
    path = tmp_path / "people.csv"
    path.write_text("\n".join([*rows, *("Ana;Rio;dor, febre, tosse" for _ in range(600))]) + "\n")
    for content in (path.read_text(), "\n".join([*rows[:4], rows[-1]]) + "\n"):
        path.write_text(content)
        assert list(read(path).columns) == ["nome", "cidade", "queixa"]
