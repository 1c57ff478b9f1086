"""What a register is told of a release, as people type it: for ``biombo publish`` and ``biombo register add``."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from typer import Option

from biombo._cli.console import say
from biombo._cli.register_address import register_address
from biombo._errors import BiomboError, InputError, UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import Release, ReleaseModel

_ON_RECORD = "cli.panel.on-record"
"""Part of the help page."""

RegisterAt = Annotated[
    str | None, Option("--register", metavar="URL", help="cli.publish.register", rich_help_panel=_ON_RECORD)
]
What = Annotated[
    str | None, Option("--what", metavar="cli.metavar.text", help="cli.publish.what", rich_help_panel=_ON_RECORD)
]
Department = Annotated[
    str | None,
    Option("--department", metavar="cli.metavar.name", help="cli.publish.department", rich_help_panel=_ON_RECORD),
]
Recipients = Annotated[
    list[str] | None,
    Option("--recipient", metavar="cli.metavar.name", help="cli.publish.recipient", rich_help_panel=_ON_RECORD),
]
Access = Annotated[
    Literal["copy", "online", "on-site", "on-request"],
    Option("--access", metavar="copy|online|on-site|on-request", help="cli.publish.access", rich_help_panel=_ON_RECORD),
]
Review = Annotated[
    str | None, Option("--review", metavar="cli.metavar.day", help="cli.publish.review", rich_help_panel=_ON_RECORD)
]

_NO_HASH = "0" * 64


@dataclass(frozen=True)
class Registering:
    """What was typed."""

    url: str | None
    what: str | None
    department: str | None
    recipients: tuple[str, ...]
    access: Literal["copy", "online", "on-site", "on-request"]
    review: date | None

    @property
    def address(self) -> str | None:
        """The register that is meant, if any."""
        return register_address(self.url)

    def begin(self, model: "ReleaseModel | None", out: Path) -> None:
        """Raise before a release is made that could not be put on record; the register is begun where it is new."""
        if self.address is None:
            self._refuse_unused()
            return
        from biombo._release import Decision, Register, RegisterEntry

        is_public = model is not None and model.name == "public"
        self.refuse_missing(**{"--release-model": model is not None, "--recipient": is_public or bool(self.recipients)})
        if model is not None:
            about = {**self.about, "what": self.what or out.name}
            RegisterEntry.of(Decision(model, smallest_group=1), **about, plan_hash=_NO_HASH)
        Register.open(self.address).begin()

    def _refuse_unused(self) -> None:
        typed = {"--what": self.what, "--department": self.department, "--recipient": self.recipients or None}
        unused = [option for option, value in typed.items() if value is not None]
        if unused:
            raise UsageError("release.register-unsaid", options=", ".join(unused))

    def refuse_missing(self, **also: bool) -> None:
        """Raise where a register needs to know more; ``also`` tells of further options whether they were typed."""
        typed = {"--department": self.department is not None, "--review": self.review is not None, **also}
        missing = [option for option, there in typed.items() if not there]
        if missing:
            raise UsageError("release.register-needs", needs=", ".join(missing))

    @property
    def about(self) -> dict[str, Any]:
        """What a register is told besides what the folders of a release tell."""
        return {
            "what": self.what,
            "department": self.department,
            "review": self.review,
            "recipients": self.recipients,
            "access": self.access,
        }

    def add(self, release: "Release") -> None:
        """Put a new release on record, where that was asked for."""
        if self.address is None:
            return
        from biombo._release import Register, entry_of

        with _told_that_it_stands(release):
            entry = entry_of(release.out, private=release.private, **self.about)
            number = Register.open(self.address).add(entry)
        say(text("release.registered", number=number))


@contextmanager
def _told_that_it_stands(release: "Release") -> Iterator[None]:
    """Say of a release that could not be put on record that it is whole nevertheless."""
    try:
        yield
    except BiomboError as error:
        raise InputError("release.not-on-record", out=str(release.out), detail=str(error)) from None
