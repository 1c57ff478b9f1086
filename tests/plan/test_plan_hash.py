"""The hash of a plan says what it means, not how it is written."""

import pytest

import biombo as bb

PLAN = """
biombo-plan: 1
identifiers: [name, cpf]
quasi: [sex, age, zip]
criteria:
  - k-anonymity: {k: 5}
max-suppression: 0.5
operations:
  - generalise: {column: age, hierarchy: {kind: interval, width: 5}, level: 1}
  - generalise: {column: zip, hierarchy: {kind: tree, tree: {021**: {0213*: ["02138", "02139"]}}}, level: 2}
  - mask-groups: {}
"""


@pytest.fixture
def hash_of(tmp_path):
    def hash_of(content: str) -> str:
        (tmp_path / "plan.yaml").write_text(content)
        return bb.Plan.load(tmp_path / "plan.yaml").hash

    (tmp_path / "zip.csv").write_text("02139;0213*;021**\n02138;0213*;021**\n")
    return hash_of


def test_it_is_the_sha_256_that_it_always_was(hash_of) -> None:
    """Releases are committed to it, and registers keep it."""
    assert hash_of(PLAN) == "0edca14673dde593f82d42b83c27e37a9d4d8af278a7555e1815caf8d78163ea"


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [
        ("level: 1", "level: 1, missing: stop, apart: []"),
        ("mask-groups: {}", "mask-groups: {with: '*', if-failing: mask-more}"),
        ("mask-groups: {}", "mask-groups:"),
        ("column: age, hierarchy: {kind: interval, width: 5}", "hierarchy: {width: 5, kind: interval}, column: age"),
        ('{kind: tree, tree: {021**: {0213*: ["02138", "02139"]}}}', "zip.csv"),
        ("{k: 5}", "{k: 5, quasi: null}"),
        ("[name, cpf]", "[cpf, name]"),
    ],
)
def test_it_does_not_change_with_the_spelling(hash_of, written, otherwise) -> None:
    assert written in PLAN
    assert hash_of(PLAN.replace(written, otherwise)) == hash_of(PLAN)


@pytest.mark.parametrize(
    ("written", "otherwise"),
    [
        ("k: 5", "k: 6"),
        ("level: 1", "level: 0"),
        ("level: 1", "level: 1, apart: ['999']"),
        ("level: 1", "level: 1, missing: suppress"),
        ("width: 5", "width: 10"),
        ("0213*: [", "02***: ["),
        ("mask-groups: {}", "suppress-groups: {}"),
        ("mask-groups: {}", "mask-groups: {with: '#'}"),
        ("[name, cpf]", "[name]"),
        ("[name, cpf]", "[name, cpf]\nperson: cpf"),
        ("[name, cpf]", "[name]\nsensitive: [cpf]"),
        ("0.5", "0.05"),
    ],
)
def test_it_changes_with_the_content(hash_of, written, otherwise) -> None:
    assert written in PLAN
    assert hash_of(PLAN.replace(written, otherwise, 1)) != hash_of(PLAN)


def test_the_order_of_operations_counts(hash_of) -> None:
    first, second = (bb.Generalise(name, bb.Hierarchy.by_interval(5), 1) for name in ("a", "b"))

    assert bb.Plan([first, second]).hash != bb.Plan([second, first]).hash


def test_whole_shares_are_the_same_with_and_without_decimals() -> None:
    assert bb.Plan(max_suppression=1).hash == bb.Plan(max_suppression=1.0).hash
