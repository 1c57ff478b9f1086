"""``SearchRequest``: the best plan for what must hold."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from biombo._errors import UsageError
from biombo._files import PRIVATE, PUBLIC, refuse_existing, refuse_unwritable, write_together
from biombo._glance import Glance, Result
from biombo._requests.entries import number, placed, unsaved
from biombo._requests.page import refuse_page
from biombo._requests.question import QuestionRequest
from biombo._watch import begin

if TYPE_CHECKING:
    from biombo._data import Dataset, FarTuples, SourceTable
    from biombo._engine import Engine
    from biombo._report import ReportPart
    from biombo._search import Explanation, Frontier, JointResult, LocalResult, SearchResult

_SEARCH_BESIDE_FRONTIER = 0.5
"""The part of the time limit that the search has where the frontier is asked for as well."""
_EXPLAINING = 0.5
"""Seconds for what explanations may leave out, where there is a time limit."""


@dataclass(frozen=True, kw_only=True, repr=False)
class SearchRequest(QuestionRequest):
    """Find the plans that meet what is asked with the least damage, under the names of ``biombo search``.

    >>> from biombo import Watch, samples
    >>> with Watch(warning=print):
    ...     found = SearchRequest(quasi=["city"], k=3, explain=True).run(samples.clinic())
    There is no hierarchy for city: such a column is either kept as it is or replaced by * as a whole.
    >>> found.plans[0].suppressed, found.explanations[0].together.records
    (0, 0)
    """

    kind: ClassVar[str] = "search"

    plans: int = number(1, default=10)
    """How many to give, at most."""
    frontier: bool = False
    """Also the best plan for each k and each limit of suppression."""
    minimal: bool = False
    """Also all minimal generalisations."""
    explain: bool = False
    """Also which columns stand in the way; where no plan is found that is told in any case."""
    out: str | None = placed("path", written=True)
    """The file for the best plan."""
    report: str | None = placed("path", written=True)
    """The file for the report, which is private."""
    mappings: str | None = placed("path", written=True)
    """The CSV file for what becomes of each value under the best plan, which is private."""
    title: str | None = None
    """What the report is called; by default after the table."""
    force: bool = unsaved(False)
    """Replace files that exist."""

    def check(self, source: Any = None) -> None:
        """Raise whatever can be known before the search."""
        self._prepared(source, self.chosen_engine())

    def _prepared(self, source: Any, engine: "Engine") -> "SourceTable | Dataset":
        """The table; whatever can be wrong with it, or be asked of it, by the columns alone was looked for."""
        self._refuse()
        table, header = self.opened(source, self.columns_in_use, engine)
        self.terms(header, self.plans)
        self.refuse_outputs()
        return table

    @property
    def outputs(self) -> list[Path]:
        """The plan, the report and the mappings."""
        return [Path(path) for path in (self.out, self.report, self.mappings) if path is not None]

    def _refuse(self) -> None:
        self.check_engine()
        for path in self.outputs:
            refuse_unwritable(path)
            if not self.force:
                refuse_existing(path)
        if self.report is not None:
            refuse_page(self.report)
        if self.mappings is not None and Path(self.mappings).suffix.lower() != ".csv":
            raise UsageError("usage.mappings-csv", path=self.mappings)
        if not self.criteria:
            raise UsageError("usage.search-nothing")
        if self.frontier and len(self.sets) > 1:
            raise UsageError("usage.frontier-sets")
        about_levels = {"--minimal": self.minimal, "--explain": self.explain}
        if self.recoding != "global" and any(about_levels.values()):
            option = next(name for name, asked in about_levels.items() if asked)
            raise UsageError("usage.local-lattice", option=option, recoding=self.recoding)

    def run(self, source: Any = None, *, engine: "Engine | str | None" = None) -> "SearchOutcome":
        """Search, and write what is to be written; ``source`` may be a table in place of the files, ``engine`` is where
        its rows are counted, in the place of the one that is named.
        """
        from biombo._search import LocalResult

        place = self.chosen_engine(engine)
        table = self._prepared(source, place)
        found: SearchResult | JointResult | LocalResult
        if self._is_one_search:
            found = self.found(data := self.surveyed(self.columns_in_use, table, place), self.plans)
            trade_off = None
        else:
            read = self.counted(self.columns_in_use, table, place)
            share = _SEARCH_BESIDE_FRONTIER if self._asks_frontier else 1
            is_global = self.recoding == "global"
            found = self.found(read, self.plans, share) if is_global else self.found_locally(read, share)
            data, trade_off = read, self._frontier(read, found) if self._asks_frontier else None
        reasons = [] if isinstance(found, LocalResult) else self._reasons(found)
        outcome = SearchOutcome(self, data, found, trade_off, tuple(reasons))
        outcome.write()
        return outcome

    def _reasons(self, found: "SearchResult | JointResult") -> "Sequence[Explanation]":
        """What stands in the way, where somebody wants to know or has to."""
        from biombo._search import explanations

        if not (self.explain or self.report is not None or not found):
            return ()
        return explanations(found, seconds=_EXPLAINING if self.time_limit else 0)

    @property
    def _is_one_search(self) -> bool:
        """Is nothing asked but plans? Then tuples may stay where they are, and come from the levels that may do."""
        needs_all = self.recoding != "global" or any(policy.by_original for policy in self.policies)
        return not (self._asks_frontier or self.explain or needs_all)

    @property
    def _asks_frontier(self) -> bool:
        return self.frontier or self.report is not None

    def _frontier(self, data: "Dataset", found: "SearchResult | JointResult | LocalResult") -> "Frontier | None":
        """The trade-off around what was asked; several sets of quasi columns have none."""
        from biombo._search import KS, LIMITS, JointResult, frontier

        if isinstance(found, JointResult) or len(self.sets) > 1:
            return None
        begin("searching")
        return frontier(
            data,
            self.criteria,
            **self.question,
            ks=sorted({*KS, found.question.k} - {1}),
            limits=sorted({*LIMITS, self.max_suppression}),
            prefer=str(found.policy),
            seconds=self.time_limit * (1 - _SEARCH_BESIDE_FRONTIER),
            recoding=self.recoding,
        )


@dataclass(frozen=True, eq=False, repr=False)
class SearchOutcome(Result):
    """What came of a search."""

    request: SearchRequest
    data: "Dataset | FarTuples"
    plans: "SearchResult | JointResult | LocalResult"
    """The plans, best first, and what is proved."""
    frontier: "Frontier | None"
    """The best plan for each k and limit, where that was asked for or is in the report."""
    explanations: "tuple[Explanation, ...]"
    """Which columns stand in the way, for each set of quasi columns, where that was asked for, is in the report, or no
    plan was found."""

    @property
    def holds(self) -> bool:
        """Is there a plan?"""
        return bool(self.plans)

    @property
    def asked_explanations(self) -> "tuple[Explanation, ...]":
        """Those that were asked for, and not only for the report."""
        return self.explanations if self.request.explain or not self.plans else ()

    @property
    def asked_frontier(self) -> "Frontier | None":
        """The one that was asked for, and not only for the report."""
        return self.frontier if self.request.frontier else None

    def _glance(self) -> Glance:
        told = self.plans._glance()
        return told if self.asked_frontier is None else replace(told, below=[self.asked_frontier._glance()])

    def as_json(self) -> dict[str, Any]:
        """What was asked for as plain values."""
        from biombo._search import LocalResult, explanation_as_json, frontier_as_json, minimal_as_json

        result = self.plans.as_json()
        if self.request.minimal and not isinstance(self.plans, LocalResult):
            result["minimal"] = minimal_as_json(self.plans)
        if self.asked_frontier is not None:
            result["frontier"] = frontier_as_json(self.asked_frontier)
        if self.asked_explanations:
            result["explain"] = [explanation_as_json(each) for each in self.asked_explanations]
        return result

    def verdict(self) -> list[str]:
        """The headline of the report, in at most five lines."""
        from biombo._i18n import language
        from biombo._report import search_verdict

        labels = self.data.schema.labels(language())
        return search_verdict(self.plans, source=self.data.label, labels=labels, explanations=self.explanations)

    def report(self) -> str:
        """The report as one HTML page, which is private: it shows values and small counts."""
        from biombo._report import render_search_report

        return render_search_report(self.plans, **self._told())

    def parts(self, place: int = 0) -> "tuple[ReportPart, ...]":
        """What one chooses a plan by, for a page of somebody else; the one at ``place`` is marked in the charts."""
        from biombo._report import search_parts

        told = {name: value for name, value in self._told().items() if name not in ("source", "title")}
        return search_parts(self.plans, place=place, **told)

    def write(self) -> None:
        """Write the plan, the report and the mappings that were asked for, all or none."""
        files: dict[Path, tuple[str | bytes, int]] = {}
        if self.request.out is not None and self.plans:
            files[Path(self.request.out)] = (self.plans[0].plan.to_yaml(), PUBLIC)
        if self.request.report is not None:
            from biombo._report import page_content

            files[Path(self.request.report)] = (page_content(self.request.report, self.report()), PRIVATE)
        if self.request.mappings is not None and self.plans:
            from biombo._engine import csv_text

            files[Path(self.request.mappings)] = (csv_text(self.plans[0].mappings), PRIVATE)
        write_together(files)

    def write_report(self, path: str | Path) -> Path:
        """Write the report, whole or not at all, readable by the user alone."""
        from biombo._report import write_search_report

        return write_search_report(self.plans, path, **self._told())

    def _told(self) -> dict[str, Any]:
        from biombo._i18n import language

        return {
            "source": self.data.title,
            "title": self.request.title,
            "labels": self.data.schema.labels(language()),
            "frontier": self.frontier,
            "explanations": self.explanations,
        }
