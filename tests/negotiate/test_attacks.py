"""What somebody who takes part may not do by what they send, whatever they send: read files, and carve out groups."""

import json
import os
from dataclasses import fields
from pathlib import Path

import pytest
from negotiations import AGES, ANA, RITA, SCHEMA, led_to, preparation

import biombo as bb
from biombo._files import read_whole
from biombo._negotiate import fact_of, plain_fact


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A hierarchy that lies on the machine, and is nobody's business."""
    path = tmp_path / "secret.csv"
    path.write_text("20,TOPSECRET\n27,TOPSECRET\n")
    return path


def within(name: str, place: object) -> dict:
    """A hierarchy that names a file, in each way there is."""
    return {
        "itself": place,
        "behind columns": {"kind": "columns", "columns": ["city"], "then": place},
        "further behind": {
            "kind": "columns",
            "columns": ["city"],
            "then": {"kind": "columns", "columns": ["age"], "then": place},
        },
    }[name]


WAYS = ("itself", "behind columns", "further behind")


def acts_with(hierarchy: object) -> list[dict]:
    """All acts that have hierarchies somewhere."""
    generalise = {"generalise": {"column": "age", "hierarchy": hierarchy, "level": 1}}
    noise = {"noise-small-groups": {"groups-below": 3, "mechanisms": [generalise]}}
    ((_, entries),) = plain_fact(preparation()).items()
    schema = {**entries["schema"], "columns": {**entries["schema"]["columns"]}}
    schema["columns"]["age"] = {**schema["columns"]["age"], "hierarchy": hierarchy}
    exponential = {
        "exponential": {
            "column": "age",
            "epsilon": 1,
            "domain": ["20", "27"],
            "distance": "hierarchy",
            "hierarchy": hierarchy,
        }
    }
    return [
        {"accept": {"manipulations": [generalise]}},
        {"accept": {"manipulations": [noise]}},
        {"accept": {"manipulations": [exponential]}},
        {"suggest": {"manipulations": [generalise]}},
        {"prepare": {**entries, "schema": schema}},
    ]


@pytest.mark.parametrize("way", WAYS)
def test_no_act_that_was_sent_opens_a_file(monkeypatch, secret, way):
    """Neither is it told whether there is one."""
    monkeypatch.chdir(secret.parent)
    for act in range(len(acts_with(""))):
        told = set()
        for place in (str(secret), secret.name, str(secret.parent / "absent.csv"), "/dev/zero", f"{secret}.yaml"):
            with pytest.raises(bb.BiomboError) as refusal:
                fact_of(acts_with(within(way, place))[act])
            told.add(str(refusal.value))
        assert len(told) == 1
        assert "SECRET" not in told.pop()


def test_what_a_manager_has_in_a_file_stands_in_the_chain_itself(tmp_path, secret):
    """Whoever reads the chain later needs no file, and opens none."""
    secret.write_text("".join(f"{age},young\n" if age < 50 else f"{age},old\n" for age in range(120)))
    columns = {**SCHEMA.columns, "age": bb.ColumnSchema(role="quasi", hierarchy=str(secret))}
    talk = led_to(tmp_path / "talks", "requested")
    talk.act(ANA, preparation(schema=bb.Schema(columns)))
    chain = (talk.folder / "events.jsonl").read_text()
    tree = talk.state.preparation.declared["age"].hierarchy
    secret.unlink()

    assert str(secret.parent) not in chain
    assert bb.Hierarchy.load(tree).ancestors("70")[0] == "old"
    talk.act(RITA, bb.Accept([bb.Generalise("age", bb.Hierarchy.load(tree), 1)]))
    assert talk.state.name == "applying"


def test_a_preparation_whose_hierarchy_is_none_is_refused():
    ((_, entries),) = plain_fact(preparation()).items()
    tree = json.loads(json.dumps(entries["schema"]))
    for wrong in ({"kind": "nonsense"}, {"kind": "built-in", "name": "/etc/passwd"}, {"a": 5}, "nowhere"):
        tree["columns"]["age"]["hierarchy"] = wrong
        with pytest.raises(bb.BiomboError, match="age"):
            fact_of({"prepare": {**entries, "schema": tree}})


@pytest.mark.skipif(os.name == "nt", reason="there are no such names")
def test_devices_and_pipes_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in ("/dev/zero", tmp_path / "pipe.yaml"):
        with pytest.raises(bb.InputError, match="device or a pipe"):
            read_whole(path)


# Groups of one's own making

OTHER_ENTRIES = {"apart": ["20"], "missing": "own-branch"}


def test_every_entry_of_an_operation_but_its_level_is_as_declared(tmp_path):
    """Else a requester sets one value apart, and learns by whether TG is reached how many people have it."""
    talk = led_to(tmp_path, "manipulations")
    free = {each.name for each in fields(bb.Generalise)} - {"column", "hierarchy", "level"}
    assert free == {*OTHER_ENTRIES}  # a new entry must be thought of here
    for entry, value in OTHER_ENTRIES.items():
        with pytest.raises(bb.ColumnError, match="'age' can be generalised by the hierarchy that the manager"):
            talk.act(RITA, bb.Accept([bb.Generalise("age", AGES, 2, **{entry: value})]))
    assert talk.view(RITA).measurements_left == 30
    talk.act(RITA, bb.Accept([bb.Generalise("age", AGES, 2)]))


def test_a_column_is_changed_once(tmp_path):
    talk = led_to(tmp_path, "manipulations")
    for second in (bb.Generalise("age", AGES, 2), bb.SuppressColumn("age")):
        with pytest.raises(bb.ColumnError, match="changed twice"):
            talk.act(RITA, bb.Accept([bb.Generalise("age", AGES, 1), second]))


def test_a_suggestion_is_taken_as_it_is_or_in_parts_and_nothing_is_added_to_it(tmp_path):
    talk = led_to(tmp_path, "applying")
    ages, city = bb.Generalise("age", AGES, 2, apart=["20"]), bb.SuppressColumn("city")
    talk.act(ANA, bb.Suggest([ages, city]))
    with pytest.raises(bb.ColumnError, match="changed twice"):
        talk.act(RITA, bb.Accept([ages, bb.Generalise("age", AGES, 3)]))
    with pytest.raises(bb.ColumnError, match="the manager has declared"):
        talk.act(RITA, bb.Accept([bb.Generalise("age", AGES, 2, apart=["27"]), city]))
    talk.act(RITA, bb.Accept([ages, city]))


@pytest.mark.parametrize(
    "asked",
    [
        {"weights": {"age": 1.0000001}},
        {"weights": {"age": 5}},
        {"weights": {"age": True}},
        {"weights": {"age": "4"}},
        {"weights": {"age": [4]}},
        {"weights": {"disease": 4}},
        {"weights": {"name": 4}},
        {"bounds": {"disease": 1}},
        {"bounds": {"age": {"low": 1}}},
        {"bounds": {"age": [0, 1, 2]}},
        {"bounds": {"age": [[0], 1]}},
        {"bounds": {"age": 1.5}},
        {"max_suppression": 0.0123},
    ],
)
def test_plans_are_asked_for_by_few_weights_and_by_levels(tmp_path, asked):
    """Weights of one's own choice would compare the losses of columns ever more exactly."""
    talk = led_to(tmp_path, "manipulations")
    before = talk.view(RITA)

    with pytest.raises(bb.BiomboError):
        talk.act(RITA, bb.AskForPlans(**asked))

    assert talk.view(RITA) == before


def test_synonyms_are_for_columns_that_were_listed(tmp_path):
    talk = led_to(tmp_path, "diversity")
    talk.act(ANA, bb.AskDiversity(3))
    assert talk.state.name == "synonyms"
    for column in ("age", "name", "nothing"):
        with pytest.raises(bb.UsageError):
            talk.act(RITA, bb.GiveSynonyms({column: {}}))


@pytest.mark.parametrize("name", ["/etc", "../public", "a/b", "", ".", "..", "a\0b"])
def test_where_releases_are_named_no_request_leads_elsewhere(tmp_path, name):
    with pytest.raises(bb.UsageError, match="none of the catalogue"):
        bb.RequestOrigin(release=name).place(tmp_path)
    assert bb.RequestOrigin(release="winter").place(tmp_path) == tmp_path / "winter"
