"""The attacks as people call them, and both together in one sweep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, overload

import polars as pl

from biombo._attack.attribute import AttributeInference
from biombo._attack.evidence import Dropped, Evidence, NoValidRowsError
from biombo._attack.identity import Reidentification
from biombo._attack.parts import AttributeInferenceByPart, ByPart, Part, checked_by, numbered, split
from biombo._attack.perturbation.identity import IdentityAgainstTruth, reidentify_against_truth
from biombo._attack.perturbation.inference import InferenceAgainstTruth, infer_against_truth
from biombo._attack.scope import AttackScope
from biombo._attack.subset_table import named_subsets
from biombo._data import Dataset, FarTuples, as_dataset
from biombo._errors import InputError, UsageError
from biombo._frames import Frame, Framed, FrameKind
from biombo._glance import Glance, PageResult
from biombo._i18n import text
from biombo._watch import advance_share, instead, warn

Progress = Callable[[float], object]
"""Called now and then with the share of the work that is done."""

Datasets = Sequence[Dataset | Frame] | Mapping[str, Dataset | Frame]
Columns = Sequence[str]


@dataclass(frozen=True, eq=False, repr=False)
class Risk(PageResult, Framed):
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
        posteriors = pl.concat([attack.subsets["posterior"], attack.adversaries()["posterior"]])
        return float(posteriors.max())  # type: ignore[arg-type]

    def as_json(self) -> dict[str, Any]:
        """Both attacks as plain values."""
        from biombo._attack.as_json import as_json

        return as_json(self)

    def _table(self) -> pl.DataFrame:
        from biombo._attack.as_table import as_table

        return as_table(self)

    @property
    def _kind(self) -> FrameKind:
        return self.reidentification.evidence.data.kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_risk

        return of_risk(self)


@dataclass(frozen=True, eq=False, repr=False)
class RiskByPart(PageResult, Framed):
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
    def rows(self) -> int:
        """How many rows were used, over all parts."""
        return sum(risk.rows for risk in self.parts.values())

    @property
    def dropped(self) -> Dropped:
        """The rows left out, over all parts."""
        return Dropped.total(risk.dropped for risk in self.parts.values())

    @property
    def max_posterior(self) -> float:
        """The strongest attack on any part."""
        return max(risk.max_posterior for risk in self.parts.values())

    def as_json(self) -> dict[str, Any]:
        """Both attacks on each part as plain values."""
        from biombo._attack.as_json import as_json

        return as_json(self)

    def _table(self) -> pl.DataFrame:
        from biombo._attack.as_table import as_table

        return as_table(self)

    @property
    def _kind(self) -> FrameKind:
        return next(iter(self.parts.values()))._kind

    def _glance(self) -> Glance:
        from biombo._attack.glance import of_risk_by_part

        return of_risk_by_part(self)


def risk(
    data: Dataset | FarTuples | Frame,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    progress: Progress | None = None,
) -> Risk:
    """Attribute inference and re-identification in one sweep over every subset of the quasi columns.

    Args:
        data: The table: what :func:`biombo.read` gave, or a pandas, Polars or Arrow one.
        quasi: What the adversary may know; by default the schema's quasi columns.
        sensitive: What it wants; by default the schema's sensitive columns. Several are guessed each and jointly.
        max_size: The largest number of quasi columns to combine; by default all.
        progress: Called now and then with the share of the work done.
    """
    data = as_dataset(data, quasi, sensitive)
    found = _attacked(data, quasi, sensitive, max_size, instead(progress, advance_share))
    evidence = found.reidentification.evidence
    _warn_of_schema(evidence.data, evidence.scope.quasi)
    single = found.reidentification.subsets.filter(pl.col("size") == 1)
    for (name,), groups in single.select("quasi", "groups").iter_rows():
        if groups == evidence.rows > 1:
            warn(text("errors.attack.key", column=name, rows=evidence.rows))
    return found


def check_attack(
    data: Dataset,
    quasi: Columns | None,
    sensitive: Columns | str | None,
    max_size: int | None,
    by: Columns | None = None,
) -> AttackScope:
    """Raise whatever can be known of an attack by the columns of ``data``, as a whole or in parts; what is attacked."""
    if by is not None:
        _check_by(data, by, quasi, sensitive)
        quasi = _quasi_of_parts(data, by, quasi)
    return AttackScope.of(data, quasi, sensitive, max_size)


def _check_by(data: Dataset, by: Columns, quasi: Columns | None, sensitive: Columns | str | None) -> None:
    if not by:
        raise UsageError("attack.no-parts")
    wanted = data.schema.sensitive if sensitive is None else sensitive
    checked_by(by, _quasi_of_parts(data, by, quasi), wanted)


def _quasi_of_parts(data: Dataset, by: Columns, quasi: Columns | None) -> Columns:
    """Those named, or else those of the schema without what tells the parts apart."""
    return [name for name in data.schema.quasi if name not in by] if quasi is None else quasi


def _attacked(
    data: Dataset | FarTuples,
    quasi: Columns | None,
    sensitive: Columns | str | None,
    max_size: int | None,
    progress: Progress | None,
) -> Risk:
    header = data.header if isinstance(data, FarTuples) else data
    evidence = Evidence.of(data, AttackScope.of(header, quasi, sensitive, max_size))
    counts = evidence.cells.sweep(evidence.scope.max_size, progress)
    named = named_subsets(evidence.scope.quasi, counts)
    inference = AttributeInference.of(evidence, counts, named) if evidence.targets else None
    return Risk(inference, Reidentification.of(evidence, counts, named))


def _warn_of_schema(data: Dataset, quasi: Columns) -> None:
    """What the schema says and this attack cannot follow."""
    lost = [name for name, known in data.schema.adversaries.items() if not set(known) <= set(quasi)]
    if lost:
        warn(text("errors.attack.adversaries", names=", ".join(lost)))
    if data.schema.weight is not None:
        warn(text("errors.attack.weight", column=data.schema.weight))


def risk_by_part(
    data: Dataset | Frame | Datasets,
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
    names, parts = _parts(_read(data, by, quasi, sensitive), by)
    first = next(iter(parts.values()))
    if by is not None:
        _check_by(first, by, quasi, sensitive)
        quasi = _quasi_of_parts(first, by, quasi)
    _warn_of_schema(first, first.schema.quasi if quasi is None else quasi)
    outcomes: dict[Part, Risk] = {}
    for done, (part, table) in enumerate(parts.items()):
        share = _share_of(instead(progress, advance_share), done, len(parts))
        try:
            outcomes[part] = _attacked(table, quasi, sensitive, max_size, share)
        except NoValidRowsError as error:
            warn(text("errors.attack.part-left-out", detail=str(error)))
    if not outcomes:
        raise InputError("attack.all-parts-invalid", by=", ".join(names))
    return RiskByPart(names, outcomes)


def _read(data: Any, *named: Columns | str | None) -> Any:
    """One or several tables, those that are frames being read."""
    if isinstance(data, Mapping):
        return {name: as_dataset(table, *named) for name, table in data.items()}
    if isinstance(data, list | tuple):
        return [as_dataset(table, *named) for table in data]
    return as_dataset(data, *named)


def _parts(data: Any, by: Columns | None) -> tuple[tuple[str, ...], dict[Part, Dataset]]:
    if isinstance(data, Dataset):
        if not by:
            raise UsageError("attack.no-parts")
        return tuple(by), split(data, by)
    if by is not None:
        raise UsageError("attack.parts-twice")
    if not isinstance(data, Mapping | Sequence):
        raise UsageError("attack.not-read", type=type(data).__name__)
    tables = list(data.values() if isinstance(data, Mapping) else data)
    if not tables or not all(isinstance(table, Dataset) for table in tables):
        raise UsageError("attack.no-parts")
    labels = list(data) if isinstance(data, Mapping) else numbered(table.label for table in tables)
    return ("dataset",), {(label,): table for label, table in zip(labels, tables, strict=True)}


def _share_of(progress: Progress, done: int, total: int) -> Progress:
    return lambda share: progress((done + share) / total)


@overload
def attribute_inference(
    data: Dataset | Frame,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    by: None = None,
) -> AttributeInference: ...
@overload
def attribute_inference(
    data: Dataset | Frame,
    quasi: Columns | None = None,
    sensitive: Columns | str | None = None,
    max_size: int | None = None,
    *,
    truth: Dataset | Frame,
    link: str | None = None,
) -> InferenceAgainstTruth: ...
@overload
def attribute_inference(
    data: Dataset | Frame,
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
    truth: Dataset | Frame | None = None,
    link: str | None = None,
) -> AttributeInference | AttributeInferenceByPart | InferenceAgainstTruth:
    """How often an adversary guesses a sensitive value, for every subset of the quasi columns (Gonze et al. 2024).

    With ``by``, or with several tables, the same for each part. With ``truth``, the original of a perturbed ``data``:
    the adversary knows a person's true quasi values, guesses from ``data``, and is right where the guess is true.
    ``link`` names the column by which both tell who is who; without it they have the same people.

    >>> import biombo as bb
    >>> data = bb.read(bb.samples.clinic())
    >>> found = bb.attribute_inference(data, quasi=["sex", "age", "city"], sensitive="disease")
    >>> found.best().select("size", "quasi", "posterior").row(0)  # doctest: +SKIP
    """
    if truth is not None:
        if by is not None:
            raise UsageError("attack.truth-parts")
        released, original = (as_dataset(table, quasi, sensitive, link) for table in (data, truth))
        return infer_against_truth(released, original, quasi, sensitive, max_size, link)
    data = _read(data, by, quasi, sensitive)
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
    data: Dataset | Frame, quasi: Columns | None = None, max_size: int | None = None, *, by: None = None
) -> Reidentification: ...
@overload
def reidentification(
    data: Dataset | Frame,
    quasi: Columns | None = None,
    max_size: int | None = None,
    *,
    truth: Dataset | Frame,
    link: str | None = None,
) -> IdentityAgainstTruth: ...
@overload
def reidentification(
    data: Dataset | Frame, quasi: Columns | None = None, max_size: int | None = None, *, by: Columns
) -> ByPart[Reidentification]: ...
@overload
def reidentification(
    data: Datasets, quasi: Columns | None = None, max_size: int | None = None, *, by: None = None
) -> ByPart[Reidentification]: ...
def reidentification(
    data: Any,
    quasi: Columns | None = None,
    max_size: int | None = None,
    *,
    by: Columns | None = None,
    truth: Dataset | Frame | None = None,
    link: str | None = None,
) -> Reidentification | ByPart[Reidentification] | IdentityAgainstTruth:
    """How often an adversary picks a person's record, for every subset of the quasi columns.

    With ``by``, or with several tables, the same for each part. With ``truth``, the original of a perturbed ``data``:
    the adversary knows a person's true quasi values, and is right where the record it picks is that person's. ``link``
    names the column by which both tell who is who; without it their rows are in the same order.
    """
    if truth is not None:
        data, truth = (as_dataset(table, quasi, link) for table in (data, truth))
        if by is not None or not isinstance(data, Dataset):
            raise UsageError("attack.truth-parts")
        return reidentify_against_truth(data, truth, quasi, max_size, link)
    data = _read(data, by, quasi)
    if isinstance(data, Dataset) and by is None:
        return risk(data, quasi, [], max_size).reidentification
    return risk_by_part(data, by, quasi, [], max_size).reidentification
