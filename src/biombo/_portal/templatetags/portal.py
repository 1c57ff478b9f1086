"""Words and numbers in templates, in the reader's language."""

from datetime import date, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from biombo._i18n import has_text, integer, language, percent, text

register = template.Library()


@register.simple_tag
def say(key: str, **values: Any) -> str:
    """The text behind a key of ``portal.toml``; templates escape it."""
    return text(f"portal.{key}", **values)


@register.simple_tag
def say_of(kind: str, name: str, **values: Any) -> str:
    """What something is called: a state, a role, an act. Its own name where there is no word for it."""
    key = f"portal.{kind}.{name}"
    return text(key, **values) if has_text(key) else str(name)


@register.simple_tag(takes_context=True)
def expected(context: Any, state: str) -> str:
    """What is waited for in a state, and nothing where there is nothing."""
    return _with_days(context, f"portal.expected.{state}")


@register.simple_tag(takes_context=True)
def about(context: Any, act: str) -> str:
    """What an act does, where more is to be said than its name."""
    return _with_days(context, f"portal.about.{act}")


def _with_days(context: Any, key: str) -> str:
    """A text with the days of the negotiation that a page is about, else with those that the agency has now."""
    if not has_text(key):
        return ""
    record, now = context.get("record"), context["agency_days"]
    days = now if record is None else record.agency.deadlines
    return text(key, appeal=days.appeal, extension=days.extension)


@register.filter
def share(value: float | None) -> str:
    """A share as whole percents, or a dash."""
    return "–" if value is None else percent(value, 0)


@register.filter
def exact_share(value: float | None) -> str:
    """A share with one digit."""
    return "–" if value is None else percent(value, 1)


@register.filter
def whole(value: int | None) -> str:
    """A whole number, or a dash."""
    return "–" if value is None else integer(value)


@register.filter
def day(value: datetime | None) -> str:
    """A day as people write it."""
    if value is None:
        return "–"
    local = timezone.localtime(value)
    return str(local.strftime("%d/%m/%Y" if language() == "pt" else "%-d %b %Y"))


@register.filter
def date_only(value: date) -> str:
    """A day that has no time."""
    return value.strftime("%d/%m/%Y" if language() == "pt" else "%-d %b %Y")


@register.filter
def days_left(value: datetime | None) -> str:
    """How far away a day is, in words."""
    if value is None:
        return ""
    days = (timezone.localtime(value).date() - timezone.localdate()).days
    if days == 0:
        return text("portal.cases.today")
    return text("portal.cases.late", days=-days) if days < 0 else text("portal.cases.left", days=days)


@register.filter
def moment(value: datetime | None) -> SafeString | str:
    """A day and time, which programs can read too."""
    if value is None:
        return "–"
    local = timezone.localtime(value)
    shown = local.strftime("%d/%m/%Y %H:%M") if language() == "pt" else local.strftime("%-d %b %Y, %H:%M")
    return format_html('<time datetime="{}">{}</time>', local.isoformat(timespec="minutes"), shown)


@register.filter
def entry(mapping: Any, key: Any) -> Any:
    """What a mapping has for a key."""
    return mapping.get(key) if hasattr(mapping, "get") else None
