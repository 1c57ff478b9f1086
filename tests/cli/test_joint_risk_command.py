"""``biombo joint-risk`` as people type it."""

import json
from pathlib import Path

import polars as pl
import pytest

import biombo as bb

FIVE = pl.DataFrame(
    {
        "town": ["North", "North", "North", "South", "South"],
        "born": [1980, 1980, 1990, 1990, 1990],
        "disease": ["flu", "gout", "asthma", "cold", "fever"],
    }
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    place = tmp_path_factory.mktemp("joint")
    FIVE.write_csv(place / "people.csv")
    for name in ("town", "born"):
        plan = bb.Plan([], [bb.KAnonymity(2)], quasi=[name], sensitive=["disease"])
        bb.publish(place / "people.csv", plan, place / name)
    return place


def test_the_verdict_comes_first(biombo, folder) -> None:
    ending = biombo("joint-risk", folder / "town", folder / "born")

    assert ending.code == 0
    assert ending.out.startswith("Together the two releases leave people in smaller groups than each alone")
    assert "for 20.0% with both, by the intersection" in ending.out
    assert ending.err.count("traces.jsonl") == 2


def test_in_portuguese(biombo, folder) -> None:
    ending = biombo("joint-risk", folder / "town", folder / "born", "--lang", "pt")

    assert "o menor grupo conjunto tem 1" in ending.out


def test_as_json_with_everything_named(biombo, folder) -> None:
    keys = [folder / f"{name}.private" / "release.key" for name in ("town", "born")]
    named = ("--source", folder / "people.csv", "--private", keys[0].parent, keys[1].parent, "--vault-key", *keys)
    ending = biombo(
        "joint-risk", folder / "town", folder / "born", *named, "--who", "DPO", "--reason", "a test", "--json"
    )
    found = json.loads(ending.out)

    assert (ending.code, found["smallest_joint_group"], found["people"]) == (0, 1, 5)
    assert found["sensitive"][0]["certain"] == {"first": 0.0, "second": 0.0, "both": 0.2}
    last = json.loads((keys[1].parent / "traces.jsonl").read_text().splitlines()[-1])
    assert (last["who"], last["reason"], last["asked"], last["found"]) == ("DPO", "a test", "all", 5)


def test_the_same_twice_is_one_sentence(biombo, folder) -> None:
    ending = biombo("joint-risk", folder / "town", folder / "town")

    assert (ending.code, ending.out) == (2, "")
    assert ending.err.endswith("name two different ones.\n")


def test_a_wrong_folder_is_named_with_the_option(biombo, folder) -> None:
    private = folder / "town.private"
    ending = biombo("joint-risk", folder / "town", folder / "born", "--private", private, private)

    assert ending.code == 2
    assert "(--private)" in ending.err
