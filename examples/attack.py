"""What does somebody learn from a table who knows a few facts about one person in it?"""

import pyarrow as pa

import biombo as bb

KNOWN = ["PA_MUNPCN", "PA_IDADE", "PA_RACACOR", "PA_SEXO"]  # municipality, age, race, sex
WANTED = "PA_PROC_ID"  # the procedure that was done

visits = pa.Table.from_batches(bb.samples.tables(20_000, municipalities=40))  # made up, like the files of SIA-PA
found = bb.risk(visits, KNOWN, WANTED)

inference = found.attribute_inference
print(f"{found.rows:,} visits. Who knows nothing guesses the procedure for {inference.prior:.1%} of them.")
for row in inference.best().iter_rows(named=True):
    print(f"  Who knows {' + '.join(row['quasi'])}: {row['posterior']:.1%}")

print("Records that nobody else's are like:")
for row in found.reidentification.best().iter_rows(named=True):
    print(f"  by {' + '.join(row['quasi'])}: {row['unique'] / found.rows:.1%}")

someone = dict(zip(KNOWN, visits.select(KNOWN).slice(0, 1).to_pylist()[0].values(), strict=True))
print(f"One person, of whom all four are known: {bb.target(visits, someone, sensitive=WANTED)}")
