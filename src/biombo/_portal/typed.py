"""What people type: lines that are shown beside others' words, and sentences. Marks that nobody sees say nothing."""

from typing import Any

from django import forms

from biombo._documents import is_unseen, says_something


def one_line(typed: str) -> str:
    """What was typed on one line, without marks that nobody sees: these could turn the words beside it around, or make
    one name look like another.

    >>> one_line(" Ana\\u202e \\n Souza\\u200b")
    'Ana Souza'
    """
    return " ".join("".join(" " if mark.isspace() else "" if is_unseen(mark) else mark for mark in typed).split())


class Line(forms.CharField):
    """A name or a title."""

    def to_python(self, value: Any) -> str:
        """On one line; empty where nothing of it can be seen."""
        return one_line(super().to_python(value))


class Words(forms.CharField):
    """Sentences."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> str:
        """As they were typed; empty where nothing of them can be seen."""
        typed = str(super().to_python(value))
        return typed if says_something(typed) else ""
