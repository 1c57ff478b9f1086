"""``PublishRequest``: from a table to a release that proves itself."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from biombo._errors import UsageError
from biombo._glance import Glance, Result
from biombo._i18n import option, text
from biombo._requests.entries import placed
from biombo._requests.model import ModelAnswers
from biombo._requests.question import QuestionRequest
from biombo._requests.record import RecordAnswers
from biombo._watch import remark, unwarned

if TYPE_CHECKING:
    from biombo._data import Dataset, SourceTable
    from biombo._engine import Engine
    from biombo._plan import Plan
    from biombo._release import Decision, PublishEstimate, Rehearsal, Release
    from biombo._search import LocalPlan, RankedPlan

_FOR_A_SEARCH = ("max_suppression", "hierarchies", "prefer", "level", "weights", "drop_invalid", "time_limit")
"""The entries that say nothing where a plan is given."""

_LONG = 10.0
"""Seconds from which on it is worth a sentence."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PublishRequest(RecordAnswers, ModelAnswers, QuestionRequest):
    """Publish a table by a plan, or by the best that a search finds, under the names of ``biombo publish``.

    >>> import tempfile
    >>> from biombo import Watch, samples, verify
    >>> with tempfile.TemporaryDirectory() as folder, Watch(warning=print):
    ...     request = PublishRequest(out=f"{folder}/clinic", quasi=["city"], sensitive=["disease"], k=3)
    ...     published = request.run(samples.clinic())
    ...     published.release.data.columns, verify(published.release.out).holds
    There is no hierarchy for city: such a column is either kept as it is or replaced by * as a whole.
    (['trace_id', 'city', 'disease'], True)
    """

    kind: ClassVar[str] = "publish"

    out: str = placed("path", default="", written=True)
    """The folder of the release, which must not exist yet."""
    plan: str | None = placed("path")
    """The plan's YAML file, where no plan is searched for."""
    other: tuple[str, ...] = ()
    """Further columns to release as they are: neither quasi nor sensitive."""
    accept_column: tuple[str, ...] = ()
    """Columns that go out as they are whatever they tell."""
    reason: str | None = None
    """Why these are accepted."""
    unprotected: str | None = None
    """Why a plan is published that has neither criteria nor noise with a guarantee."""
    small_groups: Literal["mask", "drop"] = "mask"
    """What becomes of records that are still in small groups, with a plan that was searched."""
    private: str | None = placed("path", written=True)
    """The folder that stays at home; by default ``out`` with ``.private`` added."""
    format: Literal["csv", "parquet"] = "csv"
    title: str | None = None
    """What the release is called; by default as its folder."""
    pdf: bool = False
    predict: str | None = None
    """A released column to predict from the others, for the reports."""
    key: str | None = placed("key")
    """The key to sign with: its file, or ``keyring:NAME``."""
    vault_key: str | None = placed("key")
    """The key that seals the vault."""
    plan_key: tuple[str, ...] = placed("key", default=())
    """The keys that the plan asks for."""

    @property
    def about(self) -> dict[str, Any]:
        """What the register is told; the release is called there by its title."""
        return {**super().about, "what": self.what or self.title}

    def check(self, source: Any = None) -> "PublishEstimate | None":
        """Raise before long work that would come to nothing; nothing is made.

        What publishing will take, roughly, without the search; none where the size of the table is not known.
        """
        return self._prepared(source, self.chosen_engine()).estimate

    def _prepared(self, source: Any, engine: "Engine") -> "_Prepared":
        """The table and what is done with it; whatever can be wrong with them by the columns alone was looked for."""
        from biombo._release import ready_to_publish, refuse_small_groups

        self.check_engine()
        model = self.model()
        self.remark_on_harm()
        self._refuse_both()
        refuse_small_groups(self.criteria)
        self.check_record(model, Path(self.out), self.private)
        table, plan = self._asked(source, engine)
        with unwarned():  # publishing warns of it
            ready = ready_to_publish(table, plan, self.out, **self._how, engine=engine)
        if ready.estimate is not None:
            self._remark_on(ready.estimate)
        return _Prepared(table, plan, ready.estimate)

    def _asked(self, source: Any, engine: "Engine") -> "tuple[SourceTable | Dataset, Plan]":
        """The table, and the plan from the file, where the columns that are named go before its own; or else a plan
        without the operations that are to be found.
        """
        from biombo._plan import Plan
        from biombo._search import plan_for

        if self.plan is not None:
            plan = Plan.load(self.plan).selecting(self.selections)
            quasi, sensitive = (tuple(self.question[role] or ()) for role in ("quasi", "sensitive"))
            named = replace(plan, quasi=quasi or plan.quasi, sensitive=sensitive or plan.sensitive)
            quasi = named.quasi or tuple(self._loaded_schema.quasi)
            self.check_population(named.judged, self._loaded_schema, quasi, of_some=bool(named.selections))
            return self.opened(source, (), engine)[0], named
        table, header = self.opened(source, self.columns_in_use, engine)
        terms = self.terms(header, plans=1)
        quasi = tuple(terms.hierarchies)
        return table, plan_for(header, self.selections, self.criteria, quasi, terms.sensitive, self.max_suppression)

    def _refuse_both(self) -> None:
        """Raise where there are both a plan and what a search is asked for, or neither."""
        if not self.out:
            raise UsageError("request.no-out")
        if (self.plan is None) is not bool(self.criteria):
            raise UsageError("release.plan-or-criteria")
        extra = [name for name in _FOR_A_SEARCH if getattr(self, name)]
        extra += ["recoding"] if self.recoding != "global" else []
        if self.plan is not None and extra:
            raise UsageError("release.plan-extra", options=", ".join(map(option, extra)))

    def _accepted(self) -> dict[str, str]:
        """The columns that are accepted, each with the reason."""
        if bool(self.accept_column) is not bool(self.reason and self.reason.strip()):
            raise UsageError("release.accept-reason")
        return dict.fromkeys(self.accept_column, self.reason or "")

    def _remark_on(self, estimate: "PublishEstimate") -> None:
        """Say what publishing takes, where that is long."""
        if estimate.seconds >= _LONG:
            remark(str(estimate))
            if self.plan is None:
                remark(text("release.estimate.search"))

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "PublishOutcome":
        """Publish, and put the release on record where there is a register; ``source`` may be a table in place of the
        files, ``engine`` is what carries the plan out, in the place of the one that is named. What is refused by the
        data is told in the outcome, what is wrong with the request is raised.
        """
        return self.recorded(self.published(source, engine=engine))

    def published(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "PublishOutcome":
        """Publish. What is made is not on record yet."""
        from biombo._criteria import WaiverError
        from biombo._plan import SuppressionError
        from biombo._release import RefusedError, publish

        place = self.chosen_engine(engine)
        prepared = self._prepared(source, place)
        self.begin_register()
        plan = self._chosen_plan(prepared, place)
        if plan is None:
            return PublishOutcome(self, prepared.estimate, refused=text("release.no-plan"))
        also: dict[str, Any] = {"small_groups": self.small_groups, "review": self.review, "engine": place}
        also["loss_domain"] = self.loss_domain
        also["title"] = self.title
        try:
            release = publish(prepared.table, plan, self.out, **self._how, **also)
            return PublishOutcome(self, prepared.estimate, release)
        except (RefusedError, SuppressionError) as error:
            telling = error.columns if isinstance(error, RefusedError) else ()
            return PublishOutcome(self, prepared.estimate, refused=str(error), telling=telling)
        except WaiverError as error:
            return PublishOutcome(self, prepared.estimate, refused=str(error), unlisted=error.unlisted)

    def rehearse(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "RehearsalOutcome":
        """Do all that publishing does up to where something would be published, and keep nothing but what was measured.
        A risk above the threshold and columns that tell too much are told in it; what nobody can accept is why there
        is none.
        """
        from biombo._criteria import WaiverError
        from biombo._plan import SuppressionError
        from biombo._release import RefusedError, rehearse

        place = self.chosen_engine(engine)
        prepared = self._prepared(source, place)
        plan = self._chosen_plan(prepared, place)
        if plan is None:
            return RehearsalOutcome(self, refused=text("release.no-plan"))
        left_out = ("format", "pdf", "key", "vault_key")
        how = {name: value for name, value in self._how.items() if name not in left_out}
        also: dict[str, Any] = {"small_groups": self.small_groups, "loss_domain": self.loss_domain, "engine": place}
        try:
            return RehearsalOutcome(self, rehearse(prepared.table, plan, self.out, **how, **also))
        except (RefusedError, SuppressionError, WaiverError) as error:
            return RehearsalOutcome(self, refused=str(error))

    def recorded(self, outcome: "PublishOutcome") -> "PublishOutcome":
        """``outcome`` with the number of its release in the register. Raises where it cannot be put on record."""
        if outcome.release is None:
            return outcome
        number = self.put_on_record(outcome.release)
        if number is not None:
            remark(text("release.registered", number=number))
        return replace(outcome, number=number)

    def _chosen_plan(self, prepared: "_Prepared", engine: "Engine") -> "Plan | RankedPlan | LocalPlan | None":
        """The plan that was given, or the best that is found."""
        from biombo._search import LocalPlan

        if self.plan is not None:
            return prepared.plan
        data = self.counted(self.columns_in_use, prepared.table, engine)
        found = self.found_locally(data) if self.recoding != "global" else self.found(data, plans=1)
        best = found[0] if found else None
        if isinstance(best, LocalPlan) and best.steps is not None:
            remark(text("search.local.cut", steps=best.steps))
        return best

    @property
    def _how(self) -> dict[str, Any]:
        """What is told before publishing and for it."""
        return {
            "private": self.private,
            "schema": self.schema,
            "other": self.other,
            "accept": self._accepted(),
            "unprotected": self.unprotected,
            "format": self.format,
            "model": self.model(),
            "override": self.override_reason,
            "pdf": self.pdf,
            "predict": self.predict,
            "key": self.key,
            "vault_key": self.vault_key,
            "plan_keys": self.plan_key,
            "population": self.population_table,
        }


@dataclass(frozen=True, eq=False)
class _Prepared:
    """What a release is made of."""

    table: "SourceTable | Dataset"
    plan: "Plan"
    """Without operations where a plan is searched for."""
    estimate: "PublishEstimate | None"


@dataclass(frozen=True, eq=False, repr=False)
class RehearsalOutcome(Result):
    """What publishing would come to. Private: it tells about the original."""

    request: PublishRequest
    rehearsal: "Rehearsal | None" = None
    """None where it would be refused whatever anybody accepts."""
    refused: str | None = None
    """Why, in sentences."""

    @property
    def holds(self) -> bool:
        """Would it be published as it was asked for?"""
        return self.rehearsal is not None and self.rehearsal.allowed

    def _glance(self) -> Glance:
        return Glance(self.refused or "") if self.rehearsal is None else self.rehearsal._glance()

    def as_json(self) -> dict[str, Any]:
        """What was measured as plain values, private numbers included."""
        return {"refused": self.refused} if self.rehearsal is None else self.rehearsal.as_json()

    def verdict(self) -> list[str]:
        """What would be lost, in at most five lines; or why nothing can be published."""
        return [self.refused or ""] if self.rehearsal is None else self.rehearsal.verdict()


@dataclass(frozen=True, eq=False, repr=False)
class PublishOutcome(Result):
    """What came of publishing."""

    request: PublishRequest
    estimate: "PublishEstimate | None"
    """What it was expected to take."""
    release: "Release | None" = None
    """None where it was refused."""
    refused: str | None = None
    """Why, in sentences."""
    telling: tuple[str, ...] = ()
    """The columns that tell too much as they are, where it was refused for that."""
    unlisted: tuple[str, ...] = ()
    """The values that a waiver does not list, where it was refused for that. Private."""
    number: int | None = None
    """The number of the release in the register, where it was put there."""

    @property
    def holds(self) -> bool:
        """Is there a release?"""
        return self.release is not None

    @property
    def decision(self) -> "Decision | None":
        """Whether the risk is acceptable, where a release model was given and there is a release."""
        return None if self.release is None else self.release.decision

    def _glance(self) -> Glance:
        return Glance(self.refused or "") if self.release is None else self.release._glance()

    def as_json(self) -> dict[str, Any]:
        """What is to be said of the release as plain values, private numbers included."""
        return {"refused": self.refused} if self.release is None else self.release.as_json()

    def verdict(self) -> list[str]:
        """What the private report begins with, in a few lines; or why nothing was published."""
        return [self.refused or ""] if self.release is None else list(self.release.headline)

    def report(self, *, private: bool = False) -> str:
        """The report of the release as one HTML page: the one that can go online, or the private one."""
        if self.release is None:
            raise UsageError("request.no-release", detail=self.refused)
        return self.release.page(private=private)
