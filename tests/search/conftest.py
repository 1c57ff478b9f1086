import pytest

import biombo as bb


@pytest.fixture
def clinic() -> bb.Dataset:
    hierarchies = {"sex": {"kind": "all-or-nothing"}, "age": "age", "city": {"kind": "all-or-nothing"}}
    roles = {name: bb.ColumnSchema(role="quasi", hierarchy=each) for name, each in hierarchies.items()}
    return bb.read(bb.samples.clinic(), bb.Schema({**roles, "disease": bb.ColumnSchema(role="sensitive")}))
