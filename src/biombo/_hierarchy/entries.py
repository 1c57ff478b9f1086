"""The entries of a hierarchy's document, each checked for what it should be."""

from collections.abc import Mapping
from typing import Any

from biombo._errors import InputError, shortened


class Entries:
    """Takes entries out one by one; :meth:`refuse_others` complains of what is left."""

    def __init__(self, tree: Mapping[str, Any], kind: str) -> None:
        self._left = dict(tree)
        self._kind = kind
        self._known: list[str] = []

    def _take(self, name: str) -> Any:
        self._known.append(name)
        return self._left.pop(name, None)

    def _wrong(self, name: str, value: Any) -> InputError:
        if value is None:
            return InputError("hierarchy.entry-missing", entry=name, kind=self._kind)
        return InputError("hierarchy.entry", entry=name, kind=self._kind, value=value)

    def needed(self, name: str) -> Any:
        """Whatever stands there."""
        value = self._take(name)
        if value is None:
            raise self._wrong(name, value)
        return value

    def number(self, name: str) -> float:
        """A number."""
        value: float = self._single(name, float)
        return value

    def whole_number(self, name: str) -> int:
        """A whole number."""
        value: int = self._single(name, int)
        return value

    def text(self, name: str) -> str:
        """A text."""
        value: str = self._single(name, str)
        return value

    def _single(self, name: str, kind: type) -> Any:
        value = self.needed(name)
        if not _is(value, kind):
            raise self._wrong(name, value)
        return value

    def options(self, **kinds: type) -> dict[str, Any]:
        """Those of the entries named that are there; each a text, a yes or no, or (``float``) a number."""
        found: dict[str, Any] = {}
        for name, kind in kinds.items():
            value = self._take(name)
            if value is None:
                continue
            if not _is(value, kind):
                raise self._wrong(name, value)
            found[name] = value
        return found

    def whole_numbers(self, name: str, *, needed: bool = True) -> tuple[int, ...]:
        """A list of whole numbers."""
        return tuple(self._listed(name, int, needed))

    def texts(self, name: str, *, needed: bool = True) -> tuple[str, ...]:
        """A list of texts."""
        return tuple(self._listed(name, str, needed))

    def lists_of_numbers(self, name: str) -> tuple[tuple[float, ...], ...]:
        """A list of lists of numbers, or one list of numbers."""
        value = self.needed(name)
        lists = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
        if not all(isinstance(numbers, list) and all(_is(number, float) for number in numbers) for numbers in lists):
            raise self._wrong(name, value)
        return tuple(tuple(numbers) for numbers in lists)

    def _listed(self, name: str, kind: type, needed: bool) -> list[Any]:
        value = self.needed(name) if needed else self._take(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(_is(each, kind) for each in value):
            raise self._wrong(name, value)
        return value

    def refuse_others(self) -> None:
        """Raise when there are entries that nobody asked for."""
        if self._left:
            known = ", ".join(sorted(self._known))
            raise InputError("hierarchy.entries", entries=shortened(self._left), kind=self._kind, known=known)


def _is(value: Any, kind: type) -> bool:
    """Is ``value`` of the kind, as people see it: 5 is a number with or without decimals, yes is none."""
    return type(value) in (int, float) if kind is float else type(value) is kind
