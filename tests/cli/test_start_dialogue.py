"""``biombo start``: what is announced is done, wrong answers are asked for again, and no answer is a dead end."""

import random
import re
import shlex
from pathlib import Path

import polars as pl
import pytest

import biombo as bb


@pytest.fixture
def telling(tmp_path, monkeypatch) -> Path:
    """A table with a column that tells another, in a folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    drawn = random.Random(2)
    rows = [(drawn.choice("MF"), drawn.randint(1, 80), drawn.choice("xy")) for _ in range(1500)]
    lines = [f"{sex},{age},cond{age:02d},{diagnosis}\n" for sex, age, diagnosis in rows]
    Path("m.csv").write_text("sexo,idade,doenca,diagnostico\n" + "".join(lines))
    return tmp_path


def words(printed: str) -> str:
    """What was printed, in one line."""
    return " ".join(printed.split())


def announced(printed: str, what: str) -> list[int]:
    """How many records were said to be masked, or left out, before publishing."""
    return [int(found) for found in re.findall(rf"(\d+) of [\d,]+ records \([^)]*\) will be {what}", words(printed))]


@pytest.mark.parametrize("k", [10, 20, 50])
def test_as_many_records_are_masked_or_left_out_as_was_announced(telling, biombo, k):
    ended = biombo("start", "m.csv", "--k", k, "--yes", "--lang", "en")
    assert ended.code == 0, ended.err
    masked, dropped = (re.search(rf"(\d+) records? {what}", words(ended.out)) for what in ("masked", "left out of"))
    assert announced(ended.out, "masked")[-1:] == ([int(masked[1])] if masked else [])
    assert announced(ended.out, "left out")[-1:] == ([int(dropped[1])] if dropped else [])
    assert masked or dropped


def test_one_record_is_not_shown_as_none(tmp_path, monkeypatch, biombo):
    monkeypatch.chdir(tmp_path)
    lines = ["F,40,x\n", "M,40,y\n"] * 1000 + ["M,90,y\n"]
    Path("m.csv").write_text("sexo,idade,diagnostico\n" + "".join(lines))
    out = biombo("start", "m.csv", "--yes", "--lang", "en").out
    assert "<0.1% of the records" in out


@pytest.mark.parametrize("reason", ["", "   "])
def test_columns_are_accepted_only_for_a_reason(telling, answered, reason):
    answers = "a\n\n\n\n\n\n\n\n" + f"a\n{reason}\n{reason}\nonly x and y\n" + "\n\n\n"
    ended = answered("start", "m.csv", "--lang", "en", answers=answers)
    assert ended.code == 0, ended.err
    request = bb.PublishRequest.load("m.biombo.yaml")
    assert (request.accept_column, request.reason) == (("doenca",), "only x and y")


def test_leaving_at_the_reason_accepts_nothing(telling, answered):
    answered("start", "m.csv", "--lang", "en", answers="a\n\n\n\n\n\n\n\n" + "a\n\n")
    request = bb.PublishRequest.load("m.biombo.yaml")
    assert (request.accept_column, request.reason) == ((), None)


@pytest.mark.parametrize("way", ["--yes", "by line"])
def test_columns_that_were_accepted_without_a_reason_are_no_dead_end(telling, biombo, answered, way):
    answered("start", "m.csv", "--lang", "en", answers="a\n")
    half = Path("m.biombo.yaml").read_text() + "accept-column: [doenca]\nreason: ''\n"
    Path("m.biombo.yaml").write_text(half)
    if way == "--yes":
        ended = biombo("start", "m.csv", "--yes", "--lang", "en")
        assert "doenca" not in pl.read_csv("m-release/data.csv").columns
    else:
        ended = answered("start", "m.csv", "--lang", "en", answers="\n" * 7 + "\nit is so\n" + "\n" * 5)
        assert bb.PublishRequest.load("m.biombo.yaml").reason == "it is so"
    assert ended.code == 0, ended.err
    assert "No reason was given for accepting doenca" in ended.out


def test_a_second_reason_does_not_replace_the_first(telling, answered):
    table = pl.read_csv("m.csv").with_columns(pl.col("idade").alias("doenca 2"))
    table.write_csv("m.csv")
    answered("start", "m.csv", "--lang", "en", answers="a\n")
    with Path("m.biombo.yaml").open("a") as answers:
        answers.write("accept-column: [doenca]\nreason: first\n")
    answers = "\n" * 7 + "a\nsecond\n" + "\n" * 3
    ended = answered("start", "--request", "m.biombo.yaml", "--lang", "en", answers=answers)
    request = bb.PublishRequest.load("m.biombo.yaml")
    assert ended.code == 0, ended.err
    assert (request.accept_column, request.reason) == (("doenca", "doenca 2"), "first; second")


def test_a_column_that_is_changed_takes_back_what_was_said_of_it(telling, answered):
    answered("start", "m.csv", "--lang", "en", answers="a\n")
    with Path("m.biombo.yaml").open("a") as answers:
        answers.write("accept-column: [doenca]\nreason: first\nlevel: {idade: [null, 2]}\n")
    # people, <, sex stays, age and disease are left out
    answered("start", "--request", "m.biombo.yaml", "--lang", "en", answers="<\n\n-\n-\n")
    request = bb.PublishRequest.load("m.biombo.yaml")
    assert (request.accept_column, request.reason, request.level) == ((), None, None)


def test_wrong_days_and_numbers_are_asked_for_again(people, answered):
    answers = (
        "a\n\n"
        + "c\n\n\n\n"
        + "1e308\n1,000\n1.000\n200%\n12\n"
        + "\n\n"
        + "\nstatistics\n"
        + "31/02/2027\n2031-01-31\n"
    )
    ended = answered(
        "start", "people.csv", "--register", "register.db", "--lang", "en", answers=answers + "\nthe ministry\n"
    )
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.acquaintances, request.department, str(request.review)) == (12, "statistics", "2031-01-31")
    assert request.recipient == ("the ministry",)
    assert "'1,000' could mean 1000 as well as 1.000" in ended.out
    assert "5 of 7" in ended.out


def test_a_folder_that_cannot_be_is_asked_for_again(people, answered):
    answers = "a\n" + "\n" * 6 + "people.csv/release\nelsewhere\n"
    ended = answered("start", "people.csv", "--lang", "en", answers=answers)
    assert ended.code == 0, ended.err
    assert Path("elsewhere").is_dir()


def test_commands_that_are_printed_can_be_copied_whatever_files_are_called(people, answered, biombo):
    Path("people.csv").rename("the people.csv")
    ended = answered("start", "the people.csv", "--save-request", "my  answers.yaml", "--lang", "en", answers="a\n")
    (command,) = [line.strip() for line in ended.err.splitlines() if line.startswith("  biombo ")]
    assert shlex.split(command) == ["biombo", "start", "--request", "my  answers.yaml"]


def test_the_file_question_has_help_and_nothing_before_it(people, answered):
    ended = answered("start", "--lang", "en", answers="?\n<\npeople.csv\na\n")
    assert "such as data/people.csv" in words(ended.out)
    assert "There is no question before this one." in ended.out
    assert "2 of 7" in ended.out


def test_answers_of_an_earlier_time_can_be_gone_back_from(people, answered):
    answered("start", "people.csv", "--lang", "en", answers="a\n")
    ended = answered("start", "people.csv", "--lang", "en", answers="<\n\n\n")
    assert ended.code == 1, ended.err
    assert "1 of 7" in ended.out
    assert "3 of 7" in ended.out


def test_an_answer_that_is_none_is_told_with_those_of_the_menu(people, answered):
    ended = answered("start", "people.csv", "--lang", "en", answers="z\n")
    assert "the answers are Enter, i, s, o, -, a, <, ?." in ended.err


def test_a_role_that_is_changed_has_a_reason_of_its_own(people, answered):
    # age is left out, which makes it come last when columns are asked for again
    ended = answered("start", "people.csv", "--lang", "en", answers="-\na\n" + "<\n" + "\n\n\nq\n")
    first, second = ended.out.split("3 of 7")
    assert "its name suggests: age" in first
    assert "left out: your answer" in second
    assert "its name suggests: age" not in second
    about = bb.Schema.load(bb.PublishRequest.load("people.biombo.yaml").schema)["idade"]
    assert about.role == "quasi"
    assert "its name suggests: age" in about.why("en")


def test_a_schema_without_anything_that_others_know_is_told_in_the_words_of_this_command(people, biombo, answered):
    Path("schema.yaml").write_text(
        "columns:\n"
        + "".join(f"  {name}: {{role: sensitive}}\n" for name in ("nome", "idade", "sexo", "diagnostico", "sala"))
    )
    ended = biombo("start", "people.csv", "--schema", "schema.yaml", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "give at least one the role quasi" in ended.err
    assert "--quasi" not in ended.err
    Path("people.biombo.yaml").unlink(missing_ok=True)
    ended = answered("start", "people.csv", "--schema", "schema.yaml", "--lang", "en", answers="-\nq\n" + "\n" * 3)
    assert "3 of 7" in ended.out


def test_without_sensitive_columns_nothing_is_asked_of_them_any_more(people, answered):
    answers = "a\n\n\n\n\n\n" + "c\n" + "\n\n-\n\n\n" + "\n\n\n"
    ended = answered("start", "people.csv", "--lang", "en", answers=answers)
    assert "No column is sensitive" in words(ended.out)
    assert ended.code == 0, ended.err
    assert bb.PublishRequest.load("people.biombo.yaml").l is None


def test_more_harm_on_the_way_asks_for_larger_groups(people, answered):
    answers = "a\n\n\n\n\n\n" + "<\n<\n" + "\n3\n" + "\n\n"
    answered("start", "people.csv", "--lang", "en", answers=answers)
    request = bb.PublishRequest.load("people.biombo.yaml")
    assert (request.harm, request.k) == ("high", 100)


def test_columns_that_hierarchies_are_read_off_are_there(people, biombo):
    roles = "idade: {role: quasi, hierarchy: age}, sala: {role: quasi, hierarchy: {kind: columns, columns: [sexo]}}"
    Path("schema.yaml").write_text(f"columns: {{{roles}, sexo: {{role: other, reason: known}}}}\n")
    table = pl.read_csv("people.csv").with_columns(
        sexo=pl.col("sala").replace_strict({f"sala {n}": "FM"[n % 2] for n in range(4)})
    )
    table.write_csv("people.csv")
    ended = biombo("start", "people.csv", "--schema", "schema.yaml", "--yes", "--lang", "en")
    assert "6 of 7" in ended.out, ended.err


@pytest.mark.parametrize("option", ["--max-suppression", "--threshold"])
def test_what_could_mean_thousands_is_told_as_such(people, biombo, option):
    ended = biombo("start", "people.csv", option, "1,000", "--yes", "--lang", "en")
    assert ended.code == 2
    assert "1,000 could mean 1000 as well as 1.000; write which of them." in ended.err


def test_columns_are_counted_alike_before_and_after(people, biombo):
    ended = biombo("start", "people.csv", "--yes", "--lang", "en")
    assert "3 of 5 columns are released; with trace_id the release has 4." in ended.err
    assert "600 records, 4 columns" in ended.out
