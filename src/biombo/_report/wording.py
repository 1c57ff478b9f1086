"""Numbers, names and sentences as a report writes them, in the language in use."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from markupsafe import Markup, escape

from biombo._attack import Part, Risk, RiskByPart, adversary_name, joint_name, numbered
from biombo._documents import is_unseen
from biombo._i18n import integer, language, number, percent, text

LONGEST = 48
SEVERAL_TABLES = ("dataset",)
"""What tells parts apart where each is a table of its own."""


def rich(key: str, **values: Any) -> Markup:
    """A text of the catalogue, which may hold tags, with ``values`` escaped before they are filled in."""
    safe = {name: escape(value) if isinstance(value, str) else value for name, value in values.items()}
    return Markup(text(key, **safe))


def counted(key: str, n: int, **values: Any) -> Markup:
    """The text under ``key`` that fits the number ``n``: ``.one`` or ``.many``."""
    return rich(f"{key}.{'one' if n == 1 else 'many'}", n=n, **values)


def percentage(share: float) -> str:
    """A share with two digits: 57.79%."""
    return f"{points(share)}%"


def points(share: float) -> str:
    """A difference of shares in percentage points, two digits: 41.14."""
    return number(_no_minus_zero(100 * share, 2), 2)


def of_records(count: int, rows: int) -> str:
    """A number of records with their share: 9,300 (11.3%)."""
    return text("report.number.of-records", count=count, share=count / rows)


def per_hundred(share: float) -> str:
    """A share for everyone: 58 of 100. Says so when rounding would turn it into nobody or everybody."""
    return text("report.number.per-hundred", n=hundredths(share))


def hundredths(share: float) -> str:
    """The same where it was said before that it is of 100: 58."""
    n = round(100 * share)
    if n == 0 and share > 0:
        return text("report.number.hardly-any")
    if n == 100 and share < 1:
        return text("report.number.nearly-all")
    return str(n)


def certainty(share: float, digits: int = 1) -> str:
    """A share for a sentence: 34.2%. Says so when rounding would turn it into nothing or everything."""
    least = 10.0 ** -(digits + 2)
    if 0 < share < least / 2:
        return text("report.number.less-than", share=percent(least, digits))
    if 1 - least / 2 < share < 1:
        return text("report.number.more-than", share=percent(1 - least, digits))
    return percent(share, digits)


def correlation(value: float | None) -> str:
    """A correlation coefficient, or that there is none."""
    if value is None:
        return text("report.number.not-defined")
    return number(_no_minus_zero(value, 2), 2).replace("-", "−")


def size_class(low: int, high: int | None) -> str:
    """A class of group sizes: 1, 5–9 or 100+."""
    if high is None:
        return f"{integer(low)}+"
    return integer(low) if low == high else f"{integer(low)}–{integer(high)}"


def moment(time: datetime) -> str:
    """A point in time with its offset from UTC."""
    offset = time.strftime("%z")
    zone = "" if offset in ("", "+0000") else f"{offset[:3]}:{offset[3:5]}".replace("-", "−")
    month = text(f"report.month.m{time.month}")
    return text(
        "report.month.moment", day=time.day, month=month, year=time.year, clock=f"{time:%H:%M}", zone=f"UTC{zone}"
    )


def _no_minus_zero(value: float, digits: int) -> float:
    return round(value, digits) + 0.0


def displayed(name: str | None, longest: int = LONGEST) -> str:
    """A name or value as a page shows it: on one line, without invisible characters, cut in its middle when long.

    >>> displayed("PA_IDADE"), displayed("a\\x00b\\u202ec"), len(displayed("x" * 500))
    ('PA_IDADE', 'a�b�c', 48)
    """
    if name is None:
        return text("report.names.missing")
    half = longest // 2
    cut = name if len(name) <= longest else f"{name[:half]}…{name[1 - half :]}"
    seen = "".join("�" if is_unseen(letter) else letter for letter in cut)
    return seen if seen.strip() else text("report.names.empty")


def marked(name: str) -> Markup:
    """A name for a sentence, escaped and set apart from the words around it."""
    return Markup('<span class="name">{}</span>').format(name)


def enumerated(names: Sequence[str]) -> Markup:
    """Names for a sentence, in the language in use: ``a, b and c``."""
    *most, last = map(marked, names)
    if not most:
        return last
    return Markup("{} {} {}").format(Markup(", ").join(most), text("report.names.and"), last)


@dataclass(frozen=True)
class Names:
    """What a report calls columns and parts."""

    columns: Mapping[str, str]
    """Every column in use, what is guessed jointly, and the columns that tell parts apart."""
    parts: Mapping[Part, str]
    labelled: bool
    """Is some column called by a label instead of its own name?"""
    adversaries: Mapping[str, str] = field(default_factory=dict)
    """The adversaries that have a label."""

    @classmethod
    def of(cls, risk: Risk | RiskByPart, labels: Mapping[str, str], also: Sequence[str] = ()) -> "Names":
        """Names for all that ``risk`` speaks of, and ``also`` some columns; one without a label keeps its own name."""
        outcomes: Mapping[Part, Risk] = {(): risk} if isinstance(risk, Risk) else risk.parts
        questions = [outcome.reidentification.evidence.scope for outcome in outcomes.values()]
        asked = (name for question in questions for name in (*question.quasi, *question.sensitive))
        used = cls.of_columns((*asked, *also), labels)
        columns = used.columns
        joint = {
            joint_name(question.sensitive): text(
                "report.names.jointly", columns=" + ".join(columns[name] for name in question.sensitive)
            )
            for question in questions
            if len(question.sensitive) > 1
        }
        parts = numbered(" · ".join(map(displayed, part)) for part in outcomes)
        by = {} if isinstance(risk, Risk) else _what_tells_apart(risk.by, labels)
        called = [outcome.reidentification.evidence.data.schema for outcome in outcomes.values()]
        adversaries = {
            name: label for schema in called for name, label in schema.adversaries_called(language()).items()
        }
        return cls({**by, **columns, **joint}, dict(zip(outcomes, parts, strict=True)), used.labelled, adversaries)

    @classmethod
    def of_columns(cls, columns: Iterable[str], labels: Mapping[str, str]) -> "Names":
        """Names for some columns of one table."""
        used = dict.fromkeys(columns)
        named = numbered(displayed(labels.get(name, name)) for name in used)
        return cls(dict(zip(used, named, strict=True)), {}, any(name in labels for name in used))

    def adversary(self, name: str) -> str:
        """An adversary by its label, or else by its name."""
        return displayed(self.adversaries.get(name) or adversary_name(name))

    def listed(self, columns: Iterable[str]) -> str:
        """Columns for a cell of a table: ``a, b, c``."""
        return ", ".join(self.columns[name] for name in columns)

    def told(self, columns: Iterable[str]) -> Markup:
        """Columns for a sentence: ``a, b and c``."""
        return enumerated([self.columns[name] for name in columns])


def _what_tells_apart(by: Sequence[str], labels: Mapping[str, str]) -> dict[str, str]:
    if tuple(by) == SEVERAL_TABLES:
        return {by[0]: text("report.names.dataset")}
    return {name: displayed(labels.get(name, name)) for name in by}
