"""The guided way from a file to a release: what is proposed at each step, and what a choice would do."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._guide.advice import Advice, ColumnAdvice, Use, advise
    from biombo._guide.answers import with_schema
    from biombo._guide.choices import DIVERSE, USUAL, GroupSize, Hidden, diversity, group_sizes, hidden_by, least_group
    from biombo._guide.exposure import Exposure, exposures
    from biombo._guide.look import Look, look_at
    from biombo._guide.steps import STEPS, UNSAID, Step, answered

__all__ = [
    "DIVERSE",
    "STEPS",
    "UNSAID",
    "USUAL",
    "Advice",
    "ColumnAdvice",
    "Exposure",
    "GroupSize",
    "Hidden",
    "Look",
    "Step",
    "Use",
    "advise",
    "answered",
    "diversity",
    "exposures",
    "group_sizes",
    "hidden_by",
    "least_group",
    "look_at",
    "with_schema",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
