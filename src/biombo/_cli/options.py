"""The options of the commands: each declared once, by the name of what a request calls it, with how its text is read.

Help texts are keys of the catalogue; they are worded when they are shown. What stands behind the ``Option`` in an
annotation reads what people type: lists, pairs, levels, days.
"""

import re
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from biombo._errors import UsageError
from biombo._i18n import Language

_MUST_HOLD, _SEARCHING = "cli.panel.must-hold", "cli.panel.searching"
_DECIDING, _ON_RECORD = "cli.panel.deciding", "cli.panel.on-record"
"""Parts of the help page."""


def names(typed: str | None) -> list[str] | None:
    """The names in ``a,b,c``; nothing where nothing was typed.

    >>> names("age, sex")
    ['age', 'sex']
    """
    if typed is None:
        return None
    found = [name.strip() for name in typed.split(",")]
    if not all(found):
        raise UsageError("usage.empty-name", typed=typed)
    return found


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
    """
    found: dict[str, str | None] = {}
    for piece in typed:
        for pair in re.split(r",(?=[^,=]+=)", piece):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not name or not equals:
                raise UsageError(refusal, typed=piece)
            found[name] = value or None
    return found


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

    >>> weights_of(["age=2,sex=0.5"])
    {'age': 2.0, 'sex': 0.5}
    """
    found: dict[str, float] = {}
    for column, weight in pairs(typed, "usage.weight-pairs").items():
        try:
            found[column] = float(weight or "")
        except ValueError:
            raise UsageError("usage.weights", column=column, typed=weight or "") from None
    return found


def day_of(option: str, typed: str) -> date:
    """The day that was typed for ``option``.

    >>> day_of("--review", "2027-01-31")
    datetime.date(2027, 1, 31)
    """
    try:
        return date.fromisoformat(typed)
    except ValueError:
        raise UsageError("register.no-day", option=option, typed=typed) from None


def _review(typed: str) -> date:
    return day_of("--review", typed)


Files = Annotated[list[str], Argument(metavar="cli.metavar.files", help="cli.option.files")]
Filename = Annotated[str | None, Option("--filename", metavar="cli.metavar.pattern", help="cli.option.filename")]
Database = Annotated[str | None, Option("--database", metavar="URL", help="cli.option.database")]
Json = Annotated[bool, Option("--json", help="cli.option.json")]
Force = Annotated[bool, Option("--force", help="cli.option.force")]
Lang = Annotated[Language | None, Option("--lang", metavar="pt|en", help="cli.option.lang")]
"""Read before anything is worded (see ``frame.py``); declared so that every command's help lists it."""
RequestFile = Annotated[Path | None, Option("--request", metavar="cli.metavar.request", help="cli.option.request")]
SaveRequest = Annotated[
    Path | None, Option("--save-request", metavar="cli.metavar.request", help="cli.option.save-request")
]

SaveForce = Annotated[bool, Option("--force", help="cli.option.save-force")]
"""For commands that write nothing else that could be there already."""

Schema = Annotated[str | None, Option("--schema", metavar="cli.metavar.schema", help="cli.option.schema")]
Sensitive = Annotated[str | None, Option("--sensitive", metavar="s,t", help="cli.option.sensitive"), names]

CRITERIA: dict[str, Any] = {
    "k": Annotated[int | None, Option("--k", metavar="N", help="cli.search.k", rich_help_panel=_MUST_HOLD)],
    "l": Annotated[float | None, Option("--l", metavar="N", help="cli.search.l", rich_help_panel=_MUST_HOLD)],
    "l_kind": Annotated[
        Literal["distinct", "entropy", "recursive"],
        Option("--l-kind", metavar="distinct|entropy|recursive", help="cli.search.l-kind", rich_help_panel=_MUST_HOLD),
    ],
    "c": Annotated[float | None, Option("--c", metavar="X", help="cli.search.c", rich_help_panel=_MUST_HOLD)],
    "t": Annotated[float | None, Option("--t", metavar="X", help="cli.search.t", rich_help_panel=_MUST_HOLD)],
    "t_kind": Annotated[
        Literal["equal", "ordered", "hierarchical"],
        Option("--t-kind", metavar="equal|ordered|hierarchical", help="cli.search.t-kind", rich_help_panel=_MUST_HOLD),
    ],
    "max_vulnerability": Annotated[
        float | None,
        Option("--max-vulnerability", metavar="X", help="cli.search.max-vulnerability", rich_help_panel=_MUST_HOLD),
    ],
    "max_leakage": Annotated[
        float | None, Option("--max-leakage", metavar="X", help="cli.search.max-leakage", rich_help_panel=_MUST_HOLD)
    ],
    "over": Annotated[
        Literal["group", "table"],
        Option("--over", metavar="group|table", help="cli.search.over", rich_help_panel=_MUST_HOLD),
    ],
}
"""What must hold."""

COLUMNS: dict[str, Any] = {
    "schema": Schema,
    "quasi": Annotated[list[str] | None, Option("--quasi", metavar="a,b,c", help="cli.search.quasi"), sets],
    "sensitive": Sensitive,
}
"""What the columns are, where a plan may be searched for."""

SEARCHING: dict[str, Any] = {
    "max_suppression": Annotated[
        float,
        Option(
            "--max-suppression",
            metavar="X",
            help="cli.search.max-suppression",
            rich_help_panel=_SEARCHING,
        ),
    ],
    "hierarchies": Annotated[
        Path | None,
        Option(
            "--hierarchies", metavar="cli.metavar.folder", help="cli.search.hierarchies", rich_help_panel=_SEARCHING
        ),
    ],
    "prefer": Annotated[
        list[str] | None,
        Option("--prefer", metavar="cli.metavar.policy", help="cli.search.prefer", rich_help_panel=_SEARCHING),
    ],
    "level": Annotated[
        list[str] | None,
        Option("--level", metavar="cli.metavar.level", help="cli.search.level", rich_help_panel=_SEARCHING),
        level_bounds,
    ],
    "weights": Annotated[
        list[str] | None,
        Option("--weights", metavar="a=2,b=1", help="cli.search.weights", rich_help_panel=_SEARCHING),
        weights_of,
    ],
    "missing": Annotated[
        Literal["stop", "own-branch", "suppress"],
        Option("--missing", metavar="stop|own-branch|suppress", help="cli.search.missing", rich_help_panel=_SEARCHING),
    ],
    "drop_invalid": Annotated[
        bool, Option("--drop-invalid", help="cli.search.drop-invalid", rich_help_panel=_SEARCHING)
    ],
    "time_limit": Annotated[
        float,
        Option(
            "--time-limit",
            metavar="cli.metavar.seconds",
            help="cli.search.time-limit",
            rich_help_panel=_SEARCHING,
        ),
    ],
}
"""How a plan is searched for."""

SMALL_GROUPS = Annotated[
    Literal["mask", "drop"],
    Option("--small-groups", metavar="mask|drop", help="cli.publish.small-groups", rich_help_panel=_SEARCHING),
]

MODEL: dict[str, Any] = {
    "release_model": Annotated[
        Literal["public", "controlled"] | None,
        Option(
            "--release-model", metavar="public|controlled", help="cli.publish.release-model", rich_help_panel=_DECIDING
        ),
    ],
    "harm": Annotated[
        Literal["low", "medium", "high"] | None,
        Option("--harm", metavar="low|medium|high", help="cli.publish.harm", rich_help_panel=_DECIDING),
    ],
    "threshold": Annotated[
        float | None, Option("--threshold", metavar="X", help="cli.publish.threshold", rich_help_panel=_DECIDING)
    ],
    "motivation": Annotated[
        Literal["low", "medium", "high"] | None,
        Option("--motivation", metavar="low|medium|high", help="cli.publish.motivation", rich_help_panel=_DECIDING),
    ],
    "controls": Annotated[
        Literal["none", "low", "medium", "high"] | None,
        Option("--controls", metavar="none|low|medium|high", help="cli.publish.controls", rich_help_panel=_DECIDING),
    ],
    "acquaintances": Annotated[
        int | None, Option("--acquaintances", metavar="N", help="cli.publish.acquaintances", rich_help_panel=_DECIDING)
    ],
    "prevalence": Annotated[
        float | None, Option("--prevalence", metavar="X", help="cli.publish.prevalence", rich_help_panel=_DECIDING)
    ],
    "breach": Annotated[
        float | None, Option("--breach", metavar="X", help="cli.publish.breach", rich_help_panel=_DECIDING)
    ],
    "control": Annotated[
        list[str] | None,
        Option("--control", metavar="cli.metavar.name", help="cli.publish.control", rich_help_panel=_DECIDING),
    ],
    "measure": Annotated[
        list[str] | None,
        Option("--measure", metavar="cli.metavar.text", help="cli.publish.measure", rich_help_panel=_DECIDING),
    ],
    "override_reason": Annotated[
        str | None,
        Option(
            "--override-reason",
            metavar="cli.metavar.text",
            help="cli.publish.override-reason",
            rich_help_panel=_DECIDING,
        ),
    ],
}
"""Whether the risk is acceptable."""

What = Annotated[
    str | None, Option("--what", metavar="cli.metavar.text", help="cli.publish.what", rich_help_panel=_ON_RECORD)
]
Department = Annotated[
    str | None,
    Option("--department", metavar="cli.metavar.name", help="cli.publish.department", rich_help_panel=_ON_RECORD),
]
Recipients = Annotated[
    list[str] | None,
    Option("--recipient", metavar="cli.metavar.name", help="cli.publish.recipient", rich_help_panel=_ON_RECORD),
]
Access = Annotated[
    Literal["copy", "online", "on-site", "on-request"],
    Option("--access", metavar="copy|online|on-site|on-request", help="cli.publish.access", rich_help_panel=_ON_RECORD),
]
Review = Annotated[
    str | None,
    Option("--review", metavar="cli.metavar.day", help="cli.publish.review", rich_help_panel=_ON_RECORD),
    _review,
]

RECORD: dict[str, Any] = {
    "register": Annotated[
        str | None, Option("--register", metavar="URL", help="cli.publish.register", rich_help_panel=_ON_RECORD)
    ],
    "what": What,
    "department": Department,
    "recipient": Recipients,
    "access": Access,
    "review": Review,
}
"""What a register is told."""

Engine = Annotated[str, Option("--engine", metavar="cli.metavar.engine", help="cli.option.engine")]

READING: dict[str, Any] = {"filename": Filename, "database": Database, "engine": Engine}
"""How files and queries are read, and where."""
