"""Plans in YAML: written, read, and what is said when one is wrong."""

import hypothesis.strategies as st
import pytest
import yaml
from hypothesis import given
from refusal import refused

import biombo as bb

NAMES = st.text("abcxyzé #:", min_size=1, max_size=5)
HIERARCHIES = st.sampled_from(
    [
        bb.Hierarchy.by_interval(5, [2, 4], top=90),
        bb.Hierarchy.by_prefix([4, 2], pad="*").with_top(),
        bb.Hierarchy.by_date(["month", "year"]),
        bb.Hierarchy.by_hand({"*": {"yes": ["no", "02138"], "null": ["~"]}}),
        bb.Hierarchy.built_in("sigtap"),
    ]
)
CRITERIA = st.one_of(
    st.builds(bb.KAnonymity, st.integers(1, 50)),
    st.builds(bb.LDiversity, st.integers(2, 5), st.sampled_from(["distinct", "entropy"])),
    st.builds(bb.TCloseness, st.floats(0, 1), kind=st.just("hierarchical"), column=NAMES, hierarchy=HIERARCHIES),
    st.builds(bb.Vulnerability, st.floats(0.01, 1)),
)


@st.composite
def generalisations(draw: st.DrawFn, column: str) -> bb.Generalise:
    hierarchy = draw(HIERARCHIES)
    return bb.Generalise(
        column,
        hierarchy,
        draw(st.integers(0, hierarchy.height)),
        missing=draw(st.sampled_from(["stop", "own-branch", "suppress"])),
        apart=draw(st.lists(NAMES, max_size=3)),
    )


WAIVERS = st.builds(
    bb.Waiver,
    st.builds(bb.TCloseness, st.floats(0, 1), kind=st.just("hierarchical"), column=NAMES, hierarchy=HIERARCHIES)
    | st.builds(bb.LDiversity, st.integers(6, 9), column=NAMES),
    reason=st.text("abc é#:\n'", min_size=1, max_size=9).filter(str.strip),
    accepted_by=NAMES.filter(str.strip),
    values=st.dictionaries(st.text("ab0~: ", max_size=3), st.sampled_from(["low", "medium", "high"]), max_size=3),
)


@st.composite
def plans(draw: st.DrawFn) -> bb.Plan:
    columns = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    cut = sorted(draw(st.tuples(*[st.integers(0, len(columns))] * 2)))
    kept = columns[: cut[1]]
    operations: list[bb.Operation] = [draw(generalisations(name)) for name in kept if draw(st.booleans())]
    criteria = draw(st.lists(CRITERIA, max_size=3))
    if criteria:
        marks = st.builds(bb.MaskGroups, NAMES, st.sampled_from(["mask-more", "drop"]))
        operations += draw(st.lists(st.one_of(st.just(bb.SuppressGroups()), marks), max_size=2))
    return bb.Plan(
        draw(st.permutations(operations)),
        criteria,
        columns[: cut[0]],
        columns[cut[0] : cut[1]],
        columns[cut[1] :],
        person=draw(st.sampled_from([None, *columns[cut[1] :]])),
        max_suppression=draw(st.none() | st.floats(0, 1)),
        waived=draw(st.lists(WAIVERS, max_size=2, unique_by=lambda waiver: type(waiver.criterion))),
    )


@given(plans())
def test_a_plan_survives_being_written_down(plan: bb.Plan) -> None:
    from_tree = bb.Plan.from_tree(plan.to_tree())
    from_yaml = bb.Plan.from_tree(yaml.safe_load(plan.to_yaml()))

    assert from_tree == from_yaml == plan
    assert from_tree.hash == from_yaml.hash == plan.hash


def test_a_plan_is_saved_and_loaded(tmp_path, plan) -> None:
    plan.save(tmp_path / "plan.yaml")

    assert bb.Plan.load(tmp_path / "plan.yaml") == plan
    assert bb.Plan.load(str(tmp_path / "plan.yaml")).hash == plan.hash
    assert bb.Plan.load(plan) is plan


def test_what_is_as_usual_is_not_written() -> None:
    assert bb.Plan(quasi=["age"]).to_tree() == {"biombo-plan": 1, "quasi": ["age"]}
    assert bb.Plan(quasi=["age"]).to_yaml() == "biombo-plan: 1\nquasi: [age]\n"


def test_a_plan_written_by_hand_is_read(tmp_path) -> None:
    (tmp_path / "zip.csv").write_text("02138;0213*\n02139;0213*\n")
    (tmp_path / "plan.yaml").write_text(
        """
        biombo-plan: 1
        identifiers: [name, cpf]
        quasi: [sex, age, zip]
        sensitive: [disease]
        person: patient
        criteria:
          - k-anonymity: {k: 5}
        max-suppression: 0.02
        operations:
          - generalise:
              column: age
              hierarchy: {kind: interval, width: 5, multiples: [2]}
              level: 2
              missing: stop
              apart: ["999"]
          - generalise: {column: zip, hierarchy: zip.csv, level: 1}
          - generalise: {column: city, hierarchy: municipality, level: 3}
          - suppress-groups:
          - mask-groups: {with: "#", if-failing: drop}
        """
    )
    assert bb.Plan.load(tmp_path / "plan.yaml") == bb.Plan(
        operations=[
            bb.Generalise("age", bb.Hierarchy.by_interval(5, [2]), 2, apart=["999"]),
            bb.Generalise("zip", bb.Hierarchy.load({"0213*": ["02138", "02139"]}), 1),
            bb.Generalise("city", bb.Hierarchy.built_in("municipality"), 3),
            bb.SuppressGroups(),
            bb.MaskGroups("#", "drop"),
        ],
        criteria=[bb.KAnonymity(5)],
        quasi=["sex", "age", "zip"],
        sensitive=["disease"],
        identifiers=["name", "cpf"],
        person="patient",
        max_suppression=0.02,
    )


def test_the_hierarchy_of_a_criterion_may_be_a_file_beside_the_plan_too(tmp_path) -> None:
    (tmp_path / "disease.csv").write_text("flu;lungs\ngout;joints\n")
    (tmp_path / "plan.yaml").write_text(
        "biombo-plan: 1\ncriteria: [{t-closeness: {t: 0.2, kind: hierarchical, column: x, hierarchy: disease.csv}}]"
    )
    (criterion,) = bb.Plan.load(tmp_path / "plan.yaml").criteria

    assert criterion.hierarchy.generalised("gout", 1) == "joints"


@pytest.mark.parametrize(
    ("content", "mentioned"),
    [
        ("[1, 2]", ["biombo-plan: 1"]),
        ("quasi: [age]", ["biombo-plan: 1"]),
        ("biombo-plan: 2", ["2", "1"]),
        ("biombo-plan: 1\nquasis: [age]", ["'quasis'", "'quasi'"]),
        ("biombo-plan: 1\nquasi: age", ["quasi", "['age']"]),
        ("biombo-plan: 1\nquasi: [age, 7]", ["'quasi'", "7"]),
        ("biombo-plan: 1\nperson: 7", ["'person'", "7"]),
        ("biombo-plan: 1\nmax-suppression: little", ["'max-suppression'", "'little'"]),
        ("biombo-plan: 1\nmax-suppression: 2", ["max-suppression", "2"]),
        ("biombo-plan: 1\ncriteria: {k-anonymity: {k: 5}}", ["'criteria'"]),
        ("biombo-plan: 1\ncriteria: [{k-anonymity: {k: five}}]", ["k-anonymity", "five"]),
        ("biombo-plan: 1\ncriteria: [k-anonymity]", ["k-anonymity"]),
        ("biombo-plan: 1\ncriteria: [{t-closeness: {t: 0.2, hierarchy: 7}}]", ["'hierarchy'", "7"]),
        ("biombo-plan: 1\noperations: suppress-groups", ["'operations'"]),
        ("biombo-plan: 1\noperations: [suppress-groups]", ["1", "suppress-groups: {}"]),
        ("biombo-plan: 1\noperations: [{supress-groups: {}}]", ["1 (supress-groups)", "'suppress-groups'"]),
        ("biombo-plan: 1\noperations: [{zzz: {}}]", ["1 (zzz)", "generalise, suppress-groups"]),
        ("biombo-plan: 1\noperations: [{generalise: 7}]", ["1 (generalise)", "7"]),
        ("biombo-plan: 1\noperations: [{generalise: {column: age}}]", ["1 (generalise)", "'hierarchy'"]),
        ("biombo-plan: 1\noperations: [{mask-groups: {without: x}}]", ["'without'", "'with'"]),
        ("biombo-plan: 1\noperations: [{mask-groups: {with: 0}}]", ["'with'", "0"]),
        ("biombo-plan: 1\noperations: [{mask-groups: {if-failing: cry}}]", ["'if-failing'", "mask-more, drop"]),
        ("biombo-plan: 1\noperations: [{suppress-groups: {k: 5}}]", ["k"]),
        ("biombo-plan: 1\nquasi: [age]\nquasi: [sex]", ["'quasi'", "3"]),
        ("biombo-plan: 1\nquasi: *a", ["*a", "2"]),
        ("biombo-plan: 1\nquasi: [age", ["YAML"]),
        ("biombo-plan: 1\nquasi: [\xff]", ["YAML"]),
    ],
)
def test_a_plan_that_is_wrong_is_one_sentence_that_names_the_file_and_the_entry(tmp_path, content, mentioned) -> None:
    path = tmp_path / "plan.yaml"
    path.write_bytes(content.encode("latin-1"))

    with refused("document.in-plan", str(path), *mentioned):
        bb.Plan.load(path)


GENERALISE = "biombo-plan: 1\noperations: [{generalise: {column: age, hierarchy: HIERARCHY, level: LEVEL}}]"


@pytest.mark.parametrize(
    ("hierarchy", "level", "mentioned"),
    [
        ("7", "1", ["'hierarchy'", "7"]),
        ("nothing.csv", "1", ["nothing.csv"]),
        ("{kind: interval}", "1", ["interval", "'width'"]),
        ("age", "9", ["'age'", "9", "0", "4"]),
        ("age", "1.5", ["'level'", "1.5"]),
        ("age", "yes", ["'level'", "True"]),
        ("age", "1, apart: [999]", ["'apart'", "999"]),
        ("age", "1, missing: guess", ["'missing'", "stop, own-branch, suppress"]),
    ],
)
def test_a_wrong_entry_of_an_operation_is_named(tmp_path, hierarchy, level, mentioned) -> None:
    path = tmp_path / "plan.yaml"
    path.write_text(GENERALISE.replace("HIERARCHY", hierarchy).replace("LEVEL", level))

    with refused("document.in-plan", str(path), *mentioned):
        bb.Plan.load(path)


def test_a_plan_that_is_not_there_is_said_once(tmp_path) -> None:
    with refused("input.unreadable", str(tmp_path / "plan.yaml")):
        bb.Plan.load(tmp_path / "plan.yaml")
