import pytest

from biombo._attack import NAMED_ADVERSARIES, adversary_name
from biombo._i18n import LANGUAGES, _catalogue, set_language


@pytest.mark.parametrize("code", LANGUAGES)
def test_adversaries_that_can_be_chosen_have_a_word_of_their_own_in_every_language(code):
    set_language(code)
    words = [adversary_name(name) for name in NAMED_ADVERSARIES]

    assert len(set(words)) == len(words)
    assert {f"risk.adversary.{name}" for name in NAMED_ADVERSARIES} == {
        key for key in _catalogue(code) if key.startswith("risk.adversary.")
    }
