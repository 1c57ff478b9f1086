"""Pseudonyms: ways to give values some, who is behind them, and finding that out on record."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._plan.pseudonyms.cipher import Ciphered, CipheredNumber, ReversiblePseudonyms
    from biombo._plan.pseudonyms.identities import Identities, IdentityTable, seal_table
    from biombo._plan.pseudonyms.letters import Drawn, Keyed, Pseudonyms
    from biombo._plan.pseudonyms.reveal import reveal
    from biombo._plan.values.checked_numbers import CHECKED_NUMBERS, CheckedNumber

__all__ = [
    "CHECKED_NUMBERS",
    "CheckedNumber",
    "Ciphered",
    "CipheredNumber",
    "Drawn",
    "Identities",
    "IdentityTable",
    "Keyed",
    "Pseudonyms",
    "ReversiblePseudonyms",
    "reveal",
    "seal_table",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
