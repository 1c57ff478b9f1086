"""The options of the commands: each declared once, by the name of what a request calls it, with how its text is read.

Help texts are keys of the catalogue; they are worded when they are shown. What stands behind the ``Option`` in an
annotation reads what people type: lists, pairs, levels, days.
"""

from datetime import date
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from typer import Argument, Option

from biombo._cli.typed import conditions, day_of, kind_per_column, level_bounds, names, per_column, sets, weights_of
from biombo._i18n import Language

_MUST_HOLD, _SEARCHING = "cli.panel.must-hold", "cli.panel.searching"
_DECIDING, _ON_RECORD = "cli.panel.deciding", "cli.panel.on-record"
"""Parts of the help page."""


def _review(typed: str) -> date:
    return day_of("--review", typed)


Files = Annotated[list[str], Argument(metavar="cli.metavar.files", help="cli.option.files")]
Filename = Annotated[str | None, Option("--filename", metavar="cli.metavar.pattern", help="cli.option.filename")]
Database = Annotated[str | None, Option("--database", metavar="URL", help="cli.option.database")]
Sheet = Annotated[str | None, Option("--sheet", metavar="cli.metavar.sheet", help="cli.option.sheet")]
Json = Annotated[bool, Option("--json", help="cli.option.json")]
Title = Annotated[str | None, Option("--title", metavar="cli.metavar.text", help="cli.option.title")]
Full = Annotated[bool, Option("--full", help="cli.option.full")]
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


PopulationTable = Annotated[
    str | None,
    Option(
        "--population-table",
        metavar="cli.metavar.table",
        help="cli.option.population-table",
        rich_help_panel=_MUST_HOLD,
    ),
]


def _bound(option: str, help: str) -> Any:
    """One number for all sensitive columns, or one for each of some."""
    declared = Option(option, metavar="cli.metavar.bound", help=help, rich_help_panel=_MUST_HOLD)
    return Annotated[list[str] | None, declared, partial(per_column, option)]


def _kind(option: str, help: str, *kinds: str) -> Any:
    """One of these kinds for all sensitive columns, or one for each of some."""
    declared = Option(option, metavar="|".join(kinds), help=help, rich_help_panel=_MUST_HOLD)
    return Annotated[list[str] | None, declared, partial(kind_per_column, option, kinds)]


def _share(option: str, help: str) -> Any:
    return Annotated[float | None, Option(option, metavar="cli.metavar.share", help=help, rich_help_panel=_MUST_HOLD)]


def _people(option: str, help: str) -> Any:
    return Annotated[int | None, Option(option, metavar="N", help=help, rich_help_panel=_MUST_HOLD)]


CRITERIA: dict[str, Any] = {
    "k": _people("--k", "cli.search.k"),
    "k_map": _people("--k-map", "cli.search.k-map"),
    "l": _bound("--l", "cli.search.l"),
    "l_kind": _kind("--l-kind", "cli.search.l-kind", "distinct", "entropy", "recursive"),
    "c": _bound("--c", "cli.search.c"),
    "alpha": _bound("--alpha", "cli.search.alpha"),
    "alpha_values": Annotated[
        str | None,
        Option("--alpha-values", metavar="a,b", help="cli.search.alpha-values", rich_help_panel=_MUST_HOLD),
        names,
    ],
    "t": _bound("--t", "cli.search.t"),
    "t_kind": _kind("--t-kind", "cli.search.t-kind", "equal", "ordered", "hierarchical"),
    "beta": _bound("--beta", "cli.search.beta"),
    "beta_kind": _kind("--beta-kind", "cli.search.beta-kind", "basic", "enhanced"),
    "delta_disclosure": _bound("--delta-disclosure", "cli.search.delta-disclosure"),
    "max_vulnerability": _bound("--max-vulnerability", "cli.search.max-vulnerability"),
    "max_leakage": _bound("--max-leakage", "cli.search.max-leakage"),
    "over": Annotated[
        Literal["group", "table"],
        Option("--over", metavar="group|table", help="cli.search.over", rich_help_panel=_MUST_HOLD),
    ],
    "max_presence": _share("--max-presence", "cli.search.max-presence"),
    "max_absence": _share("--max-absence", "cli.search.max-absence"),
    "max_average_risk": _share("--max-average-risk", "cli.search.max-average-risk"),
    "max_uniqueness": _share("--max-uniqueness", "cli.search.max-uniqueness"),
    "max_population_uniqueness": _share("--max-population-uniqueness", "cli.search.max-population-uniqueness"),
    "population_size": _people("--population-size", "cli.search.population-size"),
    "population_table": PopulationTable,
}
"""What must hold."""

COLUMNS: dict[str, Any] = {
    "schema": Schema,
    "quasi": Annotated[list[str] | None, Option("--quasi", metavar="a,b,c", help="cli.search.quasi"), sets],
    "sensitive": Sensitive,
}
"""What the columns are, where a plan may be searched for."""

LOSS_DOMAIN = Annotated[
    Literal["data", "hierarchy"],
    Option("--loss-domain", metavar="data|hierarchy", help="cli.search.loss-domain", rich_help_panel=_SEARCHING),
]

SEARCHING: dict[str, Any] = {
    "max_suppression": Annotated[
        float,
        Option(
            "--max-suppression",
            metavar="cli.metavar.share",
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
    "loss_domain": LOSS_DOMAIN,
    "time_limit": Annotated[
        float,
        Option(
            "--time-limit",
            metavar="cli.metavar.seconds",
            help="cli.search.time-limit",
            rich_help_panel=_SEARCHING,
        ),
    ],
    "recoding": Annotated[
        Literal["global", "local", "multidimensional", "multidimensional-relaxed"],
        Option("--recoding", metavar="cli.metavar.recoding", help="cli.search.recoding", rich_help_panel=_SEARCHING),
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
        float | None,
        Option("--threshold", metavar="cli.metavar.share", help="cli.publish.threshold", rich_help_panel=_DECIDING),
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
        float | None,
        Option("--prevalence", metavar="cli.metavar.share", help="cli.publish.prevalence", rich_help_panel=_DECIDING),
    ],
    "breach": Annotated[
        float | None,
        Option("--breach", metavar="cli.metavar.share", help="cli.publish.breach", rich_help_panel=_DECIDING),
    ],
    "control": Annotated[
        list[str] | None,
        Option("--control", metavar="cli.metavar.name", help="cli.publish.control", rich_help_panel=_DECIDING),
    ],
    "measure": Annotated[
        list[str] | None,
        Option("--measure", metavar="cli.metavar.text", help="cli.publish.measure", rich_help_panel=_DECIDING),
    ],
    "factor": Annotated[
        list[str] | None,
        Option("--factor", metavar="cli.metavar.factor", help="cli.publish.factor", rich_help_panel=_DECIDING),
    ],
    "expected_utility": Annotated[
        str | None,
        Option(
            "--expected-utility",
            metavar="cli.metavar.text",
            help="cli.publish.expected-utility",
            rich_help_panel=_DECIDING,
        ),
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

Where = Annotated[
    list[str] | None, Option("--where", metavar="cli.metavar.condition", help="cli.option.where"), conditions
]

READING: dict[str, Any] = {
    "where": Where,
    "filename": Filename,
    "database": Database,
    "sheet": Sheet,
    "engine": Engine,
}
"""Which records of files and queries are asked for, how these are read, and where."""
