"""What is done to every request before a page sees it: its language, and whether it may be opened at all."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.utils import translation

from biombo._i18n import Language as Code
from biombo._i18n import speaking, speaking_of_fields, text
from biombo._portal.access import may_open, most_sent, rule_of
from biombo._portal.models import Case, Inquiry, Token

LANGUAGE_COOKIE = "biombo_language"
API = "/api/"
_NOT_SO = 405
_ABOUT = frozenset(("number", "question"))
"""What addresses have in them that are about a request or a question."""

Answer = Callable[[HttpRequest], HttpResponse]


class Language:
    """Everything is said in the reader's language: the one they chose, else Portuguese."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in that language."""
        code: Code = "en" if request.COOKIES.get(LANGUAGE_COOKIE) == "en" else "pt"
        answer = _answered_in(code, request, self._answer)
        if not request.path.startswith("/static/"):
            answer.headers.setdefault("Cache-Control", "no-store")
        return answer


def _answered_in(code: Code, request: HttpRequest, answered: Answer) -> HttpResponse:
    request.language = code
    with speaking(code), speaking_of_fields(), translation.override("pt-br" if code == "pt" else "en"):
        answer = answered(request)
    answer.headers.setdefault("Content-Language", "pt-BR" if code == "pt" else "en")
    return answer


class Tokens:
    """Programs come by tokens, and only to their own routes; a session opens none of these, so that no page of somebody
    else can have a browser send anything there.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer whoever the token belongs to, in the language of the account: programs choose none."""
        if request.path.startswith(API):
            kind, _, token = request.headers.get("Authorization", "").partition(" ")
            found = Token.behind(token.strip()) if kind.lower() == "bearer" and token else None
            request.user = found or AnonymousUser()
            if found is not None and LANGUAGE_COOKIE not in request.COOKIES:
                return _answered_in("en" if found.language == "en" else "pt", request, self._answer)
        return self._answer(request)


class Access:
    """Default deny. Whoever may not open a page is told that it does not exist: that it exists may be a secret."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, unless more is sent than whoever sends it may: nothing of that is read."""
        if request.headers.get("Content-Length", "") not in ("", "0") and _length(request) > most_sent(request.user):
            return _told(request, text("portal.error.too-large"), 413, back_to=page_above(request.path))
        answer = self._answer(request)
        return _where_to(request, answer) if answer.status_code == _NOT_SO else answer

    def process_view(
        self, request: HttpRequest, view: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Refuse what the table does not allow; pages about a request find it as ``request.case``, those
        about a question as ``request.inquiry``.
        """
        del view, args
        route = request.resolver_match.view_name if request.resolver_match else ""
        rule = rule_of(route)
        if rule is None:
            raise Http404
        opens = may_open(route, request.user)
        request.case, request.inquiry = (self._case(kwargs), self._inquiry(kwargs)) if opens else (None, None)
        about = request.case or request.inquiry
        is_there = about is not None or _ABOUT.isdisjoint(kwargs)
        if is_there and may_open(route, request.user, about):
            if request.case is not None and _is_gone(request):
                return _gone(request)
            if _has_zeros(request):
                raise BadRequest
            return None
        if not request.user.is_authenticated and request.path.startswith(API):
            return JsonResponse({"error": text("portal.error.not-found")}, status=401)
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path())
        raise Http404

    @staticmethod
    def _case(kwargs: dict[str, Any]) -> Case | None:
        if "number" not in kwargs:
            return None
        found: Case | None = Case.objects.select_related("data_set", "requester").filter(pk=kwargs["number"]).first()
        return found

    @staticmethod
    def _inquiry(kwargs: dict[str, Any]) -> Inquiry | None:
        if "question" not in kwargs:
            return None
        known = Inquiry.objects.select_related("data_set", "person", "decided_by")
        found: Inquiry | None = known.filter(pk=kwargs["question"]).first()
        return found


def _is_gone(request: HttpRequest) -> bool:
    """Was it erased, and is there nothing left for this reader? The agency has a chain that is about nobody."""
    is_erased = request.case.forgotten_at is not None
    return is_erased and (request.user.role == "requester" or not request.case.folder)


def _gone(request: HttpRequest) -> HttpResponse:
    return _told(request, text("portal.erasures.gone"), 410)


def _told(request: HttpRequest, said: str, status: int, **more: Any) -> HttpResponse:
    if request.path.startswith(API):
        return JsonResponse({"error": said}, status=status)
    return render(request, "portal/message.html", {"title": said, **more}, status=status)


def _where_to(request: HttpRequest, refused: HttpResponse) -> HttpResponse:
    """Instead of an empty answer: whoever comes back to where a form was sent, in another language or after a login,
    finds the page that the form was on.
    """
    if request.method in ("GET", "HEAD") and not request.path.startswith(API):
        return redirect(page_above(request.path, itself=False))
    answer = _told(request, text("portal.error.not-so"), _NOT_SO)
    answer.headers["Allow"] = refused.headers.get("Allow", "")
    return answer


def page_above(path: str, *, itself: bool = True) -> str:
    """The address nearest above ``path`` that leads somewhere, perhaps ``itself``: forms are sent to addresses below
    those of the pages that they are on.
    """
    parts = path.strip("/").split("/")
    tried = [path] if itself else []
    for each in (*tried, *("/" + "/".join(parts[:end]) for end in range(len(parts) - 1, 0, -1))):
        try:
            if rule_of(resolve(each).view_name) is not None:
                return each
        except Resolver404:
            continue
    return "/"


def _length(request: HttpRequest) -> int:
    try:
        return int(request.META["CONTENT_LENGTH"])
    except ValueError:
        return 0


def _has_zeros(request: HttpRequest) -> bool:
    """Does it hold characters that no database and no file name can?"""
    forms = (request.GET,) if request.path.startswith(API) else (request.GET, request.POST)  # programs send no forms
    return any("\0" in value for told in forms for _, values in told.lists() for value in values)
