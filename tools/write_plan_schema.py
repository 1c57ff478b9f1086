"""Writes the JSON schema of plans to ``docs/plan.schema.json``, after operations or criteria have changed.

python tools/write_plan_schema.py
"""

import json
from pathlib import Path

import biombo as bb

Path(__file__).parents[1].joinpath("docs", "plan.schema.json").write_text(
    json.dumps(bb.Plan.json_schema(), indent=1, ensure_ascii=False) + "\n", "utf-8"
)
