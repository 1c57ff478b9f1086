"""Which columns no question can be answered by; and why one could not be answered, to be worded when it is shown."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0004_case_amended_by")]

    operations: ClassVar[list[object]] = [
        migrations.AddField("dataset", "unfit", models.JSONField(null=True)),
        migrations.RemoveField("inquiry", "problem"),
        migrations.AddField("inquiry", "error", models.JSONField(default=dict)),
    ]
