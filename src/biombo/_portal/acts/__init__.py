"""Forms for what people can do in a negotiation: each makes one act. The negotiation itself decides what is allowed."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._portal.acts.form import ActForm
    from biombo._portal.acts.offered import form_of, has_voted, offered_acts

__all__ = ["ActForm", "form_of", "has_voted", "offered_acts"]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
