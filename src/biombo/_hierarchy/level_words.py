"""The stable names of levels in the words of the language in use."""

from biombo._i18n import text

_NAMED = frozenset(
    {
        *("microregion", "mesoregion", "state", "region"),
        *("category", "group", "chapter"),
        *("form of organisation", "subgroup"),
        *("family", "main subgroup", "major group"),
        *("day", "month", "quarter", "year", "decade", "years"),
    }
)
"""Names that the catalogue has a word for."""

_UNITS = ("years", "months", "weeks", "days", "hours", "minutes", "grams", "people")


def worded_level(name: str) -> str:
    """What people call the level that options call ``name``; the name itself where it is somebody's own.

    >>> worded_level("form of organisation"), worded_level("cohort")
    ('form of organisation', 'cohort')
    """
    return text(f"hierarchy.called.{name.replace(' ', '-')}") if name in _NAMED else name


def worded_unit(unit: str) -> str:
    """The unit that numbers are counted in, such as years."""
    return text(f"hierarchy.unit.{unit}") if unit in _UNITS else unit
