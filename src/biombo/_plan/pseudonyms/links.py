"""Double coding: the codes of a third party, which stand for the codes of whoever has the data (PDPC 2018, 9.13)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biombo._engine import Randomness
from biombo._errors import ColumnError, InputError, UsageError
from biombo._files import PRIVATE, is_file, replacing
from biombo._plan.pseudonyms.letters import Keyed, Pseudonyms
from biombo._plan.pseudonyms.sealed_pairs import opened_pairs, seal_pairs
from biombo._secrets import Key, Keys, SealedFile

SUFFIX = ".links"
_MARK, _VERSION = "biombo-links", 1


@dataclass(frozen=True)
class Parties:
    """Who codes first and who codes second, by the ids of their keys."""

    first: str
    """The key of whoever has the data."""
    second: str
    """The key of the third party."""

    def other(self, key_id: str) -> str:
        """The key of the other one. Raises where ``key_id`` is of neither."""
        if key_id not in (self.first, self.second):
            raise UsageError("codes.neither", given=key_id, first=self.first, second=self.second)
        return self.second if key_id == self.first else self.first


def links_beside(key_file: Path, parties: Parties, held: Key) -> Path:
    """Where whoever holds the key ``held``, in ``key_file``, keeps the links with the other party."""
    return key_file.with_name(f"{key_file.name}.{parties.other(held.id)}{SUFFIX}")


def keep_links(
    key_file: Path, key: Key, parties: Parties, links: Mapping[str, str], random: Randomness | None = None
) -> Path:
    """Seal ``links``, from second codes to first ones, beside the key, in random order, with those of before."""
    path = links_beside(key_file, parties, key)
    together = {**(opened_links(path, key, parties) if is_file(path) else {}), **links}
    says = {_MARK: _VERSION, "first": parties.first, "second": parties.second, "key": key.id}
    with replacing(path, mode=PRIVATE) as file:
        seal_pairs(file, together, says, _secret(key), random or Randomness())
    return path


def opened_links(path: Path, key: Key, parties: Parties | None = None) -> dict[str, str]:
    """The first code of each second one in the sealed file ``path``."""
    damaged = InputError("codes.damaged-links", path=str(path))
    file, found = SealedFile.at(path), parties_of(path)
    if file is None or found is None or (parties is not None and found != parties):
        raise damaged
    return opened_pairs(file, _secret(key), damaged)


def parties_of(path: Path) -> Parties | None:
    """Between whom the links in a sealed file are; nothing where it is none."""
    file = SealedFile.at(path)
    if file is None or file.says.get(_MARK) != _VERSION:
        return None
    return Parties(str(file.says.get("first")), str(file.says.get("second")))


def _secret(key: Key) -> bytes:
    return key.derived("links")


class Linked(Pseudonyms):
    """Codes values under the first key, and gives the second codes that the third party has for these."""

    def __init__(self, first: Keyed, keys: Keys, parties: Parties, column: str) -> None:
        self._first = first
        self._column = column
        key, file = keys[parties.first], keys.file_of(parties.first)
        path = links_beside(file, parties, key)
        if not is_file(path):
            raise UsageError("codes.no-links", column=column, second=parties.second)
        self._second_of = {code: second for second, code in opened_links(path, key, parties).items()}

    def of(self, values: Sequence[str]) -> list[str]:
        """The second codes of different ``values``."""
        codes = self._first.of(values)
        without = sum(code not in self._second_of for code in codes)
        if without:
            raise ColumnError("codes.unanswered", column=self._column, values=without)
        return [self._second_of[code] for code in codes]

    def kept(self, values: Sequence[str], pseudonyms: Sequence[str]) -> Sequence[str]:  # noqa: ARG002
        """The first codes: what leads from these to the second is with the third party."""
        return self._first.of(values)
