"""The plan that costs least, carried out, published with proof, and verified as a stranger would."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa

import biombo as bb

HIERARCHIES = {
    "PA_MUNPCN": bb.Hierarchy.by_prefix([2]),  # the state, then *
    "PA_IDADE": bb.Hierarchy.by_interval(10, [2], top=80),  # decades, then twenty years
    "PA_RACACOR": bb.Hierarchy.all_or_nothing(),
    "PA_SEXO": bb.Hierarchy.all_or_nothing(),
}

visits = pa.Table.from_batches(bb.samples.tables(20_000, municipalities=40))
plans = bb.search(
    visits,
    bb.KAnonymity(10),
    quasi=list(HIERARCHIES),
    sensitive="PA_PROC_ID",
    hierarchies=HIERARCHIES,
    max_suppression=0.05,
)
print(plans)
print(f"The best: {plans[0]}")

with TemporaryDirectory() as folder:
    release = bb.publish(visits, plans[0], Path(folder) / "visits")
    checked = bb.verify(release.out)
    print(f"Published: {release.applied}")
    print(f"Verified:  {checked}")
    print("What may go online:", ", ".join(sorted(path.name for path in release.out.iterdir())))
