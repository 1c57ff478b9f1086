"""``biombo key``: make a key for pseudonyms, or show its id."""

from typing import Annotated, Literal

from typer import Argument

from biombo._cli.console import say
from biombo._cli.options import Lang
from biombo._i18n import text

Action = Annotated[Literal["new", "id"], Argument(metavar="new|id", help="cli.key.action")]
Place = Annotated[str, Argument(metavar="cli.metavar.key", help="cli.key.place")]


def key(action: Action, place: Place, _lang: Lang = None) -> None:
    """Print the id of a key, which is made first where that is asked for."""
    from biombo._plan import key_id, new_key

    if action == "id":
        print(key_id(place))
        return
    made = new_key(place)
    print(made)
    say(text("cli.key.made", id=made, place=place))
