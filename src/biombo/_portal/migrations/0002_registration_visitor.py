"""Registrations know whence they came."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0001_initial")]

    operations: ClassVar[list[object]] = [
        migrations.AddField(
            model_name="registration",
            name="visitor",
            field=models.CharField(blank=True, default="", max_length=64),
            preserve_default=False,
        ),
    ]
