"""What named adversaries are called in the language in use."""

from biombo._i18n import text_or

NAMED_ADVERSARIES = (
    *("neighbour", "employer", "colleague", "acquaintance", "family", "relative", "school", "teacher"),
    *("doctor", "health-worker", "insurer", "journalist", "researcher"),
)
"""Those that have a word in every language."""


def adversary_name(name: str) -> str:
    """The word for an adversary that many schemas name, such as ``employer``; any other is called as its schema does.

    >>> adversary_name("employer"), adversary_name("the mayor")
    ('employer', 'the mayor')
    """
    return text_or(name, f"risk.adversary.{name}")
