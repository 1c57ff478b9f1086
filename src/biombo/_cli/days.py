"""Days as people type them."""

from datetime import date

from biombo._errors import UsageError


def day_of(option: str, typed: str) -> date:
    """The day that was typed for ``option``.

    >>> day_of("--review", "2027-01-31")
    datetime.date(2027, 1, 31)
    """
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise UsageError("register.no-day", option=option, typed=typed) from None
