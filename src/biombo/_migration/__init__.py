"""Settings of other programs, read strictly and taken over as what Biombo runs: schema, hierarchies and a request."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._migration.arx import from_arx
    from biombo._migration.arx_criteria import read_criterion, together
    from biombo._migration.r_script import Call, Statement, Unread, read_script
    from biombo._migration.sdcmicro import from_sdcmicro
    from biombo._migration.taken_over import TakenOver

__all__ = [
    "Call",
    "Statement",
    "TakenOver",
    "Unread",
    "from_arx",
    "from_sdcmicro",
    "read_criterion",
    "read_script",
    "together",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
