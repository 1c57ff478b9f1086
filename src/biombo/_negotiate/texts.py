"""Texts that people write in a negotiation: longer than entries of documents are."""

from functools import partial

from biombo._documents import checked_text as checked_entry

LONGEST = 10_000

checked_text = partial(checked_entry, longest=LONGEST)
"""A text without blanks around it. Raises where it is no text, too long, or blank though it is ``needed``."""
