"""A program in a process of its own, or in several at once, which part when all is imported: that takes longest.

It is the text of a module that has a function ``main``.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence

_CALLED = """
import json, sys
main(*json.loads(sys.argv[1]))
"""
_SEVERAL = """
import io, json, os, sys, traceback
from contextlib import redirect_stdout
children = []
for arguments in json.loads(sys.argv[1]):
    children.append(os.fork())
    if children[-1] == 0:
        try:
            with redirect_stdout(io.StringIO()) as printed:
                main(*arguments)
            os.write(1, printed.getvalue().encode())
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
sys.exit(sum(os.waitpid(child, 0)[1] != 0 for child in children))
"""


def started(program: str, *arguments: object) -> "subprocess.Popen[str]":
    """One process, which may be killed."""
    return _process(program + _CALLED, arguments)


def at_once(program: str, each: Sequence[Sequence[object]]) -> list[str]:
    """The lines that processes print, each of which has arguments of its own; none of them may fail."""
    process = _process(program + _SEVERAL, each)
    printed = process.communicate(timeout=120)[0]
    assert process.returncode == 0
    return printed.splitlines()


def _process(program: str, arguments: Sequence[object]) -> "subprocess.Popen[str]":
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", program, json.dumps(arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
