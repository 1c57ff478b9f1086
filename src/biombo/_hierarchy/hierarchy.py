"""Value generalisation hierarchies: what a value becomes at each level, level 0 being the value itself."""

import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from biombo._documents import ValueKind, Where, register
from biombo._errors import ColumnError, InputError, UsageError
from biombo._hierarchy.level_words import worded_level
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._hierarchy.codes import Answer, HierarchyCodes, UnknownValue
    from biombo._hierarchy.columns import ColumnsHierarchy
    from biombo._hierarchy.dates import DateHierarchy
    from biombo._hierarchy.intervals import BoundsHierarchy, IntervalHierarchy
    from biombo._hierarchy.prefix import PrefixHierarchy
    from biombo._hierarchy.rule import AllOrNothing
    from biombo._hierarchy.table import TableHierarchy

TOP = "*"
"""The value that says nothing: all that is left at the top."""

Bounds = tuple[float | str, float | str]
"""Two numbers, or two dates as YYYY-MM-DD."""

Rows = Iterable[Sequence[str | None]]
"""A value and what other columns say with it."""


class Hierarchy(ABC):
    """Says what a value becomes at each level.

    Values that are equal at one level are equal at every higher one. What the levels are depends on the kind; each has
    a constructor here, and a document for YAML files and plans (:meth:`load`, :meth:`to_tree`).

    >>> Hierarchy.by_prefix([4, 2]).generalised("0304020346", 2)
    '03'
    """

    @property
    @abstractmethod
    def height(self) -> int:
        """The highest level."""

    @abstractmethod
    def ancestors(self, value: str) -> tuple[str, ...] | None:
        """What ``value`` becomes at level 1, 2, …; ``None`` when the hierarchy has no place for it."""

    @abstractmethod
    def to_tree(self) -> dict[str, Any]:
        """The hierarchy as plain values for YAML or JSON; :meth:`load` reads them."""

    @abstractmethod
    def _content(self) -> dict[str, Any]:
        """All that decides what values become, as plain values."""

    @property
    def has_top(self) -> bool:
        """Does every value end in ``*``?"""
        return False

    @property
    def level_names(self) -> tuple[str | None, ...]:
        """What level 1, 2, … is called, where it has a name.

        >>> Hierarchy.built_in("municipality").level_names
        ('microregion', 'mesoregion', 'state', 'region')
        >>> Hierarchy.by_interval(5, [2, 4]).with_top().level_names
        ('width 5', 'width 10', 'width 20', '*')
        """
        return (*(None,) * (self.height - 1), TOP if self.has_top else None)

    def level_label(self, level: int) -> str:
        """What ``level`` is for people, in the language in use; never empty. :attr:`level_names` are the same in every
        language.

        >>> [Hierarchy.built_in("age").with_top().level_label(level) for level in (0, 2, 5)]
        ['as it is', 'bands of 10 years', 'not shown (*)']
        """
        return self._ends_label(level) or self._level_label(level)

    def level_told(self, level: int) -> str:
        """The same for whoever may not know which values a list has, nor how many groups it makes of them.

        >>> marital = Hierarchy.by_hand({"been married": ["married", "widow"], "never married": ["single"]})
        >>> marital.level_label(1), marital.level_told(1)
        ('2 groups', 'level 1 of 1')
        """
        return self._ends_label(level) or self._level_told(level)

    def _ends_label(self, level: int) -> str | None:
        """What the values and ``*`` are for people."""
        self.check_level(level)
        if level == 0:
            return text("hierarchy.level.kept")
        return text("hierarchy.level.top") if level == self.height and self.has_top else None

    def _level_label(self, level: int) -> str:
        """What a level between the values and ``*`` is for people."""
        name = self.level_names[level - 1]
        return text("hierarchy.level.nth", level=level, height=self.height) if name is None else worded_level(name)

    def _level_told(self, level: int) -> str:
        """The same for whoever may not know a list of values."""
        return self._level_label(level)

    @property
    def values(self) -> Collection[str] | None:
        """The values that the hierarchy lists; ``None`` for one that goes by a rule."""
        return None

    @property
    def may_have_header(self) -> bool:
        """Is it still to be decided whether its file begins with a header?"""
        return False

    def for_column(self, column: str) -> "Hierarchy":  # noqa: ARG002
        """The hierarchy for a column of that name: without the header that its file may begin with, which is said."""
        return self

    @property
    def examples(self) -> tuple[str, ...]:
        """A few made-up values, to show what becomes of values at each level. None of a list that somebody made: its
        values may be those of a table.

        >>> Hierarchy.by_interval(5).examples, Hierarchy.by_date(format="MM/YYYY").examples
        (('7', '34', '81'), ('05/1987', '02/2021'))
        """
        return tuple(value for value in dict.fromkeys(self._examples()) if self.knows(value))

    def _examples(self) -> Iterable[str]:
        """Values that the hierarchy may have a place for."""
        return ()

    def domain(self, level: int, bounds: Bounds | None = None) -> tuple[str, ...]:
        """All that values can be at ``level``, in their order, known without looking at any data: what noise on a
        column that was generalised may draw. Intervals and dates need ``bounds``, the lowest and the highest value that
        can be, unless they have ends of their own. Raises where the hierarchy cannot tell.

        >>> Hierarchy.by_interval(10, top=90).domain(1, bounds=(65, 110))
        ('[60, 70)', '[70, 80)', '[80, 90)', '≥ 90')
        >>> Hierarchy.by_hand({"been married": ["married", "widow"], "never married": ["single"]}).domain(1)
        ('been married', 'never married')
        """
        self.check_level(level)
        labels = tuple(self.values or ()) if level == 0 else tuple(dict.fromkeys(self._domain(level, bounds)))
        if not labels:
            raise UsageError("hierarchy.no-domain", level=level)
        return labels

    def _domain(self, level: int, bounds: Bounds | None) -> Iterable[str]:  # noqa: ARG002
        """The labels of a level above the values, some of them perhaps twice; none where that is not known."""
        return ()

    def name_of(self, label: str) -> str | None:  # noqa: ARG002
        """What people call the group that ``label`` is the code of, where that is known."""
        return None

    @property
    def strict(self) -> "Hierarchy":
        """The hierarchy without an answer of its own for values that it lacks."""
        return self

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns of the table that it must still be read off (:meth:`from_columns`); none for most."""
        return ()

    def read_off(self, rows: Rows) -> "Hierarchy":  # noqa: ARG002
        """The hierarchy with what the columns in :attr:`reads` say; itself where it needs none."""
        return self

    def is_beside(self, value: str) -> bool:  # noqa: ARG002
        """Does it have a place for the value though its list, or its rule, does not mean it?"""
        return False

    def knows(self, value: str) -> bool:
        """Does the hierarchy have a place for ``value``?"""
        return self.ancestors(value) is not None

    def generalised(self, value: str, level: int) -> str:
        """``value`` at ``level``."""
        self.check_level(level)
        if level == 0:
            return value
        above = self.ancestors(value)
        if above is None:
            raise ColumnError("hierarchy.unknown", count=1, values=repr(value))
        return above[level - 1]

    def check_level(self, level: int) -> None:
        """Raise where there is no such level."""
        if not 0 <= level <= self.height:
            raise UsageError("hierarchy.level", level=level, height=self.height)

    def with_top(self) -> "Hierarchy":
        """The hierarchy with ``*`` for every value as its highest level; itself where it ends so already.

        >>> Hierarchy.by_prefix([2]).with_top().generalised("0304020346", 2)
        '*'
        """
        from biombo._hierarchy.top import Topped

        return self if self.has_top else Topped(self)

    def picked(self, levels: Sequence[int | str]) -> "Hierarchy":
        """The hierarchy with these of its levels alone, by their numbers or names.

        >>> Hierarchy.built_in("municipality").picked(["state"]).ancestors("120040")
        ('12',)
        """
        from biombo._hierarchy.picked import Picked

        return Picked.named(self, tuple(levels))

    def answering(self, missing: "Answer") -> "Hierarchy":
        """The hierarchy with an answer of its own for values that it lacks: ``"own-branch"`` or ``"suppress"``, as in
        :meth:`recode`; itself for ``"stop"``.

        >>> Hierarchy.by_interval(10).with_top().answering("own-branch").ancestors("unknown")
        ('unknown', '*')
        """
        from biombo._hierarchy.answering import Answering

        return self if missing == "stop" else Answering(self.strict, missing)

    def unknown(self, values: Sequence[str | None], counts: Sequence[int] | None = None) -> "list[UnknownValue]":
        """The values that the hierarchy has no place for, those of most records first; ``counts`` are by value.

        >>> Hierarchy.by_interval(10).unknown(["7", "old", "?"], [5, 1, 2])
        [UnknownValue(value='?', count=2), UnknownValue(value='old', count=1)]
        """
        from biombo._hierarchy.codes import unknown_values

        return unknown_values(self, _listed(values), counts)

    def recode(
        self,
        values: Sequence[str | None],
        *,
        counts: Sequence[int] | None = None,
        missing: "Answer" = "stop",
        apart: Collection[str] = (),
        column: str | None = None,
    ) -> "HierarchyCodes":
        """Codes of a column's different ``values`` at every level, for the search: a list, or a pandas, Polars or Arrow
        column.

        A missing value (``None``) and those in ``apart`` (such as a schema's invalid ones) are values of their own that
        only become ``*``, at the top. What happens to values that the hierarchy has no place for is never guessed:
        ``missing`` says ``"stop"`` (an error that names them, and how many records by ``counts``), ``"own-branch"``
        (each stays itself until the top) or ``"suppress"`` (``*`` from level 1).

        >>> marital = Hierarchy.load({"been married": ["married", "divorced", "widow"], "never married": ["single"]})
        >>> marital.recode(["single", "widow", "married"]).codes.tolist()
        [[0, 1, 2], [0, 1, 1]]
        """
        from biombo._hierarchy.codes import recode

        return recode(self, _listed(values), counts=counts, missing=missing, apart=apart, column=column)

    def content_hash(self) -> str:
        """SHA-256 of the canonical JSON of all that decides what values become."""
        canonical = json.dumps(self._content(), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()

    def tree(
        self, values: Sequence[str] | None = None, counts: Sequence[int] | None = None, *, branches: int = 4
    ) -> str:
        """The hierarchy drawn for a terminal: the first branches, with how many values (or records) each holds.

        >>> print(Hierarchy.load({"021**": {"0213*": ["02138", "02139"], "0214*": ["02141", "02142"]}}).tree())
        021** (4)
        ├── 0213* (2)
        │   ├── 02138
        │   └── 02139
        └── 0214* (2)
            ├── 02141
            └── 02142
        """
        from biombo._hierarchy.branches import drawn

        return drawn(self, values, counts, branches)

    # The kinds derive from this class, so their modules can only be imported when one is made.

    @staticmethod
    def from_csv(path: str | Path) -> "TableHierarchy":
        """Read a table with one row per value, level 0 first, separated by ``;``, tab, ``|`` or comma; no header."""
        from biombo._hierarchy.lists import from_csv

        return from_csv(path)

    @staticmethod
    def from_text(text: str) -> "TableHierarchy":
        """From what somebody typed or pasted: rows as in :meth:`from_csv`, or groups with what belongs to them
        indented below, the highest first.

        >>> Hierarchy.from_text("North\\n  Acre\\n  Roraima\\nSouth\\n  Paraná").ancestors("Acre")
        ('North',)
        """
        from biombo._hierarchy.lists import from_text

        return from_text(text)

    @staticmethod
    def by_hand(tree: Mapping[str, Any]) -> "TableHierarchy":
        """From groups within groups, the highest first, with lists of values at the bottom.

        >>> Hierarchy.by_hand({"person": ["asian", "black", "white"]}).generalised("asian", 1)
        'person'
        """
        from biombo._hierarchy.lists import by_hand

        return by_hand(tree)

    @staticmethod
    def by_prefix(
        lengths: Sequence[int], *, pad: str = "", separators: str = "", digits: int | None = None
    ) -> "PrefixHierarchy":
        """Keep the first characters: ``[6, 4, 2]`` keeps six at level 1, four at level 2 and two at level 3.

        >>> Hierarchy.by_prefix([6, 5], pad="*", separators="-").generalised("01310-100", 1)
        '01310-1**'
        """
        from biombo._hierarchy.prefix import PrefixHierarchy

        return PrefixHierarchy(tuple(lengths), pad=pad, separators=separators, digits=digits)

    @staticmethod
    def by_interval(width: float, multiples: Sequence[int] = (), **options: Any) -> "IntervalHierarchy":
        """Intervals of ``width`` at level 1, then of its ``multiples``; options: see :class:`IntervalHierarchy`.

        >>> Hierarchy.by_interval(10, top=90).ancestors("25"), Hierarchy.by_interval(10, top=90).ancestors("97")
        (('[20, 30)',), ('≥ 90',))
        """
        from biombo._hierarchy.intervals import IntervalHierarchy

        return IntervalHierarchy(width, tuple(multiples), **options)

    @staticmethod
    def by_bounds(levels: Sequence[Sequence[float]], **options: Any) -> "BoundsHierarchy":
        """Intervals between bounds of your own, each level with some of those below.

        >>> Hierarchy.by_bounds([[12, 18, 65], [18]]).ancestors("15")
        ('[12, 18)', '< 18')
        """
        from biombo._hierarchy.intervals import BoundsHierarchy

        return BoundsHierarchy(tuple(tuple(bounds) for bounds in levels), **options)

    @staticmethod
    def by_date(levels: Sequence[str] = ("month", "year", "5 years", "10 years"), **options: Any) -> "DateHierarchy":
        """Dates that lose their day, their month, …; options: see :class:`DateHierarchy`.

        >>> Hierarchy.by_date().ancestors("1964-09-27")
        ('1964-09', '1964', '1960-1964', '1960-1969')
        """
        from biombo._hierarchy.dates import DateHierarchy

        return DateHierarchy(tuple(levels), **options)

    @staticmethod
    def by_order(values: Sequence[str], every: int) -> "TableHierarchy":
        """Merge ``every`` n neighbours of ``values``, then n·n, until one group is left.

        >>> Hierarchy.by_order(["low", "medium", "high", "extreme"], 2).ancestors("high")
        ('high … extreme', 'low … extreme')
        """
        from biombo._hierarchy.lists import by_order

        return by_order(values, every)

    @staticmethod
    def from_columns(
        columns: Sequence[str],
        *,
        then: "Hierarchy | str | Path | Mapping[str, Any] | None" = None,
        rows: Rows | None = None,
    ) -> "ColumnsHierarchy":
        """Of values that determine others in the table: a health facility its municipality, and that, ``then``, its
        state. It is read off ``rows`` (a value and what the columns say), or off the table that a search is given.

        >>> rows = [("0301060118", "03"), ("0214010104", "02"), ("0301060118", "03")]
        >>> Hierarchy.from_columns(["group"], rows=rows).ancestors("0301060118")
        ('03',)
        """
        from biombo._hierarchy.columns import ColumnsHierarchy

        hierarchy = ColumnsHierarchy(tuple(columns), None if then is None else Hierarchy.load(then))
        return hierarchy if rows is None else hierarchy.read_off(rows)

    @staticmethod
    def load(source: "Hierarchy | str | Path | Mapping[str, Any]") -> "Hierarchy":
        """The hierarchy itself, the one built in under a name, or the one that a CSV or YAML file or a tree describes.

        >>> Hierarchy.load({"kind": "interval", "width": 5, "multiples": [2, 4]}).ancestors("17")
        ('[15, 20)', '[10, 20)', '[0, 20)')
        """
        from biombo._hierarchy.documents import load

        return load(source)

    @staticmethod
    def told(document: "Hierarchy | str | Mapping[str, Any]") -> "Hierarchy":
        """The same for what others wrote: the one built in under a name, or that a tree describes. No file is read,
        whatever the document names.

        >>> Hierarchy.told("municipality").ancestors("120040")
        ('12004', '1202', '12', '1')
        """
        from biombo._hierarchy.documents import load

        return load(document, None)

    @staticmethod
    def json_schema() -> dict[str, Any]:
        """The JSON schema of hierarchies, for editors that check and complete YAML as it is typed.

        >>> Hierarchy.json_schema()["anyOf"][1]["properties"]["kind"]
        {'const': 'interval'}
        """
        from biombo._hierarchy.documents import json_schema

        return json_schema()

    @staticmethod
    def all_or_nothing() -> "AllOrNothing":
        """Each value as it is, or ``*``: for a column that nobody made a hierarchy for.

        >>> Hierarchy.all_or_nothing().generalised("0304020346", 1)
        '*'
        """
        from biombo._hierarchy.rule import AllOrNothing

        return AllOrNothing()

    @staticmethod
    def built_in(name: str) -> "Hierarchy":
        """One that comes with Biombo.

        >>> Hierarchy.built_in("municipality").ancestors("120040")
        ('12004', '1202', '12', '1')
        """
        from biombo._hierarchy.built_in import built_in

        return built_in(name)

    @staticmethod
    def built_in_sources() -> dict[str, str]:
        """The names of the hierarchies that come with Biombo, and where their facts are from."""
        from biombo._hierarchy.built_in import sources

        return sources()


def _listed(values: Any) -> Sequence[str | None]:
    """Values as a list of texts, whatever column they stand in."""
    if isinstance(values, list | tuple):
        return values
    from biombo._frames import texts_of

    return texts_of(values)


def _read(value: Any, where: Where) -> Hierarchy:
    """A hierarchy in a document: the name of a built-in one, a file beside the document, or a document of its own."""
    if not isinstance(value, str | Mapping | Hierarchy):
        raise InputError("document.entry-hierarchy", entry=where.entry, value=value)
    from biombo._hierarchy.documents import load

    return load(value, where.folder)


def _schema() -> dict[str, Any]:
    from biombo._hierarchy.documents import shapes  # for editors only

    return {"anyOf": [{"type": "string"}, *shapes()]}


register(
    Hierarchy,
    ValueKind(
        read=_read,
        plain=lambda hierarchy: hierarchy.to_tree(),
        canonical=lambda hierarchy: hierarchy.content_hash(),
        schema=_schema,
        refusal="document.entry-hierarchy",
    ),
)
