"""Templates filled in to one HTML page that needs nothing else: no network, no other file, no script."""

from functools import cache
from importlib import resources
from itertools import count

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from biombo._i18n import text
from biombo._report.fonts import SHOWN, font_rules
from biombo._report.words import rich


def rendered(template: str, **content: object) -> str:
    """The page with this content; its figures, tables and captions are numbered as they come."""
    numbers = {name: count(1).__next__ for name in ("next_figure", "next_table", "next_id")}
    return (
        _environment()
        .get_template(template)
        .render(language=text("report.page.language"), font_rules=Markup(font_rules()), **numbers, **content)
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(t=text, rich=rich, fonts=SHOWN)
    return environment


def _source(name: str) -> str:
    return (resources.files("biombo._report") / "templates" / name).read_text("utf-8")
