import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from biombo._errors import InputError, UsageError
from biombo._watch import warn


def ends_with(value):
    def command():
        if isinstance(value, BaseException):
            raise value
        return value

    return command


def test_a_command_that_returns_nothing_is_done(biombo, as_inspect):
    as_inspect(ends_with(None))

    assert biombo("inspect", "--").code == 0


def test_a_command_gives_its_own_exit_code(biombo, as_inspect):
    as_inspect(ends_with(1))

    assert biombo("inspect", "--").code == 1


def test_an_error_of_ours_is_one_sentence_on_standard_error_and_exit_code_2(biombo, as_inspect):
    as_inspect(ends_with(UsageError("output.exists", path="a.yaml")))
    ending = biombo("inspect", "--")

    assert (ending.code, ending.out) == (2, "")
    assert ending.err == "error: a.yaml exists already; add --force to replace it, or choose another name.\n"


def test_an_error_speaks_the_language_asked_for(biombo, as_inspect):
    as_inspect(ends_with(UsageError("output.exists", path="a.yaml")))

    assert biombo("--lang", "pt", "inspect", "--").err.startswith("erro: a.yaml já existe;")


def test_an_error_cannot_command_the_terminal(biombo, as_inspect):
    as_inspect(ends_with(UsageError("output.exists", path="\x1b[2Ja\nb.yaml")))
    ending = biombo("inspect", "--")

    assert "\x1b" not in ending.err
    assert ending.err.count("\n") == 1


@pytest.mark.parametrize("error", [KeyError("João, CPF 529.982.247-25"), AssertionError(), RecursionError("x")])
def test_a_bug_is_admitted_without_traceback_and_without_quoting_data(biombo, as_inspect, monkeypatch, error):
    monkeypatch.delenv("BIOMBO_DEBUG", raising=False)
    as_inspect(ends_with(error))
    ending = biombo("inspect", "--")

    assert ending.code == 2
    assert type(error).__name__ in ending.err
    assert "a mistake in Biombo" in ending.err
    assert "Traceback" not in ending.err
    assert "João" not in ending.err


def test_a_bug_shows_where_when_asked(biombo, as_inspect, monkeypatch):
    monkeypatch.setenv("BIOMBO_DEBUG", "1")
    as_inspect(ends_with(KeyError("x")))

    assert "Traceback" in biombo("inspect", "--").err


def test_a_panic_of_a_compiled_library_is_caught_too(biombo, as_inspect):
    class Panic(BaseException):
        pass

    as_inspect(ends_with(Panic()))

    assert biombo("inspect", "--").code == 2


def test_an_error_without_words_is_a_bug_and_no_traceback(biombo, as_inspect):
    as_inspect(ends_with(InputError("input.words-that-do-not-exist")))
    ending = biombo("inspect", "--")

    assert ending.code == 2
    assert "a mistake in Biombo" in ending.err


def test_too_little_memory_is_no_bug(biombo, as_inspect):
    as_inspect(ends_with(MemoryError()))
    ending = biombo("inspect", "--")

    assert ending.code == 2
    assert "not enough memory" in ending.err


def test_our_warnings_are_lines_shown_once(biombo, as_inspect):
    def command():
        warn("many values")
        warn("many values")
        warn("few rows")

    as_inspect(command)
    ending = biombo("inspect", "--")

    assert ending.code == 0
    assert ending.err == "warning: many values\nwarning: few rows\n"


def test_the_warnings_of_libraries_are_hidden_in_a_process_of_our_own():
    program = (
        "import sys, warnings; from biombo._cli import inspect, main;"
        "inspect.inspect = lambda: warnings.warn('old'); sys.argv[1:] = ['inspect', '--']; main()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ending = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)

    assert (ending.returncode, ending.stderr) == (0, "")


def test_ctrl_c_ends_with_one_line_and_exit_code_130(biombo, as_inspect):
    as_inspect(lambda: signal.raise_signal(signal.SIGINT))
    ending = biombo("inspect", "--")

    assert ending.code == 130
    assert ending.err == "Interrupted; nothing half-written is left behind.\n"


@pytest.mark.parametrize("before", ["", "signal.signal(signal.SIGINT, signal.SIG_IGN);"], ids=["", "in background"])
@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
def test_whoever_stops_the_process_interrupts_it(name, code, before):
    program = (
        f"import signal, sys; {before} from biombo._cli import inspect, main;"
        f"inspect.inspect = lambda: signal.raise_signal(signal.{name}); sys.argv[1:] = ['inspect', '--']; main()"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ending = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)

    assert (ending.returncode, ending.stderr) == (code, "Interrupted; nothing half-written is left behind.\n")


def test_an_error_after_a_warning_keeps_both(biombo, as_inspect):
    def command():
        warn("many values")
        raise InputError("output.exists", path="a")

    as_inspect(command)

    assert [line.split(":")[0] for line in biombo("inspect", "--").err.splitlines()] == ["warning", "error"]


@pytest.mark.parametrize("arguments", [("--help",), ("inspect", "--help"), ("--version",)])
def test_a_reader_that_goes_away_is_no_failure_to_talk_about(biombo_process, arguments):
    reading, writing = os.pipe()
    os.close(reading)
    ending = biombo_process(*arguments, stdout=writing)
    os.close(writing)

    assert (ending.returncode, ending.stderr) == (141, "")


def loaded_by(*arguments: str, cwd: Path) -> set[str]:
    """The modules that a command loads in a process of its own."""
    program = (
        "import sys; from biombo._cli.frame import run; run(sys.argv[1:], alone=True);"
        "print(*sys.modules, sep='\\n', file=sys.stderr)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        cwd=cwd,
    )
    return set(ended.stderr.splitlines())


TABLES = {"polars", "numpy", "pyarrow", "vl_convert", "yaml"}


@pytest.mark.parametrize(
    "arguments", [("--help",), ("--version",), ("inspect", "--help"), ("search", "--help"), ("publish", "--help")]
)
def test_help_and_version_do_not_load_the_libraries_for_tables(arguments, tmp_path):
    assert loaded_by(*arguments, cwd=tmp_path) & {*TABLES, "pydantic"} == set()


def test_the_help_of_the_program_loads_no_command(tmp_path):
    loaded = loaded_by("--help", cwd=tmp_path)

    assert {name for name in loaded if name.startswith("biombo._cli.")} == {
        f"biombo._cli.{name}" for name in ("frame", "help", "options", "program", "terminal", "typed")
    }


def test_a_command_loads_only_what_it_needs(tmp_path):
    (tmp_path / "people.csv").write_text("age,sex\n30,F\n30,M\n40,F\n40,M\n")
    loaded = loaded_by("search", "people.csv", "--quasi", "age,sex", "--k", "2", cwd=tmp_path)

    assert "biombo._cli.search" in loaded
    assert loaded & {"pandas", "pydantic", "yaml", "cryptography", "opendp", "sklearn", "keyring", "fastexcel"} == set()
    assert loaded & {"biombo._cli.publish", "biombo._release", "biombo._utility", "vl_convert"} == set()
    assert loaded & {"pyarrow.parquet", "biombo._plan.operations.add_noise"} == set()


def test_a_terminal_without_the_letters_of_the_language_is_no_failure(biombo_process):
    ending = biombo_process("inspect", "--help", "--lang", "pt", env={"PYTHONIOENCODING": "ascii"})

    assert ending.returncode == 0
    assert "Argumentos" in ending.stdout
