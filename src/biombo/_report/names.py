"""Names that come from the data, made fit for a page. Whoever made the file chose them, so they are not trusted."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from biombo._attack import Part, Risk, RiskByPart, joint_name, numbered
from biombo._i18n import text

LONGEST = 48
SEVERAL_TABLES = ("dataset",)
"""What tells parts apart where each is a table of its own."""

_STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that are not seen but change how a page or a picture is read."""


def displayed(name: str | None, longest: int = LONGEST) -> str:
    """A name or value as a page shows it: on one line, without invisible characters, cut in its middle when long.

    >>> displayed("PA_IDADE"), displayed("a\\x00b\\u202ec"), len(displayed("x" * 500))
    ('PA_IDADE', 'a�b�c', 48)
    """
    if name is None:
        return text("report.names.missing")
    half = longest // 2
    cut = name if len(name) <= longest else f"{name[:half]}…{name[1 - half :]}"
    seen = "".join("�" if unicodedata.category(letter) in _STEERING else letter for letter in cut)
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

    @classmethod
    def of(cls, risk: Risk | RiskByPart, labels: Mapping[str, str], also: Sequence[str] = ()) -> "Names":
        """Names for all that ``risk`` speaks of, and ``also`` some columns; one without a label keeps its own name."""
        outcomes: Mapping[Part, Risk] = {(): risk} if isinstance(risk, Risk) else risk.parts
        questions = [outcome.reidentification.evidence.question for outcome in outcomes.values()]
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
        return cls({**by, **columns, **joint}, dict(zip(outcomes, parts, strict=True)), used.labelled)

    @classmethod
    def of_columns(cls, columns: Iterable[str], labels: Mapping[str, str]) -> "Names":
        """Names for some columns of one table."""
        used = dict.fromkeys(columns)
        named = numbered(displayed(labels.get(name, name)) for name in used)
        return cls(dict(zip(used, named, strict=True)), {}, any(name in labels for name in used))

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
