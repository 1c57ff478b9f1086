"""The portal as Django knows it."""

from django.apps import AppConfig


class Portal(AppConfig):
    """One application: its tables, templates and static files."""

    name = "biombo._portal"
    label = "portal"
    verbose_name = "Biombo"
