"""What is not published because of the data, not because of a mistake."""

from biombo._errors import UsageError


class RefusedError(UsageError):
    """The criteria are not met, or the risk is above the threshold. Nothing was published."""
