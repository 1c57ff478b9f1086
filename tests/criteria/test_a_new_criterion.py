"""A criterion is its class and its place in the list: whoever uses criteria asks only what they say themselves."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import biombo as bb
from biombo._cells import Rule
from biombo._criteria import KINDS, Disclosure, Evidence, SensitiveCriterion, demand
from biombo._documents import check_number


@dataclass(frozen=True)
class Guessable(SensitiveCriterion):
    """In no group is the most frequent value ``percent`` of the records or more often right, in percent."""

    name: ClassVar[str] = "guessable"
    evidence: ClassVar[Evidence] = "released"

    percent: float
    column: str | None = None
    quasi: Sequence[str] | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_number("percent", self.percent, 0, 100)

    def monotonic(self, *, suppression: bool) -> bool:
        return not suppression

    def rule(self, target: int, prior: float) -> Rule:  # noqa: ARG002
        return Rule(target, "top-share", self.percent / 100)

    def measured(self, values: NDArray[np.float64], prior: float) -> NDArray[np.float64]:  # noqa: ARG002
        return 100 * values

    def worded_value(self, value: float) -> str:
        return f"{value:.0f}%"

    def _worded(self) -> str:
        return f"guessed right in at most {self.percent}%"


@pytest.fixture
def listed(monkeypatch) -> None:
    monkeypatch.setitem(KINDS, Guessable.name, Guessable)


TABLES = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=12)


@given(TABLES, st.integers(0, 100))
def test_it_is_judged_and_asked_as_one_that_comes_with_biombo(records, percent) -> None:
    data = bb.read(pl.DataFrame(records, schema=["q", "s"], orient="row"))
    own, known = Guessable(percent), bb.Vulnerability(max(percent, 1e-9) / 100)
    verdicts = [bb.judge(data, each, quasi=["q"], sensitive="s").verdicts[0] for each in (own, known)]

    assert verdicts[0].holds == verdicts[1].holds
    assert verdicts[0].achieved == pytest.approx(100 * verdicts[1].achieved)
    assert (verdicts[0].failing_rows() == verdicts[1].failing_rows()).all()
    asked = [demand(data, each, sensitive="s") for each in (own, known)]
    assert asked[0].rules[0].kind == asked[1].rules[0].kind


@pytest.mark.usefixtures("listed")
def test_it_stands_in_plans_searches_and_releases(tmp_path) -> None:
    table = pl.DataFrame({"q": list("aabb") * 5, "s": list("xyxy") * 5})
    plan = bb.Plan([], [bb.KAnonymity(2), Guessable(60)], quasi=["q"], sensitive=["s"])
    plan.save(tmp_path / "plan.yaml")

    assert bb.Plan.load(tmp_path / "plan.yaml") == plan
    assert "guessable" in bb.Plan.json_schema()["properties"]["criteria"]["items"]["properties"]
    assert Disclosure.of(plan.criteria).tells_value(Guessable(60))
    hierarchies = {"q": bb.Hierarchy.all_or_nothing()}
    found = bb.search(bb.read(table), [Guessable(60)], quasi=["q"], sensitive=["s"], hierarchies=hierarchies)
    assert found[0].plan.criteria == (Guessable(60),)
    release = bb.publish(table, plan, tmp_path / "release")
    claims = {str(claim.about["criterion"]): claim for claim in release.manifest.claims if claim.name == "criterion"}
    assert claims["{'guessable': {'percent': 60}}"].value == 50
    assert bb.verify(release.out).holds
