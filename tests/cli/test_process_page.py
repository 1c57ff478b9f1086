"""The page on the ten steps names all of them, and commands and options that there are."""

import re
import shlex
from pathlib import Path

import pytest
from typer.core import TyperGroup

import biombo as bb
from biombo._cli import application
from biombo._release import FACTORS

PAGE = (Path(__file__).parents[2] / "docs" / "process.md").read_text("utf-8")
PRINTED = [line for line in PAGE.splitlines() if line.startswith("biombo ")]


def command_of(words: list[str]):
    """The command that ``words`` begin with, and the words after it."""
    command, rest = application(words), list(words)
    while isinstance(command, TyperGroup):
        command = command.commands[rest.pop(0)]
    return command, rest


@pytest.mark.parametrize("line", PRINTED)
def test_every_command_that_is_printed_can_be_typed(line) -> None:
    command, rest = command_of(shlex.split(line)[1:])

    command.make_context("biombo", rest, resilient_parsing=False)


def test_every_command_and_option_that_is_named_is_there() -> None:
    quoted = re.findall("`([^`]+)`", PAGE)
    publish, _ = command_of(["publish"])
    options = {name for parameter in publish.params for name in parameter.opts}
    commands = [each.split() for each in quoted if each.startswith("biombo ")]

    assert len(commands) >= 8
    assert all(words[1] in application([]).commands for words in commands)
    assert {each for each in quoted if each.startswith("--")} - {"--json"} <= options


def test_the_ten_steps_are_those_of_the_report() -> None:
    steps = bb.ten_steps(bb.Plan([]), bb.Decision(bb.PublicRelease(harm="low"), 5))
    rows = re.findall(r"^\| (\d+)\. ", PAGE, re.MULTILINE)

    assert [int(number) for number in rows] == [step.number for step in steps]


def test_every_factor_is_explained() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE) == list(FACTORS)
