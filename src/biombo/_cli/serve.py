"""``biombo serve``: the portal, until somebody stops it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from typer import Option

from biombo._cli.options import Lang
from biombo._cli.terminal import say
from biombo._errors import UsageError
from biombo._i18n import text

if TYPE_CHECKING:
    from biombo._portal import PortalHome

Folder = Annotated[Path, Option("--folder", metavar="cli.metavar.folder", help="cli.serve.folder")]
PortalDatabase = Annotated[str | None, Option("--database", metavar="cli.metavar.address", help="cli.serve.database")]
Address = Annotated[str | None, Option("--address", metavar="cli.metavar.address", help="cli.serve.address")]
Host = Annotated[str, Option("--host", metavar="cli.metavar.address", help="cli.serve.host")]
Port = Annotated[int, Option("--port", metavar="cli.metavar.number", help="cli.serve.port", min=1, max=65535)]
Demo = Annotated[bool, Option("--demo", help="cli.serve.demo")]
Only = Annotated[Literal["web", "workers"] | None, Option("--only", metavar="web|workers", help="cli.serve.only")]
BehindProxy = Annotated[bool, Option("--behind-proxy", help="cli.serve.behind-proxy")]


def serve(
    folder: Folder = Path("biombo-portal"),
    database: PortalDatabase = None,
    address: Address = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    behind_proxy: BehindProxy = False,
    only: Only = None,
    demo: Demo = False,
    _lang: Lang = None,
) -> None:
    """Serve the portal of a folder; a demo fills it with a made-up agency first."""
    refuse_without_portal()
    from biombo._portal import PortalHome, hold, hold_database, serve_part
    from biombo._portal import serve as serve_portal

    here = None if PortalHome.at(folder).address.startswith("https://") else f"http://{host}:{port}"
    home = PortalHome.at(folder, database=database, address=address or here, behind_proxy=behind_proxy or None)
    (hold_database if only == "web" else hold)(home)
    if demo:
        _filled(home)
    if only is not None:
        serve_part(home, only, host=host, port=port, told=lambda link: _tell(home.address, link, demo=demo))
        return
    serve_portal(home, host=host, port=port, told=lambda link: _tell(home.address, link, demo=demo))


def refuse_without_portal() -> None:
    """Raise where the portal is not installed."""
    try:
        import django  # noqa: F401
        import huey  # noqa: F401
    except ImportError:
        raise UsageError("portal.extra") from None


def _filled(home: "PortalHome") -> None:
    from biombo._portal import fill_with_demo

    say(text("cli.serve.filling"))
    for role, email, password in fill_with_demo(home):
        say(text("cli.serve.login", role=text(f"portal.role.{role}"), email=email, password=password))


def _tell(address: str, link: str | None, *, demo: bool) -> None:
    if link is not None and not demo:
        say(text("cli.serve.administrator", link=link))
    say(text("cli.serve.serving", address=address))
