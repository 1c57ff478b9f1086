"""A protected table beside its original: what it is still good for."""

import biombo as bb

PLAN = bb.Plan(
    operations=[bb.Generalise("city", bb.Hierarchy.all_or_nothing(), 1), bb.SuppressGroups()],
    criteria=[bb.KAnonymity(3)],
    quasi=["sex", "age", "city"],
    sensitive=["disease"],
    identifiers=["name"],
)

clinic = bb.samples.clinic()
applied = bb.apply(clinic, PLAN)
print(applied)
print(applied.judgement)

lost = bb.utility(clinic, applied.data, plan=PLAN, outcome=applied.outcome)
print(f"Records that are still there: {lost.measures.completeness:.0%}. Detail that is lost: {lost.measures.loss:.0%}.")
for column, loss in lost.measures.column_loss.items():
    print(f"  {column}: {loss:.0%}")
print(lost.to_frame().select("column", "total_variation", "loss"))
