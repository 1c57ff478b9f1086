"""What people type, read: lists, pairs, levels, numbers, days.

A name that holds a comma, a quotation mark at its beginning or spaces around it is quoted as in CSV: ``a,"b, c"``.
"""

import re
from collections.abc import Iterable, Sequence
from datetime import date
from math import isfinite, nan
from typing import Any

from biombo._errors import UsageError

_QUOTED = r'"(?P<quoted>(?:[^"]|"")*)"'
_NAME = re.compile(rf'\s*(?:{_QUOTED}|(?P<plain>[^,"][^,]*?)?)\s*(?:,|$)')
_KEY = re.compile(rf'\s*(?:{_QUOTED}|(?P<plain>[^,="][^,=]*?))\s*=')
_VALUE = re.compile(rf"\s*{_QUOTED}\s*(?:,|$)")
_NEXT_PAIR = re.compile(r',(?=\s*(?:"(?:[^"]|"")*"|[^,="][^,=]*)\s*=)')
_CONDITION = re.compile(rf'\s*(?:{_QUOTED}|(?P<plain>[^<>="][^<>=]*?))\s*(?P<sign><=|>=|<|>|=)(?P<value>.*)', re.DOTALL)
_LIMITS = {">=": "at-least", ">": "above", "<=": "at-most", "<": "below"}
_PLAIN_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]+)?")
_NUMBER = re.compile(r"(?P<whole>[0-9]{1,9})(?:(?P<mark>[.,])(?P<decimals>[0-9]+))?(?P<percent>\s*%)?")


def names(typed: str | None) -> list[str] | None:
    """The names in ``a,b,c``; nothing where nothing was typed.

    >>> names("age, sex"), names('age,"income, monthly"')
    (['age', 'sex'], ['age', 'income, monthly'])
    """
    if typed is None:
        return None
    found, position, more = list[str](), 0, True
    while more:
        match = _NAME.match(typed, position)
        if match is None:
            raise UsageError("usage.quoted-name", typed=typed)
        found.append(_name(match))
        position, more = match.end(), match[0].endswith(",")
    if not all(found):
        raise UsageError("usage.empty-name", typed=typed)
    return found


def _name(match: re.Match[str]) -> str:
    """What stands in quotation marks as it is; else what was typed."""
    return _unquoted(match["quoted"]) or match["plain"] or ""


def _unquoted(within: str | None) -> str:
    return (within or "").replace('""', '"')


def all_names(typed: Iterable[str]) -> list[str]:
    """The names in several such lists."""
    return [name for each in typed for name in names(each) or ()]


def sets(typed: Iterable[str]) -> list[list[str]]:
    """A set of names for each such list."""
    return [found for each in typed if (found := names(each))]


def pairs(typed: Iterable[str], refusal: str = "usage.pairs") -> dict[str, str | None]:
    """The pairs in ``a=1,b=2``, typed in one piece or several. A comma inside of a value is taken as such; no value
    means a missing one. What is no pair becomes the error ``refusal``.

    >>> pairs(["age=45,sex=F", "income=32,19", "race="])
    {'age': '45', 'sex': 'F', 'income': '32,19', 'race': None}
    >>> pairs(['"income, monthly"=32,town="Rio, RJ"'])
    {'income, monthly': '32', 'town': 'Rio, RJ'}
    """
    found: dict[str, str | None] = {}
    for piece in typed:
        position = 0
        while position < len(piece) or not piece:
            key = _KEY.match(piece, position)
            if key is None or not _name(key):
                raise UsageError(refusal, typed=piece)
            if _name(key) in found:
                raise UsageError("usage.pair-twice", column=_name(key))
            value, position = _value(piece, key.end())
            found[_name(key)] = value or None
    return found


def _value(piece: str, start: int) -> tuple[str, int]:
    """The value that begins at ``start``, and where the next pair does."""
    if quoted := _VALUE.match(piece, start):
        return _unquoted(quoted["quoted"]), quoted.end()
    following = _NEXT_PAIR.search(piece, start)
    end = len(piece) if following is None else following.start()
    return piece[start:end].strip(), len(piece) if following is None else following.end()


def columns_with_levels(typed: Iterable[str]) -> dict[str, list[str]]:
    """The columns in ``a,b`` as they are, and those in ``c=1,3`` at levels of their hierarchies.

    >>> columns_with_levels(["sex,race", "municipality=0,state"])
    {'sex': ['0'], 'race': ['0'], 'municipality': ['0', 'state']}
    """
    found: dict[str, list[str]] = {}
    for piece in typed:
        column, sign, levels = piece.partition("=")
        for name in names(column) or ():
            if name in found:
                raise UsageError("tabulate.column-twice", column=name)
            found[name] = names(levels) or [] if sign else ["0"]
    return found


def numbers(typed: str) -> list[float]:
    """The numbers in ``2,0.85``.

    >>> numbers("2, 0.85")
    [2.0, 0.85]
    """
    try:
        return [float(each) for each in typed.split(",")]
    except ValueError:
        raise UsageError("usage.numbers", typed=typed) from None


def conditions(typed: Iterable[str]) -> dict[str, Any]:
    """What records must meet, one condition in each piece: a value or a limit for a column. Several values of a column
    are alternatives; no value means a missing one. A name with =, < or > in it stands in quotes, and what follows the
    sign is taken as it is.

    >>> conditions(["city=A", "city=B, C", "age>=18", "age<65,5", "race="])
    {'city': ['A', 'B, C'], 'age': {'at-least': 18, 'below': 65.5}, 'race': ['']}
    >>> conditions(['"a>=b"=x', "day>=2023-01-01"])
    {'a>=b': ['x'], 'day': {'at-least': '2023-01-01'}}
    """
    found: dict[str, Any] = {}
    for piece in typed:
        match = _CONDITION.fullmatch(piece)
        if match is None or not _name(match):
            raise UsageError("usage.where", typed=piece)
        column, value = _name(match), match["value"].strip()
        entry = {_LIMITS[match["sign"]]: _limit(value)} if match["sign"] in _LIMITS else [_as_text(value)]
        found[column] = _with(found[column], entry, column) if column in found else entry
    return found


def _with(before: Any, more: Any, column: str) -> Any:
    """Both conditions on a column."""
    if isinstance(before, list) and isinstance(more, list):
        return [*before, *more]
    if isinstance(before, dict) and isinstance(more, dict) and not before.keys() & more.keys():
        return before | more
    raise UsageError("usage.where-twice", column=column)


def _as_text(value: str) -> str:
    quoted = re.fullmatch(_QUOTED, value)
    return value if quoted is None else _unquoted(quoted["quoted"])


def _limit(typed: str) -> int | float | str:
    """A number, where it is one; else what was typed, such as a date."""
    sign, digits = (-1, typed[1:]) if typed.startswith("-") else (1, typed)
    number = with_point(digits)
    if not _PLAIN_NUMBER.fullmatch(number):
        return typed
    return sign * (float(number) if "." in number else int(number))


Level = int | str


def level_bounds(typed: Iterable[str]) -> dict[str, Level | tuple[Level | None, Level | None]]:
    """The levels that columns may have, by number or by name.

    >>> level_bounds(["sex=0,age=1-2", "zip=-3", "born=month-5 years"])
    {'sex': 0, 'age': (1, 2), 'zip': (None, 3), 'born': ('month', '5 years')}
    """
    found: dict[str, Level | tuple[Level | None, Level | None]] = {}
    for column, levels in pairs(typed, "usage.level-pairs").items():
        lowest, dash, highest = (part.strip() for part in (levels or "").partition("-"))
        if not lowest and not highest:
            raise UsageError("usage.levels", column=column, typed=levels or "")
        found[column] = (_bound(lowest), _bound(highest)) if dash else _level(lowest)
    return found


def _bound(typed: str) -> Level | None:
    return _level(typed) if typed else None


def _level(typed: str) -> Level:
    return int(typed) if typed.isdecimal() else typed


def weights_of(typed: Iterable[str]) -> dict[str, float]:
    """How much columns count.

    >>> weights_of(["age=2,sex=0.5,race=0,5"])
    {'age': 2.0, 'sex': 0.5, 'race': 0.5}
    """
    found: dict[str, float] = {}
    for column, weight in pairs(typed, "usage.weight-pairs").items():
        try:
            found[column] = float(with_point(weight or ""))
        except ValueError:
            raise UsageError("usage.weights", column=column, typed=weight or "") from None
    return found


def per_column(option: str, typed: Sequence[str]) -> float | dict[str, float]:
    """What was typed for ``option``: one number for all columns, or one for each that is named.

    >>> per_column("--l", ["3"]), per_column("--t", ["race=20%,income=0,1", "city=0.3"])
    (3.0, {'race': 0.2, 'income': 0.1, 'city': 0.3})
    """
    plain = [each for each in typed if "=" not in each]
    if len(plain) == len(typed) == 1:
        return _number_for(option, plain[0])
    if plain:
        raise UsageError("usage.per-column", option=option, typed=" ".join(typed))
    return {column: _number_for(option, value or "") for column, value in pairs(typed, "usage.bound-pairs").items()}


def _number_for(option: str, typed: str) -> float:
    """The number that was typed for an option, which is named where it is none."""
    try:
        return number_of(typed)
    except UsageError as error:
        if error.key != "usage.no-number":
            raise
        raise UsageError("usage.option-number", option=option, typed=typed) from None


def kind_per_column(option: str, kinds: Sequence[str], typed: Sequence[str]) -> str | dict[str, str]:
    """What was typed for ``option``: one of the ``kinds`` for all columns, or one for each that is named.

    >>> kind_per_column("--l-kind", ["distinct", "entropy"], ["race=entropy,income=distinct"])
    {'race': 'entropy', 'income': 'distinct'}
    """
    plain = [each for each in typed if "=" not in each]
    found = {} if plain else pairs(typed, "usage.bound-pairs")
    if len(plain) == len(typed) == 1 and plain[0] in kinds:
        return plain[0]
    if plain or not {*found.values()} <= {*kinds}:
        raise UsageError("usage.kind", option=option, typed=" ".join(typed), kinds=", ".join(kinds), first=kinds[0])
    return {column: kind or "" for column, kind in found.items()}


def needed(typed: str) -> str:
    """What was typed. Raises where nothing was."""
    if not typed.strip():
        raise UsageError("usage.nothing-typed")
    return typed


def number_of(typed: str, *, whole: bool = False) -> float:
    """A number as people type it; of one that must be ``whole``, a point may be one between thousands too.

    >>> number_of("5%"), number_of("0,05"), number_of("150")
    (0.05, 0.05, 150.0)
    """
    if may_be_thousands(typed, ",." if whole else ","):
        raise UsageError("usage.thousands", **both_meanings(typed))
    try:
        found = float(with_point(typed.strip(), share=not whole))
    except ValueError:
        found = nan
    if not isfinite(found):
        raise UsageError("usage.no-number", typed=typed)
    return found


def with_point(typed: str, *, share: bool = False) -> str:
    """A number as Python has it: a decimal comma is a point, and of a ``share`` a percentage is a part of one. What
    could also mean thousands, or is no such number, is given back as it is.

    >>> with_point("0,02"), with_point("2%", share=True), with_point("0,5 %", share=True), with_point("1,000")
    ('0.02', '0.02', '0.005', '1,000')
    """
    match = _NUMBER.fullmatch(typed.strip())
    if match is None or (match["percent"] and not share) or may_be_thousands(typed):
        return typed
    number = f"{match['whole']}.{match['decimals'] or 0}" if match["mark"] else match["whole"]
    return _hundredth(match["whole"], match["decimals"] or "") if match["percent"] else number


def may_be_thousands(typed: str, marks: str = ",") -> bool:
    """Could one of these ``marks`` stand between thousands as well as before decimals?

    >>> may_be_thousands("1,000"), may_be_thousands("0,125"), may_be_thousands("1,5"), may_be_thousands("1.000")
    (True, False, False, False)
    """
    match = _NUMBER.fullmatch(typed.strip())
    return (
        match is not None
        and (match["mark"] or " ") in marks
        and len(match["decimals"]) == 3
        and int(match["whole"]) > 0
    )


def both_meanings(typed: str) -> dict[str, str]:
    """What was typed, and the two numbers that it could mean.

    >>> both_meanings("1,000")
    {'typed': '1,000', 'thousands': '1000', 'decimals': '1.000'}
    """
    with_decimals = typed.replace(",", ".")
    return {"typed": typed, "thousands": with_decimals.replace(".", ""), "decimals": with_decimals}


def _hundredth(whole: str, decimals: str) -> str:
    """The digits with the point two places further to the left: no arithmetic, so nothing is rounded."""
    digits = whole.zfill(3)
    return f"{digits[:-2]}.{digits[-2:]}{decimals}"


def day_of(option: str, typed: str) -> date:
    """The day that was typed for ``option``.

    >>> day_of("--review", "2027-01-31")
    datetime.date(2027, 1, 31)
    """
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise UsageError("register.no-day", option=option, typed=typed) from None
