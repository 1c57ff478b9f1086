"""Which counts Spark tells, on its pages, in its answers to programs and in its log.

What is a time, a size, an address, a moment or a name that Spark gave is recognised as that, by where and how it is
written, and is no count: any of them may happen to be any number. Every other number is one.
"""

import re
from collections.abc import Iterator
from typing import Any

_HEX = "[0-9a-f]"
_NO_COUNTS = re.compile(
    "|".join(
        [
            rf"{_HEX}{{8}}-(?:{_HEX}{{4}}-){{3}}{_HEX}{{12}}",  # sessions and operations of Connect, files, blocks
            r"\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d:\d\d(?:\.\d+)?",
            r'sorttable_customkey="-?\d+(?:\.\d+)?"(?=>\s*(?:\d{4}/\d\d/\d\d |[\d.]+ (?:ms|s|min|h|[KMGT]?i?B)\b))',
            r"(?<![\w.,])[\d,]+(?:\.\d+)? ?(?:ms|s|min|h|[KMGT]?i?B|px)\b",
            r"truncated\(size=[\d,]+\)",  # bytes of a message, which Connect shows in part
            r"\d+\.\d+\.\d+\.\d+:\d+",
            r"\.(?:java|scala|py):\d+",
            r"\b(?:plan_id|accumulatorId)\W{1,3}\d+",
            r"(?<=#)\d+(?=L?\b)",  # columns in plans
            r"(?:RDD|Stage|stage|task|Task|Job|job) \[?\d+(?:\.\d+)?\]?",
            r"\b\d+-&gt;\d+\b|\b\d+ (?=\[id=)",  # edges and nodes of the graph of a plan
            r'(?<=class="incoming-edge">)\d+,\d+(?=<)',
            r"[?&;](?:id|jobId|stageId|executionId)=\d+",
        ]
    )
)
_NUMBER = re.compile(r"(?<![\w.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?![\w]|[.,]\d)")
_TIMES_AND_SIZES = re.compile("time|duration|delay|size|bytes|memory|data sent|data returned|written output", re.I)
_VALUES = ("Value", "Update", "value")


def counts_in_text(text: str) -> Iterator[int]:
    """Those that stand in a page, or in any other text."""
    for number in _NUMBER.findall(_NO_COUNTS.sub(" ", text)):
        yield int(number.replace(",", ""))


def counts_in_answer(told: Any) -> Iterator[int]:
    """Those in JSON: metrics other than times and sizes, numbers of records, and what stands in texts."""
    if isinstance(told, str):
        yield from counts_in_text(told)
    elif isinstance(told, list):
        for each in told:
            yield from counts_in_answer(each)
    elif isinstance(told, dict):
        metric = str(told.get("Name", told.get("name", "")))
        for name, each in told.items():
            if metric and name in _VALUES:
                if not _TIMES_AND_SIZES.search(metric):
                    yield from counts_in_text(str(each))
            elif isinstance(each, int):
                if re.search("record|row|count", name, re.I):
                    yield each
            else:
                yield from counts_in_answer(each)
