"""The Java that Spark needs, looked for where Spark looks for it."""

import os
import re
import shutil
import subprocess
from pathlib import Path

from biombo._errors import UsageError

OLDEST = 17
"""The first version that Spark 4 runs on."""

_SECONDS = 30.0
_VERSION = re.compile(r'version "(?:1\.)?(\d+)')


def check_java() -> None:
    """Raise where there is no Java, or one that is too old, or where Spark is said to be elsewhere and is not."""
    home = os.environ.get("SPARK_HOME")
    if home and not (Path(home) / "bin" / "spark-submit").exists():
        raise UsageError("spark.no-spark-home", home=home)
    java = _java()
    found = _version(java)
    if found is None:
        raise UsageError("spark.no-java-version", java=java, oldest=OLDEST)
    if found < OLDEST:
        raise UsageError("spark.old-java", java=java, found=str(found), oldest=OLDEST)


def _java() -> str:
    """The program that Spark's own scripts would start."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not os.access(java, os.X_OK):
            raise UsageError("spark.no-java-home", home=home, oldest=OLDEST)
        return str(java)
    found = shutil.which("java")
    if found is None:
        raise UsageError("spark.no-java", oldest=OLDEST)
    return found


def _version(java: str) -> int | None:
    """Its major version, where it tells one."""
    try:
        asked = subprocess.run([java, "-version"], capture_output=True, timeout=_SECONDS, check=False, text=True)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return None
    told = _VERSION.search(asked.stderr + asked.stdout)
    return int(told[1]) if told and asked.returncode == 0 else None
