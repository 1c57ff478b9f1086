"""Writes the JSON schemas of documents to ``docs``, after operations, criteria or entries have changed.

python tools/write_json_schemas.py
"""

import json
from pathlib import Path

import biombo as bb

for name, kind in {"plan": bb.Plan, "schema": bb.Schema, "hierarchy": bb.Hierarchy}.items():
    Path(__file__).parents[1].joinpath("docs", f"{name}.schema.json").write_text(
        json.dumps(kind.json_schema(), indent=1, ensure_ascii=False) + "\n", "utf-8"
    )
