"""What a plan refuses because of the data, not because of a mistake."""

from biombo._errors import UsageError


class SuppressionError(UsageError):
    """More records would have to be suppressed than the plan allows. Nothing was written."""
