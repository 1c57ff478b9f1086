import os

import pytest
from hypothesis import settings

from biombo import _i18n

os.environ["BIOMBO_LANG"] = "en"
settings.register_profile("biombo", deadline=None)  # the first example pays for imports
settings.load_profile("biombo")


@pytest.fixture(autouse=True)
def _english_unless_a_test_chooses():
    yield
    _i18n._current.set(None)
