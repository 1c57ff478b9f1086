"""What cannot be published: one sentence, and nothing is left behind."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import biombo as bb

PEOPLE = "age,sex,cpf\n" + "20,F,1\n21,M,2\n" * 20
FILES = {"people.csv": PEOPLE, "header.csv": "age,sex,cpf\n", "empty.csv": "", "a_file": "x"}
ASKED = ("--quasi", "age,sex", "--k", 3)
BY_PLAN = ("--plan", "plan.yaml")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "something").touch()
    described = {"age": bb.ColumnSchema(role="quasi"), "cpf": bb.ColumnSchema(role="identifier")}
    (tmp_path / "schema.yaml").write_text(bb.Schema(described).to_yaml())
    bb.Plan([bb.MaskGroups()], [bb.KAnonymity(3)], quasi=["age", "sex"]).save("plan.yaml")
    return tmp_path


def listing(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("nowhere.csv", *ASKED), "There is no file nowhere.csv"),
        (("nowhere.csv", *BY_PLAN), "There is no file nowhere.csv"),
        (("empty.csv", *ASKED), "empty.csv is empty"),
        (("header.csv", *ASKED), "There are no rows in header.csv"),
        (("header.csv", *BY_PLAN), "There are no rows in header.csv"),
        (("people.csv", "--quasi", "agee", "--k", 3), "Column 'agee' is not in people.csv; did you mean 'age'?"),
        (("people.csv", "--quasi", "agee", *BY_PLAN), "Column 'agee' is not in people.csv; did you mean 'age'?"),
        (("people.csv", *BY_PLAN, "--other", "cfp"), "Column 'cfp' is not in people.csv; did you mean 'cpf'?"),
        (("people.csv", *ASKED, "--other", "cfp"), "Column 'cfp' is not in people.csv; did you mean 'cpf'?"),
        (("people.csv", *ASKED, "--predict", "sexx"), "Column 'sexx' is not in people.csv; did you mean 'sex'?"),
        (("people.csv", *BY_PLAN, "--schema", "schema.yaml", "--other", "cpf"), "Column 'cpf' is an identifier"),
        (("people.csv", "--plan", "nowhere.yaml"), "nowhere.yaml could not be opened"),
        (("people.csv", *BY_PLAN, "--key", "no.key"), "no.key could not be opened"),
        (("people.csv", *BY_PLAN, "--out", "full"), "full exists already"),
        (("people.csv", *BY_PLAN, "--out", "a_file"), "a_file exists already"),
        (("people.csv", *BY_PLAN, "--out", "a_file/release"), "a_file is a file and not a folder"),
        (("people.csv", *BY_PLAN, "--private", "full"), "The private folder full exists already"),
        (("people.csv", *BY_PLAN, "--private", "a_file/home"), "a_file is a file and not a folder"),
        (("people.csv", *BY_PLAN, "--harm", "low"), "--harm cannot be used without a release model"),
        (("people.csv", *BY_PLAN, "--department", "A"), "--department is meant for a register"),
        (
            ("people.csv", *BY_PLAN, "--release-model", "public", "--harm", "low", "--override-reason", " "),
            "needs a reason in writing",
        ),
    ],
)
def test_one_sentence_and_nothing_left_behind(biombo, folder, arguments, sentence) -> None:
    before = listing(folder)
    ending = biombo("publish", *arguments, *(() if "--out" in arguments else ("--out", "release")))

    assert (ending.code, ending.out) == (2, "")
    *steps, error = ending.err.splitlines()
    assert sentence in error
    assert all(re.match(r"\d/6 ", step) for step in steps)
    assert listing(folder) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_where_one_may_not_write(biombo, folder) -> None:
    (folder / "locked").mkdir(mode=0o555)
    ending = biombo("publish", "people.csv", *BY_PLAN, "--out", "locked/release")

    assert ending.code == 2
    assert "locked/release could not be written" in ending.err
    assert ending.err.count("\n") == 1


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="there is no such file system here")
def test_where_there_is_no_room(biombo, folder) -> None:
    before = listing(folder)
    ending = biombo("publish", "people.csv", *BY_PLAN, "--out", "/proc/release", "--private", "private")

    assert ending.code == 2
    assert "The disk of /proc/release has too little room" in ending.err
    assert ending.err.count("\n") == 1
    assert listing(folder) == before


def test_long_work_is_told_of_before(folder) -> None:
    header, row = ",".join(f"c{number}" for number in range(300)), "1," * 299 + "1"
    (folder / "wide.csv").write_text("\n".join([header, *[row] * 12_000, ""]))
    heard: dict[str, list[str]] = {"people.csv": [], "wide.csv": []}
    for (name, said), column in zip(heard.items(), ("age", "c1"), strict=True):
        with bb.Watch(remark=said.append):
            bb.PublishRequest(files=[name], quasi=[column], k=3, out="release").check()

    assert heard["people.csv"] == []
    assert "Some 12,000 rows and 300 columns: publishing takes about 11 s" in heard["wide.csv"][0]
    assert heard["wide.csv"][1:] == ["The search for a plan comes on top of that."]


def test_ctrl_c_leaves_nothing_behind(folder) -> None:
    (folder / "large.csv").write_text(PEOPLE + "20,F,1\n21,M,2\n" * 20_000)
    before = listing(folder)
    code = "import sys; from biombo._cli import main; sys.exit(main())"
    program = [sys.executable, "-c", code, "publish", "large.csv", *BY_PLAN, "--out", "release"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True, env=environment) as process:
        _wait_for(folder / ".release.biombo-part")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)

    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert listing(folder) == before


def _wait_for(path: Path) -> None:
    until = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < until
        time.sleep(0.005)
