"""The commands, in the order of their use."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from typer import Exit, Option, Typer
from typer.main import get_command

from biombo._cli.apply import apply
from biombo._cli.demo import demo
from biombo._cli.inspect import inspect
from biombo._cli.key import key
from biombo._cli.options import Lang
from biombo._cli.publish import publish
from biombo._cli.register import REGISTER
from biombo._cli.reveal import reveal
from biombo._cli.risk import risk
from biombo._cli.search import search
from biombo._cli.trace import trace
from biombo._cli.utility import utility
from biombo._cli.verify import verify
from biombo._cli.words import Command, Group, worded
from biombo._i18n import text

COMMANDS: dict[str, Callable[..., int | None]] = {
    "demo": demo,
    "inspect": inspect,
    "risk": risk,
    "search": search,
    "apply": apply,
    "publish": publish,
    "verify": verify,
    "trace": trace,
    "utility": utility,
    "key": key,
    "reveal": reveal,
}

GROUPS: dict[str, Mapping[str, Callable[..., int | None]]] = {"register": REGISTER}
"""Commands that have commands of their own."""


def application() -> Any:
    """The program, worded in the language in use."""
    app = Typer(add_completion=False, pretty_exceptions_enable=False)
    app.callback(cls=Group, help="cli.help.program", no_args_is_help=True)(_program)
    for name, command in COMMANDS.items():
        app.command(name, cls=Command, help=f"cli.{name}.help", no_args_is_help=command is not demo)(command)
    for name, commands in GROUPS.items():
        app.add_typer(_group(name, commands), name=name)
    return worded(get_command(app))


def _group(name: str, commands: Mapping[str, Callable[..., int | None]]) -> Typer:
    group = Typer(cls=Group, help=f"cli.{name}.help", no_args_is_help=True)
    group.callback()(_before_subcommand)
    for subname, command in commands.items():
        group.command(subname, cls=Command, help=f"cli.{name}.{subname}.help")(command)
    return group


def _before_subcommand(_lang: Lang = None) -> None:
    """What comes between a command and its own commands."""


def _show_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("biombo")
        except PackageNotFoundError:
            number = text("cli.help.not-installed")
        print(f"biombo {number}")
        raise Exit


def _program(
    _version: Annotated[
        bool, Option("--version", callback=_show_version, is_eager=True, help="cli.option.version")
    ] = False,
    _lang: Lang = None,
) -> None:
    """What comes before a command."""
