"""Runs one command and turns every way it can end into an exit code and, where it failed, one sentence."""

import atexit
import logging
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from contextlib import suppress
from contextvars import ContextVar
from importlib.abc import MetaPathFinder
from typing import NoReturn

from biombo._addresses import discreet
from biombo._cli.terminal import say
from biombo._errors import BiomboError
from biombo._i18n import LANGUAGES, set_language, speaking_of_options, text
from biombo._watch import Watch

DONE, NOT_MET, FAILED = 0, 1, 2
"""Exit codes: done; done, but the data does not meet what was asked; bad use, bad input or a bug."""

INTERRUPTED, READER_GONE = 130, 141
"""The exit codes that shells give to a program ended by Ctrl-C and to one whose output nobody reads."""


_alone: ContextVar[bool] = ContextVar("biombo_alone", default=False)
"""Is the process ours, so that nobody else minds what is changed in it?"""


def run(arguments: list[str], *, alone: bool = False) -> int:
    """Run the command that ``arguments`` ask for and give its exit code. Never raises."""
    if alone:
        _alone.set(True)
        warnings.simplefilter("ignore")  # those of libraries are not for our users
        logging.getLogger().addHandler(logging.NullHandler())  # nor is what they log
        _end_tidily()
    _choose_language(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without the letters of the language is no failure
    try:
        if alone and "BIOMBO_COMPLETE" in os.environ:
            return _offered(arguments, os.environ["BIOMBO_COMPLETE"])
        with speaking_of_options():
            return _ended(arguments)
    except BaseException as error:  # a panic of a compiled library is no Exception
        return _bug(error)


def _offered(words: list[str], position: str) -> int:
    """Tell a shell what could stand where its user is typing."""
    from biombo._cli.completion import offers

    for word in offers(words, int(position) - 1) if position.isdecimal() else ():
        print(word)
    return DONE


def spare_pandas() -> None:
    """Where the process is ours, let Arrow believe that there is no pandas, which it would load for nothing: a third
    of a second. Nobody hands us its tables here.
    """
    if not _alone.get() or "pandas" in sys.modules:
        return
    import pyarrow

    sys.meta_path.insert(0, _NoPandas())
    pyarrow.array([0])  # looks for pandas once and for all
    del sys.meta_path[0]


class _NoPandas(MetaPathFinder):
    def find_spec(self, fullname: str, *_: object) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError


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
        with _heard():
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
        return 128 + _told[-1] if _told else code
    return code


_told: list[int] = []
"""The signals by which somebody has told the process to end."""


def _end_tidily() -> None:
    """Whoever stops the process, or closes its terminal, interrupts it as Ctrl-C does: nothing stays behind."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _interrupted_by)


def _interrupted_by(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_DFL)
    _told.append(number)
    if not callable(signal.getsignal(signal.SIGINT)):  # as in a process that a shell has put into the background
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


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

    from biombo._cli.help import sentence
    from biombo._cli.program import application

    try:
        code = application(arguments).main(arguments, prog_name="biombo", standalone_mode=False)
    except TyperException as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # the help has been printed
            return FAILED
        return _failed(discreet(sentence(error)))
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


def _heard() -> Watch:
    """Show each remark and each warning once, as lines."""
    shown: set[str] = set()

    def once(sentence: str, prefix: str = "") -> None:
        if prefix + sentence not in shown:
            shown.add(prefix + sentence)
            say(sentence, prefix=prefix)

    return Watch(warning=lambda sentence: once(sentence, text("cli.frame.warning")), remark=once)
