"""Writes who may do what in which state into docs/negotiation.md, after the table of rules has changed.

python tools/write_negotiation_rules.py
"""

import re
from pathlib import Path

from biombo._negotiate import always_table, diagram, rules_table

page = Path(__file__).parents[1] / "docs" / "negotiation.md"
content = page.read_text("utf-8")
for name, written in {"rules": rules_table(), "always": always_table(), "diagram": diagram()}.items():
    content = re.sub(f"(?s)(<!-- {name} -->\n).*?(\n<!-- /{name} -->)", lambda m, w=written: m[1] + w + m[2], content)
page.write_text(content, "utf-8")
