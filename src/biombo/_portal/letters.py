"""E-mails: that it is somebody's turn, and nothing of what was said or measured. They wait until they are sent."""

from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db.models import F
from django.utils import timezone

from biombo._i18n import Language, speaking, text
from biombo._portal.models import AgencySettings, Case, Letter, Person

MOST_TRIES = 8
_AT_ONCE = 50
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
    if not settings.PORTAL_HOME.mail:
        return
    with speaking(language):
        subject, body = (text(f"portal.letter.{kind}-{part}", **told) for part in ("subject", "body"))
    Letter.objects.create(kind=kind, to=address, subject=subject, body=body)


def tell_of(case: Case) -> None:
    """Write to whoever's turn it is now."""
    for person in _owners(case):
        write_letter("turn", person, number=str(case), link=_link(case))


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
    if case.owner == "requester":
        return [case.requester]
    return list(Person.objects.filter(role=case.owner, is_active=True)) if case.owner else [case.requester]


def send_waiting() -> int:
    """Send what waits; what fails is tried again later, ever more seldom. Says how many went out."""
    due = waiting().filter(next_try__lte=timezone.now()).order_by("made_at")[:_AT_ONCE]
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
