"""Questions to tables that stay inside."""

from typing import ClassVar

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import biombo._portal.models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0002_registration_visitor")]

    operations: ClassVar[list[object]] = [
        migrations.AddField("dataset", "takes_questions", models.BooleanField(default=False)),
        migrations.AddField("dataset", "questions_k", models.PositiveSmallIntegerField(default=10)),
        migrations.CreateModel(
            name="Inquiry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("asked", biombo._portal.models.InOrder(default=dict)),
                ("purpose", models.TextField()),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("state", models.CharField(default="waiting", max_length=10)),
                ("foreseen", models.JSONField(null=True)),
                ("decided_at", models.DateTimeField(null=True)),
                ("reason", models.TextField(blank=True)),
                ("problem", models.TextField(blank=True)),
                ("answer", biombo._portal.models.InOrder(null=True)),
                (
                    "data_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="inquiries", to="portal.dataset"
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="inquiries",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={"ordering": ("-made_at",)},
        ),
    ]
