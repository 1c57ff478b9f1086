"""What must hold between columns holds in every record, and what broke it is counted."""

import numpy as np
import polars as pl
import pytest
from made_up_synthesis import synthesised

import biombo as bb


@pytest.fixture
def births() -> pl.DataFrame:
    random = np.random.default_rng(4)
    sex = random.choice(["F", "M"], 600)
    pregnant = np.where((sex == "F") & (random.random(600) < 0.5), "yes", "no")
    return pl.DataFrame({"sex": sex, "town": random.choice(["A", "B"], 600), "pregnant": pregnant})


def independent(births: pl.DataFrame) -> pl.DataFrame:
    """Columns that a tree cannot join, so that what they say together is lost without a constraint."""
    return births.with_columns(births["pregnant"].shuffle(seed=1))


def test_nobody_is_what_must_never_be(births):
    table = independent(births)
    never = {"never": {"sex": "M", "pregnant": "yes"}}
    free, bound = (synthesised(table, 4, constraints=rules, records=400) for rules in ((), (never,)))
    broken = [made.data.filter((pl.col("sex") == "M") & (pl.col("pregnant") == "yes")).height for made in (free, bound)]

    assert broken[0] > 20
    assert broken[1] == 0
    assert bound.data.height == 400
    assert bound.redrawn[str(bb.Constraint(**never))] > 20


def test_whoever_is_this_is_that_too(births):
    rule = bb.Constraint(when={"pregnant": "yes"}, then={"sex": ["F"]})
    made = synthesised(independent(births), 4, constraints=(rule,), records=400).data

    assert set(made.filter(pl.col("pregnant") == "yes")["sex"]) == {"F"}


def test_columns_keep_their_order():
    random = np.random.default_rng(5)
    come = random.integers(0, 300, 500)
    table = pl.DataFrame({"come": come, "gone": come + random.integers(0, 9, 500)})
    free, bound = (synthesised(table, 5, constraints=rules) for rules in ((), ({"order": ["come", "gone"]},)))

    assert (free.data["come"] > free.data["gone"]).any()
    assert not (bound.data["come"] > bound.data["gone"]).any()


def test_constraints_stand_in_a_file(births, tmp_path):
    path = tmp_path / "rules.yaml"
    path.write_text("biombo-constraints: 1\nconstraints:\n- never: {sex: M, pregnant: 'yes'}\n")

    made = bb.synthesise(births, columns=births.columns, constraints=path, holdout=0)
    assert list(made.redrawn) == ["never: {'sex': 'M', 'pregnant': 'yes'}"]


@pytest.mark.parametrize(
    ("rule", "says"),
    [
        ({"never": {"sex": ["F", "M"]}}, r"After 1,000 rounds 600 records still break the constraint never: .*loosen"),
        ({"when": {"sex": "F"}}, "either never, or when and then"),
        ({"order": ["sex", "town"]}, "'sex' holds neither numbers nor dates"),
        ({"never": {"age": "1"}}, "about column 'age', which is not in the result"),
        ({"nevr": {"sex": "F"}}, "nevr"),
    ],
)
def test_a_constraint_that_cannot_be_met_is_refused_in_a_sentence(births, rule, says, monkeypatch):
    with pytest.raises(bb.BiomboError, match=says):
        synthesised(births, 4, constraints=(rule,))
