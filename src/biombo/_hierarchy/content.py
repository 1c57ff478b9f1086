"""The bytes of a hierarchy's file."""

from pathlib import Path

from biombo._errors import InputError, system_reason


def content_of(path: str | Path) -> bytes:
    """All that the file holds."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise InputError("input.unreadable", path=str(path), detail=system_reason(error)) from None
    except ValueError as error:  # a name that no file can have
        raise InputError("input.unreadable", path=repr(path), detail=str(error)) from None
