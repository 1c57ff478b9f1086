"""The search as people call it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from biombo._criteria import Criterion, beside_population
from biombo._data import Dataset, FarTuples, as_dataset
from biombo._errors import InputError
from biombo._frames import Frame
from biombo._hierarchy import Answer
from biombo._measures import LossDomain
from biombo._plan import SelectRecords
from biombo._search.arguments import RecodingName, check_seconds
from biombo._search.clock import Clock
from biombo._search.exploration import Explored, Progress
from biombo._search.hierarchies import Hierarchies
from biombo._search.joint_search import JointResult, combined, explore_jointly, question_of_set
from biombo._search.joint_sets import disjoint, refuse_suppression
from biombo._search.large_lattice import explore_any_size, refuse_unlistable
from biombo._search.level_bounds import Bounds
from biombo._search.local_search import LocalResult, search_locally
from biombo._search.policy import Policy, Preference, refuse_far
from biombo._search.question import Question
from biombo._search.result import SearchResult
from biombo._search.terms import PLANS, Terms, check_search
from biombo._watch import advance_share, instead


def search(
    data: Dataset | FarTuples | Frame,
    criteria: Criterion | Sequence[Criterion],
    *,
    quasi: Sequence[str] | None = None,
    sensitive: Sequence[str] | str | None = None,
    hierarchies: Hierarchies | str | Path | None = None,
    max_suppression: float = 0.0,
    prefer: Preference = "loss",
    bounds: Bounds | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Answer = "stop",
    drop_invalid: bool = False,
    loss_domain: LossDomain = "data",
    selected_by: Sequence[SelectRecords] = (),
    plans: int = PLANS,
    seconds: float = 0,
    recoding: RecodingName = "global",
    population: Any = None,
    progress: Progress | None = None,
) -> SearchResult | JointResult | LocalResult:
    """The plans that meet ``criteria`` by generalising whole columns and suppressing few records, the best first.

    Args:
        data: The table: what :func:`biombo.read` gave, or a pandas, Polars or Arrow one.
        criteria: What every group must be, or else its records are suppressed; or what the table must be as a whole.
        quasi: What an adversary may know; by default the quasi columns of the schema. Criteria may name sets of their
            own among them.
        sensitive: What it wants; by default the sensitive columns of the schema.
        hierarchies: By column, or a folder with files called after the columns. A column without one is either kept
            or becomes ``*``.
        max_suppression: The share of the records that may be suppressed, at most.
        prefer: What makes one plan better than another: a measure, or ``prediction:COLUMN``, where least is to be lost
            for predicting that column. Where criteria name several sets of quasi columns that share none, each may have
            its own, in the order in which the sets are first named.
        bounds: By column: the only level, or the lowest and the highest (None: no such bound), that a plan may have; by
            number or by name (:attr:`Hierarchy.level_names`), intervals also by a width in between: ``width 12``.
        weights: By column: how much it counts in what is preferred; 1 where nothing is said.
        missing: What happens to values that a hierarchy has no place for (see :meth:`Hierarchy.recode`).
        drop_invalid: Leave out the records with a value that the schema calls invalid in a column in use, as attacks
            do, and search among the others. Plans then begin with that; it is no suppression.
        loss_domain: Over which values loss is told: those that occur in the ``data``, or all that the ``hierarchy`` of
            the column has, whether or not they occur.
        selected_by: By what the records of ``data`` were selected beforehand, where they were; plans begin with it, so
            that they are for the whole table.
        plans: How many to return, at most.
        seconds: Stop after so long with the best so far; 0 for never. The result says what is proved.
        recoding: ``global``: every column has one level in all records, and the plans are the best there are.
            ``local``: groups of records have levels of their own, so that far less is lost; the best that was found.
            ``multidimensional``: so that what is released of a record follows from its values alone (Mondrian);
            ``multidimensional-relaxed``: the same where regions may overlap.
        population: A table of everybody of whom the people of the table are some, for criteria that are counted in it:
            whatever :func:`biombo.read` takes, or what it gave. It is generalised as the table is.
        progress: Called now and then with the share of the work that is done.

    >>> from biombo import Hierarchy, KAnonymity, read, samples
    >>> by_column = {"age": "age", "city": Hierarchy.all_or_nothing()}
    >>> found = search(read(samples.clinic()), KAnonymity(3), quasi=["age", "city"], hierarchies=by_column)
    >>> found[0].levels, found[0].suppressed, found.optimal
    ({'age': 0, 'city': 1}, 0, True)
    """
    check_seconds(seconds)
    clock = Clock.for_all_of(seconds)
    data = as_dataset(data)
    terms = check_search(
        data.header if isinstance(data, FarTuples) else data,
        criteria,
        quasi=quasi,
        sensitive=sensitive,
        hierarchies=hierarchies,
        max_suppression=max_suppression,
        prefer=prefer,
        bounds=bounds,
        weights=weights,
        loss_domain=loss_domain,
        selected_by=selected_by,
        plans=plans,
        seconds=seconds,
        recoding=recoding,
    )
    asked = {"missing": missing, "drop_invalid": drop_invalid, "max_suppression": max_suppression}
    if recoding != "global" and isinstance(data, FarTuples):
        raise InputError("search.local-far", source=data.label)
    data = _beside(data, population, terms)
    question = Question.of(data, terms, **asked)  # type: ignore[arg-type]
    share = instead(progress, advance_share)
    limit = question.limit(max_suppression)
    sets, policies = terms.sets, terms.policies(prefer)
    if recoding != "global":
        return search_locally(question, policies[0], recoding, clock=clock)
    if isinstance(data, FarTuples):
        refuse_far(policies, data)
    refuse_suppression(sets, limit)
    if len(sets) == 1 and set(next(iter(sets))) == set(question.quasi):
        explored = explore_any_size(
            question.serving(policies[0]), policies[0], limit, plans, clock=clock, progress=share
        )
    elif not disjoint(sets):
        refuse_unlistable(question)
        explored = explore_jointly(question.serving(policies[0]), sets, clock=clock, progress=share)
    else:
        parts = [question_of_set(question, columns, asked) for columns, asked in sets.items()]
        each = _explored_apart(parts, policies, limit, plans, clock)
        found = [
            SearchResult.of(part, policy, max_suppression, plans) for part, policy in zip(each, policies, strict=True)
        ]
        return combined(question, found, max_suppression, plans)
    return SearchResult.of(explored, policies[0], max_suppression, plans)


def _beside(data: Dataset | FarTuples, population: Any, terms: Terms) -> Dataset | FarTuples:
    """The table with its population, where one is given."""
    if not isinstance(data, FarTuples):
        return beside_population(data, population, terms.criteria, tuple(terms.hierarchies))
    for criterion in terms.criteria:
        if criterion.against_population:
            raise InputError("search.far-population", source=data.label, criterion=criterion)
    return data


def _explored_apart(
    parts: Sequence[Question], policies: Sequence[Policy], limit: int, plans: int, clock: Clock
) -> list[Explored]:
    """What is found for sets that share no column, each in its share of the time that is left."""
    found = list[Explored]()
    for part, policy in zip(parts, policies, strict=True):
        own = clock.share(1 / (len(parts) - len(found)))
        found.append(explore_any_size(part.serving(policy), policy, limit, plans, clock=own))
    return found


def question_of(
    data: Dataset,
    criteria: Criterion | Sequence[Criterion],
    *,
    missing: Answer = "stop",
    drop_invalid: bool = False,
    population: Any = None,
    **asked: Any,
) -> Question:
    """What is asked, with defaults filled in and checked; the arguments are those of :func:`search`."""
    terms = Terms.of(data, criteria, **asked)
    data = beside_population(data, population, terms.criteria, tuple(terms.hierarchies))
    return Question.of(data, terms, missing=missing, drop_invalid=drop_invalid)
