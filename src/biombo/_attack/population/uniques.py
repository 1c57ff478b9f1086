"""An estimate of how many people are unique in the population."""

from dataclasses import dataclass
from typing import Literal

from biombo._attack.population.sample_groups import SampleGroups
from biombo._i18n import text

Model = Literal["zayatz", "snb", "pitman"]
Reason = Literal["census", "no-uniques", "all-unique", "no-pairs", "no-fit", "capped", "no-tail"]


@dataclass(frozen=True)
class Uniques:
    """Population uniques by one model. All numbers are missing where the model has no estimate."""

    model: Model
    number: float | None
    """Expected number of people alone in their group of the population."""
    share: float | None
    """The same over N: which share of the records, of the population as of the sample, is unique in the population."""
    of_sample_uniques: float | None
    """Which share of the sample's unique records is unique in the population, too; 0 where the sample has none."""
    reason: Reason | None = None
    """Why the number is no plain estimate, or why there is none."""

    @classmethod
    def estimated(cls, model: Model, sample: SampleGroups, number: float, reason: Reason | None = None) -> "Uniques":
        """An estimate, brought down to s₁/π where it lies above.

        A population unique that is sampled is a sample unique, so that of S₁ in the population about π·S₁ ≤ s₁ are in
        the sample.
        """
        most = sample.uniques / sample.fraction
        if number > most * (1 + 1e-9):
            reason = "capped"
        number = min(number, most)
        within = number / most if most else 0.0
        return cls(model, number, number / sample.population, within, reason)

    @classmethod
    def missing(cls, model: Model, reason: Reason) -> "Uniques":
        """The model cannot describe the sample."""
        return cls(model, None, None, None, reason)

    @property
    def note(self) -> str:
        """``reason`` in words; empty for a plain estimate."""
        return text(f"errors.population.note-{self.reason}") if self.reason else ""


def settled(model: Model, sample: SampleGroups) -> Uniques | None:
    """What needs no model, the same for all of them.

    - π = 1: the sample is the population, S₁ = s₁.
    - No sample unique: none of the records can be unique in the population, S₁ = 0.
    - Only sample uniques: nothing bounds the uniques of the population but N, which is what each model tends to.
    """
    if sample.fraction == 1:
        return Uniques.estimated(model, sample, float(sample.uniques), "census")
    if sample.uniques == 0:
        return Uniques.estimated(model, sample, 0.0, "no-uniques")
    if sample.uniques == sample.records:
        return Uniques.estimated(model, sample, sample.population, "all-unique")
    return None


PITMAN_UP_TO = 0.1


def dankar_uniques(fraction: float, pitman: Uniques | None, snb: Uniques | None, zayatz: Uniques) -> Uniques:
    """π ≤ 0.1: Pitman's; above: the smaller one of SNB's and Zayatz's. A missing estimate gives way to Zayatz's. The
    one of the first two that is not asked need not be there.

    Source: Dankar, El Emam, Neisa and Roffey, *Estimating the re-identification risk of clinical data sets*, BMC
    Medical Informatics and Decision Making 12:66 (2012), who found none of the models best throughout and this choice
    the closest on six clinical data sets. ``model`` of the result says which one it is.
    """
    candidate = pitman if fraction <= PITMAN_UP_TO else snb
    if candidate is None or candidate.number is None:
        return zayatz
    if candidate is snb and zayatz.number is not None and zayatz.number < candidate.number:
        return zayatz
    return candidate
