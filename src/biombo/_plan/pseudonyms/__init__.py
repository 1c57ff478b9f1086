"""Ways to give values pseudonyms."""

from biombo._plan.pseudonyms.ciphered import Ciphered
from biombo._plan.pseudonyms.ciphered_number import CipheredNumber
from biombo._plan.pseudonyms.drawn import Drawn
from biombo._plan.pseudonyms.keyed import Keyed
from biombo._plan.pseudonyms.pseudonyms import Pseudonyms, ReversiblePseudonyms

__all__ = ["Ciphered", "CipheredNumber", "Drawn", "Keyed", "Pseudonyms", "ReversiblePseudonyms"]
