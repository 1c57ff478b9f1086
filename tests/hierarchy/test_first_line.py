"""A header line in a hierarchy's file: decided by the file and the column's name, and said whichever way."""

from pathlib import Path

import polars as pl
import pytest
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

import biombo as bb
from biombo._cli import main

AGES = "31;30-39;*\n34;30-39;*\n52;50-59;*\n"


@pytest.fixture
def said():
    """What is warned of meanwhile."""
    sentences: list[str] = []
    with bb.Watch(warning=sentences.append):
        yield sentences


def found(tmp_path: Path, content: str, column: str, values: list[str], **options) -> bb.SearchResult:
    """A search with the hierarchy that is in the file, which is called after the column."""
    file = tmp_path / f"{column}.csv"
    file.write_text(content, encoding="utf-8")
    data = bb.read(pl.DataFrame({column: values}))
    return bb.search(data, bb.KAnonymity(2), quasi=[column], hierarchies=tmp_path, **options)  # type: ignore[return-value]


AGED = ["31", "34", "52", "52"]


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("age;level 1;level 2", "begins with the column's name"),
        ("Age;bands;all", "begins with the column's name"),
        ("level 0;level 1;level 2", "above the values"),
        ("Nível 0;Nível 1;Nível 2", "above the values"),
        ("years;bands;all", "begins with no number"),
        ("age;bands;*", "begins with the column's name"),
    ],
)
def test_a_header_is_taken_for_one_and_said(tmp_path: Path, said: list[str], header: str, why: str) -> None:
    plans = found(tmp_path, f"{header}\n{AGES}", "age", AGED)
    (hierarchy,) = [column.hierarchy for column in plans[0].columns]
    assert hierarchy.content_hash() == bb.Hierarchy.from_csv(_written(tmp_path, AGES)).content_hash()
    (sentence,) = said
    assert "age.csv" in sentence
    assert header.replace(";", "; ") in sentence
    assert why in sentence


def _written(folder: Path, content: str) -> Path:
    (file := folder / "other.txt").write_text(content, encoding="utf-8")
    return file


def test_without_its_header_no_level_is_added_on_top(tmp_path: Path, said: list[str]) -> None:
    plans = found(tmp_path, f"age;level 1;level 2\n{AGES}", "age", AGED)
    assert plans.lattice == 3
    assert said


def test_a_line_that_does_not_end_where_all_others_do_is_a_header(tmp_path: Path, said: list[str]) -> None:
    plans = found(tmp_path, "state;region;all\nAcre;North;*\nBahia;Northeast;*\n", "place", ["Acre"] * 2)
    assert not plans[0].columns[0].hierarchy.knows("state")
    assert "all other lines end in *" in said[0]


@pytest.mark.parametrize("content", ["31;30-39;*\n34;30-39;*\n52;50-59;*\n", "red;warm\nblue;cold\nyellow;warm\n"])
def test_a_line_that_shares_a_group_is_a_value(tmp_path: Path, said: list[str], content: str) -> None:
    plans = found(tmp_path, content, "thing", [line.split(";")[0] for line in content.split()[1:]])
    assert said == []
    assert plans[0].columns[0].hierarchy.knows(content.split(";")[0])


@pytest.mark.parametrize(
    "content",
    ["Acre;North\nBahia;Northeast\nCeará;Northeast\n", "colour;warm or cold\nred;warm\nblue;cold\n"],
)
def test_a_line_of_which_the_file_does_not_tell_is_a_value_and_said(
    tmp_path: Path, said: list[str], content: str
) -> None:
    plans = found(tmp_path, content, "thing", [line.split(";")[0] for line in content.split("\n")[1:-1]])
    assert plans[0].columns[0].hierarchy.knows(content.split(";")[0])
    (sentence,) = said
    assert "taken for a value of 'thing'" in sentence
    assert "If it is a header, delete the line." in sentence


def test_what_shares_a_group_is_a_value_even_if_it_looks_like_a_header(tmp_path: Path, said: list[str]) -> None:
    plans = found(tmp_path, "value;some;*\nprice;some;*\n", "value", ["value", "price"])
    assert plans[0].columns[0].hierarchy.knows("value")
    assert "taken for a value" in said[0]


labels = st.sampled_from(["a", "b", "1", "2", "thing", "level 0", "x", "y", "*"])


@examples(60)
@given(
    lines=st.lists(st.tuples(labels, labels, labels), min_size=2, max_size=5, unique_by=lambda line: line[0]),
    others=st.lists(labels, min_size=1, max_size=6),
    one=labels,
)
def test_one_person_more_does_not_change_what_a_file_means(lines, others, one, tmp_path_factory) -> None:
    """Two tables that differ in what one person says: the same hierarchy, and the same sentences on its first line."""
    folder = tmp_path_factory.mktemp("header")
    content = "\n".join(";".join(line) for line in lines)
    told = []
    for values in ([*others, one], [*others, others[0]]):
        sentences: list[str] = []
        try:
            with bb.Watch(warning=sentences.append):
                plans = found(folder, content, "thing", [*values, *values], missing="own-branch")
        except bb.BiomboError as error:
            assume(error.key not in NO_HIERARCHY)
            raise
        known = [plans.question.columns[0].hierarchy.strict.knows(line[0]) for line in lines]
        told.append((known, [sentence for sentence in sentences if "first line" in sentence]))
    assert told[0] == told[1]


NO_HIERARCHY = ("hierarchy.not-nested", "hierarchy.cyclic", "hierarchy.taken")


def test_a_header_does_not_change_distances(tmp_path: Path, said: list[str]) -> None:
    rows = "flu;lungs;*\ncough;lungs;*\nulcer;stomach;*\n"
    data = bb.read(pl.DataFrame({"sex": ["f", "f", "m", "m"], "illness": ["flu", "cough", "ulcer", "flu"]}))
    judged = []
    for content in (rows, f"illness;organ;all\n{rows}"):
        file = tmp_path / "illness.csv"
        file.write_text(content, encoding="utf-8")
        criterion = bb.TCloseness(0.3, kind="hierarchical", column="illness", hierarchy=bb.Hierarchy.from_csv(file))
        judged.append(bb.judge(data, [criterion], quasi=["sex"]).verdicts[0].achieved)
    assert judged[0] == judged[1]
    assert len(said) == 1


def test_public_lists_of_tables_go_by_the_words_alone(tmp_path: Path, said: list[str]) -> None:
    file = tmp_path / "colour.csv"
    file.write_text("colour;kind\nred;warm\nblue;cold\n", encoding="utf-8")
    data = pl.DataFrame({"colour": ["red"] * 9})
    table = bb.tabulate(
        data, by={"colour": [0]}, k=3, categories={"colour": "public"}, hierarchies={"colour": str(file)}
    )
    assert "colour" not in str(table.as_json()["cells"]).replace("'colour':", "")
    assert said


def test_a_built_in_hierarchy_is_named_where_a_column_has_none(said: list[str]) -> None:
    data = bb.read(pl.DataFrame({"idade": [str(n % 90) for n in range(900)], "cor": ["1", "2", "4"] * 300}))
    bb.search(data, bb.KAnonymity(3), quasi=["idade", "cor"])
    (sentence,) = said
    assert sentence.startswith("There is no hierarchy for idade, cor: ")
    assert "The built-in 'age' fits idade (bands of 5 years, " in sentence
    assert "hierarchy: age" in sentence
    assert "fits cor" not in sentence


def test_checking_a_hierarchy_and_searching_say_it_once(tmp_path: Path, capsys) -> None:
    (folder := tmp_path / "hierarchies").mkdir()
    (file := folder / "age.csv").write_text(f"age;level 1;level 2\n{AGES}", encoding="utf-8")
    pl.DataFrame({"age": AGED}).write_csv(table := tmp_path / "people.csv")
    assert main(["hierarchy", "check", str(table), "age", "--hierarchy", str(file)]) == 0
    assert capsys.readouterr().err.count("was taken for a header") == 1
    typed = ["search", str(table), "--quasi", "age", "--hierarchies", str(folder), "--k", "2"]
    assert main([*typed, "--frontier", "--explain"]) == 0
    assert capsys.readouterr().err.count("was taken for a header") == 1
