"""What only the manager of the data may have or do: keys, sealed files, signatures, and logs of who used them."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._secrets.keys import (
        KEYRING,
        Key,
        KeyPlace,
        Keys,
        in_a_year,
        keep_key,
        key_file,
        key_id,
        load_key,
        load_keys,
        new_key,
        set_review,
    )
    from biombo._secrets.log import REVEALS, SET_APART, HeldLog, RevealLog, Reversal, append_line, whole_lines
    from biombo._secrets.sealed_file import LARGEST, SealedFile, Sealing
    from biombo._secrets.signature import PublicKey, public_key, signature

__all__ = [
    "KEYRING",
    "LARGEST",
    "REVEALS",
    "SET_APART",
    "HeldLog",
    "Key",
    "KeyPlace",
    "Keys",
    "PublicKey",
    "RevealLog",
    "Reversal",
    "SealedFile",
    "Sealing",
    "append_line",
    "in_a_year",
    "keep_key",
    "key_file",
    "key_id",
    "load_key",
    "load_keys",
    "new_key",
    "public_key",
    "set_review",
    "signature",
    "whole_lines",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
