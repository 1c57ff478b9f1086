"""Made-up ARX projects: the parts that ARX writes, as its format has them, with a made-up table."""

import csv
import io
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

COLUMNS = {
    "name": ("IDENTIFYING_ATTRIBUTE", "String"),
    "age": ("QUASI_IDENTIFYING_ATTRIBUTE", "Integer"),
    "sex": ("QUASI_IDENTIFYING_ATTRIBUTE", "String"),
    "zip": ("QUASI_IDENTIFYING_ATTRIBUTE", "String"),
    "disease": ("SENSITIVE_ATTRIBUTE", "String"),
    "ward": ("INSENSITIVE_ATTRIBUTE", "String"),
}
HIERARCHIES = {
    "age": [[str(age), f"{age // 10 * 10}-{age // 10 * 10 + 9}", "*"] for age in range(20, 60)],
    "sex": [["male", "*"], ["female", "*"]],
    "zip": [[code, f"{code[:3]}**"] for code in ("81667", "81675", "81925", "81931")],
    "disease": [["flu", "lungs", "*"], ["asthma", "lungs", "*"], ["ulcer", "stomach", "*"]],
}
CRITERIA = (
    "3-anonymity",
    "distinct-2-diversity for attribute 'disease'",
    "0.9-closeness with hierarchical distance for attribute 'disease'",
)
METRIC = "Loss (0.5/1.0/1.0)"
WEIGHTS = {"age": 1.0, "sex": 0.5, "zip": 0.0}
TABLE = [
    (f"person {n}", str(20 + n % 40), ("male", "female")[n % 2], HIERARCHIES["zip"][n % 4][0], disease, "west")
    for n in range(120)
    for disease in [("flu", "asthma", "ulcer")[n % 3]]
]


def element(name: str, *inner: str) -> str:
    return f"<{name}>{''.join(inner)}</{name}>"


def leaf(name: str, value: object) -> str:
    return element(name, escape(str(value)))


def table_of(rows, mark: str = ";") -> bytes:
    written = io.StringIO()
    csv.writer(written, delimiter=mark, lineterminator="\n").writerows(rows)
    return written.getvalue().encode()


def parts(
    columns=COLUMNS,
    hierarchies=HIERARCHIES,
    criteria=CRITERIA,
    metric=METRIC,
    weights=WEIGHTS,
    suppression="0.05",
    bounds=None,
    version="3.9.0",
    vocabulary="2.0",
    mark=";",
    extra="",
) -> dict[str, bytes]:
    """The parts of a project by name, those that are Java objects with other bytes in their place."""
    bounds = {"age": ("1", "All"), **(bounds or {})}
    assigned = [
        element(
            "assigment",
            leaf("name", name),
            leaf("type", kind),
            leaf("datatype", datatype),
            *(
                (
                    leaf("ref", f"hierarchies/{name}.csv"),
                    leaf("min", bounds.get(name, ("All", "All"))[0]),
                    leaf("max", bounds.get(name, ("All", "All"))[1]),
                )
                if name in hierarchies
                else ()
            ),
        )
        for name, (kind, datatype) in columns.items()
    ]
    weighed = [element("attributeWeight", leaf("attribute", name), leaf("weight", w)) for name, w in weights.items()]
    config = element(
        "config",
        leaf("suppressTuplesInNonAnonymousOutput", "true"),
        element("suppressedAttributeTypes", leaf("type", "QUASI_IDENTIFYING_ATTRIBUTE")),
        leaf("practicalMonotonicity", "false"),
        leaf("relativeMaxOutliers", suppression),
        leaf("metric", metric),
        element("attributeWeights", *weighed),
        element("criteria", *(leaf("criterion", each) for each in criteria)),
        extra,
    )
    return {
        "metadata.xml": element("metadata", leaf("version", version), leaf("vocabulary", vocabulary)).encode(),
        "project.dat": b"\xac\xed\x00\x05 java",
        "project.xml": element("project", leaf("name", "Hospital"), leaf("separator", mark)).encode(),
        "data/input.csv": table_of([tuple(columns), *TABLE], mark),
        "input/config.dat": b"\xac\xed\x00\x05 java",
        "input/config.xml": config.encode(),
        "input/definition.xml": element("definition", *assigned).encode(),
        **{f"input/hierarchies/{name}.csv": table_of(rows, mark) for name, rows in hierarchies.items()},
    }


def project(path: Path, **changes) -> Path:
    """A project at ``path``; what is changed goes to :func:`parts`."""
    return packed(path, parts(**changes))


def packed(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return path
