from pathlib import Path

import pytest
from request_folder import furnish


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The current folder, with made-up people, hierarchies, a plan and a key."""
    monkeypatch.chdir(tmp_path)
    return furnish(tmp_path)
