"""A folder to ask for things in: made-up people, hierarchies, a plan and a key."""

import random
from pathlib import Path

import polars as pl
import yaml

import biombo as bb


def furnish(folder: Path) -> Path:
    random.seed(4)
    people = {
        "name": [f"Pessoa-{number:03}" for number in range(200)],
        "age": [str(random.randrange(20, 60)) for _ in range(200)],
        "sex": random.choices(["F", "M"], k=200),
        "disease": random.choices(["flu", "gout", "asthma"], k=200),
    }
    pl.DataFrame(people).write_csv(folder / "people.csv")
    pl.concat([pl.DataFrame(people)] * 2).write_csv(folder / "census.csv")
    (folder / "hierarchies").mkdir()
    for name, hierarchy in (("age", bb.Hierarchy.by_interval(10, [2])), ("sex", bb.Hierarchy.all_or_nothing())):
        (folder / "hierarchies" / f"{name}.yaml").write_text(yaml.safe_dump(hierarchy.to_tree()))
    operations = [bb.Generalise("age", bb.Hierarchy.by_interval(20), 1), bb.SuppressGroups()]
    bb.Plan(operations, [bb.KAnonymity(5)], quasi=["age", "sex"], sensitive=["disease"], identifiers=["name"]).save(
        folder / "plan.yaml"
    )
    bb.new_key(folder / "signing.key")
    return folder
