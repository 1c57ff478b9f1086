"""Whether what a release claims is so, as far as its records tell."""

from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from biombo._criteria import Criterion, Verdict
from biombo._engine import Engine
from biombo._errors import BiomboError, LimitError
from biombo._files import read_whole
from biombo._i18n import Language, in_every_language, text
from biombo._release.claim_words import claim_title, claim_value, criterion_value
from biombo._release.claims import Claim, agrees, is_refuted, recomputed
from biombo._release.manifest import Manifest
from biombo._release.measure.exposure import records_alone
from biombo._release.measure.histories import Histories
from biombo._release.readme import TableReadme
from biombo._release.table_claims import DISGUISED, SUPPRESSED, are_of_table
from biombo._release.verify.check import Check, checked, is_file_of
from biombo._release.verify.in_population import InPopulation
from biombo._release.verify.recount import Released
from biombo._release.waived import MALFORMED, NAME, WaivedClaim
from biombo._tabulate import CELLS, ShownTable

_ALWAYS_THERE = ("records-released", "columns", "columns-left-out")
"""What every release of records claims."""


class ClaimChecks:
    """Checks the claims of a release. Whether one can be recomputed is decided here, not by what it is marked as."""

    def __init__(
        self, folder: Path, manifest: Manifest, engine: Engine, population: InPopulation | None = None
    ) -> None:
        self._folder, self._data, self._engine = folder, manifest.data, engine
        self._population = population
        self._claims, self._listed, self._besides = manifest.claims, set(manifest.files), manifest.besides
        self._check_of: dict[str, Callable[[Claim], Check]] = {
            "records-released": self._records,
            "columns": self._columns,
            "columns-left-out": self._left_out,
            "histories": self._histories,
            NAME: self._waived,
            "records-alone": self._alone,
            SUPPRESSED: self._table,
            **dict.fromkeys(DISGUISED, self._disguised),
        }

    def all(self) -> Iterator[Check]:
        """A check for each claim, and one for each that should be there and is not."""
        yield from map(self._checked, self._claims)
        yield from self._other_readmes()
        there = {claim.name for claim in self._claims}
        for name in () if there & {SUPPRESSED, *DISGUISED} else _ALWAYS_THERE:
            if name not in there:
                yield checked("claim-missing", False, claim=claim_title(name))

    @cached_property
    def _released(self) -> Released:
        return Released.of(self._folder / self._data, self._engine)

    def _checked(self, claim: Claim) -> Check:
        check = self._check_of.get(claim.name)
        if claim.name == "criterion":
            check = self._criterion if claim.kind == "recomputable" else self._attested_criterion
        elif check is None and claim.kind == "attested":
            return _attested(claim, f"{claim_title(claim.name)}: {claim_value(claim)}")
        if check is None:
            return checked("unknown", False, claim=claim.name)
        if not is_file_of(self._folder, self._data):
            missing = text("release.verify.file-missing.fails", file=self._data)
            return checked("unreadable", False, claim=claim_title(claim.name), detail=missing)
        try:
            return check(claim)
        except LimitError:
            raise
        except BiomboError as error:
            return checked("unreadable", False, claim=claim_title(claim.name), detail=str(error))
        except MALFORMED:  # not as any release says it
            return checked("unknown", False, claim=claim_title(claim.name))

    def _records(self, claim: Claim) -> Check:
        found = self._released.records
        return checked(claim.name, found == claim.value, found=found, claimed=int(claim.value))

    def _columns(self, claim: Claim) -> Check:
        found = self._released.columns
        return checked(claim.name, found == claim.value, found=", ".join(found))

    def _left_out(self, claim: Claim) -> Check:
        if not isinstance(claim.value, list):
            raise TypeError
        there = [name for name in claim.value if name in self._released.columns]
        return checked(claim.name, not there, there=", ".join(there))

    def _histories(self, claim: Claim) -> Check:
        column, quasi = claim.about["column"], claim.about["quasi"]
        found = Histories.by(self._released.tuples([column, *quasi]), column, quasi, ()).smallest_group
        return checked(claim.name, found == claim.value, found=found, column=column)

    def _table(self, claim: Claim) -> Check:
        """A table of counts: what can be known of cells left out is what it says, and none is given away."""
        shown = ShownTable.load(self._folder)
        found = {**shown.kinds, "cells": int(shown.hidden.sum())}
        return checked(claim.name, self._is_only(shown), k=int(claim.value), **found)

    def _disguised(self, claim: Claim) -> Check:
        """A table of other numbers than the true ones: they are as what protects them leaves them."""
        holds = self._is_only(ShownTable.load(self._folder))
        return checked(claim.name, holds, **{_named(name): str(each) for name, each in claim.value.items()})

    def _is_only(self, shown: ShownTable) -> bool:
        """Is the table as it says, and is nothing claimed or published with it but what is its own?"""
        files = {*shown.file_names, *in_every_language("release.readme.file").values()}
        own = self._data == CELLS and self._listed <= files and not self._besides and are_of_table(self._claims, shown)
        return own and shown.is_as_told(self._folder)

    def _other_readmes(self) -> Iterator[Check]:
        """The pages of a table of counts that are not what Biombo writes about it: another version of it had other
        words, and whoever signs may write anything.
        """
        if self._data != CELLS:
            return
        for code, name in in_every_language("release.readme.file").items():
            if name in self._listed and is_file_of(self._folder, name) and not self._is_readme(name, code):
                words = text("release.verify.table-readme.differs", file=name)
                yield Check("table-readme", "attested", None, words)

    def _is_readme(self, name: str, code: Language) -> bool:
        try:
            shown = ShownTable.load(self._folder)
        except BiomboError:
            return True  # there is nothing to compare it with, which is said already
        page = TableReadme("", shown, shown.file_names)
        return page.is_told_by(read_whole(self._folder / name), code)

    def _waived(self, claim: Claim) -> Check:
        waived = WaivedClaim.of(claim)
        told = {"criterion": waived.criterion, "columns": ", ".join(waived.quasi), "reason": waived.reason}
        if any(map(waived.is_met_by, self._claims)):
            return checked(claim.name, False, **told)
        words = text(f"release.verify.{claim.name}.waived", **told)
        return Check(claim.name, "attested", None, words, waived=True)

    def _alone(self, claim: Claim) -> Check:
        if claim.value is None:
            return _attested(claim, f"{claim_title(claim.name)}: {claim_value(claim)}")
        quasi = claim.about["quasi"]
        found = records_alone(self._released.tuples(quasi), quasi)
        return checked(claim.name, found == claim.value, found=found, claimed=int(claim.value))

    def _criterion(self, claim: Claim) -> Check:
        verdict = recomputed(claim.about, self._released)
        return checked(claim.name, agrees(claim.value, verdict), **_told(claim, verdict))

    def _attested_criterion(self, claim: Claim) -> Check:
        criterion = Criterion.from_tree(claim.about["criterion"])
        if criterion.against_population:
            return self._counted_in_population(claim, criterion)
        verdict = recomputed(claim.about, self._released)
        if is_refuted(claim.value, verdict):
            return checked(claim.name, False, **_told(claim, verdict))
        return _attested(claim, f"{verdict.criterion}: {criterion_value(claim, verdict.criterion)}")

    def _counted_in_population(self, claim: Claim, criterion: Criterion) -> Check:
        """What only a table of the population shows, where one is at hand."""
        if self._population is None or not self._population.tells:
            words = f"{criterion}: {criterion_value(claim, criterion)}"
            return Check(claim.name, "attested", None, text("release.verify.attested-population", claim=words))
        verdict = self._population.recomputed(criterion, self._released, claim.about["quasi"])
        return checked(claim.name, verdict.holds, **_told(claim, verdict))


def _told(claim: Claim, verdict: Verdict) -> dict[str, Any]:
    """What was found, by which columns and about which: whoever made the claims has chosen them."""
    columns = ", ".join(verdict.quasi) or "–"
    if verdict.criterion.about(claim.about["sensitive"]):
        columns += f" → {', '.join(claim.about['sensitive'])}"
    return {"verdict": str(verdict).rstrip("."), "columns": columns}


def _named(entry: str) -> str:
    return entry.replace("-", "_")


def _attested(claim: Claim, words: str) -> Check:
    return Check(claim.name, "attested", None, text("release.verify.attested", claim=words))
