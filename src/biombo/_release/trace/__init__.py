"""From a released record back to the original one."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.trace.look_up import LOG, TracedRecord, trace

__all__ = [
    "LOG",
    "TracedRecord",
    "trace",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
