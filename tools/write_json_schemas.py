"""Writes the JSON schemas of plans and schemas to ``docs``, after operations, criteria or entries have changed.

python tools/write_json_schemas.py
"""

import json
from pathlib import Path

import biombo as bb

for name, schema in {"plan": bb.Plan.json_schema(), "schema": bb.Schema.json_schema()}.items():
    Path(__file__).parents[1].joinpath("docs", f"{name}.schema.json").write_text(
        json.dumps(schema, indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
