"""Heads of tables, by the catalogue of the report on a release."""

from biombo._i18n import text
from biombo._report.blocks import Heading


def words(key: str) -> Heading:
    """A column of words."""
    return Heading(text(f"release_report.head.{key}"), numeric=False)


def numbers(key: str) -> Heading:
    """A column of numbers."""
    return Heading(text(f"release_report.head.{key}"))
