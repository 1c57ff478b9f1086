"""Settings of other programs, read strictly and taken over as what Biombo runs: schema, hierarchies and a request."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._migration.arx import from_arx
    from biombo._migration.arx_criteria import read_criterion, together
    from biombo._migration.taken_over import TakenOver

__all__ = ["TakenOver", "from_arx", "read_criterion", "together"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
