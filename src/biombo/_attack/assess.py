"""The attacks as people call them, and both together in one sweep."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

from biombo._attack.attribute import AttributeInference
from biombo._attack.evidence import Dropped, Evidence, NoValidRowsError
from biombo._attack.identity import Reidentification
from biombo._attack.parts import AttributeInferenceByPart, ByPart, Part, checked_by, split
from biombo._attack.question import Question
from biombo._cells import SubsetCounts
from biombo._data import Dataset
from biombo._errors import BiomboWarning, InputError, UsageError
from biombo._i18n import text

Progress = Callable[[float], object]
"""Called now and then with the share of the work that is done."""

Datasets = Sequence[Dataset] | Mapping[str, Dataset]
Columns = Sequence[str]


@dataclass(frozen=True, eq=False)
class Risk:
    """What adversaries gain from one table, over the same valid records."""

    attribute_inference: AttributeInference | None
    """Missing where no column is sensitive."""
    reidentification: Reidentification

    @property
    def rows(self) -> int:
        """Valid records."""
        return self.reidentification.rows

    @property
    def dropped(self) -> Dropped:
        """Records left out."""
        return self.reidentification.dropped

    @property
    def max_posterior(self) -> float:
        """The strongest attribute inference, or the strongest re-identification where no column is sensitive."""
        attack = self.attribute_inference or self.reidentification
        return float(attack.subsets["posterior"].max())  # type: ignore[arg-type]


@dataclass(frozen=True, eq=False)
class RiskByPart:
    """What adversaries gain from each part of a table."""

    by: tuple[str, ...]
    parts: Mapping[Part, Risk]

    @property
    def attribute_inference(self) -> AttributeInferenceByPart | None:
        """The part's attribute inference, side by side; missing where no column is sensitive."""
        outcomes = {p: r.attribute_inference for p, r in self.parts.items() if r.attribute_inference is not None}
        return AttributeInferenceByPart(self.by, outcomes) if outcomes else None

    @property
    def reidentification(self) -> ByPart[Reidentification]:
        """The parts' re-identification, side by side."""
        return ByPart(self.by, {part: risk.reidentification for part, risk in self.parts.items()})

    @property
    def max_posterior(self) -> float:
        """The strongest attack on any part."""
        return max(risk.max_posterior for risk in self.parts.values())


def risk(
    data: Dataset,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    progress: Progress | None = None,
) -> Risk:
    """Attribute inference and re-identification in one sweep over every subset of the quasi columns.

    Args:
        data: The table, from :func:`biombo.read`.
        quasi: What the adversary may know; by default the schema's quasi columns.
        sensitive: What it wants; by default the schema's sensitive columns. Several are guessed each and jointly.
        max_size: The largest number of quasi columns to combine; by default all.
        progress: Called now and then with the share of the work done.
    """
    evidence = Evidence.of(data, Question.of(data, quasi, sensitive, max_size))
    counts = evidence.cells.sweep(evidence.question.max_size, progress)
    _warn_of_keys(evidence, counts)
    inference = AttributeInference.of(evidence, counts) if evidence.targets else None
    return Risk(inference, Reidentification.of(evidence, counts))


def _warn_of_keys(evidence: Evidence, counts: SubsetCounts) -> None:
    """The first subsets are the single columns: one with as many groups as rows tells all rows apart."""
    for name, groups in zip(evidence.question.quasi, counts.groups.sum(axis=1), strict=False):
        if groups == evidence.rows > 1:
            warnings.warn(text("errors.attack.key", column=name, rows=evidence.rows), BiomboWarning, stacklevel=4)


def risk_by_part(
    data: Dataset | Datasets,
    by: Columns | None = None,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    progress: Progress | None = None,
) -> RiskByPart:
    """:func:`risk` for each part of a table, or for each of several tables.

    Args:
        data: The table, or several: a list, or a mapping from a name to each.
        by: The columns whose values tell the parts apart. They stop being quasi columns.
        quasi: As for :func:`risk`.
        sensitive: As for :func:`risk`.
        max_size: As for :func:`risk`.
        progress: As for :func:`risk`.
    """
    names, parts = _parts(data, by)
    first = next(iter(parts.values()))
    if by is not None and quasi is None:
        quasi = [name for name in first.schema.quasi if name not in by]
    if by is not None:
        checked_by(by, quasi or (), sensitive or ())
    outcomes: dict[Part, Risk] = {}
    for done, (part, table) in enumerate(parts.items()):
        watch = _share_of(progress, done, len(parts)) if progress else None
        try:
            outcomes[part] = risk(table, quasi, sensitive, max_size, progress=watch)
        except NoValidRowsError as error:
            warnings.warn(text("errors.attack.part-left-out", detail=str(error)), BiomboWarning, stacklevel=2)
    if not outcomes:
        raise InputError("attack.all-parts-invalid", by=", ".join(names))
    return RiskByPart(names, outcomes)


def _parts(data: Dataset | Datasets, by: Columns | None) -> tuple[tuple[str, ...], dict[Part, Dataset]]:
    if isinstance(data, Dataset):
        if not by:
            raise UsageError("attack.no-parts")
        return tuple(by), split(data, by)
    if by is not None:
        raise UsageError("attack.parts-twice")
    named = data if isinstance(data, Mapping) else {table.label: table for table in data}
    if not named:
        raise UsageError("attack.no-parts")
    return ("dataset",), {(name,): table for name, table in named.items()}


def _share_of(progress: Progress, done: int, total: int) -> Progress:
    return lambda share: progress((done + share) / total)


@overload
def attribute_inference(
    data: Dataset,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    by: None = None,
) -> AttributeInference: ...
@overload
def attribute_inference(
    data: Dataset,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    by: Columns,
) -> AttributeInferenceByPart: ...
@overload
def attribute_inference(
    data: Datasets,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    by: None = None,
) -> AttributeInferenceByPart: ...
def attribute_inference(
    data: Any,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    by: Columns | None = None,
) -> AttributeInference | AttributeInferenceByPart:
    """How often an adversary guesses a sensitive value, for every subset of the quasi columns (document 000).

    With ``by``, or with several tables, the same for each part.

    >>> import biombo as bb
    >>> data = bb.read(bb.samples.clinic())
    >>> found = bb.attribute_inference(data, quasi=["sex", "age", "city"], sensitive="disease")
    >>> found.best().select("size", "quasi", "posterior").row(0)  # doctest: +SKIP
    """
    inference = (
        risk(data, quasi, sensitive, max_size).attribute_inference
        if isinstance(data, Dataset) and by is None
        else risk_by_part(data, by, quasi, sensitive, max_size).attribute_inference
    )
    if inference is None:
        raise UsageError("attack.no-sensitive")
    return inference


@overload
def reidentification(
    data: Dataset, quasi: Columns | None = None, max_size: int | None = None, *, by: None = None
) -> Reidentification: ...
@overload
def reidentification(
    data: Dataset, quasi: Columns | None = None, max_size: int | None = None, *, by: Columns
) -> ByPart[Reidentification]: ...
@overload
def reidentification(
    data: Datasets, quasi: Columns | None = None, max_size: int | None = None, *, by: None = None
) -> ByPart[Reidentification]: ...
def reidentification(
    data: Any, quasi: Columns | None = None, max_size: int | None = None, *, by: Columns | None = None
) -> Reidentification | ByPart[Reidentification]:
    """How often an adversary picks a person's record, for every subset of the quasi columns.

    With ``by``, or with several tables, the same for each part.
    """
    if isinstance(data, Dataset) and by is None:
        return risk(data, quasi, [], max_size).reidentification
    return risk_by_part(data, by, quasi, [], max_size).reidentification
