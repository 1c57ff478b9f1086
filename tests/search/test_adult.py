"""Every setting that ARX was run with on the adult data: the same optimum, and proved."""

import json
from pathlib import Path
from typing import Any

import pytest

import biombo as bb

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "arx-adult.json"
SETTINGS = json.loads(REFERENCE.read_text())["results"] if REFERENCE.exists() else []
POLICY = {"loss_gm": "loss", "entropy": "entropy", "precision": "precision"}


@pytest.fixture(scope="module")
def adult(shared_data: Path) -> bb.Dataset:
    return bb.read(shared_data / "adult" / "adult.csv")


def asked(setting: dict[str, Any]) -> list[bb.Criterion]:
    criteria: list[bb.Criterion] = [bb.KAnonymity(setting["k"])]
    if "distinct-l=" in setting["id"]:
        diversity = int(setting["id"].split("distinct-l=")[1][0])
        criteria.append(bb.LDiversity(diversity, column="occupation"))
    return criteria


def score(plan: bb.RankedPlan, metric: str) -> float:
    return {"loss_gm": plan.loss, "entropy": plan.entropy, "precision": 1 - plan.precision}[metric]


def search(adult: bb.Dataset, folder: Path, setting: dict[str, Any], **options: Any) -> bb.SearchResult:
    return bb.search(
        adult,
        asked(setting),
        quasi=list(setting["levels"]),
        hierarchies=folder,
        max_suppression=setting["suppression_limit"],
        loss_domain="hierarchy",  # as ARX tells it
        **options,
    )


def test_all_settings_are_there(shared_data: Path) -> None:
    assert len(SETTINGS) == 26


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting["id"])
def test_the_optimum_is_the_one_that_arx_finds(adult: bb.Dataset, shared_data: Path, setting: dict[str, Any]) -> None:
    found = search(adult, shared_data / "adult", setting, prefer=POLICY[setting["metric"]], plans=1)

    best = found[0]
    assert found.optimal
    assert found.lattice == setting["lattice_size"]
    assert list(best.levels.values()) in setting["tied_optima"]
    assert best.suppressed == setting["suppressed"]
    assert best.groups == setting["classes"] or best.levels != setting["levels"]
    # ARX floors the loss of a column at ten decimals.
    assert score(best, setting["metric"]) == pytest.approx(setting["score"], rel=1e-9)
    assert best.score == pytest.approx(setting["score"], rel=1e-9)


@pytest.mark.parametrize("prefer", ["absolute-distance", "relative-distance", "distribution", "suppression"])
def test_the_policies_of_samarati_and_sweeney_choose_among_minimal_nodes(
    adult: bb.Dataset, shared_data: Path, prefer: str
) -> None:
    setting = next(each for each in SETTINGS if each["id"].startswith("adult9|k=5|s=0.02"))

    found = search(adult, shared_data / "adult", setting, prefer=prefer, plans=5)

    minimal = [tuple(levels.values()) for levels in found.minimal]
    assert found.optimal
    assert len(minimal) > 5
    for plan in found:
        assert tuple(plan.levels.values()) in minimal
    for node in minimal:
        assert not any(other != node and all(a <= b for a, b in zip(other, node, strict=True)) for other in minimal)


@pytest.mark.parametrize(
    "criterion",
    [
        bb.TCloseness(0.3, column="salary-class"),
        bb.LDiversity(1.5, kind="entropy", column="salary-class"),
        bb.LDiversity(2, kind="recursive", c=4.0, column="salary-class"),
        bb.Vulnerability(0.9, column="salary-class"),
    ],
    ids=str,
)
def test_hardly_any_node_is_checked_where_nothing_may_be_suppressed(
    adult: bb.Dataset, shared_data: Path, criterion: bb.Criterion
) -> None:
    quasi = [column for column in adult.columns if column != "salary-class"]
    found = bb.search(adult, criterion, quasi=quasi, hierarchies=shared_data / "adult")
    assert found.optimal
    assert found.checked < found.lattice / 10
