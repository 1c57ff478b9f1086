"""What the noise of a plan will cost on a table that is about to be read."""

import numpy as np

from biombo._data import Schema
from biombo._engine import Flow
from biombo._plan.operations import PrivateOperation
from biombo._plan.plan import Plan
from biombo._plan.privacy.guarantee import Privacy, guarantees


def counts_people(plan: Plan, schema: Schema) -> bool:
    """Must the records of each person be counted? Where the plan adds noise and does not say how many there are."""
    undeclared = [each.records_per_person is None for each in plan.operations if isinstance(each, PrivateOperation)]
    return schema.person is not None and any(undeclared)


def privacy_ahead(flow: Flow, plan: Plan) -> Privacy | None:
    """What the plan guarantees on this table; none where it adds no noise."""
    records = _most_records(flow) if counts_people(plan, flow.schema) else None
    return guarantees(plan, flow.schema, columns=flow.columns, records_per_person=records)


def _most_records(flow: Flow) -> int:
    """Records of the person who has most of them; one without a person counts as somebody's only one."""
    assert flow.schema.person is not None
    counted = flow.counted([flow.schema.person])
    people = counted.data[flow.schema.person]
    named = people.values.is_not_null().to_numpy()
    records = np.zeros(people.cardinality, np.int64)
    np.add.at(records, people.codes, counted.counts)
    return max(1, int(records[named].max(initial=1)))
