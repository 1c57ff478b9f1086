"""What the portal keeps beside the chains of negotiations: people, tables, jobs, files handed over, letters, a trail.

A negotiation is its chain. Of it the database only has where it is, whose it is, and what a list of requests shows.
"""

import hashlib
import json
import secrets
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils import timezone

from biombo._addresses import holds_password

ROLES = ("requester", "manager", "committee", "auditor", "administrator")
DECLINED = "declined"
"""How a request for data that the agency does not have ends."""
_TOKEN_BYTES = 32


def hashed_token(token: str) -> str:
    """What is kept of a secret link: whoever reads the database cannot open it."""
    return hashlib.sha256(token.encode()).hexdigest()


def random_name() -> str:
    """A name that nobody chose and nobody can guess."""
    return secrets.token_hex(16)


class InOrder(models.TextField):  # type: ignore[type-arg, unused-ignore]
    """JSON as it was written: PostgreSQL's own kind forgets in which order somebody named what they want."""

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        """As it was."""
        return None if value is None else json.loads(value)

    def to_python(self, value: Any) -> Any:
        """Also from what was exported."""
        return json.loads(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> str | None:
        """As text."""
        return None if value is None else json.dumps(value, ensure_ascii=False)

    def value_to_string(self, obj: models.Model) -> str:
        """For an export."""
        return self.get_prep_value(self.value_from_object(obj)) or ""


class KeptPath(models.CharField):  # type: ignore[type-arg, unused-ignore]
    """A path of the portal's folder: kept from there on and read as a whole one, whatever the folder is called now."""

    def from_db_value(self, value: str, *_: Any) -> str:
        """As the folder is called now."""
        return str(settings.PORTAL_HOME.path_of(value))

    def get_prep_value(self, value: Any) -> str:
        """From the folder on."""
        return str(settings.PORTAL_HOME.inside(value)) if value else ""

    def value_to_string(self, obj: models.Model) -> str:
        """For an export."""
        return self.get_prep_value(self.value_from_object(obj))


def keep_paths_anew(apps: Any) -> None:
    """Have paths that were kept whole kept from the portal's folder on, wherever that is now."""
    for name, field in (("DataSet", "place"), ("Case", "folder"), ("CatalogueEntry", "folder")):
        rows = apps.get_model("portal", name).objects
        for row in rows.exclude(**{field: ""}).only(field):
            rows.filter(pk=row.pk).update(**{field: getattr(row, field)})


class People(BaseUserManager):
    """All accounts."""

    def create_user(self, email: str, password: str | None = None, **told: Any) -> "Person":
        """A new account; without a password nobody can log into it by one."""
        person: Person = self.model(email=self.normalize_email(email).lower(), **told)
        person.set_password(password)
        return self._vouched(person)

    def approved(self, registration: "Registration") -> "Person":
        """The account that somebody has asked for."""
        told = {"name": registration.name, "language": registration.language, "password": registration.password}
        return self._vouched(self.model(email=registration.email.lower(), role="requester", **told))

    def _vouched(self, person: "Person") -> "Person":
        """Kept, with an address that the agency answers for: no letter has to prove it."""
        from allauth.account.models import EmailAddress

        person.save(using=self._db)
        EmailAddress.objects.create(user=person, email=person.email, verified=True, primary=True)
        return person

    def unproved(self, email: str) -> Any:
        """Accounts that somebody made with an address which no letter has proved to be theirs, and that nobody has been
        in: whoever has the address need not give way to them.
        """
        mine = self.filter(email__iexact=email, last_login=None, emailaddress__verified=False)
        return self.filter(pk__in=mine.exclude(emailaddress__verified=True).values("pk"))

    def get_by_natural_key(self, email: str) -> "Person":
        """The account of an address, however it is capitalised."""
        found: Person = self.get(email__iexact=email)
        return found


class Person(AbstractBaseUser):
    """Somebody with an account, in one role: who has two has two accounts, so that it is known in which they act."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200)
    role = models.CharField(max_length=20, default="requester")
    department = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=2, default="pt")
    is_active = models.BooleanField(default=True)
    joined = models.DateTimeField(default=timezone.now)

    objects = People()
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ("name",)

    def __str__(self) -> str:
        return str(self.name)

    @property
    def actor_id(self) -> str:
        """By what negotiations know who somebody is."""
        return f"person-{self.pk}"

    @property
    def called(self) -> str:
        """The name by which somebody stands in chains, which take nothing that looks like a password."""
        return self.actor_id if holds_password(self.name) else str(self.name)


class Invitation(models.Model):
    """A link that makes one account of a role, once. The first makes the administrator."""

    token = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20)
    department = models.CharField(max_length=200, blank=True)
    made_at = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    @classmethod
    def make(cls, role: str, *, department: str = "", days: int = 7) -> str:
        """A new one; gives the token, which is not kept."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        until = timezone.now() + timedelta(days=days)
        cls.objects.create(token=hashed_token(token), role=role, department=department, expires=until)
        return token

    @classmethod
    def behind(cls, token: str) -> "Invitation | None":
        """The one that may still be used."""
        found: Invitation | None = cls.objects.filter(
            token=hashed_token(token), used_at=None, expires__gt=timezone.now()
        ).first()
        return found


class AgencySettings(models.Model):
    """How the agency negotiates; one row."""

    name = models.CharField(max_length=200, blank=True)
    votes = models.PositiveSmallIntegerField(default=0)
    measurements = models.PositiveSmallIntegerField(default=30)
    answer_days = models.PositiveSmallIntegerField(default=20)
    extension_days = models.PositiveSmallIntegerField(default=10)
    appeal_days = models.PositiveSmallIntegerField(default=10)
    requester_days = models.PositiveSmallIntegerField(default=60)
    link_days = models.PositiveSmallIntegerField(default=14)
    """How long a link to a release can be used."""
    retention_days = models.PositiveSmallIntegerField(default=180)
    """How long the table behind a request, and what came with it, is kept once that has ended."""
    reminder_days = models.PositiveSmallIntegerField(default=3)
    """So many days before a turn ends a letter says so; 0: none does."""

    @classmethod
    def current(cls) -> "AgencySettings":
        """The settings in force."""
        current: AgencySettings = cls.objects.get_or_create(pk=1)[0]
        return current


class DataSets(models.Manager):  # type: ignore[type-arg, unused-ignore]
    """All tables."""

    def offered(self) -> Any:
        """Those that people may ask for: one that is gone, or that nobody has looked at, is none."""
        return self.filter(is_offered=True).exclude(place="").exclude(schema="")

    def asked(self) -> Any:
        """Those that people may ask questions, while they stay inside."""
        return self.filter(takes_questions=True).exclude(place="").exclude(schema="")


class DataSet(models.Model):
    """A table of the agency that people may ask for: what it is, in public; where it is, for workers alone."""

    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    department = models.CharField(max_length=200, blank=True)
    place: Any = KeptPath(max_length=1000)
    """The path of the file, under a name that nobody chose where it was handed in; empty until it was fetched, and from
    when the rule of retention has removed it."""
    schema = models.TextField(blank=True)
    """What its columns are (YAML): proposed by ``inspect``, changed by managers."""
    is_offered = models.BooleanField(default=False)
    """May requesters ask for it?"""
    takes_questions = models.BooleanField(default=False)
    """May requesters ask it questions, while it stays inside?"""
    questions_k = models.PositiveSmallIntegerField(default=10)
    """People in a cell that is told, at least; settled by the first question."""
    unfit = models.JSONField(null=True)
    """By use, ``by`` or ``mean``: the columns that no question can be answered by, and why, for the agency; with the
    hash of the description that they were looked at for. None until a worker has.
    """
    added_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL)
    added_at = models.DateTimeField(default=timezone.now)

    objects = DataSets()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)

    @property
    def is_gone(self) -> bool:
        """Has the rule of retention removed its file? What is still to be fetched, or could not be, was never there."""
        fetching = self.jobs.filter(kind="fetch").exclude(status=Job.DONE).exclude(status=Job.FAILED, error={})
        return not self.place and not fetching.exists()

    @property
    def schema_hash(self) -> str:
        """By what a form, or a job, knows which description of the columns it was made for."""
        return hashlib.sha256(self.schema.encode()).hexdigest()[:16]

    def unfit_for(self, use: str) -> dict[str, Any]:
        """What was found of its columns as they are described now."""
        is_of_these = self.unfit is not None and self.unfit["schema"] == self.schema_hash
        return dict(self.unfit[use]) if is_of_these else {}


class Inquiry(models.Model):
    """A question to a table that stays inside, until a manager has decided on it; its history is beside the tables."""

    WAITING, APPROVED, ANSWERED, REJECTED, FAILED = "waiting", "approved", "answered", "rejected", "failed"
    STATES = (WAITING, APPROVED, ANSWERED, REJECTED, FAILED)

    data_set = models.ForeignKey(DataSet, on_delete=models.CASCADE, related_name="inquiries")
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="inquiries")
    asked = InOrder(default=dict)
    """``by``, ``mean``, ``where`` and ``totals`` of the request that asks it."""
    purpose = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, default=WAITING)
    foreseen = models.JSONField(null=True)
    """How many cells it has, and how many would be refused by the history alone, each nothing where the data settle
    that with the first answer; none until a worker has seen to it.
    """
    decided_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)
    """Why it was rejected."""
    error = models.JSONField(default=dict)
    """Why it could not be answered, for the agency: the key of a sentence with its values, worded when it is shown."""
    answer = InOrder(null=True)
    """What was said."""

    class Meta:
        ordering = ("-made_at",)

    def __str__(self) -> str:
        return f"{self.pk:04}"

    @property
    def key(self) -> str:
        """By what its history knows it: once a copy was put back, its number may be another's. Copies of PostgreSQL
        keep no more of a moment than its milliseconds.
        """
        return f"{self.pk} {self.made_at.isoformat(timespec='milliseconds')}"

    @property
    def asker_id(self) -> int | None:
        """Whose it is; nobody's where there is no such account any more."""
        return self.person_id  # type: ignore[no-any-return, unused-ignore]


class CatalogueEntry(models.Model):
    """A proactive release that everybody can see."""

    slug = models.CharField(max_length=32, unique=True, default=random_name)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    folder: Any = KeptPath(max_length=1000)
    private = models.CharField(max_length=1000, blank=True)
    """Where its vault is, from the portal's folder; empty where it has none."""
    data_set = models.ForeignKey(DataSet, null=True, on_delete=models.SET_NULL)
    listed_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True)
    verified_at = models.DateTimeField(null=True)
    holds = models.BooleanField(null=True)
    """Did it hold when it was verified last?"""

    class Meta:
        ordering = ("-listed_at",)

    def __str__(self) -> str:
        return str(self.title)


class Draft(models.Model):
    """A release that a manager works on: what was chosen, and what came of each step."""

    slug = models.CharField(max_length=32, unique=True, default=random_name)
    data_set = models.ForeignKey(DataSet, on_delete=models.CASCADE)
    made_by = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(default=timezone.now)
    is_open = models.BooleanField(default=True)
    answers = models.JSONField(default=dict)
    results = models.JSONField(default=dict)
    """By step."""


class Case(models.Model):
    """A request and its negotiation. ``folder`` is empty until it has begun."""

    number = models.BigAutoField(primary_key=True)
    folder: Any = KeptPath(max_length=1000, blank=True)
    data_set = models.ForeignKey(DataSet, null=True, on_delete=models.PROTECT)
    """None until a manager has named one, where the requester found none in the list."""
    was_unlisted = models.BooleanField(default=False)
    requester = models.ForeignKey(Person, on_delete=models.PROTECT, related_name="cases")
    asked = InOrder(default=dict)
    """The request, until its chain has it."""
    amends = models.ForeignKey("self", null=True, on_delete=models.PROTECT)
    amended_by = models.CharField(max_length=64, blank=True)
    """The hash of the event of that request which asked for this one: one event asks for one."""
    made_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=20, default="sending")
    owner = models.CharField(max_length=20, blank=True)
    due = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(default=timezone.now)
    reminded_of = models.DateTimeField(null=True)
    """The day of which whoever's turn it is was reminded."""
    links_stopped_at = models.DateTimeField(null=True)
    """When a manager took a link back: until one says so, the requester makes no other."""
    forgotten_at = models.DateTimeField(null=True)
    """When what it said was erased: from then on it is about nobody."""

    class Meta:
        ordering = ("-changed_at",)
        constraints = (
            models.UniqueConstraint(
                fields=("amends", "amended_by"), condition=~models.Q(amended_by=""), name="one_request_for_an_event"
            ),
        )

    def __str__(self) -> str:
        return f"{self.number:04}"

    @property
    def asker_id(self) -> int:
        """Whose it is."""
        return self.requester_id  # type: ignore[no-any-return, unused-ignore]


class Attachment(models.Model):
    """A file that came with a request, under a name that nobody chose."""

    slug = models.CharField(max_length=32, unique=True, default=random_name)
    case = models.ForeignKey(Case, null=True, on_delete=models.CASCADE, related_name="attachments")
    person = models.ForeignKey(Person, on_delete=models.PROTECT)
    name = models.CharField(max_length=200)
    """What its owner calls it: shown, never used as a path."""
    sha256 = models.CharField(max_length=64)
    size = models.PositiveBigIntegerField()
    added_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)
    """When the rule of retention removed the file."""


class Job(models.Model):
    """Work that takes longer than a page may: an act with all that is measured for it, a table to look at."""

    WAITING, RUNNING, DONE, FAILED = "waiting", "running", "done", "failed"

    kind = models.CharField(max_length=30)
    case = models.ForeignKey(Case, null=True, on_delete=models.CASCADE, related_name="jobs")
    data_set = models.ForeignKey(DataSet, null=True, on_delete=models.CASCADE, related_name="jobs")
    draft = models.ForeignKey(Draft, null=True, on_delete=models.CASCADE, related_name="jobs")
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL)
    asked = InOrder(default=dict)
    """What is to be done: an act as it stands in events, or what a kind of job takes."""
    seen = models.CharField(max_length=64, blank=True)
    """The hash of the last event that the person had seen."""
    status = models.CharField(max_length=10, default=WAITING)
    progress = models.FloatField(default=0.0)
    stage = models.CharField(max_length=200, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.JSONField(default=dict)
    """Why it failed: the key of a sentence with its values, worded when it is shown."""
    made_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-made_at",)

    @property
    def is_over(self) -> bool:
        """Is there nothing to wait for?"""
        return self.status in (self.DONE, self.FAILED)


class Delivery(models.Model):
    """A way to fetch a release, for one person, until a day, unless it is taken back."""

    token = models.CharField(max_length=64, unique=True)
    case = models.ForeignKey(Case, on_delete=models.CASCADE, related_name="deliveries")
    person = models.ForeignKey(Person, on_delete=models.PROTECT)
    way = models.CharField(max_length=20, default="download")
    """As the chain says: ``download``, ``encrypted`` or ``view-only``."""
    made_at = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    @property
    def is_open(self) -> bool:
        """Can it be used now?"""
        return self.revoked_at is None and self.expires > timezone.now()


class Letter(models.Model):
    """An e-mail that waits until it is sent, and is tried again; once sent, what it said is not kept."""

    kind = models.CharField(max_length=20)
    to = models.EmailField()
    subject = models.CharField(max_length=300)
    body = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=100, blank=True)
    """What kind of error the last try ended with."""

    class Meta:
        ordering = ("-made_at",)


class Registrations(models.Manager):  # type: ignore[type-arg, unused-ignore]
    """All who wait."""

    def drop_oldest(self, most: int, **those: Any) -> None:
        """Keep so many, the newest; of ``those`` alone where some are named."""
        too_many = list(self.filter(**those).order_by("-made_at", "-pk").values_list("pk", flat=True)[most:])
        self.filter(pk__in=too_many).delete()


class Registration(models.Model):
    """Somebody who wants an account, until a letter has proved the address, or, where none is sent, the administrator
    has decided. It is kept whether the address has an account or not, so that nobody learns that by trying.
    """

    email = models.EmailField()
    name = models.CharField(max_length=200)
    password = models.CharField(max_length=200)
    """As accounts keep it: hashed."""
    language = models.CharField(max_length=2, default="pt")
    visitor = models.CharField(max_length=64, blank=True)
    """Whence it came, so that nobody pushes those of others out: told by a keyed hash for this address alone."""
    made_at = models.DateTimeField(default=timezone.now)

    objects = Registrations()

    class Meta:
        ordering = ("made_at",)

    @property
    def is_taken(self) -> bool:
        """Has the address an account by now?"""
        return bool(Person.objects.filter(email__iexact=self.email).exists())


class Department(models.Model):
    """A part of the agency, to be chosen in forms."""

    name = models.CharField(max_length=200, unique=True)

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return str(self.name)


class Token(models.Model):
    """What a program of somebody's shows instead of a password; only its hash is kept."""

    token = models.CharField(max_length=64, unique=True)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    made_at = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)

    @classmethod
    def make(cls, person: Person, name: str, *, days: int = 90) -> str:
        """A new one; gives the token, which is not kept."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        cls.objects.create(token=hashed_token(token), person=person, name=name, expires=in_days(days))
        return token

    @classmethod
    def behind(cls, token: str) -> "Person | None":
        """Whose it is, while it may be used and the account is open."""
        found = cls.objects.select_related("person").filter(
            token=hashed_token(token), revoked_at=None, expires__gt=timezone.now(), person__is_active=True
        )
        held: Token | None = found.first()
        return None if held is None else held.person


class TrailEntry(models.Model):
    """Something that happened outside of negotiations, or with their files: only ever added."""

    at = models.DateTimeField(default=timezone.now)
    person = models.ForeignKey(Person, null=True, on_delete=models.SET_NULL)
    role = models.CharField(max_length=20, blank=True)
    what = models.CharField(max_length=40)
    case = models.ForeignKey(Case, null=True, on_delete=models.SET_NULL)
    detail = models.JSONField(default=dict)

    class Meta:
        ordering = ("-at", "-pk")

    @classmethod
    def add(cls, what: str, person: "Person | None", case: "Case | None" = None, **detail: Any) -> None:
        """Write down that it happened."""
        known = person if person is not None and person.is_authenticated else None
        cls.objects.create(what=what, person=known, role="" if known is None else known.role, case=case, detail=detail)


def in_days(days: int) -> datetime:
    """So many days from now."""
    now: datetime = timezone.now()
    return now + timedelta(days=days)
