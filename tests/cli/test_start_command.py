"""``biombo start``: from a file to a verified release, by answers given beforehand, through a pipe, or key by key."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest

import biombo as bb


def test_with_every_proposal_taken_there_is_a_verified_release(people, biombo):
    ended = biombo("start", "people.csv", "--yes", "--lang", "en")
    assert ended.code == 0, ended.err
    release = people / "people-release"
    assert bb.verify(release, key=people / "people-release.private" / "public.key").origin_proved
    released = pl.read_csv(release / "data.csv")
    assert released.columns == ["trace_id", "idade", "sexo", "diagnostico"]
    assert "Verified: everything that the release claims holds." in ended.out
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.k, request.l, request.release_model, request.harm) == (10, 2, "public", "medium")


def test_the_commands_that_are_printed_work(people, biombo):
    biombo("start", "people.csv", "--yes", "--lang", "pt")
    out = biombo("start", "people.csv", "--yes", "--lang", "pt", "--out", "outra").out
    commands = [line.strip().split()[1:] for line in out.splitlines() if line.startswith("  biombo ")]
    assert [command[0] for command in commands] == ["publish", "verify"]
    for command in commands:
        assert biombo(*command).code == 0


def test_enter_on_an_undecided_column_leaves_it_out_and_other_takes_a_reason(people, answered):
    roles = "\n\n\n\no\nit is printed on every door\n"  # age, sex, diagnosis, name, room
    ended = answered("start", "people.csv", "--lang", "en", answers=roles + "\n" * 9)
    assert ended.code == 0, ended.err
    schema = bb.Schema.load(bb.PublishRequest.load("people.biombo.yaml").schema)
    assert schema["sala"].role == "other"
    assert schema["sala"].reason == "it is printed on every door"
    assert schema["nome"].role == "identifier"
    assert "sala" in pl.read_csv(people / "people-release" / "data.csv").columns


def test_it_can_be_left_and_taken_up_again(people, answered):
    left = answered("start", "people.csv", "--lang", "en", answers="\n-\n")
    assert left.code == 1
    assert "biombo start --request people.biombo.yaml" in left.err
    assert list(bb.PublishRequest.load("people.biombo.yaml").schema["columns"]) == ["idade", "sexo"]
    assert not (people / "people-release").exists()
    went_on = answered("start", "--request", "people.biombo.yaml", "--lang", "en", answers="\n" * 12)
    assert went_on.code == 0, went_on.err
    assert pl.read_csv(people / "people-release" / "data.csv").columns == ["trace_id", "idade", "diagnostico"]


def test_answers_of_an_earlier_time_are_offered_and_never_overwritten(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="-\n")
    before = Path("people.biombo.yaml").read_text()
    answered("start", "people.csv", "--lang", "en", answers="n\nq\n")
    assert Path("people.biombo.yaml").read_text() == before
    assert "idade" in Path("people-2.biombo.yaml").read_text()


def test_one_can_go_back_to_the_question_before(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="-\n<\nq\n")
    assert bb.PublishRequest.load("people.biombo.yaml").schema["columns"]["idade"]["role"] == "quasi"


def test_an_answer_that_is_none_is_told_with_those_that_there_are(people, answered):
    ended = answered("start", "people.csv", "--lang", "en", answers="z\n")
    assert ended.code == 2
    assert "'z' is no answer here" in ended.err


def test_a_file_that_is_not_there_is_told_in_one_sentence(people, biombo):
    ended = biombo("start", "peple.csv", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "peple.csv" in ended.err
    assert "Traceback" not in ended.err
    assert list(people.iterdir()) == [people / "people.csv"]


def test_without_a_file_and_nobody_to_ask_it_says_so(people, biombo):
    ended = biombo("start", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "Nothing is proposed for" in ended.err


def test_columns_that_tell_too_much_are_left_out_and_it_goes_on(people, biombo):
    told = pl.read_csv("people.csv").with_columns(pl.col("idade").alias("diagnostico 2"))
    told.write_csv("people.csv")
    ended = biombo("start", "people.csv", "--yes", "--lang", "en")
    assert ended.code == 0, ended.err
    assert "leave diagnostico 2 out" in ended.out
    assert "diagnostico 2" not in pl.read_csv(people / "people-release" / "data.csv").columns


def test_larger_groups_and_a_finer_column_can_be_asked_for(people, answered):
    answers = "a\n\n\n\n2\nn\n" + "f\nsexo\n0\n" + "\n\n"
    ended = answered("start", "people.csv", "--lang", "en", answers=answers)
    assert ended.code == 0, ended.err
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.k, request.l) == (20, None)
    assert request.level == {"sexo": (None, 0)}


def test_the_command_has_a_name_in_portuguese(people, biombo):
    assert biombo("comece", "people.csv", "--yes", "--lang", "pt").code == 0
    assert (people / "people-publicacao").is_dir()


def test_an_empty_table_and_one_without_people_to_protect_are_told(people, biombo):
    Path("empty.csv").write_text("idade,sexo\n")
    assert biombo("start", "empty.csv", "--yes", "--lang", "en").code == 2


def test_what_was_typed_is_never_taken_for_less(people, biombo):
    ended = biombo("start", "people.csv", "--yes", "--k", 50, "--l", 9, "--lang", "en")
    assert ended.code == 2
    assert "No plan meets what was asked for" in ended.err
    assert not (people / "people-release").exists()


def test_a_folder_that_is_there_is_not_replaced_by_another(people, biombo):
    Path("there").mkdir()
    Path("there/mine.txt").touch()
    ended = biombo("start", "people.csv", "--yes", "--out", "there", "--lang", "en")
    assert ended.code == 2
    assert "there" in ended.err
    assert not (people / "people-release").exists()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("idade,sexo\n30,F\n31,M\n32,F\n33,M\n34,F\n", "No group size from 10 on is possible for these 5 records"),
        ("a,b\n" + "1,2\n" * 40, "No column seems to be known to others"),
    ],
)
def test_tables_with_too_few_records_or_nothing_to_protect_are_told_once(people, biombo, content, words):
    Path("few.csv").write_text(content)
    ended = biombo("start", "few.csv", "--yes", "--lang", "en")
    assert ended.code == 2
    assert words in ended.err


def test_answers_for_another_table_of_the_same_name_are_left_alone(people, answered):
    Path("other").mkdir()
    Path("other/people.csv").write_text("idade,sexo\n30,F\n30,M\n")
    answered("start", "people.csv", "--lang", "en", answers="-\n")
    before = Path("people.biombo.yaml").read_text()
    answered("start", "other/people.csv", "--lang", "en", answers="q\n")
    assert Path("people.biombo.yaml").read_text() == before
    assert bb.PublishRequest.load("people-2.biombo.yaml").files == ("other/people.csv",)


def test_a_number_that_cannot_be_is_asked_for_again(people, answered):
    answers = "a\n\n" + "c\n\n\n\n" + "1e999\n-3\n12,7\n150\n" + "5\n1%\n" + "0,02\n" + "\n" * 9
    ended = answered("start", "people.csv", "--lang", "en", answers=answers)
    assert ended.code == 0, ended.err
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.acquaintances, request.prevalence, request.breach) == (150, 0.01, 0.02)


def test_going_back_to_the_columns_asks_for_them_once_more(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="a\n<\n-\n")
    assert bb.PublishRequest.load("people.biombo.yaml").schema["columns"]["idade"]["role"] == "undecided"


def test_a_column_goes_out_as_it_is_only_for_a_written_reason(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="o\n\n\nbecause\n")
    column = bb.PublishRequest.load("people.biombo.yaml").schema["columns"]["idade"]
    assert (column["role"], column["reason"]) == ("other", "because")


def test_a_released_table_can_be_released_again(people, biombo):
    biombo("start", "people.csv", "--yes", "--lang", "en")
    ended = biombo("start", "people-release/data.csv", "--yes", "--out", "again", "--lang", "en")
    assert ended.code == 0, ended.err


class Terminal:
    """The program on a terminal, answered key by key."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        try:
            self.master, slave = pty.openpty()
        except OSError as error:
            pytest.skip(f"there are no terminals to open here ({error})")
        program = [sys.executable, "-c", "import sys; from biombo._cli import main; sys.exit(main())", *arguments]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm"}
        streams = {"stdin": slave, "stdout": slave, "stderr": slave}
        self.process = subprocess.Popen(program, cwd=folder, env=environment, start_new_session=True, **streams)
        os.close(slave)
        self.seen = ""

    def wait_for(self, words: str, seconds: float = 60) -> None:
        end = time.monotonic() + seconds
        while words not in self.seen:
            assert time.monotonic() < end, self.seen
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
                except OSError:  # the program has ended
                    assert words in self.seen, self.seen

    def press(self, key: str, then: str) -> None:
        """Press a key once the program waits for one, which cannot be seen: what comes earlier is thrown away."""
        for _ in range(20):
            self.seen = ""
            time.sleep(0.5)
            os.write(self.master, key.encode())
            if select.select([self.master], [], [], 5)[0]:
                break
        self.wait_for(then)

    def ended(self) -> int:
        return self.process.wait(60)


@pytest.mark.slow
def test_on_a_terminal_one_key_is_an_answer_and_ctrl_d_keeps_what_was_said(people):
    terminal = Terminal(people, "start", "people.csv", "--lang", "en")
    terminal.wait_for("What is it?")
    terminal.press("q", then="Column 2 of 5")
    terminal.press("z", then="is no answer here")
    terminal.press("?", then="gives a person away by itself")
    terminal.press("\x04", then="biombo start --request people.biombo.yaml")
    assert terminal.ended() == 1
    assert list(bb.PublishRequest.load(people / "people.biombo.yaml").schema["columns"]) == ["idade"]


@pytest.mark.slow
def test_ctrl_c_ends_it_and_loses_nothing(people):
    terminal = Terminal(people, "start", "people.csv", "--lang", "en")
    terminal.wait_for("What is it?")
    terminal.press("\r", then="Column 2 of 5")
    terminal.press("\x03", then="biombo start --request people.biombo.yaml")
    assert terminal.ended() == 130
    assert (people / "people.biombo.yaml").is_file()
