"""For all tests, those in documents too: nothing is learnt from them, and the user's cache stays as it is."""

import os
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

os.environ["BIOMBO_LEARN"] = "0"

collect_ignore_glob = ["src/biombo/_portal/*"]
"""Modules of the portal can be imported only by a process that serves one; they have no examples."""


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """A module without examples is not searched for them: each worker would import and search a thousand."""
    found = yield
    return [each for each in found if not isinstance(each, DoctestModule) or b">>>" in file_path.read_bytes()]
