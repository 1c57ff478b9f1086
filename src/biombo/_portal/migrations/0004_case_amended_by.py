"""By which event a request amends another: one event asks for one."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0003_inquiry")]

    operations: ClassVar[list[object]] = [
        migrations.AddField("case", "amended_by", models.CharField(blank=True, max_length=64)),
        migrations.AddConstraint(
            "case",
            models.UniqueConstraint(
                condition=models.Q(("amended_by", ""), _negated=True),
                fields=("amends", "amended_by"),
                name="one_request_for_an_event",
            ),
        ),
    ]
