import polars as pl
import pytest

import biombo as bb


def test_ana_alone_in_her_group_is_given_away() -> None:
    """Gonze et al. (2024), 4.2: one record fits what the employer knows, and its procedure tells the disease."""
    visits = pl.DataFrame(
        {
            "city": ["M", "M", "M", "N"],
            "sex": ["F", "F", "M", "F"],
            "age": ["045", "046", "045", "045"],
            "month": ["202302"] * 4,
            "procedure": ["0304020346", "0301010072", "0301010072", "0301010072"],
        }
    )
    known = {"city": "M", "sex": "F", "age": "045", "month": "202302"}
    ana = bb.target(bb.read(visits), known, sensitive="procedure")
    assert ana.reidentified
    assert ana.guess("procedure") == ("0304020346", 1.0)


def test_candidates_and_probabilities_are_counted(clinic: bb.Dataset) -> None:
    found = bb.target(clinic, {"age": "34", "city": "Pedra Rasa"}, sensitive=["disease", "sex"])
    assert found.candidates == 4
    assert found.values["disease"].rows() == [("flu", 3, 3 / 4, 5 / 12), ("asthma", 1, 1 / 4, 3 / 12)]
    assert found.values["sex"].select("value", "records").rows() == [("F", 2), ("M", 2)]


def test_a_missing_value_can_be_what_is_known() -> None:
    data = bb.read(pl.DataFrame({"q": [None, "a"], "s": ["x", "y"]}))
    assert bb.target(data, {"q": None}, sensitive="s").guess("s") == ("x", 1.0)


def test_a_sensitive_column_is_read_through_a_hierarchy() -> None:
    data = bb.read(pl.DataFrame({"q": ["a", "a", "a"], "s": ["0301", "0302", "0201"]}))
    grouped = bb.through(data, "s", bb.Hierarchy.by_prefix([2]), 1)
    assert bb.target(data, {"q": "a"}, sensitive="s").guess("s")[1] == 1 / 3
    assert bb.target(grouped, {"q": "a"}, sensitive="s").guess("s") == ("03", 2 / 3)


@pytest.mark.parametrize("known", [{}, {"age": "35"}, {"ages": "34"}, {"sex": "F", "age": "34", "disease": "flu"}])
def test_an_impossible_question_is_refused(clinic: bb.Dataset, known: dict[str, str]) -> None:
    with pytest.raises(bb.BiomboError):
        bb.target(clinic, known, sensitive="disease")
