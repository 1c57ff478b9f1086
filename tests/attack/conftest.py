import pytest

import biombo as bb


@pytest.fixture
def clinic() -> bb.Dataset:
    return bb.read(bb.samples.clinic())
