"""Who is in the sample, part by part: each municipality's sample against that municipality's population."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from biombo._attack.members.attack import Membership, membership
from biombo._attack.members.tables import Repeated, name_there
from biombo._attack.parts import Part, checked_by, split
from biombo._data import Dataset
from biombo._errors import InputError, UsageError
from biombo._i18n import text
from biombo._watch import warn


@dataclass(frozen=True, eq=False)
class MembershipByPart:
    """What each part of a sample tells about who is in it. Made by :func:`biombo.membership_by_part`."""

    by: tuple[str, ...]
    parts: Mapping[Part, Membership]

    def __getitem__(self, part: str | Part) -> Membership:
        return self.parts[(part,) if isinstance(part, str) else part]

    def best(self) -> pl.DataFrame:
        """For each part: its values, people, sampled, prior, and the row of its most telling subset, the one with the
        fewest columns of several.
        """
        rows = []
        for part, found in self.parts.items():
            told = found.subsets.filter(pl.col("posterior").is_not_null())
            strongest = told.sort("posterior", "size", descending=[True, False], maintain_order=True).head(1)
            named = [pl.lit(value, pl.String).alias(name) for name, value in zip(self.by, part, strict=True)]
            numbers = {"people": found.people, "sampled": found.sampled, "prior": found.prior}
            rows.append(strongest.select(*named, *(pl.lit(each).alias(key) for key, each in numbers.items()), pl.all()))
        return pl.concat(rows)


def membership_by_part(
    sample: Dataset,
    population: Dataset,
    by: Sequence[str],
    quasi: Sequence[str] | None = None,
    max_size: int | None = None,
    *,
    repeated: Repeated = "refuse",
) -> MembershipByPart:
    """:func:`membership` for each part of a sample, against the same part of the population.

    Args:
        sample: As for :func:`membership`.
        population: As for :func:`membership`.
        by: The columns whose values tell the parts apart, by the sample's names. They stop being quasi columns.
        quasi: As for :func:`membership`.
        max_size: As for :func:`membership`.
        repeated: As for :func:`membership`.

    >>> import biombo as bb
    >>> school = bb.samples.school()
    >>> found = bb.membership_by_part(bb.read(school.sample), bb.read(school.population), ["state"], ["sex", "age"])
    >>> {part: (each.sampled, each.people) for (part,), each in found.parts.items()}
    {'MG': (1, 2), 'RJ': (2, 3), 'SP': (1, 5)}
    """
    used = [name for name in sample.schema.quasi if name not in by] if quasi is None else list(quasi)
    if not by:
        raise UsageError("attack.no-parts")
    checked_by(by, used, [])
    there = split(population, [name_there(sample, name) for name in by])
    found: dict[Part, Membership] = {}
    for part, records in split(sample, by).items():
        whole = there.get(_called_there(sample, by, part))
        if whole is None:
            named = ", ".join(f"{name}={value}" for name, value in zip(by, part, strict=True))
            warn(text("errors.membership.part-not-found", part=named, people=records.records))
        else:
            found[part] = membership(records, whole, used, max_size, repeated=repeated)
    if not found:
        raise InputError("membership.no-part-found", by=", ".join(by), population=population.label)
    return MembershipByPart(tuple(by), found)


def _called_there(sample: Dataset, by: Sequence[str], part: Part) -> Part:
    """A part by the values that the population has for it."""
    codes = (sample.schema[name].population.values for name in by)
    return tuple(value and known.get(value, value) for value, known in zip(part, codes, strict=True))
