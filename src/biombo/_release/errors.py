"""What is not published because of the data, not because of a mistake."""

from collections.abc import Iterable
from typing import Any, Self

from biombo._errors import UsageError


class RefusedError(UsageError):
    """The criteria are not met, or the risk is above the threshold. Nothing was published."""

    columns: tuple[str, ...] = ()
    """The columns that tell too much, where that is why: without them it would not be refused for that."""

    @classmethod
    def because_of(cls, columns: Iterable[str], key: str, **values: Any) -> Self:
        """What columns tell that go out as they are."""
        error = cls(key, **values)
        error.columns = tuple(dict.fromkeys(columns))
        return error
