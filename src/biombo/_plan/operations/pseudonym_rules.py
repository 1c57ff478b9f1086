"""Which entries of a pseudonymisation go together, and what each kind of pseudonyms needs."""

from typing import TYPE_CHECKING

from biombo._errors import UsageError
from biombo._plan.pseudonyms.prepared_list import refuse_list

if TYPE_CHECKING:
    from biombo._plan.operations.pseudonymise import Pseudonymise

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that look like others."""
LENGTH = 20

_MOST_LETTERS, _MOST_LENGTH = 64, 32

_LEAST_TEXTS_KEYED = 2**80
"""So many texts that among a billion values two share one with a chance of less than one in a million."""

_UNKEYED = ("hash", "md5", "sha", "blake")


def refuse_nonsense(asked: "Pseudonymise") -> None:
    """Raise where the entries contradict each other, or are not enough."""
    _refuse_key(asked)
    _refuse_once(asked)
    _refuse_third_party(asked)
    _refuse_scope(asked)
    _refuse_list(asked)
    _refuse_alphabet(asked)
    if asked.keeps_format:
        _refuse_format(asked)
    elif asked.kind != "listed":
        _refuse_length(asked)


def refuse_unkeyed(kind: object) -> None:
    """Raise for a hash, with the reason why it is none of the choices."""
    if isinstance(kind, str) and kind.lower().startswith(_UNKEYED):
        raise UsageError("pseudonyms.unkeyed", kind=kind)


def _refuse_key(asked: "Pseudonymise") -> None:
    if asked.keeps_format and asked.reversible_ is False:
        raise UsageError("pseudonyms.always-reversible", column=asked.column)
    needed = not asked.draws or asked.reversible_ or asked.is_recorded
    if needed and asked.key is None:
        unrecorded = asked.is_recorded and not asked.reversible_
        raise UsageError("pseudonyms.no-key-for-record" if unrecorded else "pseudonyms.no-key", column=asked.column)
    if not needed and asked.key is not None:
        raise UsageError("pseudonyms.key-unused", column=asked.column)


def _refuse_once(asked: "Pseudonymise") -> None:
    if asked.once is not None and not asked.draws:
        raise UsageError("pseudonyms.once-unused", column=asked.column, kind=asked.kind)


def _refuse_third_party(asked: "Pseudonymise") -> None:
    if (asked.kind == "double") != (asked.third_party is not None):
        key = "pseudonyms.no-third-party" if asked.third_party is None else "pseudonyms.third-party-unused"
        raise UsageError(key, column=asked.column)
    if asked.third_party is not None and asked.third_party == asked.key:
        raise UsageError("pseudonyms.one-party", column=asked.column, key_id=asked.key)


def _refuse_list(asked: "Pseudonymise") -> None:
    if asked.kind != "listed":
        if asked.list is not None:
            raise UsageError("pseudonyms.list-unused", column=asked.column, kind=asked.kind)
        return
    if asked.list is None:
        raise UsageError("pseudonyms.no-list", column=asked.column)
    if asked.length is not None or asked.alphabet is not None or asked.format is not None:
        raise UsageError("pseudonyms.list-alone", column=asked.column)
    refuse_list(asked.list, asked.column)


def _refuse_scope(asked: "Pseudonymise") -> None:
    if asked.draws:
        if asked.scope_ == "everywhere" or asked.dataset is not None:
            raise UsageError("pseudonyms.random-scope", column=asked.column)
    elif asked.scope_ == "dataset" and not asked.dataset:
        raise UsageError("pseudonyms.no-dataset", column=asked.column)
    elif asked.scope_ == "everywhere" and asked.dataset is not None:
        raise UsageError("pseudonyms.dataset-unused", column=asked.column)


def _refuse_alphabet(asked: "Pseudonymise") -> None:
    letters = asked.alphabet
    if letters is None:
        return
    if not letters.isalnum() or len(set(letters)) < len(letters) or not 2 <= len(letters) <= _MOST_LETTERS:
        raise UsageError("pseudonyms.alphabet", column=asked.column, most=_MOST_LETTERS)


def _refuse_format(asked: "Pseudonymise") -> None:
    if asked.length is not None:
        raise UsageError("pseudonyms.length-kept", column=asked.column)
    if (asked.format is None) == (asked.alphabet is None):
        raise UsageError("pseudonyms.which-format", column=asked.column)


def _refuse_length(asked: "Pseudonymise") -> None:
    if asked.format is not None:
        raise UsageError("pseudonyms.format-unused", column=asked.column, kind=asked.kind)
    letters, length = len(asked.alphabet or LETTERS), LENGTH if asked.length is None else asked.length
    if not 1 <= length <= _MOST_LENGTH:
        raise UsageError("pseudonyms.length", column=asked.column, most=_MOST_LENGTH)
    if asked.kind in ("keyed", "double") and letters**length < _LEAST_TEXTS_KEYED:
        raise UsageError("pseudonyms.short-keyed", column=asked.column, length=length, letters=letters)
