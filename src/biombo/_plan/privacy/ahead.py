"""What the noise of a plan will cost on a table that is about to be read."""

import numpy as np

from biombo._data import Schema
from biombo._plan.operations import PrivateOperation
from biombo._plan.plan import Plan
from biombo._plan.privacy.guarantee import Privacy, guarantees
from biombo._plan.streaming import Stream


def counts_people(plan: Plan, schema: Schema) -> bool:
    """Must the records of each person be counted? Where the plan adds noise and does not say how many there are."""
    undeclared = [each.records_per_person is None for each in plan.operations if isinstance(each, PrivateOperation)]
    return schema.person is not None and any(undeclared)


def privacy_ahead(stream: Stream, plan: Plan) -> Privacy | None:
    """What the plan guarantees on this table; none where it adds no noise."""
    records = _most_records(stream) if counts_people(plan, stream.schema) else None
    return guarantees(plan, stream.schema, columns=stream.table.columns, records_per_person=records)


def _most_records(stream: Stream) -> int:
    """Records of the person who has most of them; one without a person counts as somebody's only one."""
    assert stream.schema.person is not None
    data, _ = stream.recorded([stream.schema.person], (), None)
    people = data[stream.schema.person]
    named = people.values.is_not_null().to_numpy()
    return max(1, int(np.bincount(people.codes, minlength=people.cardinality)[named].max(initial=1)))
