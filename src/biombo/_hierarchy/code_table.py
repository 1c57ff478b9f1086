"""Public lists of codes, with what the files of public bodies hold beside them."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from biombo._hierarchy.hierarchy import Bounds
from biombo._hierarchy.table import TableHierarchy

Groups = tuple[str, ...]


@dataclass(frozen=True)
class CodeTable(TableHierarchy):
    """A list of codes that also knows those which routine files use beside it, and those that it lists no more.

    Neither counts among :attr:`values`: what is lost is measured by the list.
    """

    routine: Mapping[str, Groups] = field(default_factory=dict, repr=False)
    """Codes for "unknown" and the like, with their groups."""
    shape: str | None = field(default=None, repr=False)
    """What a code of the list looks like, as a regular expression."""
    stems: tuple[int, ...] = field(default=(), repr=False)
    """For levels 1, 2, …, where groups are the first characters of codes: how many. A code that the list lacks lies in
    the groups of those that begin alike."""
    value_names: Callable[[], Mapping[str, str]] | None = field(default=None, repr=False, compare=False)
    """What people call the values themselves; looked for when somebody asks."""

    def ancestors(self, value: str) -> Groups | None:
        """The value's groups, as listed or as its first characters tell."""
        listed = super().ancestors(value)
        return listed or self.routine.get(value) or self._akin(value)

    def _examples(self) -> Iterator[str]:
        """Codes of the list: it is public, and nobody's."""
        every = list(self.levels)
        return iter(every[len(every) // 5 :: len(every) // 2])

    def _domain(self, level: int, bounds: Bounds | None) -> Iterator[str]:
        yield from super()._domain(level, bounds)
        yield from (above[level - 1] for above in self.routine.values())

    def is_beside(self, value: str) -> bool:
        """Does the hierarchy have a place for a value that it does not list?"""
        return super().ancestors(value) is None and self.knows(value)

    def name_of(self, label: str) -> str | None:
        """What people call the group, or the value."""
        named = self.names.get(label)
        if named is not None or self.value_names is None:
            return named
        return self._value_names.get(self.spellings.get(label, label))

    @cached_property
    def _value_names(self) -> Mapping[str, str]:
        return self.value_names() if self.value_names else {}

    def _akin(self, value: str) -> Groups | None:
        """The groups of listed codes that begin like ``value``; below these its own first characters."""
        if self.shape is None or re.fullmatch(self.shape, value) is None:
            return None
        for below, stem in enumerate(self.stems):
            if (kin := self._by_stem[stem].get(value[:stem])) is not None:
                return (*(value[:length] for length in self.stems[:below]), *kin[below:])
        return None

    @cached_property
    def _by_stem(self) -> dict[int, dict[str, Groups]]:
        return {stem: {value[:stem]: above for value, above in self.levels.items()} for stem in self.stems}

    def _content(self) -> dict[str, Any]:
        beside = {value: list(above) for value, above in self.routine.items()}
        return super()._content() | {"routine": beside, "shape": self.shape, "stems": list(self.stems)}
