"""Double coding between whoever has the data and a third party, by files that they exchange (PDPC 2018, 9.13).

Whoever has the data codes first and hands over the codes alone. The third party codes these once more, keeps which
belongs to which, and gives that back. What is released has the second codes. Who is behind one is only found by both.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from biombo._data import SourceTable
from biombo._documents import listed
from biombo._engine import Randomness
from biombo._errors import ColumnError, InputError, UsageError
from biombo._files import PRIVATE, read_whole, refuse_existing, write_whole
from biombo._plan.operations import Pseudonymise
from biombo._plan.operations.pseudonym_rules import LENGTH, LETTERS
from biombo._plan.plan import Plan
from biombo._plan.pseudonyms.letters import Keyed
from biombo._plan.pseudonyms.links import SUFFIX, Parties, keep_links, opened_links, parties_of
from biombo._plan.pseudonyms.reveal import AT_MOST, refuse_no_reason
from biombo._plan.selection import selected
from biombo._plan.values.distinct_values import present_values
from biombo._secrets import Key, KeyPlace, RevealLog, Reversal, load_keys

_KEY_ID = re.compile("key-[0-9a-f]{16}")


def ask_for_codes(
    source: Any,
    column: str,
    *,
    plan: Plan | str | Path,
    key: KeyPlace,
    out: str | Path,
    filename: str | None = None,
    database: str | None = None,
    sheet: str | None = None,
) -> int:
    """Write the codes of all values of ``column``, each once, in random order and without anything else, for the third
    party; gives how many they are.

    Args:
        source: Whatever :func:`biombo.read` takes.
        column: The column that the plan codes twice.
        plan: The plan, or its YAML file.
        key: The first key, of whoever has the data.
        out: The file to write: a line with the id of the key, then one code in each line.
        filename: A pattern that takes columns from the files' names.
        database: The database that the query ``source`` is for.
        sheet: Which table of a file that has several.

    >>> import tempfile, polars as pl, biombo as bb
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     first, third = f"{folder}/agency.key", f"{folder}/third.key"
    ...     ids = {"key": bb.new_key(first), "third_party": bb.new_key(third)}
    ...     plan = bb.Plan([bb.Pseudonymise("name", "double", dataset="clinic", **ids)])
    ...     people = pl.DataFrame({"name": ["Ana", "Bia"]})
    ...     asked = bb.ask_for_codes(people, "name", plan=plan, key=first, out=f"{folder}/codes.csv")
    ...     answered = bb.answer_codes(f"{folder}/codes.csv", key=third, out=f"{folder}/links.csv")
    ...     taken = bb.take_codes(f"{folder}/links.csv", key=first)
    ...     released = bb.apply(people, plan, key=first, private=f"{folder}/private").data
    ...     why = {"who": "the officer", "reason": "request 17"}
    ...     codes = bb.first_codes(released["name"], key=third, **why)
    ...     named = bb.reveal(codes.values(), "name", plan=plan, key=first, private=f"{folder}/private", **why)
    >>> sorted(named.values())
    ['Ana', 'Bia']
    """
    loaded = Plan.load(plan)
    operation = double_coding(loaded, column)
    held = operation.key_in(load_keys(key))
    refuse_existing(Path(out))
    table = selected(SourceTable.open(source, filename=filename, database=database, sheet=sheet), loaded.selections)
    table.check([column])
    values: dict[str, None] = {}
    for _, batch in table.batches([column]):
        values |= dict.fromkeys(value for value in present_values(batch.column(column), column) if value)
    codes = operation.codes(held).of(list(values))
    _write(out, held.id, codes)
    return len(codes)


def double_coding(plan: Plan, column: str) -> Pseudonymise:
    """What codes ``column`` twice in ``plan``."""
    for operation in plan.operations:
        if isinstance(operation, Pseudonymise) and operation.column == column and operation.parties is not None:
            return operation
    raise ColumnError("codes.not-double", column=column)


def answer_codes(codes: str | Path, *, key: KeyPlace, out: str | Path) -> int:
    """Code the ``codes`` of somebody else once more, as the third party; gives how many they are.

    Which belongs to which is sealed beside the key, and written to ``out`` for whoever asked: a line with the ids of
    both keys, then a code of each in each line, in random order. The same codes get the same second codes again.
    """
    keys = load_keys(key)
    (held,) = keys
    ((first,), rows) = _read(codes, 1)
    if first == held.id:
        raise UsageError("codes.own-key", path=str(codes), given=held.id)
    parties, key_file = Parties(first, held.id), keys.file_of(held.id)
    refuse_existing(Path(out))
    asked = list(dict.fromkeys(code for (code,) in rows))
    second = Keyed(held.derived("double coding", first), LETTERS, LENGTH).of(asked)
    keep_links(key_file, held, parties, dict(zip(second, asked, strict=True)))
    _write(out, f"{parties.first},{parties.second}", [f"{a},{b}" for a, b in zip(asked, second, strict=True)])
    return len(asked)


def take_codes(links: str | Path, *, key: KeyPlace) -> Path:
    """Take in what a third party has answered, sealed beside the first key, until :func:`forget_codes`.

    Plans that name both keys can be carried out then. The file ``links`` itself is to be deleted.
    """
    keys = load_keys(key)
    (held,) = keys
    ((first, second), rows) = _read(links, 2)
    parties = Parties(first, second)
    _refuse_other_party(held, first, second)
    pairs = {code: mine for mine, code in rows}
    if len(pairs) < len(rows) or len(set(pairs.values())) < len(rows):
        raise InputError("codes.ambiguous", path=str(links))
    return keep_links(keys.file_of(held.id), held, parties, pairs)


def _refuse_other_party(held: Key, needed: str, other: str) -> None:
    if held.id == other:
        raise UsageError("codes.wrong-party", given=held.id, needed=needed)
    if held.id != needed:
        raise UsageError("codes.neither", given=held.id, first=needed, second=other)


def forget_codes(key: KeyPlace) -> int:
    """Delete what third parties have answered from beside the first key; gives how many files that were.

    From then on only the third party can tell which code stands for which.
    """
    keys = load_keys(key)
    (held,) = keys
    own = [path for path, parties in _kept(keys.file_of(held.id)) if parties.first == held.id]
    for path in own:
        path.unlink()
    return len(own)


def first_codes(
    codes: Iterable[str], *, key: KeyPlace, who: str, reason: str, at_most: int = AT_MOST
) -> dict[str, str | None]:
    """As the third party: the first codes behind released ones, ``None`` for those that are not known.

    Each call is written to ``reveals.jsonl`` beside the key before it gives anything: who, why, when and how many, not
    which. Whoever has the data finds with :func:`biombo.reveal` who is behind a first code.
    """
    refuse_no_reason(who, reason)
    keys = load_keys(key)
    (held,) = keys
    asked, key_file = list(dict.fromkeys(listed("codes", codes))), keys.file_of(held.id)
    links = _links_of_third_party(key_file, held)
    with RevealLog.held(key_file.parent) as log:
        log.refuse_more_than(at_most, len(asked))
        found = {code: links.get(code) for code in asked}
        known = sum(code is not None for code in found.values())
        now = datetime.now(UTC).isoformat(timespec="seconds")
        log.add(Reversal(now, who.strip(), reason.strip(), "", held.id, len(asked), known))
    return found


def _links_of_third_party(key_file: Path, held: Key) -> dict[str, str]:
    kept = _kept(key_file)
    answered = [path for path, parties in kept if parties.second == held.id]
    if not answered:
        for _, parties in kept:
            raise UsageError("codes.wrong-party", given=held.id, needed=parties.second)
        raise UsageError("codes.nothing-answered", path=str(key_file))
    return {second: first for path in answered for second, first in opened_links(path, held).items()}


def _kept(key_file: Path) -> list[tuple[Path, Parties]]:
    """The links that are kept beside a key, with those between whom they are."""
    beside = (path for path in sorted(key_file.parent.iterdir()) if path.name.startswith(f"{key_file.name}."))
    found = [(path, parties_of(path)) for path in beside if path.name.endswith(SUFFIX)]
    return [(path, parties) for path, parties in found if parties is not None]


def _write(out: str | Path, heading: str, lines: Sequence[str]) -> None:
    """In random order: that of the table would tell who is who."""
    shuffled = [lines[place] for place in Randomness().order(len(lines))]
    write_whole(out, "\n".join([heading, *shuffled]) + "\n", mode=PRIVATE)


def _read(path: str | Path, columns: int) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The ids of keys at the head of a file, and its rows."""
    refusal = InputError("codes.no-codes" if columns == 1 else "codes.no-links-file", path=str(path))
    try:
        lines = read_whole(path).decode("ascii").splitlines()
    except UnicodeDecodeError:
        raise refusal from None
    heading, *rows = [tuple(line.split(",")) for line in lines if line] or [()]
    if len(heading) != columns or not all(map(_KEY_ID.fullmatch, heading)) or len(set(heading)) < columns:
        raise refusal
    if any(len(row) != columns or not all(part.isalnum() for part in row) for row in rows):
        raise refusal
    return heading, rows
