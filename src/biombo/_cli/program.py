"""The commands, in the order of their use."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from keyword import iskeyword
from typing import Annotated, Any

from typer import Exit, Option, Typer
from typer.main import get_command

from biombo._cli.help import Command, Group, worded
from biombo._cli.options import Lang
from biombo._i18n import text

COMMANDS = (
    "start",
    "demo",
    "inspect",
    "advise",
    "risk",
    "search",
    "apply",
    "publish",
    "verify",
    "trace",
    "joint-risk",
    "utility",
    "tabulate",
    "query",
    "synthesise",
    "reveal",
    "serve",
    "completion",
)
"""Each is the function of that name in the module of that name; a hyphen is an underscore there."""

GROUPS = ("schema", "hierarchy", "import", "key", "codes", "register", "negotiation", "portal")
"""Commands that have commands of their own: the mapping ``COMMANDS`` of the module of that name."""

_NEEDS_NOTHING = ("start", "demo", "serve")

_ALSO_CALLED = {"comece": "start"}
"""Commands that have a name in Portuguese too."""


def application(arguments: Sequence[str] = ()) -> Any:
    """The program, worded in the language in use. Of its commands only those are loaded that ``arguments`` name."""
    app = Typer(add_completion=False, pretty_exceptions_enable=False)
    app.callback(cls=Group, help="cli.help.program", no_args_is_help=True)(_program)
    for called, name in {**dict(zip(COMMANDS, COMMANDS, strict=True)), **_ALSO_CALLED}.items():
        command = getattr(_module(name), _in_code(name)) if called in arguments else _not_asked_for
        app.command(
            called,
            cls=Command,
            help=f"cli.{name}.help",
            hidden=called != name,
            no_args_is_help=name not in _NEEDS_NOTHING,
        )(command)
    for name in GROUPS:
        app.add_typer(_group(name, commands_of(name) if name in arguments else {}), name=name)
    return worded(get_command(app))


def commands_of(group: str) -> Mapping[str, Callable[..., int | None]]:
    """The commands of a group."""
    return _module(group).COMMANDS  # type: ignore[no-any-return]


def _module(name: str) -> Any:
    return import_module(f"biombo._cli.{_in_code(name)}")


def _in_code(name: str) -> str:
    return f"{name}_" if iskeyword(name) else name.replace("-", "_")


def _group(name: str, commands: Mapping[str, Callable[..., int | None]]) -> Typer:
    group = Typer(cls=Group, help=f"cli.{name}.help", no_args_is_help=True)
    group.callback()(_before_subcommand)
    for subname, command in commands.items():
        group.command(subname, cls=Command, help=f"cli.{name}.{subname}.help")(command)
    return group


def _not_asked_for() -> None:
    """Stands for a command that only its line of the help is needed of."""


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
