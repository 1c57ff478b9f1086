"""Which columns no question can be answered by."""

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0004_case_amended_by")]

    operations: ClassVar[list[object]] = [migrations.AddField("dataset", "unfit", models.JSONField(null=True))]
