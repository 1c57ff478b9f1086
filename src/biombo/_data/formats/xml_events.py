"""XML read as it comes. Document types are refused, and with them every entity that could grow or lead elsewhere."""

from collections.abc import Callable, Iterator
from typing import IO, Any
from xml.parsers import expat

from biombo._errors import InputError
from biombo._watch import stop_if_cancelled

LONGEST = 1 << 24
"""No tag and no text may have more bytes."""
_CHUNK = 1 << 22

Start = Callable[[str, dict[str, str]], None]
End = Callable[[str], None]
Text = Callable[[str], None]


def parsed(file: IO[bytes], label: str, start: Start, end: End, text: Text) -> Iterator[None]:
    """Call the three for what is in ``file``, by names without their prefixes, and pause after every few bytes."""

    def refuse_doctype(*_: Any) -> None:
        raise InputError("input.xml-doctype", path=label)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = lambda name, attributes: start(local(name), attributes)
    parser.EndElementHandler = lambda name: end(local(name))
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse_doctype
    fed = 0
    try:
        while chunk := file.read(_CHUNK):
            stop_if_cancelled()
            parser.Parse(chunk, False)
            fed += len(chunk)
            if fed - parser.CurrentByteIndex > LONGEST:
                raise InputError("input.long-record", path=label, row=1, mebibytes=LONGEST >> 20)
            yield
        parser.Parse(b"", True)
        yield
    except (expat.ExpatError, ValueError, LookupError) as error:
        raise InputError("input.damaged", path=label, detail=" ".join(str(error).split())) from None


def local(name: str) -> str:
    """A name without the prefix that says whose it is."""
    return name.rpartition(":")[2]
