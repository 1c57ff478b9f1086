"""The parts of a workbook as they really unpack, whatever the archive says of their sizes."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from biombo._errors import InputError

_LARGEST, _SMALL, _LARGEST_RATIO = (1 << 32) - 1, 1 << 27, 100
"""The most that may come out of an archive: so many bytes; beyond a small number, so many times the archive's own."""

_CHUNK = 1 << 22
_LOCAL, _CENTRAL, _END = struct.Struct("<4s5H3I2H"), struct.Struct("<4s6H3I5H2I"), struct.Struct("<4s4H2IH")
_VERSION, _NAME_IN_UTF8, _ENCRYPTED = 20, 1 << 11, 1


@dataclass(frozen=True)
class Part:
    """One file of the archive, packed."""

    name: str
    packed: bytes
    is_deflated: bool

    def chunks(self) -> Iterator[bytes]:
        """What comes out, a bounded number of bytes at a time."""
        if not self.is_deflated:
            yield from (self.packed[start : start + _CHUNK] for start in range(0, len(self.packed), _CHUNK))
            return
        unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
        rest = self.packed
        while not unpacking.eof:
            chunk = unpacking.decompress(rest, _CHUNK)
            rest = unpacking.unconsumed_tail
            if not chunk and not rest and not unpacking.eof:
                raise EOFError(self.name)
            yield chunk


@dataclass(frozen=True)
class XlsxArchive:
    """The parts that a reader of workbooks needs, each of them unpacked once and found to be as large as it says."""

    parts: tuple[Part, ...]
    unpacked: int
    """How many bytes they have together."""
    _summaries: tuple[tuple[int, int], ...]
    """The CRC-32 and the size of each."""

    @classmethod
    def read(cls, path: Path, label: str) -> "XlsxArchive":
        """The archive at ``path``, which is called ``label``."""
        most = path.stat().st_size
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if info.filename.lower().endswith((".xml", ".rels"))]
            if sum(info.compress_size for info in infos) > most:
                raise zipfile.BadZipFile("overlapping parts")
            parts = tuple(_part(archive, info) for info in infos)
        left = min(_LARGEST, max(_SMALL, most * _LARGEST_RATIO))
        summaries = []
        for info, part in zip(infos, parts, strict=True):
            checksum, size = _summary(part, left, label)
            if (checksum, size) != (info.CRC, info.file_size):
                raise zipfile.BadZipFile(info.filename)
            left -= size
            summaries.append((checksum, size))
        return cls(parts, sum(size for _, size in summaries), tuple(summaries))

    def rewritten(self) -> bytes:
        """An archive of these parts and nothing else, so that no reader can find in it what was not looked at."""
        content, directory = bytearray(), bytearray()
        for part, (checksum, size) in zip(self.parts, self._summaries, strict=True):
            name = part.name.encode()
            method = zipfile.ZIP_DEFLATED if part.is_deflated else zipfile.ZIP_STORED
            common = (_VERSION, _NAME_IN_UTF8, method, 0, 0, checksum, len(part.packed), size, len(name), 0)
            directory += _CENTRAL.pack(b"PK\1\2", _VERSION, *common, 0, 0, 0, 0, len(content)) + name
            content += _LOCAL.pack(b"PK\3\4", *common) + name + part.packed
        count = len(self.parts)
        end = _END.pack(b"PK\5\6", 0, 0, count, count, len(directory), len(content), 0)
        return bytes(content + directory + end)


def _part(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Part:
    if info.flag_bits & _ENCRYPTED or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise zipfile.BadZipFile(info.filename)
    file = archive.fp
    assert file is not None
    file.seek(info.header_offset)
    mark, *_, name_length, extra_length = _LOCAL.unpack(file.read(_LOCAL.size))
    if mark != b"PK\3\4":
        raise zipfile.BadZipFile(info.filename)
    file.seek(name_length + extra_length, 1)
    packed = file.read(info.compress_size)
    if len(packed) < info.compress_size:
        raise EOFError(info.filename)
    return Part(info.filename, packed, info.compress_type == zipfile.ZIP_DEFLATED)


def _summary(part: Part, most: int, label: str) -> tuple[int, int]:
    """The CRC-32 and the size of what comes out, of which there may be so ``most``."""
    checksum = size = 0
    for chunk in part.chunks():
        size += len(chunk)
        if size > most:
            raise InputError("input.bomb", path=label)
        checksum = zlib.crc32(chunk, checksum)
    return checksum, size
