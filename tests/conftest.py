import os

import pytest

from biombo import _i18n

os.environ["BIOMBO_LANG"] = "en"


@pytest.fixture(autouse=True)
def _english_unless_a_test_chooses():
    yield
    _i18n._current.set(None)
