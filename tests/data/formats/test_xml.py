"""XML: an element for each record."""

from pathlib import Path

import pytest
from refusal import refused

from biombo._data import read


@pytest.fixture
def table(tmp_path):
    def write(text: str | bytes) -> Path:
        path = tmp_path / "table.xml"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def values(path: Path) -> dict[str, list[object]]:
    return {name: column.decoded().to_list() for name, column in read(path).columns.items()}


def test_elements_and_attributes_are_columns(table):
    path = table('<people><p id="01"><age> 30 </age><sex/></p>\n<p id="02"><sex>F</sex><city>Rio</city></p></people>')
    assert values(path) == {"id": ["01", "02"], "age": ["30", None], "sex": [None, "F"], "city": [None, "Rio"]}


def test_names_are_told_without_their_prefixes(table):
    path = table(
        '<x:t xmlns:x="u" xmlns:xsi="v"><x:r><x:a xsi:nil="true"/></x:r><x:r><x:a>&lt;1&#233;</x:a></x:r></x:t>'
    )
    assert values(path) == {"a": [None, "<1é"]}


def test_records_of_a_single_text_are_one_column(table):
    assert values(table("<t><age>30</age><age>31</age></t>")) == {"age": ["30", "31"]}


def test_other_encodings_are_read_as_the_file_says(table):
    for encoding in ("latin-1", "windows-1252", "utf-16", "utf-8-sig"):
        said = encoding.removesuffix("-sig")
        text = f'<?xml version="1.0" encoding="{said}"?><t><r><a>São</a></r></t>'
        assert values(table(text.encode(encoding))) == {"a": ["São"]}


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    "declared",
    [
        f'<!DOCTYPE t [<!ENTITY l0 "ha">{LAUGHS}]>',
        '<!DOCTYPE t [<!ENTITY l9 SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE t SYSTEM "http://127.0.0.1/x.dtd">',
        "<!DOCTYPE t [<!ELEMENT t ANY>]>",
    ],
)
def test_document_types_are_refused_and_with_them_all_entities(table, declared):
    with refused("input.xml-doctype", "DOCTYPE"):
        read(table(f"{declared}<t><r><a>&l9;</a></r></t>"))


def test_records_deeper_inside_are_refused(table):
    with refused("input.wrapped", "'row'"):
        read(table("<t><rows><row><a>1</a></row><row><a>2</a></row></rows></t>"))
    nested = table("<t><r><a>1</a><b><c>1</c></b></r><r><a>2</a><b>3</b><b>4</b></r></t>")
    assert read(nested, columns=["a"]).rows == 2
    with refused("input.nested", "'b'"):
        read(nested)
    with refused("input.nested", "'a'"):
        read(table('<t><r><a unit="years">1</a></r></t>'))


def test_elements_of_different_names_are_refused(table):
    with refused("input.xml-names", "'head'", "'row'"):
        read(table("<t><head>x</head><row><a>1</a></row></t>"))


def test_text_outside_of_fields_is_refused(table):
    for text in ("<t>x<r><a>1</a></r></t>", "<t><r>x<a>1</a></r></t>"):
        with refused("input.xml-text", "table.xml"):
            read(table(text))


@pytest.mark.parametrize(
    "text", ["<t><r><a>1</a></r>", "<t", "hello", "<t><r></t></r>", "<t>&unknown;</t>", "<a/><b/>"]
)
def test_what_is_no_xml_is_refused(table, text):
    with refused("input.damaged", "table.xml"):
        read(table(text))


def test_a_root_without_records_is_refused(table):
    for text in ("<t/>", "<t><r/><r/></t>"):
        with refused("input.empty"):
            read(table(text))


def test_what_is_too_long_is_refused(table):
    long = "x" * (20 << 20)
    for text in (f"<t><r><a>{long}</a></r></t>", f'<t><r a="{long}"/></t>', f"<t><!--{long}--><r a='1'/></t>"):
        with refused("input.long-record", "16 MiB"):
            read(table(text))


def test_depth_without_end_is_read_in_bounded_memory(table):
    with refused("input.damaged"):
        read(table("<t>" + "<r>" * 1_000_000))
