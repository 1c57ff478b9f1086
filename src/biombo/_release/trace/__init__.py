"""From a released record back to the original one."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._release.trace.inquiry import LOG, is_vault_of
    from biombo._release.trace.look_up import TracedRecord, trace
    from biombo._release.trace.origin_records import OriginPart, OriginRecords, origin_records
    from biombo._release.trace.recognition import Recognised

__all__ = [
    "LOG",
    "OriginPart",
    "OriginRecords",
    "Recognised",
    "TracedRecord",
    "is_vault_of",
    "origin_records",
    "trace",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
