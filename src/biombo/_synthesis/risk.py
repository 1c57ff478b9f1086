"""``synthetic_risk``: what synthetic records give away, measured against records that they were not made of."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from biombo._data import Dataset, Schema, read
from biombo._documents import check_whole
from biombo._engine import Randomness
from biombo._errors import ColumnError, UsageError
from biombo._glance import Glance, Result, columns
from biombo._i18n import integer, percent, text
from biombo._synthesis.attacks import (
    AttackRisk,
    Nearness,
    ThreeTables,
    Tries,
    compared,
    infer,
    link,
    nearness,
    single_out,
)

FEWEST = 20
"""Control records that there must be."""
_TOGETHER = 3
"""Columns of a predicate on several."""


@dataclass(frozen=True, eq=False, repr=False)
class SyntheticRisk(Result):
    """What attacks gain by a synthetic table. Made by :func:`biombo.synthetic_risk`. It tells about the original: keep
    it private.
    """

    attacks: tuple[AttackRisk, ...]
    nearness: Nearness
    confidence: float
    """That no interval of any attack is wrong."""
    sizes: dict[str, int] = field(default_factory=dict)
    """Records of the original, synthetic and control table."""

    @property
    def is_found(self) -> bool:
        """Do attacks gain more, or are there more copies, than chance explains? If not, nothing is proved: others may
        find what these do not.
        """
        return self.nearness.is_copied or any(each.is_found for each in self.attacks)

    def sentences(self) -> list[str]:
        """All of it in words, in the language in use."""
        near = self.nearness
        told = {"copies": near.copies[0] / near.copies[1], "twins": near.twins[0] / near.twins[1]}
        lines = [text("synthesis.risk.copies", **told), *map(_sentence, self.attacks)]
        return [*lines, text("synthesis.risk.found" if self.is_found else "synthesis.risk.not-found")]

    def _glance(self) -> Glance:
        line = text("synthesis.risk.line", attacks=len(self.attacks), found=sum(each.is_found for each in self.attacks))
        rows = [(_called(each), integer(each.tries.original[1]), *_shown(each)) for each in self.attacks]
        return Glance(line, columns("attack", "tries", "attack-risk", "interval"), rows)

    def as_json(self) -> dict[str, Any]:
        """All numbers."""
        return {
            "attacks": [each.as_json() for each in self.attacks],
            "nearness": self.nearness.as_json(),
            "confidence": self.confidence,
            "sizes": self.sizes,
            "found": self.is_found,
        }


def _called(attack: AttackRisk) -> str:
    return text(f"synthesis.attack.{attack.attack}", columns=", ".join(attack.columns))


def _shown(attack: AttackRisk) -> tuple[str, str]:
    if attack.risk is None:
        return "–", "–"
    low, high = attack.risk.interval
    return percent(min(max(attack.risk.value, 0.0), 1.0)), f"{percent(low)}–{percent(high)}"


def _sentence(attack: AttackRisk) -> str:
    risk, interval = _shown(attack)
    key = "synthesis.risk.nothing-to-try" if attack.risk is None else "synthesis.risk.attack"
    return text(key, attack=_called(attack), tries=attack.tries.original[1], risk=risk, interval=interval)


def synthetic_risk(
    original: Any,
    synthetic: Any,
    control: Any,
    *,
    schema: Schema | str | Path | None = None,
    secrets: Sequence[str] | None = None,
    tries: int = 500,
    confidence: float = 0.95,
    seed: int | None = None,
) -> SyntheticRisk:
    """Attack synthetic records, and say what that gains on the originals beside a control set (Giomi et al. 2023).

    Singling out (predicates on one column, and on three), linkability (one half of the columns against the other) and
    inference (each secret from all other columns) are tried against originals and against control records. What counts
    is how much more succeeds against the originals; what succeeds against both is what anybody learns of people like
    them. Copies and near copies are counted beside those of the control records.

    Args:
        original: The table that the synthetic one was made of: whatever :func:`biombo.read` takes.
        synthetic: The synthetic one, whose columns are attacked.
        control: Records of the same kind that were not used, at least 20; a thousand tell more.
        schema: Whose sensitive columns are the secrets where none are named.
        secrets: Columns to guess; by default the sensitive ones, or else all.
        tries: How often each attack is tried at most.
        confidence: That no interval of any attack is wrong.
        seed: For the same draws each time.

    >>> import polars as pl
    >>> people = pl.DataFrame({"age": range(100), "city": ["A", "B"] * 50})
    >>> seen, unseen = people[:50], people[50:]
    >>> synthetic_risk(seen, seen, unseen, seed=1).nearness.is_copied
    True
    """
    check_whole("tries", tries, 1)
    if not 0 < confidence < 1:
        raise UsageError("privacy.confidence", confidence=confidence)
    frame = _frame(synthetic, None)
    wanted = tuple(frame.columns)
    frames = [_frame(each, wanted) for each in (original, control)]
    random = Randomness() if seed is None else Randomness.seeded(seed)
    named = secrets if secrets is not None else Schema.load(schema).sensitive
    return risk_of(compared(frames[0], frame, frames[1], random), tuple(named), tries, confidence)


def _frame(table: Any, wanted: Sequence[str] | None) -> pl.DataFrame:
    data = table if isinstance(table, Dataset) else read(table, columns=wanted)
    return data.decoded() if wanted is None else data.decoded().select([data[name].name for name in wanted])


def risk_of(tables: ThreeTables, secrets: Sequence[str], tries: int, confidence: float) -> SyntheticRisk:
    """All attacks on tables that are coded alike."""
    if tables.sizes["control"] < FEWEST:
        raise UsageError("synthesis.few-control", records=tables.sizes["control"], fewest=FEWEST)
    names = list(tables.columns)
    for name in secrets:
        if name not in names:
            raise ColumnError.missing(name, names, text("synthesis.the-table"))
    guessed = [name for name in secrets or names if len(names) > 1]
    tried: list[tuple[str, tuple[str, ...], Tries]] = [("singling-out", (), single_out(tables, tries, 1))]
    if len(names) > 1:
        together = min(_TOGETHER, len(names))
        halves = names[::2], names[1::2]
        tried += [
            ("singling-out-together", (), single_out(tables, tries, together)),
            ("linkability", (), link(tables, tries, halves)),
        ]
    for secret in guessed:
        known = [name for name in names if name != secret]
        tried.append(("inference", (secret,), infer(tables, tries, known, secret)))
    each = 1 - (1 - confidence) / (len(tried) + 1)
    attacks = tuple(AttackRisk(name, about, found, each) for name, about, found in tried)
    return SyntheticRisk(
        attacks, nearness(tables, 2 * tries, each), confidence, {str(side): size for side, size in tables.sizes.items()}
    )
