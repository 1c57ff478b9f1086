"""What a register is told of a release."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any, Literal

from biombo._errors import BiomboError, InputError, UsageError
from biombo._i18n import option
from biombo._requests.entries import placed
from biombo._requests.places import register_address, register_file

if TYPE_CHECKING:
    from biombo._release import Release, ReleaseModel

_NO_HASH = "0" * 64


@dataclass(frozen=True, kw_only=True, repr=False)
class RecordAnswers:
    """The register, and what it is told besides what the folders of a release tell."""

    register: str | None = placed("register", written=True, repr=False)
    """The register's address; by default what ``BIOMBO_REGISTER`` names, and none where that is empty."""
    what: str | None = None
    """What the release is called; by default as its folder."""
    department: str | None = None
    """Which part of the organisation releases it."""
    recipient: tuple[str, ...] = ()
    """To whom; needed where the release is controlled."""
    access: Literal["copy", "online", "on-site", "on-request"] = "online"
    review: date | None = None
    """When the risk is to be looked at again."""

    @property
    def about(self) -> dict[str, Any]:
        """What is told, by the names of :func:`biombo.put_on_record`."""
        return {
            "what": self.what,
            "department": self.department,
            "review": self.review,
            "recipients": self.recipient,
            "access": self.access,
        }

    @property
    def outputs(self) -> list[Path]:
        """The register, where it is in a file."""
        return [path for path in (register_file(register_address(self.register)),) if path is not None]

    def check_record(self, model: "ReleaseModel | None", out: Path, private: str | None) -> None:
        """Raise where a release could not be put on record; no register is made."""
        address = register_address(self.register)
        if address is None:
            self.refuse_without_register()
            return
        from biombo._release import Decision, Register, RegisterEntry, refuse_in_release

        is_public = model is not None and model.name == "public"
        self.refuse_missing(release_model=model is not None, recipient=is_public or bool(self.recipient))
        if model is not None:
            about = {**self.about, "what": self.about["what"] or out.name}
            RegisterEntry.of(Decision(model, smallest_group=1), **about, plan_hash=_NO_HASH)
        Register.open(address)
        refuse_in_release(self.outputs, out, private)

    def begin_register(self) -> None:
        """Begin the register where it is new, and raise before long work where it cannot be written to."""
        from biombo._release import Register

        address = register_address(self.register)
        if address is not None:
            Register.open(address).begin()

    def refuse_without_register(self) -> None:
        """Raise where something is said for a register, and there is none."""
        if register_address(self.register) is not None:
            return
        given = {"what": self.what, "department": self.department, "recipient": self.recipient or None}
        unused = [option(name) for name, value in given.items() if value is not None]
        if unused:
            raise UsageError("release.register-unsaid", options=", ".join(unused))

    def refuse_missing(self, **also: bool) -> None:
        """Raise where a register needs to know more; ``also`` tells of further options whether they were given."""
        given = {"department": self.department is not None, "review": self.review is not None, **also}
        missing = [option(name) for name, there in given.items() if not there]
        if missing:
            raise UsageError("release.register-needs", needs=", ".join(missing))

    def put_on_record(self, release: "Release") -> int | None:
        """Put a new release on record, where that was asked for; its number."""
        address = register_address(self.register)
        if address is None:
            return None
        from biombo._release import Register, entry_of

        with _told_that_it_stands(release):
            return Register.open(address).add(entry_of(release.out, private=release.private, **self.about))


@contextmanager
def _told_that_it_stands(release: "Release") -> Iterator[None]:
    """Say of a release that could not be put on record that it is whole nevertheless."""
    try:
        yield
    except BiomboError as error:
        out = str(release.out)
        raise InputError("release.not-on-record", out=out, quoted=quote(out), detail=str(error)) from None
