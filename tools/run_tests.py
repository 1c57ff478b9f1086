"""Run all tests; those of browsers, servers and clusters that failed beside others get a second try, alone.

Such tests wait for real processes on a machine that runs other tests too. Where a few of them fail, that is said and
they are tried once more; whatever fails twice, and every other test that fails, fails the run. A test that needs its
second try is still to be mended.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

_WAITS = re.compile(r"^tests/portal/|/spark/|[\[-]spark[\]-]")
"""Tests that wait for other processes, by their names."""
_MOST = 4
"""If more fail, it is not for want of time."""
_FAILED = Path(".pytest_cache/v/cache/lastfailed")


def _pytest(*arguments: str) -> int:
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], check=False).returncode


def main(arguments: list[str]) -> int:
    """The code to end with."""
    _FAILED.unlink(missing_ok=True)
    code = _pytest(*arguments)
    if code != 1 or not _FAILED.exists():
        return code
    failed = list(json.loads(_FAILED.read_text()))
    if not 0 < len(failed) <= _MOST or not all(map(_WAITS.search, failed)):
        return code
    print("Failed beside other tests, and tried once more, alone:", *failed, sep="\n  ", flush=True)
    return _pytest(*failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
