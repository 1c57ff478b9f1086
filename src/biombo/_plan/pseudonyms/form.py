"""The form of a value: what is left of it when its letters and digits are not looked at."""

from collections.abc import Container


def shape_of(value: str) -> str:
    """``value`` with 9 for every digit and A for every letter, for messages that must not show it.

    >>> shape_of("123.456-Zé")
    '999.999-AA'
    """
    return "".join("9" if mark.isdigit() else "A" if mark.isalpha() else mark for mark in value)


def letters_in(value: str, alphabet: Container[str]) -> str:
    """What ``value`` has of ``alphabet``.

    >>> letters_in("123-4", "0123456789")
    '1234'
    """
    return "".join(mark for mark in value if mark in alphabet)


def in_form_of(form: str, letters: str, alphabet: Container[str]) -> str:
    """``form`` with ``letters`` in the places of its own.

    >>> in_form_of("123-4", "9876", "0123456789")
    '987-6'
    """
    following = iter(letters)
    return "".join(next(following) if mark in alphabet else mark for mark in form)
