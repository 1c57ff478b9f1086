"""``reveal``: pseudonyms are undone by whoever holds the key, on record."""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from biombo._documents import listed
from biombo._errors import ColumnError, InputError, UsageError
from biombo._files import is_folder
from biombo._plan.operations import Pseudonymise
from biombo._plan.plan import Plan
from biombo._plan.pseudonyms.identities import IdentityTable
from biombo._secrets import Key, KeyPlace, RevealLog, Reversal, load_keys

AT_MOST = 100
"""Pseudonyms that are undone in one call, and in one hour, unless more are allowed."""


def reveal(
    pseudonyms: Iterable[str],
    column: str,
    *,
    plan: Plan | str | Path,
    key: KeyPlace | Iterable[KeyPlace],
    private: str | Path,
    who: str,
    reason: str,
    table: str | Path | None = None,
    at_most: int = AT_MOST,
) -> dict[str, str | None]:
    """The values behind ``pseudonyms`` of ``column``; ``None`` for those that are not known.

    Each call is written to ``reveals.jsonl`` in the private folder before it gives anything: who, why, when and how
    many, not which. The limit is a guard against habit and haste: whoever holds the key can raise it or do without this
    function.

    Args:
        pseudonyms: What to undo.
        column: The column that they are from.
        plan: The plan by which they were given, or its YAML file.
        key: The key that the plan names.
        private: The private folder, with the tables of identities; the log is kept there.
        who: Who asks.
        reason: What for.
        table: The one table of identities to look in; by default all of the column's in the private folder.
        at_most: How many pseudonyms may be undone at once, and in one hour by the log.

    >>> import tempfile, polars as pl, biombo as bb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     key_id = bb.new_key(f"{folder}/key")
    ...     plan = bb.Plan([bb.Pseudonymise("name", "random", key=key_id, reversible_=True)])
    ...     keys = {"key": f"{folder}/key", "private": folder}
    ...     names = bb.apply(pl.DataFrame({"name": ["Ana"]}), plan, **keys).data["name"]
    ...     list(bb.reveal(names, "name", plan=plan, **keys, who="DPO", reason="the person asked").values())
    ['Ana']
    """
    refuse_no_reason(who, reason)
    operation = _reversible_operation(Plan.load(plan), column)
    held = operation.key_in(load_keys(key))
    asked = list(dict.fromkeys(listed("pseudonyms", pseudonyms)))
    folder = Path(private)
    if not is_folder(folder):
        raise InputError("reveal.no-folder", path=str(folder))
    with RevealLog.held(folder) as log:
        log.refuse_more_than(at_most, len(asked))
        values = _values(asked, operation, held, folder, None if table is None else Path(table))
        found = sum(value is not None for value in values.values())
        now = datetime.now(UTC).isoformat(timespec="seconds")
        log.add(Reversal(now, who.strip(), reason.strip(), column, held.id, len(asked), found))
    return values


def refuse_no_reason(who: str, reason: str) -> None:
    """Raise where nobody asks, or for no reason."""
    if not who.strip():
        raise UsageError("reveal.no-who")
    if not reason.strip():
        raise UsageError("reveal.no-reason")


def _reversible_operation(plan: Plan, column: str) -> Pseudonymise:
    for operation in plan.operations:
        if isinstance(operation, Pseudonymise) and operation.column == column:
            if operation.reversible_:
                return operation
            raise ColumnError("reveal.irreversible", column=column)
    raise ColumnError("reveal.not-pseudonymised", column=column)


def _values(
    asked: Iterable[str], operation: Pseudonymise, key: Key, folder: Path, table: Path | None
) -> dict[str, str | None]:
    if not operation.needs_table:
        cipher = operation.cipher(key)
        return {pseudonym: cipher.value_of(pseudonym) for pseudonym in asked}
    tables = IdentityTable.find(folder) if table is None else [IdentityTable.at(table)]
    fitting = [each.opened(key) for each in tables if (each.column, each.key_id) == (operation.column, key.id)]
    if not fitting:
        raise InputError("reveal.no-table", column=operation.column, key_id=key.id)
    return {pseudonym: _value(pseudonym, operation.column, fitting) for pseudonym in asked}


def _value(pseudonym: str, column: str, tables: Iterable[Mapping[str, str]]) -> str | None:
    """What the tables say. Short pseudonyms of two runs may be the same, and mean different values."""
    values = {table[pseudonym] for table in tables if pseudonym in table}
    if len(values) > 1:
        raise UsageError("reveal.ambiguous", column=column)
    return values.pop() if values else None
