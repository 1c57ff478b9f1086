"""``biombo verify``: whether a release is what it claims to be."""

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from biombo._cli.console import output, print_json, say
from biombo._cli.options import Json, Lang
from biombo._cli.register_address import register_address
from biombo._cli.run import DONE, NOT_MET
from biombo._i18n import text

Folder = Annotated[Path, Argument(metavar="cli.metavar.folder", help="cli.verify.folder")]
Key = Annotated[Path | None, Option("--key", metavar="cli.metavar.public-key", help="cli.verify.key")]

RegisterAt = Annotated[str | None, Option("--register", metavar="URL", help="cli.verify.register")]
Private = Annotated[Path | None, Option("--private", metavar="cli.metavar.folder", help="cli.verify.private")]


def verify(
    folder: Folder,
    key: Key = None,
    register: RegisterAt = None,
    private: Private = None,
    json: Json = False,
    _lang: Lang = None,
) -> int:
    """Print what holds, and end with exit code 1 when something does not."""
    from biombo._cli.publish_views import print_verification
    from biombo._release import verify as verify_release

    on_record = register_address(register)
    found = verify_release(folder, key=key, register=on_record, private=private)
    if json:
        print_json(found.as_json())
    else:
        print_verification(found, output())
    if found.origin_proved:
        say(text("release.origin", signer=found.key))
    elif key is None and on_record is None:
        say(text("release.integrity-only"))
    if found.holds:
        say(text("release.holds"))
        return DONE
    say(text("release.fails", failures=len(found.failures)))
    return NOT_MET
