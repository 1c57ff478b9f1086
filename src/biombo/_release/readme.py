"""A page of plain text for whoever receives a release: what it is, how to read and check it, what one may not do."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from biombo._criteria import Criterion
from biombo._documents import LONGEST_TEXT
from biombo._files import write_whole
from biombo._i18n import Language, speaking, text
from biombo._release.claims import Claim
from biombo._release.manifest import MANIFEST
from biombo._release.waived import waived_claims
from biombo._report import displayed
from biombo._tabulate import ShownTable

_WIDTH = 76
_LONGEST = 200


@dataclass(frozen=True)
class _Page(ABC):
    """A title, and below it the sections that a reader looks for."""

    title: str

    def write(self, folder: Path) -> None:
        """Put it into the folder of a release, under the name that it has in the language in use."""
        write_whole(folder / text("release.readme.file"), self.page())

    def page(self) -> str:
        """All of it."""
        shown = displayed(self.title)
        lines = [shown, "=" * len(shown), ""]
        for name in ("what", "files", "done", "check", "ask", "forbidden"):
            heading = text(f"release.readme.{name}.title")
            lines += [heading, "-" * len(heading), *self._section(name), ""]
        return "\n".join(lines)

    @abstractmethod
    def _section(self, name: str) -> Iterator[str]:
        """The lines of a section."""


@dataclass(frozen=True)
class Readme(_Page):
    """The page of records, made of what the manifest and the folder of the release tell anyway."""

    claims: Sequence[Claim]
    data: str
    """The file with the records."""
    files: tuple[str, ...]
    """All other files, without the manifest, which is written last."""

    def _section(self, name: str) -> Iterator[str]:
        if name == "what":
            counts = {each.name: each.value for each in self.claims}
            columns = len(counts["columns"])
            yield _paragraph(text("release.readme.what.text", records=counts["records-released"], columns=columns))
        elif name == "files":
            others = {name: _key_of(name) for name in (*self.files, MANIFEST)}
            yield from _listed({self.data: "data", **others})
        elif name == "done":
            yield _paragraph(text("release.readme.done.text"))
            yield from _items(self._criteria())
            yield from self._waived()
        else:
            yield _paragraph(text(f"release.readme.{name}.text"))

    def _criteria(self) -> Iterator[str]:
        asked = [each for each in self.claims if each.name == "criterion"]
        for claim in asked:
            criterion = displayed(str(Criterion.from_tree(claim.about["criterion"])), longest=_LONGEST)
            columns = ", ".join(map(displayed, claim.about["quasi"]))
            yield text("release.readme.done.criterion", criterion=criterion, columns=columns)
        noised = next((each.value for each in self.claims if each.name == "without-k"), None)
        if noised is not None:
            yield text("release.readme.done.noise", columns=", ".join(map(displayed, noised)))
        elif not asked:
            yield text("release.readme.done.none")

    def _waived(self) -> Iterator[str]:
        waived = [*waived_claims(self.claims)]
        if waived:
            yield from ("", _paragraph(text("release.readme.done.waived")))
        for each in waived:
            told = {
                "criterion": displayed(str(each.criterion), longest=_LONGEST),
                "columns": ", ".join(map(displayed, each.quasi)),
                "reason": displayed(each.reason, longest=LONGEST_TEXT),
            }
            yield from _items([text("release.readme.done.why", **told)])


@dataclass(frozen=True)
class TableReadme(_Page):
    """The page of a table of counts, made of the table as everybody has it."""

    table: ShownTable
    files: tuple[str, ...]
    """All files but the manifest, which is written last."""

    def _section(self, name: str) -> Iterator[str]:
        if name == "what":
            columns = ", ".join(displayed(tree.column) for tree in self.table.classifications)
            yield _paragraph(text("release.table-readme.what", cells=self.table.hidden.size, columns=columns))
        elif name == "files":
            yield from _listed({each: _key_of(each) for each in (*self.files, MANIFEST)})
        elif name == "done":
            yield _paragraph(self._done())
        elif name == "ask":
            yield _paragraph(text("release.table-readme.ask"))
        else:
            yield _paragraph(text(f"release.readme.{name}.text"))

    def is_told_by(self, content: bytes, code: Language) -> bool:
        """Is this the page in a language, whatever the table is called there?"""
        with speaking(code):
            page = self.page()
        told, (_, _, *ours) = content.decode(errors="replace").split("\n"), page.split("\n")
        return told[2:] == ours and set(told[1]) == {"="}

    def _done(self) -> str:
        if self.table.protection is None:
            return text("release.table-readme.done", k=self.table.k)
        return next(iter(self.table.protection.sentences(self.table.k)))


def _listed(files: Mapping[str, str]) -> Iterator[str]:
    """Files and what each is, by the name of its sentence."""
    width = max(map(len, files)) + 2
    for name, key in files.items():
        yield fill(f"{name:{width}}{text(f'release.readme.file-of.{key}')}", _WIDTH, subsequent_indent=" " * width)


def _key_of(file: str) -> str:
    return file.replace(".", "-")


def _paragraph(sentences: str) -> str:
    return "\n".join(fill(line, _WIDTH, break_on_hyphens=False) for line in sentences.split("\n"))


def _items(sentences: Iterable[str]) -> Iterator[str]:
    for each in sentences:
        yield fill(each, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_on_hyphens=False)
