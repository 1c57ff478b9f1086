"""How programs are answered, whatever they ask: JSON, failures too."""

import json
from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt

from biombo._errors import BiomboError
from biombo._i18n import text

MOST_LISTED = 200
_MOST_BYTES = 1024**2

Page = Callable[..., HttpResponse]


class RefusedError(Exception):
    """What is wrong with a body, in a sentence."""


def answered(page: Page) -> Page:
    """Failures are JSON too: one sentence under ``error``."""

    @wraps(page)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except RefusedError as error:
            return JsonResponse({"error": str(error)}, status=400)
        except BiomboError as error:
            return JsonResponse({"error": str(error)}, status=422)

    return cast(Page, csrf_exempt(answer))


def body_of(request: HttpRequest) -> dict[str, Any]:
    """What a program sends: an object of JSON that a database can keep."""
    if len(request.body) > _MOST_BYTES:
        raise RefusedError(text("portal.api.too-large"))
    try:
        told = json.loads(request.body)
        is_kept = b"\\u0000" not in json.dumps(told, allow_nan=False).encode()
        json.dumps(told, ensure_ascii=False).encode()  # halves of letters cannot be
    except (ValueError, RecursionError):
        raise RefusedError(text("portal.api.no-json")) from None
    if not isinstance(told, dict) or not is_kept:
        raise RefusedError(text("portal.api.no-json"))
    return told
