"""What is known of the columns once a person has said which to keep, and that none of these is an identifier."""

from collections.abc import Collection, Iterable

from biombo._data import ColumnEncoder, Dataset, Schema, SourceTable, identifiers_among
from biombo._documents import listed
from biombo._errors import ColumnError
from biombo._plan.columns import keeping, schema_in_use
from biombo._plan.operations import Generalise
from biombo._plan.plan import Plan
from biombo._watch import unwarned

_LOOKED_AT = 1 << 16
"""So many rows tell what a column holds."""


def spoken_of(
    table: SourceTable, plan: Plan, schema: Schema, kept: Iterable[str], accepted: Collection[str] = ()
) -> Schema:
    """``schema`` with the columns that a person wants ``kept`` as they are.

    Raises where a column that would go out as it is looks like an identifier to :func:`biombo.inspect`, unless it is
    ``accepted``. ``table`` must be one that gives its rows twice.
    """
    names = listed("keep", kept)
    table.check(names)
    declared = keeping(schema, names, plan) if names else schema
    _refuse_recognised(table, plan, schema_in_use(plan.completed(declared), declared), accepted)
    return declared


def _refuse_recognised(table: SourceTable, plan: Plan, used: Schema, accepted: Collection[str]) -> None:
    """A sensitive column may have values of its own in every row; names and numbers of people it may not have."""
    bare = [name for name in _as_they_are(table, plan, used) if name not in accepted]
    if not bare:
        return
    for name, (reason, is_named) in identifiers_among(_first_rows(table, bare)).items():
        if is_named or used[name].role == "other":
            raise ColumnError("plan.recognised-identifier", column=name, reason=reason)


def _as_they_are(table: SourceTable, plan: Plan, used: Schema) -> list[str]:
    """Columns besides the quasi ones, which criteria are about, that no operation changes."""
    changing = [each for each in plan.operations if not (isinstance(each, Generalise) and each.level == 0)]
    changed = {name for operation in changing for name in operation.columns}
    return [name for name in table.columns if used[name].role in ("other", "sensitive") and name not in changed]


def _first_rows(table: SourceTable, columns: list[str]) -> Dataset:
    encoders = {name: ColumnEncoder(name) for name in columns}
    rows = 0
    for label, batch in table.batches(columns):
        taken = batch.slice(0, _LOOKED_AT - rows)
        rows += taken.num_rows
        for name, encoder in encoders.items():
            encoder.add(taken.column(name), label)
        if rows >= _LOOKED_AT:
            break
    with unwarned():  # how values are compared is of no matter here
        coded = {name: encoder.finish() for name, encoder in encoders.items()}
    return Dataset(coded, rows, Schema(), table.label)
