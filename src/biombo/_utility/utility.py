"""``utility``: a release is held against its original."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from biombo._data import Schema
from biombo._documents import check_whole
from biombo._engine import LOCAL, Engine, engine_of
from biombo._measures import ConstantColumn, LossDomain, became_constant, check_loss_domain, top_values
from biombo._plan import Outcome, Plan
from biombo._utility.associations import associations
from biombo._utility.classification.prediction import classification, features_for
from biombo._utility.distributions import column_distances
from biombo._utility.measures import checked_outcome, measures_of
from biombo._utility.result import Utility
from biombo._utility.summaries import summaries
from biombo._utility.tables import Shared, Tables, opened
from biombo._watch import advance, instead

Result = TypeVar("Result")
Progress = Callable[[int, int | None], object]

_PARTS = 5
"""Reading, measures, distances, pairs, numbers: what is counted as done besides folds."""


def utility(
    original: Any,
    release: Any,
    *,
    plan: Plan | str | Path | None = None,
    schema: Schema | str | Path | None = None,
    outcome: Outcome | str | Path | None = None,
    loss_domain: LossDomain = "data",
    predict: str | None = None,
    folds: int = 10,
    models: Sequence[str] = ("tree", "forest"),
    seed: int | None = None,
    progress: Progress | None = None,
    engine: Engine | str = LOCAL,
) -> Utility:
    """Say what a release is still good for, beside the table that it was made of.

    Args:
        original: The table: whatever :func:`biombo.read` takes, or what it returned.
        release: What was made of it. The order of its records does not matter.
        plan: The plan, or its file. Without it only what the two tables show is measured, and generalised columns are
            not compared.
        schema: What the columns are.
        outcome: What the plan did, as :func:`biombo.apply` hands it on (``applied.outcome``), or its file in a private
            folder. Without it a plan that draws nothing is carried out on the original once more; of one
            that draws at random only what the release shows is told.
        loss_domain: Over which values loss is told, as for :func:`biombo.search`.
        predict: A column to predict from the others, which needs scikit-learn: ``pip install 'biombo[utility]'``. For
            predictions of new records the plan is carried out on nine tenths of the original, once for each fold, and
            draws anew where it draws.
        folds: Parts that the records are dealt into, each of which is held out once.
        models: By which it is predicted: a decision ``tree``, a random ``forest``, or both.
        seed: For the same folds and models each time.
        progress: Called now and then with the steps done and the steps expected.
        engine: Where both tables are counted, and the plan is carried out where its outcome is not given, or the name
            of that; by default this process. Predictions are made in this process in any case, from a limited number
            of records.

    >>> import polars as pl
    >>> from biombo import Generalise, Hierarchy, KAnonymity, Plan, SuppressGroups, apply
    >>> table = pl.DataFrame({"age": ["31", "37", "62"], "sex": ["F", "F", "M"]})
    >>> plan = Plan([Generalise("age", Hierarchy.by_interval(10), 1), SuppressGroups()], [KAnonymity(2)], ["age"])
    >>> found = utility(table, apply(table, plan).data, plan=plan)
    >>> round(found.measures.completeness, 4), round(found.distances[0].total_variation, 4)
    (0.6667, 0.3333)
    """
    check_loss_domain(loss_domain)
    place = engine_of(engine)
    original, release = opened(place.reached(original)), opened(release, unescape=True)
    check_utility(original, release, plan=plan, schema=schema, predict=predict, seed=seed)
    steps = _Steps(_PARTS + (0 if predict is None else folds * (2 if plan is None else 3)), progress)
    random = np.random.default_rng(seed)
    tables = Tables.of(original, release, plan, schema, place)
    steps.advance()
    done = None if outcome is None else checked_outcome(Outcome.load(outcome), tables)
    predicted = None if predict is None else classification(tables, predict, folds, random, steps.advance, models)
    return Utility(
        original=tables.before.label,
        release=tables.after.label,
        original_rows=tables.valid.records,
        invalid=tables.before.records - tables.valid.records,
        release_rows=tables.after.records,
        plan_hash=None if plan is None else Plan.load(plan).hash,
        removed=tables.removed,
        measures=steps.done(measures_of(tables, done, loss_domain)),
        constant=_constant(tables),
        distances=steps.done(column_distances(tables)),
        associations=steps.done(associations(tables)),
        summaries=steps.done(summaries(tables)),
        classification=predicted,
        kind=getattr(original, "kind", "polars"),
    )


def _constant(tables: Tables) -> tuple[ConstantColumn, ...]:
    """One column at a time, as everywhere: their tuples may be far."""
    before, after = dict[str, float](), dict[str, ConstantColumn]()
    for name in tables.columns:
        was, is_ = tables.valid.tuples([name]), tables.after.tuples([name])
        before |= {column: top.share for column, top in top_values([was[name]], was.counts).items()}
        after |= top_values([is_[name]], is_.counts)
    return became_constant(after, before)


def check_utility(
    original: Any,
    release: Any,
    *,
    plan: Plan | str | Path | None = None,
    schema: Schema | str | Path | None = None,
    predict: str | None = None,
    seed: int | None = None,
) -> None:
    """Raise whatever can be known by the columns of the two tables; the arguments are those of :func:`utility`."""
    if seed is not None:
        check_whole("seed", seed, 0)
    before, after = opened(original), opened(release, unescape=True)
    shared = Shared.of(before, after, plan, schema)
    if predict is not None:
        features_for(predict, shared.columns, before, after)


class _Steps:
    """Counts what is done."""

    def __init__(self, expected: int, progress: Progress | None) -> None:
        self._expected, self._tell, self._done = expected, instead(progress, advance), 0

    def advance(self) -> None:
        self._done += 1
        self._tell(self._done, self._expected)

    def done(self, result: Result) -> Result:
        self.advance()
        return result
