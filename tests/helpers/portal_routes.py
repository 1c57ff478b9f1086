"""All routes of the portal, found as Django finds them: a new one is tested the day it is added."""

import re
from collections.abc import Iterator
from typing import Any


def routes() -> list[tuple[str, dict[str, Any]]]:
    """Names of all routes with what each takes, found as Django finds them."""
    from django.urls import URLPattern, get_resolver

    def walked(patterns: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        for each in patterns:
            if not isinstance(each, URLPattern):
                yield from walked(each.url_patterns)
                continue
            assert each.name, f"{each.pattern} has no name, so nobody may open it"
            yield each.name, dict.fromkeys(each.pattern.regex.groupindex) | each.pattern.converters

    return list(walked(get_resolver().url_patterns))


def address(name: str, taken: dict[str, Any], **told: Any) -> str:
    """The address of a route."""
    from django.urls import reverse
    from django.urls.converters import IntConverter, SlugConverter

    usual: dict[str, Any] = {
        "number": 1,
        "act": "message",
        "name": "manifest.json",
        "slug": "0" * 32,
        "token": "t0ken",
        "uidb36": "1",
        "key": "k-1",
        "provider_id": "agency",
    }
    chosen = {each: (usual | told).get(each, 1) for each in taken}
    for each, converter in taken.items():
        if isinstance(converter, IntConverter | SlugConverter) and not re.fullmatch(converter.regex, str(chosen[each])):
            chosen[each] = 1
    return str(reverse(name, kwargs=chosen))
