import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pytest

from biombo._cli import main


@dataclass(frozen=True)
class Ending:
    code: int
    out: str
    err: str


@pytest.fixture
def biombo(capsys) -> Callable[..., Ending]:
    """Run the program in this process, as a user would with these arguments."""

    def run(*arguments: object) -> Ending:
        code = main([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        return Ending(code, printed.out, printed.err)

    return run


@pytest.fixture
def biombo_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run the program in a process of its own."""

    def run(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
        program = [sys.executable, "-c", "import sys; from biombo._cli import main; sys.exit(main())", *arguments]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))} | options.pop("env", {})
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | options
        return subprocess.run(program, text=True, env=environment, timeout=60, check=False, **options)

    return run


@pytest.fixture
def as_inspect(monkeypatch):
    """Let ``biombo inspect`` do something else, to see how the frame around it ends."""

    def replace(command: Callable[[], object]) -> None:
        monkeypatch.setattr("biombo._cli.inspect.inspect", command)

    return replace


@pytest.fixture
def people(tmp_path, monkeypatch) -> Path:
    """A table of people in a folder of its own, which is the current one."""
    monkeypatch.chdir(tmp_path)
    pl.DataFrame(
        {
            "nome": [f"Pessoa {number}" for number in range(600)],
            "idade": [str(20 + (7 * number) % 60) for number in range(600)],
            "sexo": ["F" if number % 3 else "M" for number in range(600)],
            "diagnostico": ["A90" if number % 5 else "B24" for number in range(600)],
            "sala": [f"sala {number % 4}" for number in range(600)],
        }
    ).write_csv("people.csv")
    return tmp_path


@pytest.fixture
def answered(biombo, monkeypatch):
    """Run the program with these answers on its standard input."""

    def run(*arguments: str, answers: str):
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        return biombo(*arguments)

    return run
