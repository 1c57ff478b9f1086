"""``biombo key``: make a key for pseudonyms and signatures, or show its id or its public half."""

from typing import Annotated, Literal

from typer import Argument

from biombo._cli.options import Lang
from biombo._cli.terminal import say
from biombo._i18n import text

Action = Annotated[Literal["new", "id", "public"], Argument(metavar="new|id|public", help="cli.key.action")]
Place = Annotated[str, Argument(metavar="cli.metavar.key", help="cli.key.place")]


def key(action: Action, place: Place, _lang: Lang = None) -> None:
    """Print the id of a key, which is made first where that is asked for, or its public half."""
    from biombo._secrets import key_id, new_key

    if action == "public":
        from biombo._secrets import public_key

        print(public_key(place), end="")
        return
    if action == "id":
        print(key_id(place))
        return
    made = new_key(place)
    print(made)
    say(text("cli.key.made", id=made, place=place))
