"""Publishes in processes that can be killed: begun in a moment, because everything is imported before they part.

A line of JSON on the standard input begins a publication; its process id is answered at once, and its status once the
next line asks for it.
"""

import json
import os
import resource
import signal
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

from killing import Dying

IMPORTED = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.ciphers.aead",
    "cryptography.hazmat.primitives.kdf.hkdf",
    "pandas",
)
REFUSED = 2
"""The exit code of a publication that ended with a sentence."""


def main() -> None:
    """Publish until there is nothing left to read."""
    ours = (module.name for module in walk_packages(import_module("biombo").__path__, "biombo."))
    for name in (*IMPORTED, *ours):
        if not name.startswith("biombo._portal"):  # which only a process that serves one can load
            import_module(name)  # a room's face alone would load next to nothing
    import_module("biombo._report").font_rules()  # takes half a second, once for all publications
    print("ready", flush=True)
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            os._exit(_ended(**json.loads(line)))
        print(child, flush=True)
        sys.stdin.readline()  # until then it has its id, even if it ended
        print(os.waitpid(child, 0)[1], flush=True)


def _ended(die_before: int | None, room: int | None, umask: int, **arguments: Any) -> int:
    """The exit code of one publication, if it lives to have one: it dies before a certain change to the disk.

    No file becomes larger than there is ``room``, as on a disk that is full.
    """
    import biombo as bb
    from biombo._report.charts import as_specification, drawing

    os.umask(umask)
    if room is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
    if die_before is not None:
        sys.addaudithook(Dying(Path(arguments["out"]).parent, die_before, _die).watch)
    try:
        with drawing(as_specification):  # what draws begins anew in each process, and takes longer than all else
            bb.publish(**arguments, unprotected="a test")
    except bb.BiomboError:
        return REFUSED
    return 0


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
