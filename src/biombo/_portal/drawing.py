"""A hierarchy as people see it: drawn as a tree, and what becomes of a few values at each level."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from biombo._hierarchy import Branch, Hierarchy, branches_of
from biombo._i18n import integer, text

_MOST_LEAVES = 250
_MOST_OPEN = 40
"""Of so many branches all are unfolded."""
_MOST_BRANCHES = (12, 8, 5, 4, 3, 2, 1)
_EXAMPLES = 3


@dataclass(frozen=True)
class Drawing:
    """A hierarchy, for a page."""

    hierarchy: Hierarchy

    @property
    def levels(self) -> list[str]:
        """What each level is, from the values up to ``*``."""
        topped = self.hierarchy.with_top()
        return [topped.level_label(level) for level in range(topped.height + 1)]

    @property
    def is_made_up(self) -> bool:
        """Are the values that are shown made up? Those of somebody's own list are theirs."""
        return bool(self.hierarchy.examples)

    @property
    def examples(self) -> tuple[str, ...]:
        """A few values: made up, or else of the list, from its beginning to its end."""
        listed = tuple(self.hierarchy.values or ())
        return self.hierarchy.examples or listed[:: max(1, -(-len(listed) // _EXAMPLES))]

    @property
    def rows(self) -> list[tuple[str, list[str]]]:
        """What each level is, and what becomes of the examples there."""
        topped = self.hierarchy.with_top()
        return [
            (topped.level_label(level), [self._named(topped.generalised(value, level)) for value in self.examples])
            for level in range(topped.height + 1)
        ]

    def _named(self, label: str) -> str:
        name = self.hierarchy.name_of(label)
        return label if name is None else f"{label} ({name})"

    @property
    def tree(self) -> SafeString:
        """The first branches of each group; empty where the hierarchy goes by a rule and lists no values."""
        values = list(self.hierarchy.values or ())
        if not values:
            return SafeString()
        topped = self.hierarchy.strict.with_top()
        most = next((each for each in _MOST_BRANCHES if each**topped.height <= _MOST_LEAVES), 1)
        branches, left = branches_of(topped.recode(values, missing="own-branch"), None, topped.name_of, most)
        is_open = _size(branches) <= _MOST_OPEN
        return format_html('<ul class="tree">{}</ul>', _items(branches, left, is_open=is_open))


def _size(branches: Iterable[Branch]) -> int:
    return sum(1 + _size(branch.branches) for branch in branches)


def _items(branches: Iterable[Branch], left: int, *, is_open: bool, depth: int = 0) -> SafeString:
    items = [*(_item(branch, is_open=is_open, depth=depth) for branch in branches), *_more(left)]
    return format_html_join("", "<li>{}</li>", ((item,) for item in items))


def _item(branch: Branch, *, is_open: bool, depth: int) -> SafeString:
    title = format_html("{}{}", branch.label, format_html(" <small>{}</small>", branch.name) if branch.name else "")
    if not branch.branches:
        return title
    return format_html(
        "<details{}><summary>{} <small>({})</small></summary><ul>{}</ul></details>",
        SafeString(" open") if is_open or depth == 0 else "",
        title,
        integer(branch.count),
        _items(branch.branches, branch.left, is_open=is_open, depth=depth + 1),
    )


def _more(left: int) -> Iterator[SafeString]:
    if left:
        yield format_html("<small>{}</small>", text("portal.columns.more-branches", left=left))
