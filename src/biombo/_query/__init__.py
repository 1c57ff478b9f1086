"""Curated access: questions to a table that stays inside, answered against the history of all answers."""

from typing import TYPE_CHECKING

from biombo._face import face

if TYPE_CHECKING:
    from biombo._query.answer import QueryAnswer, reason_key
    from biombo._query.categories import Categories, Leaf
    from biombo._query.desk import QueryDesk, decided, query
    from biombo._query.history import DeskRules
    from biombo._query.knowledge import Fact, Foreseen, Knowledge
    from biombo._query.members import Members
    from biombo._query.outcome import MeanOutcome, Outcome, Part
    from biombo._query.past import PastAnswer, past_answers
    from biombo._query.question import Cell, Question
    from biombo._query.sums import Amounts, SumsTold, mean_of

__all__ = [
    "Amounts",
    "Categories",
    "Cell",
    "DeskRules",
    "Fact",
    "Foreseen",
    "Knowledge",
    "Leaf",
    "MeanOutcome",
    "Members",
    "Outcome",
    "Part",
    "PastAnswer",
    "QueryAnswer",
    "QueryDesk",
    "Question",
    "SumsTold",
    "decided",
    "mean_of",
    "past_answers",
    "query",
    "reason_key",
]

if not TYPE_CHECKING:  # or whatever is asked for would seem to be there
    __getattr__, __dir__ = face(__name__)
