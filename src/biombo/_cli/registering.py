"""Putting a release on record in the register."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.console import say
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._release import Release
    from biombo._release.decision import ReleaseModel

RegisterAt = Annotated[str | None, Option("--register", metavar="URL", help="cli.publish.register")]
Department = Annotated[str | None, Option("--department", metavar="cli.metavar.name", help="cli.publish.department")]
Recipients = Annotated[
    list[str] | None, Option("--recipient", metavar="cli.metavar.name", help="cli.publish.recipient")
]
Access = Annotated[
    Literal["copy", "online", "on-site", "on-request"],
    Option("--access", metavar="copy|online|on-site|on-request", help="cli.publish.access"),
]
Review = Annotated[
    datetime | None, Option("--review", metavar="cli.metavar.day", formats=["%Y-%m-%d"], help="cli.publish.review")
]


@dataclass(frozen=True)
class Registering:
    """What was typed."""

    url: str | None
    department: str | None
    recipients: tuple[str, ...]
    access: Literal["copy", "online", "on-site", "on-request"]
    review: datetime | None

    def refuse_incomplete(self, model: "ReleaseModel | None") -> None:
        """Raise before a release is made that could not be put on record."""
        if self.url is None:
            return
        is_public = model is not None and model.name == "public"
        typed = {
            "--department": self.department is not None,
            "--review": self.review is not None,
            "--release-model": model is not None,
            "--recipient": is_public or bool(self.recipients),
        }
        missing = [option for option, there in typed.items() if not there]
        if missing:
            raise UsageError("release.register-needs", needs=", ".join(missing))

    def add(self, release: "Release") -> None:
        """Put the release on record, where that was asked for."""
        from biombo._release import Register, RegisterEntry

        if self.url is None or self.department is None or self.review is None or release.decision is None:
            return
        entry = RegisterEntry.of(
            release.decision,
            what=release.out.name,
            department=self.department,
            access=self.access,
            plan_hash=release.plan.hash,
            review=self.review.date(),
            recipients=self.recipients,
            manifest_hash=release.manifest_hash,
        )
        number = Register.open(self.url).add(entry)
        say(text("release.registered", number=number))
