"""Replace the values of a column by pseudonyms."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from biombo._data import Role
from biombo._documents import Where, read_value, spelled
from biombo._engine import Batch, Change, Step
from biombo._plan.operations.operation import Context, RowOperation
from biombo._plan.operations.pseudonym_rules import LENGTH, LETTERS, refuse_nonsense, refuse_unkeyed
from biombo._plan.pseudonyms.cipher import DIGITS, Ciphered, CipheredNumber, ReversiblePseudonyms
from biombo._plan.pseudonyms.letters import Drawn, Keyed, Pseudonyms
from biombo._plan.pseudonyms.links import Linked, Parties
from biombo._plan.pseudonyms.prepared_list import FromList, read_list
from biombo._plan.values.checked_numbers import CHECKED_NUMBERS
from biombo._plan.values.distinct_values import present_values, relabelled
from biombo._secrets import Key, Keys

Kind = Literal["random", "keyed", "format-preserving", "listed", "double"]
Reach = Literal["dataset", "everywhere"]
Format = Literal["cpf", "cnpj", "cns", "digits"]


def _kind(value: Any, where: Where) -> Kind:
    refuse_unkeyed(value)  # whoever asks for a hash is told why not
    kind: Kind = read_value(Kind, value, where)
    return kind


@dataclass(frozen=True)
class Pseudonymise(RowOperation):
    """Replace each value of ``column`` by a pseudonym, always the same for the same value (PDPC 2018, section 9).

    ``random`` pseudonyms are new in each run. ``keyed`` ones are an HMAC under ``key``, which the plan names by its id
    and whoever applies it must hold. Both can be ``reversible`` by an encrypted table in the private folder.
    ``format-preserving`` ones look like the values (``format``, or the letters of ``alphabet``) and can be undone with
    the key alone. ``listed`` ones are drawn from the prepared ``list``, each at most once. ``double`` ones are those
    that a third party, who holds another key, gave to the codes under ``key``: see :func:`biombo.ask_for_codes`.

    What is drawn ``once`` is in the record beside the key, and in no later run under this key given to anybody else.

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
    kind: Kind = field(metadata=spelled(read=_kind))
    key: str | None = None
    """The id of the key, as ``biombo key new`` tells it."""
    reversible_: bool | None = None
    """Can whoever holds the key undo it? Of course where the format is kept; otherwise not, unless asked for."""
    scope_: Reach = "dataset"
    dataset: str | None = None
    length: int | None = None
    alphabet: str | None = None
    format: Format | None = None
    list: tuple[str, ...] | None = field(
        default=None,
        metadata=spelled(
            read=read_list, newer=True, schema={"type": ["array", "string", "null"], "items": {"type": "string"}}
        ),
    )
    """The pseudonyms to draw from; in a plan also the name of a text file, with one in each line."""
    once: bool | None = field(default=None, metadata=spelled(newer=True))
    """Is none of them given again in later runs under the key? Of course where they are from a list."""
    third_party: str | None = field(default=None, metadata=spelled(newer=True))
    """The id of the third party's key, who codes once more."""

    def __post_init__(self) -> None:
        refuse_unkeyed(self.kind)
        super().__post_init__()
        refuse_nonsense(self)
        if self.reversible_ is None:
            object.__setattr__(self, "reversible_", self.kind in ("format-preserving", "double"))

    @property
    def releases(self) -> tuple[str, ...]:
        """The same: nobody sees the identifiers that were in it."""
        return (self.column,)

    @property
    def keys(self) -> tuple[str, ...]:
        """The one key."""
        return () if self.key is None else (self.key,)

    @property
    def keeps_format(self) -> bool:
        """Do the pseudonyms look like the values?"""
        return self.kind == "format-preserving"

    @property
    def needs_table(self) -> bool:
        """Can it be undone by a table only?"""
        return bool(self.reversible_) and not self.keeps_format

    @property
    def is_recorded(self) -> bool:
        """Are its pseudonyms never given again?"""
        return self.kind == "listed" if self.once is None else self.once

    @property
    def parties(self) -> Parties | None:
        """Who codes first and second, where two do."""
        return None if self.key is None or self.third_party is None else Parties(self.key, self.third_party)

    @property
    def draws(self) -> bool:
        """Only where pseudonyms are drawn: keyed ones are the same each time."""
        return self.kind in ("random", "listed")

    @property
    def remembers(self) -> bool:
        """Yes, where pseudonyms are drawn: what was drawn for a value stands for it everywhere. A table needs all, and
        the links with a third party stay where they are.
        """
        return self.draws or self.needs_table or self.kind == "double"

    def start(self, context: Context) -> Step:
        """Give pseudonyms to the distinct values of a batch."""
        return _Pseudonymising(self, context)

    def values_in(self, batch: Batch) -> Collection[str]:
        """The distinct values of a batch; an empty text is a missing value."""
        return [value for value in present_values(batch.table.column(self.column), self.column) if value]

    def settled(self, values: Collection[str], context: Context) -> Change:
        """Give all of them their pseudonyms; what is left to do is to look these up."""
        labels = _Pseudonymising(self, context).given(sorted(values))
        return Settled(self.column, labels)

    def key_in(self, keys: Keys) -> Key:
        """Its key, of those at hand."""
        (key_id,) = self.keys
        return keys[key_id]

    def pseudonyms(self, context: Context) -> Pseudonyms:
        """What gives the pseudonyms."""
        if self.keeps_format:
            return self.cipher(self.key_in(context.keys))
        if self.kind == "keyed":
            return self.codes(self.key_in(context.keys))
        if self.parties is not None:
            return Linked(self.codes(self.key_in(context.keys)), context.keys, self.parties, self.column)
        taken = context.used.taken(self.key) if self.is_recorded and self.key is not None else set()
        if self.list is not None:
            return FromList(context.random, self.list, taken, self.column)
        return Drawn(context.random, self.alphabet or LETTERS, self.length or LENGTH, self.column, taken)

    def under(self, key: Key) -> Pseudonyms:
        """What gives the pseudonyms that follow from ``key`` and the value alone."""
        return self.cipher(key) if self.keeps_format else self.codes(key)

    def codes(self, key: Key) -> Keyed:
        """What follows from the value and the key."""
        return Keyed(self._secret(key), self.alphabet or LETTERS, self.length or LENGTH)

    def cipher(self, key: Key) -> ReversiblePseudonyms:
        """What gives pseudonyms of the same format, and undoes them."""
        number = None if self.format is None else CHECKED_NUMBERS.get(self.format)
        if number is not None:
            return CipheredNumber(number, self._secret(key), self.column)
        return Ciphered(self._secret(key), self.alphabet or DIGITS, self.column)

    def _secret(self, key: Key) -> bytes:
        """A secret for the kind, the column and, unless it is to be the same everywhere, the dataset."""
        return key.derived("pseudonyms", self.kind, self.column, self.dataset)


class _Pseudonymising(Step):
    def __init__(self, operation: Pseudonymise, context: Context) -> None:
        self._operation = operation
        self._context = context
        self._pseudonyms = operation.pseudonyms(context)

    def __call__(self, batch: Batch) -> Batch:
        name = self._operation.column
        labelled = relabelled(batch.table.column(name), name, self._labels)
        return batch.with_column(name, labelled)

    def _labels(self, values: Sequence[str | None], rows: Sequence[int]) -> Sequence[str | None]:  # noqa: ARG002
        given = self.given([value for value in values if value])
        return [given[value] if value else None for value in values]

    def given(self, values: Sequence[str]) -> Mapping[str, str]:
        """The pseudonyms of different ``values``, noted where they are to be undone by a table."""
        pseudonyms = self._pseudonyms.of(values)
        if self._operation.needs_table:
            key, kept = self._operation.key_in(self._context.keys), self._pseudonyms.kept(values, pseudonyms)
            self._context.identities.add(self._operation.column, key, values, kept)
        return dict(zip(values, pseudonyms, strict=True))


@dataclass(frozen=True, eq=False)
class Settled(Change):
    """Pseudonyms that have been given to all values of a column."""

    column: str
    pseudonym_of: Mapping[str, str] = field(repr=False)

    @property
    def columns(self) -> tuple[str, ...]:
        """The one column."""
        return (self.column,)

    def start(self, context: Context) -> Step:  # noqa: ARG002
        """Look the values up."""
        return _LookedUp(self)


class _LookedUp(Step):
    def __init__(self, settled: Settled) -> None:
        self._settled = settled

    def __call__(self, batch: Batch) -> Batch:
        name = self._settled.column
        return batch.with_column(name, relabelled(batch.table.column(name), name, self._labels))

    def _labels(self, values: Sequence[str | None], rows: Sequence[int]) -> Sequence[str | None]:  # noqa: ARG002
        return [self._settled.pseudonym_of[value] if value else None for value in values]
