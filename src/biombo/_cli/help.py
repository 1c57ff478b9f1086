"""The command line's own vocabulary in the language in use: help pages and complaints about usage.

Commands name keys of the catalogue where texts are expected (``help="cli.option.json"``); ``worded`` fills them in when
the language is known.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args

from typer import TyperException
from typer.core import TyperCommand, TyperGroup

from biombo._cli.typed import both_meanings, may_be_thousands, with_point
from biombo._i18n import number, text

PROGRAM = "cli.help.program"
"""What the program as a whole is for."""

SHARE = "cli.metavar.share"
"""The mark of an option that takes a part of one, or a percentage."""

_UNEXPECTED = re.compile(r"Got unexpected extra argument\S* \((?P<arguments>.*)\)")
_NUMBERS = {int: re.compile("[0-9]{1,9}"), float: re.compile("[0-9]{1,9}([.][0-9]+)?")}
_NO_COMMAND = re.compile(r"No such command '(?P<command>[^']*)'\.(?: Did you mean (?P<close>.*)\?)?")


class _Worded:
    """Help pages whose headings are in the language in use."""

    def format_usage(self: Any, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(ctx.command_path, " ".join(self.collect_usage_pieces(ctx)), text("cli.help.usage"))

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option:
            option.help, option.metavar = text("cli.help.help"), ""
            option.get_runtime_param = partial(_PlainValues, option, option.get_runtime_param)
        return option

    def format_help(self: Any, ctx: Any, formatter: Any) -> None:
        from typer import rich_utils

        rich_utils.ARGUMENTS_PANEL_TITLE = text("cli.help.arguments")
        rich_utils.OPTIONS_PANEL_TITLE = text("cli.help.options")
        rich_utils.COMMANDS_PANEL_TITLE = text("cli.help.commands")
        rich_utils.REQUIRED_LONG_STRING = text("cli.help.required")
        self._print_opening(ctx)
        vars(self)["help"] = ""  # which stands above
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def _print_opening(self: Any, ctx: Any) -> None:
        """What the command is for, and how it is typed."""
        from rich.padding import Padding

        from biombo._cli.terminal import output

        console = output()
        console.print(Padding(self.help, (1, 1)))
        if self.examples:
            console.print(f" {text('cli.help.examples')}", style="bold")
        for line in self.examples:
            console.print(f"   {line}", style="cyan", soft_wrap=True)
        if ctx.parent is None:
            console.print(Padding(text("cli.help.language"), (1, 1, 0, 1)))


class Command(_Worded, TyperCommand):
    """A command with a help page in the language in use."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """What a request may say need not be typed."""
        if any(argument.partition("=")[0] == "--request" for argument in args):
            for parameter in self.params:
                parameter.required = False
        return super().parse_args(ctx, args)


class Group(_Worded, TyperGroup):
    """The program itself, with a help page in the language in use."""


def worded(command: Any) -> Any:
    """``command`` with the texts behind its keys, and those of its parameters and subcommands."""
    command.examples = examples_of(command.help)
    command.help = text(command.help)
    command.options_metavar = text("cli.metavar.options")
    for parameter in command.params:
        _word_parameter(parameter)
    if isinstance(command, TyperGroup):
        command.subcommand_metavar = text("cli.metavar.command")
        for subcommand in command.commands.values():
            worded(subcommand)
    return command


def examples_of(help_key: str) -> list[str]:
    """The commands that a page shows as examples, by the key of its help."""
    from biombo._i18n import has_text

    key = "cli.help.examples-of-program" if help_key == PROGRAM else help_key.removesuffix("help") + "examples"
    return text(key).strip().splitlines() if has_text(key) else []


def _word_parameter(parameter: Any) -> None:
    parameter.get_runtime_param = partial(_PlainValues, parameter, parameter.get_runtime_param)
    parameter.help = text(parameter.help)
    parameter.is_share = parameter.metavar == SHARE
    if (parameter.metavar or "").startswith("cli."):
        parameter.metavar = text(parameter.metavar)
    if panel := getattr(parameter, "rich_help_panel", None) or _panel_of(parameter):
        parameter.rich_help_panel = text(panel)
    parameter.show_default = False  # the help says it in words
    parameter._get_number_range_help_str = lambda: None
    if parameter.param_type_name == "argument":
        parameter.display_type_rich = lambda ctx: None  # noqa: ARG005 - its name says enough, "<list[str]>" nothing
    elif parameter.is_flag:
        parameter.metavar = ""


_PANELS = {
    "columns": "schema quasi sensitive other by through max_size accept_column reason keep_column",
    "sample": "population population_schema repeated fraction weight",
    "shown": "full json csv plans frontier minimal explain preview",
    "written": "out report title private force pdf format records target keep_order predict folds seed",
    "keys": "key vault_key plan_key",
    "reading": "where filename database sheet engine",
    "request": "request save_request",
}
"""By part of the help page: the options in it, by their names, where they do not name one themselves."""


def _panel_of(parameter: Any) -> str | None:
    if parameter.param_type_name == "argument":
        return None
    return next((f"cli.panel.{panel}" for panel, names in _PANELS.items() if parameter.name in names.split()), None)


@dataclass(frozen=True)
class _PlainValues:
    """Reads values for which Python is enough. Others, and mistakes, are for typer, which loads pydantic for them: a
    tenth of a second that most commands need not take.
    """

    parameter: Any
    typers_own: Callable[[], Any]

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """What was typed as the type of the option has it."""
        several = self.parameter.multiple or self.parameter.nargs == -1
        annotation = self.parameter.type_descriptor.annotation
        if value is None:
            return () if several else None
        if annotation == list[str] and isinstance(value, list | tuple):
            return list(value)
        if annotation is float and isinstance(value, str):
            value = with_point(value, share=self.parameter.is_share)
        plain = None if several else self._plain(annotation, value)
        return self.typers_own().coerce(value, param=param, ctx=ctx) if plain is None else plain

    def _plain(self, annotation: Any, value: Any) -> Any:
        if value in get_args(annotation) or (annotation is str and isinstance(value, str)):
            return value
        if annotation is Path and isinstance(value, str):
            return Path(value)
        if annotation in (int, float) and _NUMBERS[annotation].fullmatch(str(value)):
            lowest, highest = (getattr(self.parameter, name, None) for name in ("min", "max"))
            number = annotation(value)
            return number if (lowest is None or lowest <= number) and (highest is None or number <= highest) else None
        return None


def sentence(error: TyperException) -> str:
    """What was wrong with the usage, in one sentence."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context else "biombo"
    return f"{_complaint(error)} {text('cli.usage.hint', command=f'{path} --help')}"


def _complaint(error: Any) -> str:
    """The complaint itself. The kinds of errors have no public names, only class names that stay."""
    match type(error).__name__:
        case "NoSuchOption":
            close = ", ".join(sorted(error.possibilities or ()))
            key = "cli.usage.no-option-close" if close else "cli.usage.no-option"
            return text(key, option=error.option_name, close=close)
        case "MissingParameter":
            return text("cli.usage.missing", parameter=error.param.get_error_hint())
        case "BadOptionUsage":
            key = "cli.usage.no-value" if "not take" in error.message else "cli.usage.needs-value"
            return text(key, option=error.option_name)
        case "BadParameter" if error.param is not None:
            return text("cli.usage.bad-value", parameter=error.param.get_error_hint(), detail=_detail(error))
    if found := _UNEXPECTED.fullmatch(error.message):
        return text("cli.usage.unexpected", arguments=found["arguments"])
    if found := _NO_COMMAND.fullmatch(error.message):
        key = "cli.usage.no-command-close" if found["close"] else "cli.usage.no-command"
        return text(key, command=found["command"], close=found["close"])
    if error.message == "Missing command.":
        return text("cli.usage.missing-command")
    return str(error.format_message())


def _detail(error: Any) -> str:
    """Why a value cannot be used, as far as the kind of mistake is known."""
    if choices := error.param.type_descriptor.choices:
        return text("cli.usage.not-a-choice", choices=", ".join(map(str, choices)))
    problem: dict[str, Any] = error.__cause__.errors()[0] if hasattr(error.__cause__, "errors") else {}
    bounds, typed = problem.get("ctx", {}), str(problem.get("input", ""))
    if may_be_thousands(typed):
        return text("cli.usage.thousands", **both_meanings(typed))
    match problem.get("type"):
        case "int_parsing" | "int_from_float":
            return text("cli.usage.not-an-integer")
        case "float_parsing":
            return text("cli.usage.not-a-number")
        case "greater_than_equal":
            return text("cli.usage.at-least", bound=_shown(bounds["ge"]))
        case "less_than_equal":
            return text("cli.usage.at-most", bound=_shown(bounds["le"]))
    return str(error.message).removeprefix("Value error, ")


def _shown(bound: float) -> str:
    return number(bound, 0 if float(bound).is_integer() else 2)
