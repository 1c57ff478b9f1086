"""What was answered so far, as a history has it: read without the table."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from biombo._errors import UsageError
from biombo._files import is_file
from biombo._query.answer import QueryAnswer
from biombo._query.history import History
from biombo._query.question import Question
from biombo._secrets import HeldLog


@dataclass(frozen=True, eq=False)
class PastAnswer:
    """An answer that was given: to whom, who had approved the question, when, and under which number."""

    answer: QueryAnswer
    who: str
    approved: str
    when: datetime
    number: str


def past_answers(history: str | Path) -> list[PastAnswer]:
    """All answers in a history, the first first; none where there is none. Raises where it is damaged."""
    path = Path(history)
    if not is_file(path):
        return []
    found = History.kept(path, HeldLog.seen(path))
    return [] if found is None else [*answers_in(found)]


def told_as(history: History, number: str, question: Question) -> QueryAnswer | None:
    """What was said already when a question was asked under a number. Raises where that was another one."""
    for past in answers_in(history) if number else ():
        if past.number == number:
            if past.answer.question.to_tree() != question.to_tree():
                raise UsageError("query.other-question", number=number)
            return past.answer
    return None


def answers_in(history: History) -> Iterator[PastAnswer]:
    """All answers, the first first."""
    so_far = 0
    for asked in history.asked:
        so_far += len(asked.cells(history.categories))
        cells = tuple(asked.question.cells(history.categories))
        answer = QueryAnswer(asked.question, cells, asked.outcomes, history.rules, so_far)
        yield PastAnswer(answer, asked.who, asked.approved, datetime.fromisoformat(asked.when), asked.number)
