"""``aggregate``: a plan that ends in a table of counts, carried out."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from biombo._criteria import smallest_group_asked
from biombo._data import Schema, SourceTable, declared_schema
from biombo._engine import LOCAL, Engine, engine_of
from biombo._errors import UsageError
from biombo._plan import Plan, tuples_after
from biombo._secrets import KeyPlace
from biombo._tabulate.tabulation import Tabulation, tabulate


def aggregate(
    source: Any,
    plan: Plan | str | Path,
    *,
    schema: Schema | str | Path | None = None,
    key: KeyPlace | Iterable[KeyPlace] | None = None,
    engine: Engine | str = LOCAL,
) -> Tabulation:
    """Carry out a plan whose last operation is ``aggregate``: a table of counts of the records that the others leave.

    What :func:`biombo.tabulate` says of its tables holds here, for the values and records that the operations before
    left: cells have at least as many people as the plan's k-anonymity asks for, or else 10.

    Args:
        source: Whatever :func:`biombo.read` takes.
        plan: The plan, or its YAML file.
        schema: What the columns are; its hierarchies are those of the operation's levels, and its person counts where
            the plan names none.
        key: The keys that the plan names.
        engine: Where records are counted.

    >>> import polars as pl
    >>> from biombo import Aggregate, KAnonymity
    >>> table = pl.DataFrame({"ward": ["A"] * 4 + ["B"] * 3, "days": [1, 2, 2, 3, 5, 4, 6]})
    >>> plan = Plan([Aggregate(["ward"], sum=["days"])], [KAnonymity(3)], quasi=["ward"])
    >>> aggregate(table, plan).to_frame().select("ward", "records", "days").rows()
    [('A', 4, 8.0), ('B', 3, 15.0), ('Total', 7, 23.0)]
    """
    place, loaded = engine_of(engine), Plan.load(plan)
    asked = loaded.aggregation
    if asked is None:
        raise UsageError("plan.no-aggregation")
    source = place.reached(source)
    table = SourceTable.open(source)
    declared = declared_schema(source, schema).told_of(table.columns)
    data = tuples_after(table, loaded.on_records, asked.columns, declared, key=key, engine=place)
    k = smallest_group_asked(loaded.criteria)
    people: dict[str, Any] = {} if k is None else {"k": k}
    return tabulate(
        data,
        {column: asked.levels.get(column, [0]) for column in asked.by},
        sums=asked.sum,
        means=asked.mean,
        percent=asked.percent,
        zeros=asked.zeros,
        person=data.schema.person,
        **people,
    )
