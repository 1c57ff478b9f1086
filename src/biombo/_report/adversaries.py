"""What the adversaries that the schema names gain, part by part."""

from collections.abc import Mapping, Sequence

from biombo._attack import Part, Row
from biombo._report.blocks import Heading, Table, words
from biombo._report.names import Names, displayed
from biombo._report.words import percentage, rich


def adversaries_by_part(found: Mapping[Part, Sequence[Row]], names: Names, title: str) -> list[Table]:
    """A column for each adversary: how often it is right about each part. Nothing where none is named."""
    known = {row["adversary"]: row["quasi"] for rows in found.values() for row in rows}
    if not known:
        return []
    headings = [words("part"), *(Heading(displayed(name)) for name in known)]
    cells = []
    for part, rows in found.items():
        posteriors = {row["adversary"]: percentage(row["posterior"]) for row in rows}
        cells.append([names.parts[part], *(posteriors.get(name, "–") for name in known)])
    who = "; ".join(f"{displayed(name)}: {names.listed(quasi)}" for name, quasi in known.items())
    return [Table.of(title, headings, cells, rich("report.adversaries.who", who=who))]
