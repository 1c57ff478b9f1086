"""What can be chosen about pseudonyms, and what is usual."""

from typing import Literal

Kind = Literal["random", "keyed", "format-preserving"]
Reach = Literal["dataset", "everywhere"]
Format = Literal["cpf", "cnpj", "cns", "digits"]

DIGITS = "0123456789"
LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that look like others."""
LENGTH = 20
