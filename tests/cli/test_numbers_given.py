"""What is said about numbers that an option cannot take."""

from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer import Option, TyperException

from biombo._cli import application

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


READ_PLAINLY = {
    parameter.name: parameter
    for parameter in application(["search"]).commands["search"].params
    if parameter.name
    in ("k", "l", "max_suppression", "time_limit", "plans", "schema", "hierarchies", "l_kind", "quasi")
}
typed = st.text("0123456789.-+e_ x∞½٣", max_size=6) | st.sampled_from(["distinct", "entropy", "", "nan", "inf", "1e3"])


@given(name=st.sampled_from(sorted(READ_PLAINLY)), value=typed)
def test_what_is_read_plainly_is_what_typer_would_read(name, value):
    parameter = READ_PLAINLY[name]
    value = (value,) if parameter.multiple else value

    def read_by(reader) -> object:
        try:
            return repr(reader.coerce(value, param=parameter, ctx=None))
        except TyperException as refused:
            return str(refused)

    plainly = parameter.get_runtime_param()
    assert read_by(plainly) == read_by(plainly.typers_own())
