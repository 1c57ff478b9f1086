"""Which kind of database an address is of."""

from typing import Literal

from biombo._errors import UsageError

DatabaseKind = Literal["sqlite", "postgresql"]


def kind_of_database(url: str) -> DatabaseKind:
    """The kind, by the scheme of ``url``; a driver's name after it does not matter.

    >>> kind_of_database("postgresql+psycopg://host/name")
    'postgresql'
    """
    scheme, separator, _ = url.partition("://")
    if scheme == "sqlite" and separator:
        return "sqlite"
    if scheme.partition("+")[0] in ("postgresql", "postgres") and separator:
        return "postgresql"
    raise UsageError("usage.database")
