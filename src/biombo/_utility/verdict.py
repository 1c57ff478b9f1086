"""What a release lost, in a few sentences: for the terminal, and for the private report."""

from collections.abc import Iterator

from biombo._files import without_folders
from biombo._i18n import percent, text
from biombo._utility.classification.accuracy import Accuracy
from biombo._utility.result import Utility

_MOST_MOVED = 3
_LEAST_TOLD = 0.0005
"""A smaller share would be written as none."""


def utility_verdict(found: Utility) -> list[str]:
    """The headline, in at most five lines.

    >>> import polars as pl, biombo as bb
    >>> table = pl.DataFrame({"age": ["31", "37", "62"], "sex": ["F", "F", "M"]})
    >>> plan = bb.Plan([bb.SuppressGroups()], [bb.KAnonymity(2)], ["sex"], sensitive=["age"])
    >>> utility_verdict(bb.utility(table, bb.apply(table, plan).data, plan=plan))[1]
    '66.7% of the records stay, with 66.7% of the detail of their quasi columns.'
    """
    return [*_compared(found), *findings(found)]


def _compared(found: Utility) -> Iterator[str]:
    named = {"original": without_folders(found.original), "release": without_folders(found.release)}
    yield text("utility.compared", before=found.original_rows, after=found.release_rows, **named)


def findings(found: Utility) -> Iterator[str]:
    """What stayed of records and detail, what moved most, and how well a column can still be predicted."""
    measures = found.measures
    if measures.completeness is not None and measures.precision is not None:
        yield text("utility.verdict.kept", completeness=measures.completeness, precision=measures.precision)
    elif measures.completeness is not None:
        yield text("utility.verdict.kept-records", completeness=measures.completeness)
    yield from _moved(found)
    yield from _apart(found)
    yield from _predicted(found)


def _moved(found: Utility) -> Iterator[str]:
    moves = {each.column: each.total_variation for each in found.distances if each.total_variation is not None}
    most = sorted(moves, key=lambda column: -moves[column])[:_MOST_MOVED]
    told = [f"{column} {percent(moves[column])}" for column in most if moves[column] >= _LEAST_TOLD]
    if told:
        yield text("utility.verdict.moved", columns=", ".join(told))
    elif moves:
        yield text("utility.verdict.unmoved")


def _apart(found: Utility) -> Iterator[str]:
    """The pair that had most in common which is lost."""
    pairs = found.associations.pairs
    worst = max(pairs, key=lambda pair: pair.difference) if pairs else None
    if worst is not None and worst.difference > 0:
        named = {"first": worst.first, "second": worst.second, "measure": text(f"utility.pairs.{worst.measure}")}
        yield text("utility.verdict.apart", original=worst.original, release=worst.release, **named)


def _predicted(found: Utility) -> Iterator[str]:
    if found.classification is None:
        return
    shares = [_best(each) for each in (found.classification.original, found.classification.release)]
    if None not in shares:
        target = found.classification.target
        yield text("utility.verdict.predicted", target=target, original=shares[0], release=shares[1])


def _best(accuracy: Accuracy) -> float | None:
    shares = [share for share in (accuracy.tree, accuracy.forest) if share is not None]
    return max(shares, default=None)
