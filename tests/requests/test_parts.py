"""Parts of reports for pages of others: no styles, no scripts, and marks that do not meet."""

import re

import pytest

import biombo as bb

QUASI = ["age", "city"]
WHOLE = {"age": bb.Hierarchy.by_interval(10), "city": bb.Hierarchy.all_or_nothing()}


@pytest.fixture
def searched(tmp_path):
    tree = {name: {"role": "quasi", "hierarchy": each.to_tree()} for name, each in WHOLE.items()}
    schema = {"columns": {**tree, "disease": {"role": "sensitive"}}}
    report = str(tmp_path / "report.html")
    return bb.SearchRequest(schema=schema, k=3, max_suppression=0.5, report=report).run(bb.samples.clinic())


def ids(html: str) -> list[str]:
    return re.findall(r'\bid="([^"]+)"', html)


def test_parts_need_nothing_that_a_strict_page_forbids():
    outcome = bb.RiskRequest(quasi=QUASI, sensitive=["disease"]).run(bb.samples.clinic())

    parts = outcome.parts()

    html = "".join(each.html for each in parts)
    assert parts[0].name == "summary"
    assert html.count("<svg") >= 3
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", html)
    assert len(ids(html)) == len(set(ids(html)))
    figures = [int(number) for number in re.findall(r"Figure (\d+)", html)]
    assert figures == sorted(figures)


def test_the_plan_that_was_chosen_is_the_one_that_is_marked(searched):
    best, second = searched.parts(0), searched.parts(1)

    assert [each.name for each in best] == ["trade-off", "lattice", "obstacles"]
    lattices = [next(each.html for each in parts if each.name == "lattice") for parts in (best, second)]
    assert lattices[0] != lattices[1]
    for place, html in enumerate(lattices):
        levels = "".join(str(level) for level in searched.plans[place].levels.values())
        assert re.search(rf'<th scope="row">{levels}</th><td[^>]*>chosen</td>', html)


def test_the_smallest_group_of_a_plan_is_that_of_what_it_leaves(searched):
    for plan in searched.plans:
        applied = bb.apply(bb.samples.clinic(), plan.plan).data
        assert plan.smallest_group == applied.group_by(QUASI).len()["len"].min()
        assert plan.as_json()["smallest_group"] == plan.smallest_group
        assert plan.level_labels.keys() == plan.levels.keys()
    assert any("10" in plan.level_labels["age"] for plan in searched.plans)


def test_parts_of_local_recoding_have_both_kinds_over_k_and_what_the_levels_tell(tmp_path):
    request = {"quasi": QUASI, "sensitive": ["disease"], "k": 2, "report": str(tmp_path / "report.html")}
    schema = {"columns": {name: {"role": "quasi", "hierarchy": each.to_tree()} for name, each in WHOLE.items()}}
    found = bb.SearchRequest(**request, schema=schema, recoding="local").run(bb.samples.clinic())

    beside, told = found.parts()

    assert (beside.name, told.name) == ("trade-off", "minimality")
    assert beside.html.count("<svg") == 1
    assert found.frontier is not None
    for k, plan in found.frontier.local.items():
        row = re.search(rf'<tr><th scope="row">{k}</th>(.*?)</tr>', beside.html, re.DOTALL)
        assert row is not None, beside.html
        assert f"{plan.granularity:.4f}" in row[1]
    assert not re.search(r"<script|<style|\sstyle=|\son\w+=", beside.html + told.html)
    assert "learns nothing about sensitive values" in told.html
