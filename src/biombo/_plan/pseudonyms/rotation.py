"""A new key in the place of an old one: pseudonyms change, and whoever holds both keys can still link them."""

import hmac
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from biombo._data import SourceTable
from biombo._documents import listed
from biombo._engine import Randomness
from biombo._errors import InputError, UsageError
from biombo._files import PRIVATE, is_there, private_folder, replacing
from biombo._plan.operations import Pseudonymise
from biombo._plan.plan import Plan
from biombo._plan.pseudonyms.identities import Identities, IdentityTable
from biombo._plan.pseudonyms.sealed_pairs import opened_pairs, seal_pairs
from biombo._plan.pseudonyms.used import record_of, recorded, write_record
from biombo._plan.values.distinct_values import present_values
from biombo._secrets import Key, KeyPlace, Keys, SealedFile, in_a_year, keep_key, key_file, load_key, load_keys

SUFFIX = ".rotated"
_MARK, _VERSION = "biombo-rotation", 1


@dataclass(frozen=True)
class Rotated:
    """What came of a rotation."""

    plan: Plan
    """The same with the new key in the place of the old one."""
    key: str
    """The id of the new key."""
    tables: tuple[Path, ...]
    """From old to new pseudonyms, for whoever holds both keys."""
    identity_tables: tuple[Path, ...]
    """From new pseudonyms to values, for whoever holds the new key."""


class _Change(NamedTuple):
    """What becomes of the pseudonyms of one column."""

    column: str
    new_of: Mapping[str, str]
    """The new pseudonym for each old one; none where these do not depend on the key."""
    value_of: Mapping[str, str]
    """The value of each pseudonym, for a table of identities."""


def rotate_key(
    old: KeyPlace,
    new: str | Path,
    plan: Plan | str | Path,
    *,
    private: str | Path,
    source: Any = None,
    review: date | None = None,
) -> Rotated:
    """Make a new key for the columns that ``plan`` pseudonymises with the ``old`` one, and link old and new pseudonyms.

    For each column with keyed or format-preserving pseudonyms a table from old to new ones is sealed in the private
    folder, under both keys: neither alone opens it. Tables of identities are sealed anew under the new key, and so is
    the record of pseudonyms that are never given again. What was released is not changed, and what there was under the
    old key stays until somebody deletes it.

    Args:
        old: The key that the plan names.
        new: Where the new one is to be kept, which must not exist yet: a file, or ``keyring:NAME``.
        plan: The plan, or its YAML file.
        private: The private folder, with the tables of identities.
        source: The original table: it tells which values there are where no table of identities does.
        review: By when the ciphers of the new key are to be reviewed; by default in a year.

    >>> import tempfile, polars as pl, biombo as bb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     old, new, private = (f"{folder}/{name}" for name in ("old.key", "new.key", "private"))
    ...     plan = bb.Plan([bb.Pseudonymise("name", "keyed", key=bb.new_key(old), scope_="everywhere")])
    ...     people = pl.DataFrame({"name": ["Ana"]})
    ...     before = bb.apply(people, plan, key=old).data["name"]
    ...     rotated = bb.rotate_key(old, new, plan, private=private, source=people)
    ...     after = bb.apply(people, rotated.plan, key=new).data["name"]
    ...     bb.relink(before, "name", key=[old, new], private=private) == dict(zip(before, after))
    True
    """
    held, loaded = load_key(old), Plan.load(plan)
    operations = [each for each in loaded.operations if isinstance(each, Pseudonymise) and each.key == held.id]
    _refuse(operations, held, new)
    made = Key.new(in_a_year(date.today()) if review is None else review)
    folder = private_folder(Path(private), public=None)
    changes = [_change(each, held, made, folder, source) for each in operations]
    used = _used_before(old, held, is_needed=any(each.is_recorded for each in operations))
    if used is not None and key_file(new) is None:
        raise UsageError("keys.not-in-file", key_id=made.id)
    keep_key(made, new)
    if used is not None:
        write_record(Path(new), made, used)
    rotated = tuple(each if each not in operations else replace(each, key=made.id) for each in loaded.operations)
    tables = tuple(_sealed(folder, each, held, made) for each in changes if each.new_of)
    return Rotated(replace(loaded, operations=rotated), made.id, tables, _identities(folder, changes, made))


def _refuse(operations: list[Pseudonymise], held: Key, new: str | Path) -> None:
    if not operations:
        raise UsageError("rotation.unused", key_id=held.id)
    for operation in operations:
        if operation.kind == "double":
            raise UsageError("rotation.double", column=operation.column)
    if is_there(new):
        raise UsageError("keys.exists", path=str(new))


def _change(operation: Pseudonymise, old: Key, new: Key, folder: Path, source: Any) -> _Change:
    kept = _identities_under(operation.column, old, folder) if operation.needs_table else {}
    if operation.draws:
        return _Change(operation.column, {}, kept)
    values = list(dict.fromkeys(kept.values())) if source is None else _values(source, operation.column)
    if source is None and not operation.needs_table:
        raise UsageError("rotation.no-source", column=operation.column)
    before, after = (operation.under(key).of(values) for key in (old, new))
    value_of = dict(zip(after, values, strict=True)) if operation.needs_table else {}
    return _Change(operation.column, dict(zip(before, after, strict=True)), value_of)


def _identities_under(column: str, key: Key, folder: Path) -> dict[str, str]:
    tables = [each for each in IdentityTable.find(folder) if (each.column, each.key_id) == (column, key.id)]
    if not tables:
        raise InputError("reveal.no-table", column=column, key_id=key.id)
    found: dict[str, str] = {}
    for table in tables:
        for pseudonym, value in table.opened(key).items():
            if found.setdefault(pseudonym, value) != value:
                raise UsageError("rotation.ambiguous", column=column)
    return found


def _values(source: Any, column: str) -> list[str]:
    table = SourceTable.open(source)
    table.check([column])
    found: dict[str, None] = {}
    for _, batch in table.batches([column]):
        found |= dict.fromkeys(value for value in present_values(batch.column(column), column) if value)
    return list(found)


def _used_before(old: KeyPlace, held: Key, *, is_needed: bool) -> frozenset[str] | None:
    """What is never to be given again, whichever plan gave it; none where no record was begun."""
    file = load_keys(old).file_of(held.id) if is_needed else key_file(old)
    return recorded(file, held) if file is not None and is_there(record_of(file)) else None


def _sealed(folder: Path, change: _Change, old: Key, new: Key) -> Path:
    path = folder / f"{secrets.token_hex(8)}{SUFFIX}"
    says = {_MARK: _VERSION, "column": change.column, "old": old.id, "new": new.id}
    with replacing(path, mode=PRIVATE) as file:
        seal_pairs(file, change.new_of, says, _secret(old, new, change.column), Randomness())
    return path


def _identities(folder: Path, changes: Iterable[_Change], new: Key) -> tuple[Path, ...]:
    identities = Identities(folder)
    for change in changes:
        if change.value_of:
            identities.add(change.column, new, change.value_of.values(), change.value_of.keys())
    identities.write(Randomness())
    return identities.written


def _secret(old: Key, new: Key, column: str) -> bytes:
    """From both keys, so that neither alone gives it."""
    mine, theirs = old.derived("rotation", new.id, column), new.derived("rotation", old.id, column)
    return hmac.digest(mine, theirs, "sha256")


def relink(
    pseudonyms: Iterable[str], column: str, *, key: Iterable[KeyPlace], private: str | Path
) -> dict[str, str | None]:
    """The new pseudonyms in the place of old ones of ``column``, ``None`` for those that are not known.

    Args:
        pseudonyms: Those that were given under the old key.
        column: The column that they are from.
        key: The old key and the new one.
        private: The private folder that :func:`rotate_key` wrote to.
    """
    keys, asked = load_keys(key), list(dict.fromkeys(listed("pseudonyms", pseudonyms)))
    new_of: dict[str, str] = {}
    for table in _tables(Path(private), column):
        new_of |= _opened(table, column, keys)
    return {pseudonym: new_of.get(pseudonym) for pseudonym in asked}


def _tables(folder: Path, column: str) -> list[SealedFile]:
    found = [SealedFile.at(path) for path in sorted(folder.glob(f"*{SUFFIX}"))]
    tables = [each for each in found if each is not None and each.says.get(_MARK) == _VERSION]
    fitting = [each for each in tables if each.says.get("column") == column]
    if not fitting:
        raise InputError("rotation.no-table", column=column, path=str(folder))
    return fitting


def _opened(table: SealedFile, column: str, keys: Keys) -> dict[str, str]:
    old, new = (str(table.says.get(which)) for which in ("old", "new"))
    if old not in keys or new not in keys:
        raise UsageError("rotation.both-keys", column=column, old=old, new=new)
    damaged = InputError("rotation.damaged", path=str(table.path))
    return opened_pairs(table, _secret(keys[old], keys[new], column), damaged)
