"""What people call something: one text, or a text for each language."""

from collections.abc import Mapping
from typing import Any

from biombo._documents import Where
from biombo._errors import SchemaError

Worded = str | Mapping[str, str]

WORDED_SCHEMA = {"type": ["string", "object", "null"]}


def in_language(worded: Worded | None, language: str) -> str | None:
    """The text in ``language``, if there is one; a text of no language is in all of them.

    >>> in_language({"pt": "idade", "en": "age"}, "pt"), in_language("age", "pt"), in_language({"pt": "idade"}, "en")
    ('idade', 'age', None)
    """
    return worded.get(language) if isinstance(worded, Mapping) else worded


def read_worded(value: Any, where: Where) -> Worded | None:
    """What stands in a document as the text behind the entry at ``where``."""
    if isinstance(value, str) or (isinstance(value, Mapping) and _are_texts(value)):
        return value or None
    raise SchemaError("schema.label", entry=where.entry, value=value)


def read_worded_codes(value: Any, where: Where) -> dict[str, Worded]:
    """What codes are called. Codes must be text: YAML takes 01 for a text and 1 for a number."""
    if not isinstance(value, Mapping):
        raise SchemaError("schema.values", entry=where.entry, value=value)
    for code, called in value.items():
        if not isinstance(code, str):
            raise SchemaError("schema.unquoted", value=code)
        if not called or not (isinstance(called, str) or (isinstance(called, Mapping) and _are_texts(called))):
            raise SchemaError("schema.values", entry=where.entry, value=called)
    return dict(value)


def _are_texts(value: Mapping[Any, Any]) -> bool:
    return all(isinstance(word, str) for pair in value.items() for word in pair)
