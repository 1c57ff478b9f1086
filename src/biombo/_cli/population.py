"""``biombo risk SAMPLE --population FILE``: reading the population and holding the sample against it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from biombo._cli.progress import share_bar
from biombo._cli.reading import read_files
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._attack import Membership, Repeated
    from biombo._data import Dataset


def attack_membership(
    sample: "Dataset",
    quasi: Sequence[str] | None,
    population: str,
    schema: str | None,
    max_size: int | None,
    repeated: "Repeated",
) -> "Membership":
    """What the sample tells about who is in it, for an adversary who knows the population."""
    from biombo._attack import membership
    from biombo._data import Schema

    names = [sample.schema[name].population.column or name for name in quasi or sample.schema.quasi]
    person = Schema.load(schema).person
    columns = [*names, *([person] if person else [])]
    # Of several records of a person the first counts: then their order matters.
    whole = read_files([population], schema, columns=columns, counted=repeated == "refuse")
    with share_bar(text("risk.attacking")) as watch:
        return membership(sample, whole, quasi, max_size, repeated=repeated, progress=watch)
