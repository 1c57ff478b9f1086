"""The first tables."""

from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import biombo._portal.models


class Migration(migrations.Migration):
    initial = True

    dependencies: ClassVar[list[tuple[str, str]]] = []

    operations: ClassVar[list[object]] = [
        migrations.CreateModel(
            name="Person",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("role", models.CharField(default="requester", max_length=20)),
                ("department", models.CharField(blank=True, max_length=200)),
                ("language", models.CharField(default="pt", max_length=2)),
                ("is_active", models.BooleanField(default=True)),
                ("joined", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="AgencySettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(blank=True, max_length=200)),
                ("votes", models.PositiveSmallIntegerField(default=0)),
                ("measurements", models.PositiveSmallIntegerField(default=30)),
                ("answer_days", models.PositiveSmallIntegerField(default=20)),
                ("extension_days", models.PositiveSmallIntegerField(default=10)),
                ("appeal_days", models.PositiveSmallIntegerField(default=10)),
                ("requester_days", models.PositiveSmallIntegerField(default=60)),
                ("link_days", models.PositiveSmallIntegerField(default=14)),
                ("retention_days", models.PositiveSmallIntegerField(default=180)),
                ("reminder_days", models.PositiveSmallIntegerField(default=3)),
            ],
        ),
        migrations.CreateModel(
            name="Department",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200, unique=True)),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=64, unique=True)),
                ("role", models.CharField(max_length=20)),
                ("department", models.CharField(blank=True, max_length=200)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires", models.DateTimeField()),
                ("used_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="Letter",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("to", models.EmailField(max_length=254)),
                ("subject", models.CharField(max_length=300)),
                ("body", models.TextField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("next_try", models.DateTimeField(default=django.utils.timezone.now)),
                ("sent_at", models.DateTimeField(null=True)),
                ("problem", models.CharField(blank=True, max_length=100)),
            ],
            options={
                "ordering": ("-made_at",),
            },
        ),
        migrations.CreateModel(
            name="Registration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("email", models.EmailField(max_length=254)),
                ("name", models.CharField(max_length=200)),
                ("password", models.CharField(max_length=200)),
                ("language", models.CharField(default="pt", max_length=2)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                "ordering": ("made_at",),
            },
        ),
        migrations.CreateModel(
            name="Case",
            fields=[
                ("number", models.BigAutoField(primary_key=True, serialize=False)),
                ("folder", models.CharField(blank=True, max_length=1000)),
                ("was_unlisted", models.BooleanField(default=False)),
                ("asked", biombo._portal.models.InOrder(default=dict)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("state", models.CharField(default="sending", max_length=20)),
                ("owner", models.CharField(blank=True, max_length=20)),
                ("due", models.DateTimeField(null=True)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("reminded_of", models.DateTimeField(null=True)),
                ("links_stopped_at", models.DateTimeField(null=True)),
                ("forgotten_at", models.DateTimeField(null=True)),
                ("amends", models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="portal.case")),
                (
                    "requester",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="cases", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-changed_at",),
            },
        ),
        migrations.CreateModel(
            name="Attachment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(default=biombo._portal.models.random_name, max_length=32, unique=True)),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("size", models.PositiveBigIntegerField()),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("removed_at", models.DateTimeField(null=True)),
                ("person", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
                (
                    "case",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="attachments",
                        to="portal.case",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DataSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("department", models.CharField(blank=True, max_length=200)),
                ("place", models.CharField(max_length=1000)),
                ("schema", models.TextField(blank=True)),
                ("is_offered", models.BooleanField(default=False)),
                ("added_at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "added_by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("name",),
            },
        ),
        migrations.CreateModel(
            name="CatalogueEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(default=biombo._portal.models.random_name, max_length=32, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("description", models.TextField(blank=True)),
                ("folder", models.CharField(max_length=1000)),
                ("private", models.CharField(blank=True, max_length=1000)),
                ("listed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("withdrawn_at", models.DateTimeField(null=True)),
                ("verified_at", models.DateTimeField(null=True)),
                ("holds", models.BooleanField(null=True)),
                (
                    "data_set",
                    models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to="portal.dataset"),
                ),
            ],
            options={
                "ordering": ("-listed_at",),
            },
        ),
        migrations.AddField(
            model_name="case",
            name="data_set",
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to="portal.dataset"),
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=64, unique=True)),
                ("way", models.CharField(default="download", max_length=20)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="portal.case"
                    ),
                ),
                ("person", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name="Draft",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.CharField(default=biombo._portal.models.random_name, max_length=32, unique=True)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("is_open", models.BooleanField(default=True)),
                ("answers", models.JSONField(default=dict)),
                ("results", models.JSONField(default=dict)),
                ("data_set", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to="portal.dataset")),
                (
                    "made_by",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=30)),
                ("asked", biombo._portal.models.InOrder(default=dict)),
                ("seen", models.CharField(blank=True, max_length=64)),
                ("status", models.CharField(default="waiting", max_length=10)),
                ("progress", models.FloatField(default=0.0)),
                ("stage", models.CharField(blank=True, max_length=200)),
                ("tries", models.PositiveSmallIntegerField(default=0)),
                ("error", models.JSONField(default=dict)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "case",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="portal.case"
                    ),
                ),
                (
                    "data_set",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="portal.dataset"
                    ),
                ),
                (
                    "draft",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="jobs", to="portal.draft"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-made_at",),
            },
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token", models.CharField(max_length=64, unique=True)),
                ("name", models.CharField(max_length=100)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("expires", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="TrailEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                ("role", models.CharField(blank=True, max_length=20)),
                ("what", models.CharField(max_length=40)),
                ("detail", models.JSONField(default=dict)),
                ("case", models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to="portal.case")),
                (
                    "person",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
            options={
                "ordering": ("-at", "-pk"),
            },
        ),
    ]
