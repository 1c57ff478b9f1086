import pytest

import biombo as bb


@pytest.fixture
def clinic() -> bb.Dataset:
    quasi = bb.ColumnSchema(role="quasi")
    roles = {"sex": quasi, "age": quasi, "city": quasi, "disease": bb.ColumnSchema(role="sensitive")}
    return bb.read(bb.samples.clinic(), bb.Schema(roles))
