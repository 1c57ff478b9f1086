"""Lists and pairs as people type them: ``a,b,c`` and ``a=1,b=2``."""

from biombo._errors import UsageError


def names(typed: str | None) -> list[str] | None:
    """The names in ``a,b,c``; nothing where nothing was typed.

    >>> names("age, sex")
    ['age', 'sex']
    """
    if typed is None:
        return None
    found = [name.strip() for name in typed.split(",")]
    if not all(found):
        raise UsageError("usage.empty-name", typed=typed)
    return found


def pairs(typed: str) -> dict[str, str]:
    """The pairs in ``a=1,b=2``.

    >>> pairs("age=45,sex=F")
    {'age': '45', 'sex': 'F'}
    """
    split = [pair.partition("=") for pair in names(typed) or []]
    if not all(name.strip() and equals for name, equals, _ in split):
        raise UsageError("usage.pairs", typed=typed)
    return {name.strip(): value.strip() for name, _, value in split}
