"""The hierarchies of the quasi columns as trees: their first branches, and where the plan cuts them."""

from biombo._hierarchy import Branch
from biombo._i18n import integer, text
from biombo._report.blocks import Prose, Section, Tree, Twig
from biombo._report.search.subject import Subject
from biombo._report.wording import counted, displayed, rich
from biombo._search import QuasiColumn

MOST_LEAVES = 250
WIDEST = 6
"""The most branches of one node."""

_OPEN = 2
"""So many levels from the top are unfolded in any case, and all above what the plan leaves."""


def trees_section(subject: Subject) -> Section:
    """A tree for each column."""
    trees = (_tree(column, subject) for column in subject.columns)
    introduction = Prose(rich("report.search.trees.introduction"))
    return Section("hierarchies", text("report.search.trees.title"), (introduction, *trees))


def _tree(column: QuasiColumn, subject: Subject) -> Tree:
    roots, left = column.branches(_branches(column.height))
    level = subject.chosen.levels[column.name] if subject.chosen else None
    title = text("report.search.trees.column", column=subject.names.columns[column.name])
    label = None if level is None else displayed(column.hierarchy.level_label(level))
    note = "" if label is None else text("report.search.trees.level", level=label)
    return Tree(title, tuple(_twig(root, level, 0) for root in roots), _more(left), note)


def _twig(branch: Branch, level: int | None, depth: int) -> Twig:
    """A node of the tree, set apart where it is what the plan leaves of its values."""
    name = f" {displayed(branch.name)}" if branch.name else ""
    return Twig(
        text=displayed(branch.label) + name,
        count=str(counted("report.search.trees.values", branch.count)) if branch.branches else "",
        marked=level is not None and branch.lowest <= level <= branch.level,
        unfolded=depth < _OPEN or (level is not None and 0 < level < branch.lowest),
        twigs=tuple(_twig(below, level, depth + 1) for below in branch.branches),
        more=_more(branch.left),
    )


def _more(left: int) -> str:
    return text("report.search.trees.more", left=integer(left)) if left else ""


def _branches(height: int) -> int:
    """How many branches of each node are drawn, so that the whole tree stays small."""
    return max(2, min(WIDEST, int(MOST_LEAVES ** (1 / max(1, height)))))
