"""Paths are kept from the portal's folder on: it may be moved, linked to or put back elsewhere."""

from typing import Any, ClassVar

from django.db import migrations

from biombo._portal.models import KeptPath, keep_paths_anew


def _keep_anew(apps: Any, _editor: Any) -> None:
    keep_paths_anew(apps)


class Migration(migrations.Migration):
    dependencies: ClassVar[list[tuple[str, str]]] = [("portal", "0005_questions")]

    operations: ClassVar[list[object]] = [
        migrations.AlterField("dataset", "place", KeptPath(max_length=1000)),
        migrations.AlterField("case", "folder", KeptPath(blank=True, max_length=1000)),
        migrations.AlterField("catalogueentry", "folder", KeptPath(max_length=1000)),
        migrations.RunPython(_keep_anew, migrations.RunPython.noop),
    ]
