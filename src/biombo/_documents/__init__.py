"""Documents that people write and read, such as plans and schemas: dataclasses whose fields are entries of YAML."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._documents.document import Document, raised_as
    from biombo._documents.entries import (
        all_entries,
        by_entry,
        canonical,
        chosen_entries,
        entries_of,
        errors_within,
        plain,
        read_entries,
        read_value,
        spelled,
        spelling_of,
        unknown_name,
    )
    from biombo._documents.entry_types import (
        LARGEST_NUMBER,
        LONGEST_TEXT,
        check_types,
        checked,
        checked_text,
        entry_name,
        hints_of,
        is_unseen,
        listed,
        options_of,
        refuse_password,
        says_something,
    )
    from biombo._documents.json_schema import document_schema, entries_schema, with_underscores
    from biombo._documents.kinds import ValueKind, Where, register
    from biombo._documents.limits import (
        COLUMNS,
        Limit,
        check_above,
        check_column,
        check_limit,
        check_number,
        check_whole,
        checked_columns,
        has_limit,
        is_within_limit,
        limit_of,
        limited,
    )
    from biombo._documents.named_entry import Named
    from biombo._documents.yaml_text import dump_yaml, load_yaml

__all__ = [
    "COLUMNS",
    "LARGEST_NUMBER",
    "LONGEST_TEXT",
    "Document",
    "Limit",
    "Named",
    "ValueKind",
    "Where",
    "all_entries",
    "by_entry",
    "canonical",
    "check_above",
    "check_column",
    "check_limit",
    "check_number",
    "check_types",
    "check_whole",
    "checked",
    "checked_columns",
    "checked_text",
    "chosen_entries",
    "document_schema",
    "dump_yaml",
    "entries_of",
    "entries_schema",
    "entry_name",
    "errors_within",
    "has_limit",
    "hints_of",
    "is_unseen",
    "is_within_limit",
    "limit_of",
    "limited",
    "listed",
    "load_yaml",
    "options_of",
    "plain",
    "raised_as",
    "read_entries",
    "read_value",
    "refuse_password",
    "register",
    "says_something",
    "spelled",
    "spelling_of",
    "unknown_name",
    "with_underscores",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
