"""pandas tables go in, and pandas tables come out. The same holds for Polars and Arrow."""

import pandas as pd

import biombo as bb

people = pd.DataFrame(
    {
        "name": ["Ana", "Bia", "Caio", "Davi", "Eva", "Flora", "Gil", "Hugo"],
        "age": [31, 31, 37, 38, 62, 62, 65, 66],
        "sex": ["F", "F", "M", "M", "F", "F", "M", "M"],
        "disease": ["flu", "asthma", "flu", "asthma", "flu", "asthma", "flu", "asthma"],
    }
)

print(bb.inspect(people).to_frame()[["column", "role", "reason"]].to_string(index=False))
print(bb.reidentification(people, ["age", "sex"]).to_frame().to_string(index=False))

plans = bb.search(
    people,
    bb.KAnonymity(2),
    quasi=["age", "sex"],
    sensitive="disease",
    hierarchies={"age": bb.Hierarchy.by_interval(20, origin=20), "sex": bb.Hierarchy.all_or_nothing()},
)
protected = bb.apply(people, plans[0].plan).data
print(type(protected).__module__.split(".")[0], "came out:")
print(protected.sort_values(["age", "disease"]).to_string(index=False))
