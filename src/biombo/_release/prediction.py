"""The column that is to be predicted for the reports, checked before long work."""

from biombo._data import Schema, SourceTable
from biombo._errors import ColumnError, UsageError
from biombo._plan import Plan, schema_in_use
from biombo._utility import refuse_without_models
from biombo._watch import warn


def column_to_predict(name: str | None, table: SourceTable, plan: Plan, schema: Schema) -> str | None:
    """The column, unless what predicts is not installed: then a warning says so. Raises where it is not released."""
    if name is None:
        return None
    if name not in table.columns:
        raise ColumnError.missing(name, table.columns, table.label)
    if schema_in_use(plan.completed(schema), schema)[name].kept_back:
        raise ColumnError("release.predict-left-out", column=name)
    try:
        refuse_without_models()
    except UsageError as error:
        warn(str(error))
        return None
    return name
