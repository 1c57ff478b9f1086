"""A table of counts as a release: its cells, what of those left out can be known, and a signed manifest."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex

import numpy as np
import polars as pl

from biombo._engine import csv_text
from biombo._files import PRIVATE, write_whole
from biombo._release.claims import Claim
from biombo._release.contents import PUBLIC_KEY
from biombo._release.keys import ReleaseKeys
from biombo._release.manifest import Manifest, hashed
from biombo._release.staging import places_of, staged
from biombo._release.verify.verification import refuse_false
from biombo._secrets import KeyPlace, PublicKey
from biombo._tabulate import CELLS, ShownTable, Tabulation
from biombo._watch import begin

_TABLE = "table"
ALL_CELLS = "all-cells.csv"


@dataclass(frozen=True)
class TableRelease:
    """Where a table was published, and where what it was made of is."""

    out: Path
    private: Path
    id: str


def publish_table(
    table: Tabulation, out: str | Path, *, private: str | Path | None = None, key: KeyPlace | None = None
) -> TableRelease:
    """Write a table to the folder ``out``, whole or not at all, with a manifest that is signed with ``key`` or a new
    one. All numbers of all cells go to the ``private`` folder, by default beside it.
    """
    places = places_of(out, private)
    with staged(*places) as staging:
        keys = ReleaseKeys.of(staging.private, key, key)
        for name, content in table.shown.files().items():
            write_whole(staging.public / name, content)
        write_whole(staging.private / PUBLIC_KEY, PublicKey.of(keys.signing).written(), mode=PRIVATE)
        write_whole(staging.private / ALL_CELLS, csv_text(_all_cells(table)), mode=PRIVATE)
        manifest = Manifest.signed(_content(table, staging.public), keys.signing)
        manifest.write(staging.public)
        begin("verifying")
        refuse_false(staging.public, PublicKey.of(keys.signing))
    return TableRelease(*places, manifest.id)


def _content(table: Tabulation, folder: Path) -> dict[str, object]:
    """What the manifest says. How many cells tell too much by themselves is not in it."""
    shown = table.shown
    about = {"by": [tree.column for tree in shown.classifications], "shows": [*shown.values], "means": [*shown.means]}
    claims = [table_claim(shown, about)]
    claims.append(Claim("person-counted", table.counts_people, "attested"))
    files = {path.name: hashed(path) for path in sorted(folder.iterdir())}
    return {"id": token_hex(16), "data": CELLS, "files": files, "claims": [claim.to_tree() for claim in claims]}


def table_claim(shown: ShownTable, about: Mapping[str, object]) -> Claim:
    """That the table is protected, and how: by what is left out for the sake of k people, or by other numbers in the
    place of the true ones. An ε is the publisher's word; all that can be seen of it is in the table.
    """
    if shown.protection is None:
        return Claim(_TABLE, shown.k, "recomputable", about)
    return Claim(f"{_TABLE}-{shown.protection.kind}", shown.protection.to_tree(), "recomputable", about)


def _all_cells(table: Tabulation) -> pl.DataFrame:
    """Every cell with its numbers, and why it is left out."""
    cube, found = table.cube, table.suppression
    why = np.where(found.sensitive, "small", np.where(found.hidden, "besides", "")).ravel()
    places = [name for tree in cube.classifications for name in table.shown.columns_of(tree)]
    numbers = [pl.Series("records", cube.records.ravel()), pl.Series("people", cube.people.ravel())]
    numbers += [pl.Series(name, sums.totals.ravel()) for name, sums in cube.sums.items()]
    return pl.DataFrame([*table.shown.frame().select(places), *numbers, pl.Series("left out", why)])
