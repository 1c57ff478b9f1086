from pathlib import Path

import pytest

import biombo as bb


@pytest.fixture
def table(tmp_path: Path):
    def write(content: str | bytes) -> Path:
        file = tmp_path / "h.csv"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    return write


def test_a_csv_lists_what_each_value_becomes(table) -> None:
    zip_codes = bb.Hierarchy.from_csv(table("02138;0213*;021**\n02142;0214*;021**\n"))
    assert zip_codes.height == 2
    assert [zip_codes.generalised("02138", level) for level in range(3)] == ["02138", "0213*", "021**"]


def test_latin_1_and_commas_are_read_too(table) -> None:
    states = bb.Hierarchy.from_csv(table("São Paulo,Sudeste\nRoraima,Norte\n".encode("latin-1")))
    assert states.generalised("São Paulo", 1) == "Sudeste"


@pytest.mark.parametrize("mark", [";", "\t", "|", ","])
def test_the_mark_between_levels_is_found(table, mark: str) -> None:
    rows = [["a", "x", "*"], ["b", "y", "*"]]
    assert bb.Hierarchy.from_csv(table("\n".join(mark.join(row) for row in rows))).ancestors("b") == ("y", "*")


def test_a_label_may_have_commas_of_its_own(table) -> None:
    ages = bb.Hierarchy.from_csv(table("21;[20, 25), young, or so\n26;[25, 30), young, or so\n"))
    assert ages.ancestors("21") == ("[20, 25), young, or so",)


def test_quotes_byte_order_marks_and_empty_lines_are_understood(table) -> None:
    found = bb.Hierarchy.from_csv(table('\ufeff"a;b";x\n\n"two\nlines";x\n'))
    assert list(found.values) == ["a;b", "two\nlines"]


def test_the_same_row_twice_does_no_harm(table) -> None:
    assert len(bb.Hierarchy.from_csv(table("a;x\na;x\nb;x\n")).values) == 2


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a;b\nc\n", "line 2 has 1 levels where the first has 2"),
        ("a;b\na;c\n", "'a' stands twice .*line 2"),
        ("a\nb\n", "two levels"),
        ("", "two levels"),
        ("\n\n", "two levels"),
        ("a;x;p\nb;y;p\nc;x;q\n", r"'x' of level 1 lies in two groups .*'p' \('a'\), 'q' \('c'\) \(line 3\)"),
        ("a;*;p\nb;y;p\n", r"'\*' of level 1 .* \(line 1\)"),
        ("a;b\nb;a\n", r"circle, .* \(line 2\)"),
        ("a;b;c\nc;d;a\n", r"a → b → c → d → a \(line 2\)"),
        (";".join(map(str, range(102))), "more than 100 levels"),
        (b"a;" + b"x" * 200_000 + b"\n", "line 1 .*field larger"),
    ],
)
def test_a_broken_table_is_refused_with_its_values_and_line(table, content: str | bytes, words: str) -> None:
    with pytest.raises(bb.InputError, match=words) as refused:
        bb.Hierarchy.from_csv(table(content))
    assert "h.csv" in str(refused.value)


@pytest.mark.parametrize("name", ["nowhere.csv", "no\0where.csv", "."])
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(bb.InputError, match=rf"where|{tmp_path.name}"):
        bb.Hierarchy.from_csv(tmp_path / name)


def test_a_group_may_be_called_like_one_of_its_values(table) -> None:
    cid = bb.Hierarchy.from_csv(table("A09;A09;I\nA000;A00;I\nA00;A00;I\n"))
    assert cid.ancestors("A09") == ("A09", "I")


@pytest.mark.parametrize(
    ("column", "rows", "height", "tops"),
    [
        ("age", 100, 4, 1),
        ("education", 16, 3, 1),
        ("marital-status", 7, 2, 1),
        ("native-country", 41, 2, 1),
        ("occupation", 14, 2, 1),
        ("race", 5, 1, 1),
        ("salary-class", 2, 1, 1),
        ("sex", 2, 1, 1),
        ("workclass", 8, 2, 1),
    ],
)
def test_arx_files_are_read_as_they_are(shared_data: Path, column: str, rows: int, height: int, tops: int) -> None:
    hierarchy = bb.Hierarchy.from_csv(shared_data / "adult" / f"adult_hierarchy_{column}.csv")
    codes = hierarchy.recode(list(hierarchy.values))
    assert (len(hierarchy.values), hierarchy.height, codes.cardinalities[-1]) == (rows, height, tops)
    assert hierarchy.has_top
    assert hierarchy.with_top() is hierarchy
    assert codes.domain == rows == codes.leaves[-1][0]


def test_every_value_of_adult_is_in_its_hierarchy(shared_data: Path) -> None:
    data = bb.read(shared_data / "adult" / "adult.csv")
    for column in data.columns:
        hierarchy = bb.Hierarchy.from_csv(shared_data / "adult" / f"adult_hierarchy_{column}.csv")
        assert hierarchy.unknown([str(value) for value in data[column].values]) == []


def test_the_ages_of_arx_are_intervals(shared_data: Path) -> None:
    listed = bb.Hierarchy.from_csv(shared_data / "adult" / "adult_hierarchy_age.csv")
    ages = list(listed.values)
    # The file has 5 in the group called 0-4, 10 in 5-9, and so on: its groups start at 1, whatever their names say.
    assert listed.generalised("5", 1) == "0-4"
    ruled = bb.Hierarchy.by_interval(5, [2, 4], origin=1, labels="inclusive").with_top()
    assert ruled.recode(ages).codes.tolist() == listed.recode(ages).codes.tolist()
