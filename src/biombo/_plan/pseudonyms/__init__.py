"""Pseudonyms: ways to give values some, who is behind them, and finding that out on record."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.pseudonyms.cipher import Ciphered, CipheredNumber, ReversiblePseudonyms
    from biombo._plan.pseudonyms.double_coding import (
        answer_codes,
        ask_for_codes,
        first_codes,
        forget_codes,
        take_codes,
    )
    from biombo._plan.pseudonyms.identities import Identities, IdentityTable, seal_table
    from biombo._plan.pseudonyms.letters import Drawn, Keyed, Pseudonyms
    from biombo._plan.pseudonyms.links import Linked, Parties, opened_links
    from biombo._plan.pseudonyms.prepared_list import FromList
    from biombo._plan.pseudonyms.reveal import reveal
    from biombo._plan.pseudonyms.rotation import Rotated, relink, rotate_key
    from biombo._plan.pseudonyms.used import UsedPseudonyms, record_of, recorded
    from biombo._plan.values.checked_numbers import CHECKED_NUMBERS, CheckedNumber

__all__ = [
    "CHECKED_NUMBERS",
    "CheckedNumber",
    "Ciphered",
    "CipheredNumber",
    "Drawn",
    "FromList",
    "Identities",
    "IdentityTable",
    "Keyed",
    "Linked",
    "Parties",
    "Pseudonyms",
    "ReversiblePseudonyms",
    "Rotated",
    "UsedPseudonyms",
    "answer_codes",
    "ask_for_codes",
    "first_codes",
    "forget_codes",
    "opened_links",
    "record_of",
    "recorded",
    "relink",
    "reveal",
    "rotate_key",
    "seal_table",
    "take_codes",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
