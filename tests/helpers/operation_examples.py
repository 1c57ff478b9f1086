"""A table, and for every operation that there is an example that can be applied to it."""

from typing import Any

import polars as pl

PEOPLE = pl.DataFrame(
    {
        "name": ["Ana", "Bia", "Caio", "Davi", "Eva", "Fay"],
        "sex": ["F", "F", "M", "M", "F", "F"],
        "age": ["31", "34", "62", "67", "90", "91"],
        "weight": ["60", "71", "82", "64", "55", "58"],
        "born": ["1993-02-01", "1990-05-17", "1962-12-24", "1957-08-08", "1934-03-30", "1933-11-02"],
        "admitted": ["2024-01-01", "2024-01-03", "2024-02-01", "2024-02-11", "2024-03-01", "2024-03-09"],
        "left": ["2024-01-05", "2024-01-04", "2024-02-09", "2024-02-11", "2024-03-20", "2024-03-10"],
        "zip": ["02138", "02139", "02141", "02142", "02138", "02142"],
        "disease": ["flu", "flu", "flu", "gout", "flu", "gout"],
    }
)
"""Made up, and all of it text, as in a CSV file."""
QUASI, SENSITIVE = ["sex", "zip"], ["disease"]

EXAMPLES: dict[str, dict[str, Any]] = {
    "add-noise": {"column": "weight", "spread": 2},
    "aggregate": {"by": ["sex"], "sum": ["weight"], "percent": 0},
    "clear-column": {"column": "born"},
    "correlated-noise": {"columns": ["weight", "age"], "share": 0.1},
    "derive-duration": {"from": "admitted", "to": "left", "into": "stay"},
    "diversify": {
        "column": "disease",
        "synonyms": {"flu": ["influenza", "grippe"], "gout": ["podagra", "uric arthritis"]},
        "groups-below": 2,
    },
    "drop-duplicates": {"columns": ["name", "born"]},
    "drop-invalid": {"values": {"zip": ["02141"], "age": ["999", None]}},
    "exponential": {"column": "disease", "epsilon": 1, "domain": ["flu", "gout"]},
    "exponential-as-published": {"column": "disease", "epsilon": 1},
    "generalise": {"column": "age", "hierarchy": {"kind": "interval", "width": 10}, "level": 1},
    "geometric": {"column": "age", "epsilon": 1, "bounds": [0, 120]},
    "laplace": {"column": "weight", "epsilon": 1, "bounds": [0, 300]},
    "mask-characters": {"column": "zip", "keep-first": 3},
    "mask-groups": {},
    "microaggregate": {"columns": ["age", "weight"], "k": 2},
    "noise-small-groups": {
        "smaller-than": 3,
        "noise": [
            {
                "randomised-response": {
                    "column": "zip",
                    "epsilon": 1,
                    "domain": ["02138", "02139", "02141", "02142"],
                }
            }
        ],
    },
    "noise-uniform-groups": {
        "fewer-values-than": 2,
        "noise": {"exponential": {"column": "disease", "epsilon": 1, "domain": ["flu", "gout"]}},
    },
    "pram": {"column": "disease", "matrix": [[0.8, 0.2], [0.1, 0.9]], "domain": ["flu", "gout"]},
    "pseudonymise": {"column": "name", "kind": "random"},
    "randomised-response": {"column": "disease", "epsilon": 1, "domain": ["flu", "gout"]},
    "recode-locally": {"columns": [{"column": "zip", "hierarchy": {"kind": "prefix", "lengths": [3]}}]},
    "rank-swap": {"column": "age", "at-most": 0.5},
    "round": {"column": "weight", "base": 5},
    "sample": {"records": 5},
    "select-records": {"where": {"born": {"at-least": "1934-01-01"}}},
    "suppress-column": {"column": "born"},
    "suppress-groups": {},
    "suppress-records": {"where": {"born": {"below": "1934-01-01"}}},
    "swap": {"columns": ["age"]},
    "top-bottom-code": {"column": "age", "top": 90},
}
OF_NUMBERS = (
    "add-noise",
    "geometric",
    "laplace",
    "rank-swap",
    "round",
    "select-records",
    "suppress-records",
    "top-bottom-code",
)
"""Operations that read numbers or dates."""
