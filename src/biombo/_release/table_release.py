"""A table of counts as a release: its cells, what of those left out can be known, and a signed manifest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from secrets import token_hex

import numpy as np
import polars as pl

from biombo._engine import csv_text
from biombo._files import PRIVATE, write_whole
from biombo._release.contents import PUBLIC_KEY
from biombo._release.keys import ReleaseKeys
from biombo._release.manifest import MANIFEST, Manifest, hashed
from biombo._release.readme import TableReadme
from biombo._release.register import AccessMethod, Register, RegisterEntry
from biombo._release.staging import places_of, staged
from biombo._release.table_claims import table_claims
from biombo._release.verify.verification import refuse_false
from biombo._secrets import KeyPlace, PublicKey
from biombo._tabulate import CELLS, STRUCTURE, Tabulation
from biombo._watch import begin

ALL_CELLS = "all-cells.csv"


@dataclass(frozen=True)
class TableRelease:
    """Where a table was published, and where what it was made of is."""

    out: Path
    private: Path
    id: str
    number: int | None = None
    """Its number in the register, where it was put there."""


@dataclass(frozen=True, kw_only=True)
class TableRecord:
    """The register, and what it is told of a table of counts."""

    register: Register
    series: str
    """What the source is called: tables of one series are of the same records, or of these and later ones."""
    department: str
    review: date
    recipients: Sequence[str] = ()
    """To whom; nobody in particular where the table is public."""
    access: AccessMethod = "online"
    what: str | None = None
    """What the table is called; by default as its folder."""
    who: str | None = None
    new_series: bool = False
    """Is it another source than one that is on record under nearly the same name?"""

    def add(self, table: Tabulation, release: str, folder: Path, name: str) -> int:
        """Put the table in ``folder`` on record. A group that is shown has k people: so likely is each found."""
        entry = RegisterEntry(
            what=self.what or name,
            department=self.department,
            release_model="controlled" if self.recipients else "public",
            recipients=tuple(self.recipients),
            access=self.access,
            plan_hash=hashed(folder / STRUCTURE),
            smallest_group=table.rules.k,
            risk=1 / table.rules.k,
            threshold=1 / table.rules.k,
            review=self.review,
            manifest_hash=hashed(folder / MANIFEST),
        )
        beside = table.earlier or ()
        kept = table.on_record(release)
        return self.register.add_table(
            entry, kept, series=self.series, beside=beside, who=self.who, is_new=self.new_series
        )


def publish_table(
    table: Tabulation,
    out: str | Path,
    *,
    private: str | Path | None = None,
    key: KeyPlace | None = None,
    record: TableRecord | None = None,
) -> TableRelease:
    """Write a table to the folder ``out``, whole or not at all, with a manifest that is signed with ``key`` or a new
    one. All numbers of all cells go to the ``private`` folder, by default beside it. With a ``record`` it is kept in a
    register, so that later tables of the same source go together with it.
    """
    places = places_of(out, private)
    number = None
    with staged(*places) as staging:
        keys = ReleaseKeys.of(staging.private, key, key)
        files = table.shown.files()
        for name, content in files.items():
            write_whole(staging.public / name, content)
        TableReadme(places[0].name, table.shown, table.shown.file_names).write(staging.public)
        write_whole(staging.private / PUBLIC_KEY, PublicKey.of(keys.signing).written(), mode=PRIVATE)
        write_whole(staging.private / ALL_CELLS, csv_text(_all_cells(table)), mode=PRIVATE)
        manifest = Manifest.signed(_content(table, staging.public), keys.signing)
        manifest.write(staging.public)
        begin("verifying")
        refuse_false(staging.public, PublicKey.of(keys.signing))
        if record is not None:
            number = record.add(table, manifest.id, staging.public, places[0].name)
    return TableRelease(*places, manifest.id, number)


def _content(table: Tabulation, folder: Path) -> dict[str, object]:
    """What the manifest says. How many cells tell too much by themselves is not in it."""
    claims = table_claims(table.shown, person=table.person is not None, earlier=table.earlier)
    files = {path.name: hashed(path) for path in sorted(folder.iterdir())}
    return {"id": token_hex(16), "data": CELLS, "files": files, "claims": [claim.to_tree() for claim in claims]}


def _all_cells(table: Tabulation) -> pl.DataFrame:
    """Every cell with its numbers, and why it is left out."""
    cube, found = table.cube, table.suppression
    why = np.where(found.hidden, "besides", "")
    for reason, marks in reversed(table.rules.reasons(cube).items()):
        why = np.where(marks & found.sensitive, reason, why)
    places = [name for tree in cube.classifications for name in table.shown.columns_of(tree)]
    numbers = [pl.Series("records", cube.records.ravel()), pl.Series("people", cube.people.ravel())]
    numbers += [pl.Series(name, sums.totals.ravel()) for name, sums in cube.sums.items()]
    return pl.DataFrame([*table.shown.frame().select(places), *numbers, pl.Series("left out", why.ravel())])
