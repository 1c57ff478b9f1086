"""Replace the values of a column by pseudonyms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal, Self, get_args

from biombo._data.schema import Role
from biombo._errors import UsageError
from biombo._plan.context import Context
from biombo._plan.distinct import relabelled, replaced
from biombo._plan.keys import Key
from biombo._plan.operations.operation import RowOperation
from biombo._plan.pseudonyms import Ciphered, CipheredCpf, Drawn, Keyed, Pseudonyms, ReversiblePseudonyms
from biombo._plan.pseudonyms.ciphered import DIGITS
from biombo._plan.step import Batch, Step

Kind = Literal["random", "keyed", "format-preserving"]

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that look like others."""
LENGTH = 20
_MOST_LETTERS, _MOST_LENGTH = 64, 32

_LEAST_TEXTS_KEYED = 2**80
"""So many texts that among a billion values two share one with a chance of less than one in a million."""

_UNKEYED = ("hash", "md5", "sha", "blake")


@dataclass(frozen=True)
class Pseudonymise(RowOperation):
    """Replace each value of ``column`` by a pseudonym, always the same for the same value (document 003, section 9).

    ``random`` pseudonyms are new in each run. ``keyed`` ones are an HMAC under ``key``, which the plan names by its id
    and whoever applies it must hold. Both can be ``reversible`` by an encrypted table in the private folder.
    ``format-preserving`` ones look like the values (``format``, or the letters of ``alphabet``) and can be undone with
    the key alone.

    With ``scope: everywhere`` the same key gives the same pseudonyms in every dataset; otherwise they depend on the
    name given as ``dataset`` too. They always depend on the column's name. Missing values stay missing, other values
    count as they are written. An identifier that is pseudonymised is released.

    >>> Pseudonymise("name", "random", length=6).to_tree()
    {'pseudonymise': {'column': 'name', 'kind': 'random', 'reversible': False, 'length': 6}}
    """

    name: ClassVar[str] = "pseudonymise"
    roles: ClassVar[tuple[Role, ...]] = ("identifier", "quasi", "sensitive", "other")
    truthful: ClassVar[bool] = True
    reversible: ClassVar[bool] = True
    leaks: ClassVar[str] = "plan.leaks.pseudonymise"
    repeatable: ClassVar[bool] = False

    column: str
    kind: Kind
    key: str | None = None
    """The id of the key, as ``biombo key new`` tells it."""
    reversible_: bool | None = None
    """Can whoever holds the key undo it? Of course where the format is kept; otherwise not, unless asked for."""
    scope_: Literal["dataset", "everywhere"] = "dataset"
    dataset: str | None = None
    length: int | None = None
    alphabet: str | None = None
    format: Literal["cpf", "digits"] | None = None

    def __post_init__(self) -> None:
        _refuse_unkeyed(self.kind)
        if self.kind not in get_args(Kind):
            raise UsageError("plan.entry-choice", entry="kind", value=self.kind, choices=", ".join(get_args(Kind)))
        if self.reversible_ is None:
            object.__setattr__(self, "reversible_", self._keeps_format)
        self._refuse_key()
        self._refuse_scope()
        self._refuse_form()

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    @property
    def releases(self) -> tuple[str, ...]:
        """The same: nobody sees the identifiers that were in it."""
        return (self.column,)

    @property
    def keys(self) -> tuple[str, ...]:
        """The one key."""
        return () if self.key is None else (self.key,)

    @property
    def needs_table(self) -> bool:
        """Can it be undone by a table only?"""
        return bool(self.reversible_) and not self._keeps_format

    @classmethod
    def from_entries(cls, entries: Mapping[str, Any] | None, folder: Path) -> Self:
        """The operation with these entries."""
        if isinstance(entries, Mapping):
            _refuse_unkeyed(entries.get("kind"))
        return super().from_entries(entries, folder)

    def start(self, context: Context) -> Step:
        """Give pseudonyms to the distinct values of a batch."""
        return _Pseudonymising(self, context)

    def pseudonyms(self, context: Context) -> Pseudonyms:
        """What gives the pseudonyms."""
        if self.kind == "random":
            return Drawn(context.random, self.alphabet or LETTERS, self.length or LENGTH, self.column)
        if self.kind == "keyed":
            return Keyed(self._secret(context.key(self._key)), self.alphabet or LETTERS, self.length or LENGTH)
        return self.cipher(context.key(self._key))

    def cipher(self, key: Key) -> ReversiblePseudonyms:
        """What gives pseudonyms of the same format, and undoes them."""
        if self.format == "cpf":
            return CipheredCpf(self._secret(key), self.column)
        return Ciphered(self._secret(key), self.alphabet or DIGITS, self.column)

    @property
    def _key(self) -> str:
        return str(self.key)  # where it is asked for, it is there: see _refuse_key

    @property
    def _keeps_format(self) -> bool:
        return self.kind == "format-preserving"

    def _secret(self, key: Key) -> bytes:
        """A secret for the kind, the column and, unless it is to be the same everywhere, the dataset."""
        return key.derived("pseudonyms", self.kind, self.column, self.dataset)

    def _refuse_key(self) -> None:
        if self._keeps_format and not self.reversible_:
            raise UsageError("pseudonyms.always-reversible", column=self.column)
        needed = self.kind != "random" or self.reversible_
        if needed and self.key is None:
            raise UsageError("pseudonyms.no-key", column=self.column)
        if not needed and self.key is not None:
            raise UsageError("pseudonyms.key-unused", column=self.column)

    def _refuse_scope(self) -> None:
        if self.kind == "random":
            if self.scope_ == "everywhere" or self.dataset is not None:
                raise UsageError("pseudonyms.random-scope", column=self.column)
        elif self.scope_ == "dataset" and not self.dataset:
            raise UsageError("pseudonyms.no-dataset", column=self.column)
        elif self.scope_ == "everywhere" and self.dataset is not None:
            raise UsageError("pseudonyms.dataset-unused", column=self.column)

    def _refuse_form(self) -> None:
        letters = self.alphabet
        if letters is not None and not (
            letters.isalnum() and len(set(letters)) == len(letters) and 2 <= len(letters) <= _MOST_LETTERS
        ):
            raise UsageError("pseudonyms.alphabet", column=self.column, most=_MOST_LETTERS)
        if self._keeps_format:
            if self.length is not None:
                raise UsageError("pseudonyms.length-kept", column=self.column)
            if (self.format is None) == (letters is None):
                raise UsageError("pseudonyms.which-format", column=self.column)
        elif self.format is not None:
            raise UsageError("pseudonyms.format-unused", column=self.column, kind=self.kind)
        else:
            self._refuse_length(len(letters or LETTERS), LENGTH if self.length is None else self.length)

    def _refuse_length(self, letters: int, length: int) -> None:
        if not 1 <= length <= _MOST_LENGTH:
            raise UsageError("pseudonyms.length", column=self.column, most=_MOST_LENGTH)
        if self.kind == "keyed" and letters**length < _LEAST_TEXTS_KEYED:
            raise UsageError("pseudonyms.short-keyed", column=self.column, length=length, letters=letters)


def _refuse_unkeyed(kind: object) -> None:
    if isinstance(kind, str) and kind.lower().startswith(_UNKEYED):
        raise UsageError("pseudonyms.unkeyed", kind=kind)


class _Pseudonymising(Step):
    def __init__(self, operation: Pseudonymise, context: Context) -> None:
        self._operation = operation
        self._context = context
        self._pseudonyms = operation.pseudonyms(context)

    def __call__(self, batch: Batch) -> Batch:
        name = self._operation.column
        labelled = relabelled(batch.table.column(name), name, self._labels)
        return replace(batch, table=replaced(batch.table, name, labelled))

    def _labels(self, values: Sequence[str | None], rows: Sequence[int]) -> Sequence[str | None]:  # noqa: ARG002
        present = [value for value in values if value is not None]
        pseudonyms = self._pseudonyms.of(present)
        operation = self._operation
        if operation.needs_table and operation.key is not None:
            self._context.identities.add(operation.column, self._context.key(operation.key), present, pseudonyms)
        following = iter(pseudonyms)
        return [None if value is None else next(following) for value in values]
