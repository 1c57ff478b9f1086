"""Runs one command and turns every way it can end into an exit code and, where it failed, one sentence."""

import atexit
import os
import sys
import traceback
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import NoReturn

from biombo._cli.console import say
from biombo._errors import BiomboError, BiomboWarning
from biombo._i18n import LANGUAGES, set_language, text

DONE, NOT_MET, FAILED = 0, 1, 2
"""Exit codes: done; done, but the data does not meet what was asked; bad use, bad input or a bug."""

INTERRUPTED, READER_GONE = 130, 141
"""The exit codes that shells give to a program ended by Ctrl-C and to one whose output nobody reads."""


def run(arguments: list[str]) -> int:
    """Run the command that ``arguments`` ask for and give its exit code. Never raises."""
    _choose_language(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the letters of the language is no failure
    try:
        return _ended(arguments)
    except BaseException as error:  # a panic of a compiled library is no Exception
        return _bug(error)


def leave(code: int) -> NoReturn:
    """End the process now. When Python takes its time to shut down, a thread of Arrow that still holds on to a file
    after an error makes the system abort the process, and the exit code is lost."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _ended(arguments: list[str]) -> int:
    """The exit code of the command, for each of the ways that it is meant to end."""
    try:
        with _warnings_as_lines():
            code = _dispatched(arguments)
            sys.stdout.flush()
    except BiomboError as error:
        return _failed(str(error))
    except MemoryError:
        return _failed(text("cli.frame.memory"))
    except (BrokenPipeError, SystemExit):  # which typer and rich make of a broken pipe
        return _reader_gone()
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        say(text("cli.frame.interrupted"))
    return code


def _choose_language(arguments: Sequence[str]) -> None:
    """Obey ``--lang`` before any text is worded, the help included. A wrong code is refused later, as an option is."""
    before_plain = arguments[: arguments.index("--")] if "--" in arguments else arguments
    for position, argument in enumerate(before_plain):
        option, _, code = argument.partition("=")
        if option == "--lang":
            code = code or "".join(before_plain[position + 1 : position + 2])
            if code in LANGUAGES:
                set_language(code)


def _dispatched(arguments: list[str]) -> int:
    from typer import TyperException

    from biombo._cli.app import application
    from biombo._cli.words import sentence

    try:
        code = application().main(arguments, prog_name="biombo", standalone_mode=False)
    except TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # the help has been printed
            return FAILED
        return _failed(sentence(error))
    return code if isinstance(code, int) else DONE


def _failed(sentence: str) -> int:
    say(sentence, prefix=text("cli.frame.error"))
    return FAILED


def _bug(error: BaseException) -> int:
    """Our own mistake. What the exception says may quote the data, so only its kind is shown."""
    if os.environ.get("BIOMBO_DEBUG"):
        traceback.print_exception(error)
    return _failed(text("cli.frame.bug", kind=type(error).__name__))


def _reader_gone() -> int:
    """Nobody reads on: point the output at nothing, so that Python does not complain when it closes it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return READER_GONE


@contextmanager
def _warnings_as_lines() -> Iterator[None]:
    """Show each of Biombo's warnings once, as a line; those of libraries are not for its users."""
    shown: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        if str(message) not in shown:
            shown.add(str(message))
            say(str(message), prefix=text("cli.frame.warning"))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", BiomboWarning)
        warnings.showwarning = show
        yield
