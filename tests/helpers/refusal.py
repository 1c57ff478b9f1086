"""How tests say that something is refused, and in which words."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from biombo._errors import BiomboError
from biombo._i18n import LANGUAGES, set_language


@contextmanager
def refused(key: str, *mentioned: str) -> Iterator[None]:
    """What is inside raises the error ``key``, one line that mentions all of ``mentioned`` in every language."""
    with pytest.raises(BiomboError) as caught:
        yield
    assert caught.value.key == key
    for code in LANGUAGES:
        set_language(code)
        sentence = str(caught.value)
        assert "\n" not in sentence
        for mention in mentioned:
            assert mention in sentence
    set_language("en")
