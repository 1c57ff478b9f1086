"""Who could look for somebody in a table, and what they would know: a proposal by what columns are about."""

from biombo._data.inspection.column_names import meaning_of
from biombo._data.schema import Schema

_KNOW = {
    "neighbour": ("place", "postal", "birth", "age", "sex", "race", "marital", "family"),
    "employer": ("place", "birth", "age", "sex", "race", "marital", "education", "occupation", "facility", "period"),
}
"""What kinds of people know of others, by what columns are about."""


def proposed_adversaries(schema: Schema) -> dict[str, tuple[str, ...]]:
    """Who could know which of the quasi columns of ``schema``, as far as their names tell; none who would know the same
    as another, and none who would know a single column.

    >>> from biombo import ColumnSchema
    >>> quasi = {name: ColumnSchema(role="quasi") for name in ("age", "city", "job", "score")}
    >>> proposed_adversaries(Schema(quasi))
    {'neighbour': ('age', 'city'), 'employer': ('age', 'city', 'job')}
    """
    about = {name: meaning.key for name in schema.quasi if (meaning := meaning_of(name)) is not None}
    found: dict[str, tuple[str, ...]] = {}
    for adversary, known in _KNOW.items():
        columns = tuple(name for name, key in about.items() if key in known)
        if len(columns) > 1 and columns not in found.values():
            found[adversary] = columns
    return found
