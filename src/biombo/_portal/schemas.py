"""What the columns of a table are, as the portal keeps it."""

import yaml

from biombo._data import Schema
from biombo._portal.models import DataSet


def yaml_of(schema: Schema) -> str:
    """A schema as it is kept."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)  # much quicker, where it is there
    return str(yaml.dump(schema.to_tree(), Dumper=dumper, allow_unicode=True, sort_keys=False))


def schema_of(data_set: DataSet) -> Schema:
    """What the columns of a data set are."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return Schema.from_tree(yaml.load(data_set.schema, Loader=loader)) if data_set.schema else Schema()
