"""A hierarchy as a tree of text."""

from collections.abc import Iterator, Sequence

from biombo._errors import UsageError
from biombo._hierarchy.branches import Branch, branches_of
from biombo._hierarchy.hierarchy import Hierarchy
from biombo._i18n import integer


def drawn(hierarchy: Hierarchy, values: Sequence[str] | None, counts: Sequence[int] | None, branches: int) -> str:
    """The first ``branches`` of each node, from the top down."""
    if branches < 1:
        raise UsageError("hierarchy.branches", branches=branches)
    if values is None:
        if hierarchy.values is None:
            raise UsageError("hierarchy.tree-values")
        values = list(hierarchy.values)
    codes = hierarchy.recode(values, counts=counts, missing="own-branch")
    roots, left = branches_of(codes, counts, hierarchy.name_of, branches)
    if codes.single_top and roots:
        return "\n".join([_title(roots[0]), *_below(roots[0])])
    return "\n".join(_lines(roots, left))


def _lines(branches: Sequence[Branch], left: int, indent: str = "") -> Iterator[str]:
    """The branches with what is below them, and how many more there are."""
    for place, branch in enumerate(branches, start=1):
        last = place == len(branches) and not left
        yield f"{indent}{'└── ' if last else '├── '}{_title(branch)}"
        yield from _below(branch, indent + ("    " if last else "│   "))
    if left:
        yield f"{indent}└── … (+{integer(left)})"


def _below(branch: Branch, indent: str = "") -> Iterator[str]:
    return _lines(branch.branches, branch.left, indent)


def _title(branch: Branch) -> str:
    """The label, its name where it has one, and how many lie below."""
    count = [f"({integer(branch.count)})"] if branch.level or branch.count > 1 else []
    return " ".join([str(branch.label), *([branch.name] if branch.name else []), *count])
