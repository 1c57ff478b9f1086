"""What stands above and below a report: what it is about, where the rows came from, when and by what it was made."""

from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version

from markupsafe import Markup

from biombo._i18n import text
from biombo._report.names import displayed
from biombo._report.words import moment, rich

LONGEST = 160


@dataclass(frozen=True)
class Masthead:
    """The lines above and below."""

    kicker: str
    title: str
    source: str
    """Where the rows came from, unless the title says so."""
    made: str
    footer: Markup

    @classmethod
    def of(cls, source: str, title: str | None, made_at: datetime | None, *, kicker: str, question: str) -> "Masthead":
        """``kicker`` and ``question`` are keys; the question is the title where none is given."""
        shown, when = displayed(source, longest=LONGEST), moment(made_at or datetime.now().astimezone())
        return cls(
            kicker=text(kicker),
            title=displayed(title, longest=LONGEST) if title else text(question, source=shown),
            source=shown if title else "",
            made=when,
            footer=rich("report.method.made", version=software_version(), time=when, source=shown),
        )


def software_version() -> str:
    """The version of Biombo, in words where it runs from its source folder."""
    try:
        return version("biombo")
    except PackageNotFoundError:
        return text("report.method.unversioned")
