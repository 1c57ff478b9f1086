import polars as pl
import pytest

import biombo as bb

ZIP = bb.Hierarchy.load({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}})
AGE = bb.Hierarchy.by_interval(10, [2])


@pytest.fixture
def zips() -> bb.Hierarchy:
    return ZIP


@pytest.fixture
def people() -> pl.DataFrame:
    """Made up. By sex, ten years and four digits of the ZIP code the first four are in pairs, the others alone."""
    return pl.DataFrame(
        {
            "name": ["Ana", "Bia", "Caio", "Davi", "Eva", "Fay"],
            "sex": ["F", "F", "M", "M", "F", "F"],
            "age": ["31", "034", "62", "67", "90", "91"],
            "zip": ["02138", "02139", "02141", "02142", "02138", "02142"],
            "disease": ["flu", "asthma", "flu", None, "flu", "gout"],
        }
    )


@pytest.fixture
def plan() -> bb.Plan:
    return bb.Plan(
        operations=[bb.Generalise("age", AGE, 1), bb.Generalise("zip", ZIP, 1), bb.SuppressGroups()],
        criteria=[bb.KAnonymity(2)],
        quasi=["sex", "age", "zip"],
        sensitive=["disease"],
        identifiers=["name"],
    )
