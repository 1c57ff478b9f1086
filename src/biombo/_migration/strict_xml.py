"""XML by somebody who may mean harm: elements with text, and nothing else that XML can do."""

from dataclasses import dataclass, field
from typing import Any, NoReturn
from xml.parsers.expat import ExpatError, ParserCreate

from biombo._errors import InputError
from biombo._files import text_in

_DEEPEST = 20


@dataclass
class Element:
    """One element, what stands in it, and the elements in it."""

    name: str
    text: str = ""
    children: list["Element"] = field(default_factory=list)

    def all(self, name: str) -> list["Element"]:
        """The elements in it that are called so; case does not count."""
        return [child for child in self.children if child.name.casefold() == name.casefold()]

    def one(self, name: str) -> str | None:
        """The text of the first element in it that is called so, if there is one, without the blanks around it."""
        found = self.exactly(name)
        return None if found is None else found.strip()

    def exactly(self, name: str) -> str | None:
        """The same with all blanks: names of columns may have some, and a mark may be one."""
        found = self.all(name)
        return found[0].text if found else None


def read_xml(content: bytes, part: str, path: str) -> Element:
    """The one element that ``content``, the ``part`` of the file at ``path``, holds. Declarations of types and entities
    are refused: no such file has any, and they can make a few bytes endless.
    """
    building = _Building(part, path)
    parser = ParserCreate("utf-8")
    parser.buffer_text = True
    parser.StartElementHandler = building.start
    parser.EndElementHandler = building.end
    parser.CharacterDataHandler = building.text
    parser.StartDoctypeDeclHandler = building.refuse
    parser.EntityDeclHandler = building.refuse
    try:
        parser.Parse(text_in(content).encode(), True)
    except ExpatError as error:
        raise InputError("migration.xml", part=part, path=path, line=error.lineno) from None
    return building.root


class _Building:
    """The elements that were begun, the innermost last."""

    def __init__(self, part: str, path: str) -> None:
        self.root = Element("")
        self._open: list[Element] = []
        self._where = {"part": part, "path": path}

    def start(self, name: str, _attributes: dict[str, str]) -> None:
        """An element begins."""
        element = Element(name)
        if len(self._open) >= _DEEPEST:
            self.refuse()
        if self._open:
            self._open[-1].children.append(element)
        else:
            self.root = element
        self._open.append(element)

    def end(self, _name: str) -> None:
        """An element ends."""
        self._open.pop()

    def text(self, data: str) -> None:
        """Something stands in an element."""
        self._open[-1].text += data

    def refuse(self, *_declared: Any) -> NoReturn:
        """Something is there that no such file has."""
        raise InputError("migration.xml-declares", **self._where)
