"""E-mails: that it is somebody's turn, that there is a message, or that a request is over, and nothing of what was said
or measured. They wait until they are sent; nobody is written to about what they have done themselves.
"""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import BooleanField, ExpressionWrapper, F, Q
from django.utils import timezone

from biombo._i18n import Language, speaking, text
from biombo._portal.models import AgencySettings, Case, Inquiry, Letter, Person

MOST_TRIES = 8
_AT_ONCE = 50
_ABOUT_REQUESTS = ("turn", "message", "over", "reminder", "question", "answer")
"""Kinds of letters that people do not wait for in front of a page: all others go first."""
_APART = timedelta(hours=1)
"""Between two letters that tell somebody of messages about one request."""
_SMTP = "django.core.mail.backends.smtp.EmailBackend"


class Outbox(BaseEmailBackend):
    """Where whatever writes letters leaves them: confirmations of addresses and new passwords too."""

    def send_messages(self, messages: Iterable[Any]) -> int:
        """Keep them until they are sent."""
        kept = [
            Letter(kind="account", to=to, subject=each.subject, body=each.body) for each in messages for to in each.to
        ]
        Letter.objects.bulk_create(kept)
        return len(kept)


def write_letter(kind: str, person: Person, **told: Any) -> None:
    """A letter to somebody, in their language."""
    write_to(kind, person.email, "en" if person.language == "en" else "pt", name=person.name, **told)


def write_to(kind: str, address: str, language: Language, **told: Any) -> None:
    """The same to an address, where letters are sent at all."""
    if settings.PORTAL_HOME.mail:
        _worded(kind, address, language, **told).save()


def _worded(kind: str, address: str, language: Language, **told: Any) -> Letter:
    with speaking(language):
        subject, body = (text(f"portal.letter.{kind}-{part}", **told) for part in ("subject", "body"))
    letter: Letter = Letter(kind=kind, to=address, subject=subject, body=body)
    return letter


def tell_of(case: Case, *, by: Person | None = None, was: tuple[str, str] | None = None) -> None:
    """Write to whoever's turn it is now, or where it is over, to the other side of whoever ended it. ``by`` is who did
    it, and is not written to; ``was`` is the state and whose turn it was before: where nothing changed, nobody is.
    """
    if was == (case.state, case.owner):
        return
    if case.owner:
        _tell(case, "turn", _owners(case), by)
    else:
        _tell(case, "over", _other_side(case, by), by)


def tell_of_message(case: Case, by: Person) -> None:
    """Write to the other side that there is a message."""
    _tell(case, "message", _other_side(case, by), by, apart=_APART)


def _tell(
    case: Case, kind: str, people: Iterable[Person], by: Person | None, *, apart: timedelta = timedelta()
) -> None:
    """One letter to each, unless one waits already; not sooner than ``apart`` after the last."""
    if not settings.PORTAL_HOME.mail:
        return
    for person in people:
        if by is not None and person.pk == by.pk:
            continue
        told = {"name": person.name, "number": str(case), "link": _link(case)}
        letter = _worded(kind, person.email, "en" if person.language == "en" else "pt", **told)
        _save_apart(letter, Letter.objects.filter(kind=kind, to=letter.to, subject=letter.subject), apart)


def _save_apart(letter: Letter, alike: Any, apart: timedelta) -> None:
    """Unless one that is like it waits already; not sooner than ``apart`` after the last of these."""
    if not alike.filter(sent_at=None, tries__lt=MOST_TRIES).exists():
        last = alike.exclude(sent_at=None).order_by("-sent_at").first()
        letter.next_try = letter.next_try if last is None else max(letter.next_try, last.sent_at + apart)
        letter.save()


def tell_of_question(inquiry: Inquiry) -> None:
    """Write to the managers that a question waits, by at most one letter an hour whoever asks; or to whoever asked that
    it was decided on.
    """
    link = f"{settings.PORTAL_HOME.address}/questions/{inquiry.pk}"
    if inquiry.state != Inquiry.WAITING:
        if inquiry.person is not None:
            write_letter("answer", inquiry.person, number=str(inquiry), link=link)
        return
    for person in _active("manager") if settings.PORTAL_HOME.mail else ():
        told = {"name": person.name, "number": str(inquiry), "link": link}
        letter = _worded("question", person.email, "en" if person.language == "en" else "pt", **told)
        _save_apart(letter, Letter.objects.filter(kind="question", to=person.email), _APART)


def remind() -> int:
    """Write to whoever's turn ends soon, once for each day that it ends on; says how many were written to."""
    days, now, written = AgencySettings.current().reminder_days, timezone.now(), 0
    if not days or not settings.PORTAL_HOME.mail:
        return 0
    soon = Case.objects.exclude(owner="").filter(due__gt=now, due__lte=now + timedelta(days=days))
    for case in soon.exclude(reminded_of=F("due")).select_related("requester"):
        for person in _owners(case):
            day = _day(case.due, person.language)
            write_letter("reminder", person, number=str(case), link=_link(case), day=day)
            written += 1
        Case.objects.filter(pk=case.pk).update(reminded_of=case.due)
    return written


def _day(moment: datetime, language: str) -> str:
    local: datetime = timezone.localtime(moment)
    return local.strftime("%-d %b %Y" if language == "en" else "%d/%m/%Y")


def _link(case: Case) -> str:
    return f"{settings.PORTAL_HOME.address}/requests/{case.pk}"


def _owners(case: Case) -> list[Person]:
    return [case.requester] if case.owner == "requester" else _active(case.owner)


def _other_side(case: Case, by: Person | None) -> list[Person]:
    """The requester; or the managers, where it was the requester."""
    return _active("manager") if by is not None and by.pk == case.requester_id else [case.requester]


def _active(role: str) -> list[Person]:
    return list(Person.objects.filter(role=role, is_active=True))


def send_waiting() -> int:
    """Send what waits, what somebody waits for first; what fails is tried again later, ever more seldom. Says how many
    went out.
    """
    can_wait = ExpressionWrapper(Q(kind__in=_ABOUT_REQUESTS), output_field=BooleanField())
    due = waiting().filter(next_try__lte=timezone.now()).order_by(can_wait, "made_at")[:_AT_ONCE]
    if not settings.PORTAL_HOME.mail or not due:
        return 0
    connection, sent = get_connection(_SMTP), 0
    try:
        connection.open()
    except OSError as error:
        for letter in due:
            _failed(letter, error)
        return 0
    for letter in due:
        sent += _sent(letter, connection)
    connection.close()
    return sent


def _sent(letter: Letter, connection: Any) -> bool:
    try:
        connection.open()  # anew where the one before was broken off
        EmailMessage(letter.subject, letter.body, to=[letter.to], connection=connection).send()
    except Exception as error:  # what is wrong with one letter keeps no other from going
        _failed(letter, error)
        with suppress(Exception):
            connection.close()
        return False
    letter.tries += 1
    letter.sent_at, letter.problem, letter.body = timezone.now(), "", ""  # links in it are nobody's any more
    letter.save()
    return True


def _failed(letter: Letter, error: Exception) -> None:
    letter.tries += 1
    letter.next_try = timezone.now() + timedelta(minutes=2**letter.tries)
    letter.problem = type(error).__name__[:100]
    letter.save()


def waiting() -> Any:
    """Letters that are still tried."""
    return Letter.objects.filter(sent_at=None, tries__lt=MOST_TRIES)


def given_up() -> Any:
    """Letters that were tried often enough."""
    return Letter.objects.filter(sent_at=None, tries__gte=MOST_TRIES)


def try_again(letter: Letter) -> None:
    """At once, and as often as a new one."""
    Letter.objects.filter(pk=letter.pk, sent_at=None).update(tries=0, next_try=timezone.now())
