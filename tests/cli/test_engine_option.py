"""``--engine``: the same option everywhere, and one sentence where there is no such engine."""

import pytest
from request_folder import furnish

COMMANDS = {
    "risk": ("people.csv", "--quasi", "age", "--sensitive", "disease"),
    "search": ("people.csv", "--quasi", "age", "--k", "2"),
    "apply": ("people.csv", "--plan", "plan.yaml", "--out", "out.csv"),
    "publish": ("people.csv", "--plan", "plan.yaml", "--out", "release"),
    "utility": ("people.csv", "people.csv"),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    furnish(tmp_path)


@pytest.mark.parametrize("lang", ["en", "pt"])
@pytest.mark.parametrize("command", COMMANDS)
def test_no_such_engine_is_one_sentence(biombo, command, lang):
    ended = biombo(command, *COMMANDS[command], "--engine", "flink", "--lang", lang)

    assert ended.code == 2
    assert len(ended.err.strip().splitlines()) == 1
    assert "'flink'" in ended.err
    assert {"en": "There is no engine", "pt": "Não existe o mecanismo"}[lang] in ended.err


def test_verify_refuses_it_as_well(biombo):
    assert biombo("publish", *COMMANDS["publish"]).code == 0

    ended = biombo("verify", "release", "--engine", "flink")

    assert ended.code == 2
    assert "'flink'" in ended.err
    assert biombo("verify", "release", "--engine", "local").code == 0


@pytest.mark.parametrize("command", COMMANDS)
def test_local_changes_nothing(biombo, command):
    assert biombo(command, *COMMANDS[command], "--engine", "local").code == 0


def test_a_token_is_in_no_message_and_in_no_request(biombo, tmp_path):
    address = "sc://127.0.0.1:1/;token=t0k3n-of-ana"

    ended = biombo("risk", *COMMANDS["risk"], "--engine", address, "--save-request", "kept.yaml")

    assert ended.code == 2
    assert "t0k3n" not in ended.out + ended.err
    assert not (tmp_path / "kept.yaml").exists()


def test_a_request_names_its_engine(biombo, tmp_path):
    assert biombo("risk", *COMMANDS["risk"], "--save-request", "kept.yaml").code == 0
    kept = (tmp_path / "kept.yaml").read_text()
    (tmp_path / "other.yaml").write_text(kept + "engine: flink\n")

    assert "engine" not in kept
    assert biombo("risk", "people.csv", "--request", "other.yaml").code == 2
    assert biombo("risk", "people.csv", "--request", "other.yaml", "--engine", "local").code == 0
