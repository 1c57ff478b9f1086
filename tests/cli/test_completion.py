"""What a shell offers after Tab."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from biombo._cli import COMMANDS, GROUPS, offers


@pytest.mark.parametrize(
    ("words", "position", "offered"),
    [
        ([""], 0, [*COMMANDS, *GROUPS]),
        (["se"], 0, ["search", "serve"]),
        (["risk", "people.csv", "--max-p"], 2, ["--max-posterior"]),
        (["search", "people.csv", "--l-kind", ""], 3, ["distinct", "entropy", "recursive"]),
        (["risk", ""], 1, []),
        (["risk", "people.csv", "--schema", ""], 3, []),
        (["register", "re"], 1, ["review", "revoke"]),
        (["register", "list", "--j"], 2, ["--json"]),
        (["--lang", ""], 1, ["en", "pt"]),
        (["--lang", "pt", "ri"], 2, ["risk"]),
        (["completion", ""], 1, ["bash", "zsh", "fish"]),
    ],
)
def test_what_could_stand_there_is_offered(words, position, offered) -> None:
    assert offers(words, position) == offered


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_asks_the_program(biombo, shell) -> None:
    ending = biombo("completion", shell)

    assert ending.code == 0
    assert "BIOMBO_COMPLETE=" in ending.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_an_option(biombo, tmp_path: Path) -> None:
    script, program = tmp_path / "completion.bash", tmp_path / "biombo"
    script.write_text(biombo("completion", "bash").out)
    path = ":".join(filter(None, sys.path))
    program.write_text(
        f'#!/bin/sh\nPYTHONPATH={path} exec {sys.executable} -c "from biombo._cli import main; main()" "$@"\n'
    )
    program.chmod(0o755)
    typed = f"source {script}; COMP_WORDS=({program} risk --max-p); COMP_CWORD=2; _biombo {program}; echo $COMPREPLY"
    found = subprocess.run(["bash", "-c", typed], capture_output=True, text=True, timeout=60, check=False)

    assert found.stdout == "--max-posterior\n", found.stderr
