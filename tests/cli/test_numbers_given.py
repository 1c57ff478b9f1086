"""What is said about numbers that an option cannot take."""

from typing import Annotated

import pytest
from typer import Option

SIZE = Option("--size", min=1, help="cli.option.json")
SHARE = Option("--share", min=0.0, max=1.0, help="cli.option.json")


def command(size: Annotated[int, SIZE] = 1, share: Annotated[float, SHARE] = 0.5) -> None:
    """Take two numbers."""


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--size", "two"), "it must be a whole number."),
        (("--size", "0"), "it must be at least 1."),
        (("--share", "half"), "it must be a number."),
        (("--share", "1.5"), "it must be at most 1."),
    ],
)
def test_the_sentence_says_what_would_do(biombo, as_inspect, arguments, sentence):
    as_inspect(command)
    ending = biombo("inspect", *arguments)

    assert ending.code == 2
    assert sentence in ending.err


def test_too_many_arguments_are_named(biombo, as_inspect):
    as_inspect(command)

    assert "These arguments are too many: a b." in biombo("inspect", "--size", "2", "a", "b").err
