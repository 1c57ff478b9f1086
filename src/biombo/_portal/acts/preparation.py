"""Process 2: labels to columns, what each is, levels, and the release model."""

from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Any, ClassVar
from unicodedata import combining, normalize

from django import forms

from biombo._data import Schema
from biombo._hierarchy import Hierarchy
from biombo._i18n import language, text
from biombo._negotiate import Act, Prepare
from biombo._portal.acts.form import ActForm, Real
from biombo._portal.schemas import schema_of
from biombo._release import TECHNICAL_CONTROLS

Pairs = tuple[tuple[str, str], ...]

NOT_AVAILABLE = ""
_LABEL, _ROLE, _FIRST, _LAST = "label:", "role:", "first:", "last:"
_ROLES = ("quasi", "sensitive", "other")
_CLOSE = 0.55
"""From here on two words are alike enough to propose one for the other."""
_COMPARED = 60
"""Letters of a word that are compared."""
_USUAL = {"acquaintances": 100, "prevalence": 0.0001, "breach": 0.02}


def proposed_columns(wanted: Mapping[str, str], schema: Schema) -> dict[str, str | None]:
    """For each label the column that it most likely asks for, each column once: who fits best chooses first."""
    called = schema.labels(language())
    return dict(_proposed(tuple(wanted.items()), tuple((column, called.get(column, "")) for column in schema.columns)))


@lru_cache(maxsize=64)
def _proposed(wanted: Pairs, columns: Pairs) -> tuple[tuple[str, str | None], ...]:
    """The same, for labels with their meanings and columns with their labels: once for all who open the page."""
    fits = sorted(_fits(wanted, columns), key=lambda each: -each[0])
    found: dict[str, str | None] = {label: None for label, _ in wanted}
    taken: set[str] = set()
    for _, label, column in fits:
        if found[label] is None and column not in taken:
            found[label] = column
            taken.add(column)
    return tuple(found.items())


def _fits(wanted: Pairs, columns: Pairs) -> Iterator[tuple[float, str, str]]:
    """How well a label fits a column, by names and by what people call columns; what it means counts less. Only what is
    close: whoever asks may write much.
    """
    words = [(label, _plain(label), _plain(meaning)) for label, meaning in wanted]
    for column, called in columns:
        compared = [_Alike(name) for name in dict.fromkeys((_plain(column), _plain(called))) if name]
        for label, plain, meaning in words:
            fit = max((max(each.to(plain), 0.9 * each.to(meaning)) for each in compared), default=0.0)
            if fit > _CLOSE:
                yield fit, label, column


class _Alike:
    """How alike words are to one name."""

    def __init__(self, name: str) -> None:
        self._name, self._matcher = name, SequenceMatcher(None, "", name[:_COMPARED])

    def to(self, word: str) -> float:
        """From 0 to 1; what is not close is 0."""
        if not word:
            return 0.0
        within = 0.9 if len(word) > 2 and (word in self._name or self._name in word) else 0.0
        matcher = self._matcher
        matcher.set_seq1(word[:_COMPARED])
        close = matcher.real_quick_ratio() > _CLOSE and matcher.quick_ratio() > _CLOSE
        return max(within, matcher.ratio() if close else 0.0)


def _plain(word: str) -> str:
    letters = normalize("NFKD", word).casefold()
    return " ".join("".join(each if each.isalnum() else " " for each in letters if not combining(each)).split())


class PrepareForm(ActForm):
    """The manager says which column has what was asked for, what it is, and how much protection it takes."""

    kind: ClassVar[type[Act]] = Prepare
    template: ClassVar[str] = "portal/acts/prepare.html"

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """For each label its column and role; then levels, then the release model."""
        self.schema = schema_of(self.case.data_set)
        yield from self._label_fields()
        request = self.state.request
        if request.dimension != "structure":
            yield "k", forms.IntegerField(min_value=2, max_value=100_000, initial=10)
        if request.dimension != "truth":
            yield "epsilon", Real(min_value=0.001, max_value=100, initial="1")
        for name in ("harm", "motivation"):
            yield name, self._choice(name, ("low", "medium", "high"))
        yield "controls", self._choice("controls", ("none", "low", "medium", "high"))
        yield (
            "control",
            forms.MultipleChoiceField(
                choices=[(each, text(f"decision.control.{each}")) for each in TECHNICAL_CONTROLS],
                widget=forms.CheckboxSelectMultiple,
                required=False,
            ),
        )
        yield "acquaintances", forms.IntegerField(min_value=0, initial=_USUAL["acquaintances"])
        yield "prevalence", Real(min_value=0, max_value=1, initial=_USUAL["prevalence"])
        yield "breach", Real(min_value=0, max_value=1, initial=_USUAL["breach"])
        yield (
            "where_column",
            forms.ChoiceField(choices=[("", "–"), *((name, name) for name in self.schema.columns)], required=False),
        )
        yield "where_value", forms.CharField(max_length=200, required=False)
        yield "message", forms.CharField(max_length=4000, required=False, widget=forms.Textarea(attrs={"rows": 3}))

    def _label_fields(self) -> Iterator[tuple[str, forms.Field]]:
        columns = [
            (NOT_AVAILABLE, text("portal.prepare.not-available")),
            *((name, name) for name in self.schema.columns),
        ]
        roles = [(role, text(f"portal.role-of-column.{role}")) for role in _ROLES]
        proposals = proposed_columns(self.state.request.wanted, self.schema)
        for number, label in enumerate(self.state.request.wanted):
            proposed = proposals[label]
            role = self.schema[proposed].role if proposed else "quasi"
            yield (
                f"{_LABEL}{number}",
                forms.ChoiceField(
                    choices=columns,
                    required=False,
                    label=label,
                    initial=proposed or NOT_AVAILABLE,
                    help_text=self._reason(proposed),
                ),
            )
            yield (
                f"{_ROLE}{number}",
                forms.ChoiceField(
                    choices=roles,
                    required=False,
                    label=text("portal.prepare.role-of", label=label),
                    initial=role if role in _ROLES else "quasi",
                ),
            )
            if self.state.request.dimension != "truth" and (proposed is None or self._is_date(proposed)):
                for key in (_FIRST, _LAST):
                    yield (
                        f"{key}{number}",
                        forms.DateField(
                            required=False,
                            label=text(f"portal.prepare.{key[:-1]}-of", label=label),
                            widget=forms.DateInput(attrs={"type": "date"}),
                        ),
                    )

    def _is_date(self, column: str) -> bool:
        """May noise on its days need the first and the last one?"""
        return self.schema[column].type == "date"

    def _reason(self, column: str | None) -> str:
        if column is None:
            return text("portal.prepare.none-alike")
        why = self.schema[column].why(language())
        return why or text("portal.prepare.by-name")

    @staticmethod
    def _choice(name: str, options: tuple[str, ...]) -> forms.ChoiceField:
        return forms.ChoiceField(
            choices=[(each, text(f"portal.degree.{each}")) for each in options],
            initial="medium" if name != "controls" else "low",
        )

    @property
    def label_rows(self) -> list[tuple[str, str, Any, Any, list[Any]]]:
        """For each label: itself, what it means, its column, its role, days where dates may get noise."""
        rows = []
        for number, (label, description) in enumerate(self.state.request.wanted.items()):
            days = [self[f"{key}{number}"] for key in (_FIRST, _LAST) if f"{key}{number}" in self.fields]
            rows.append((label, description, self[f"{_LABEL}{number}"], self[f"{_ROLE}{number}"], days))
        return rows

    @property
    def level_fields(self) -> list[Any]:
        """TG and ε."""
        return [self[name] for name in ("k", "epsilon") if name in self.fields]

    @property
    def model_fields(self) -> list[Any]:
        """The release model."""
        names = ("harm", "motivation", "controls", "acquaintances", "prevalence", "breach")
        return [self[name] for name in names]

    @property
    def control_field(self) -> Any:
        """The technical controls that the decision counts on."""
        return self["control"]

    @property
    def other_fields(self) -> list[Any]:
        """Which records, and a message."""
        return [self[name] for name in ("where_column", "where_value", "message")]

    def entries(self) -> dict[str, Any]:
        """The act: columns by label, the schema of these columns, the model."""
        told, columns, kept, dates = self.cleaned_data, {}, {}, {}
        for number, label in enumerate(self.state.request.wanted):
            column = told.get(f"{_LABEL}{number}") or None
            columns[label] = column
            if column is not None:
                tree = self.schema.to_tree()["columns"].get(column) or {}
                kept[column] = {**_without_reason(tree), "role": told.get(f"{_ROLE}{number}") or "quasi"}
                first, last = told.get(f"{_FIRST}{number}"), told.get(f"{_LAST}{number}")
                if first and last:
                    dates[column] = [first.isoformat(), last.isoformat()]
        for name in [each for tree in kept.values() for each in _read_by(tree)]:
            tree = self.schema.to_tree()["columns"].get(name) or {}
            kept.setdefault(name, {entry: tree[entry] for entry in ("role", "domain") if entry in tree})
        for name in self.schema.with_role("identifier"):
            kept.setdefault(name, {"role": "identifier"})
        schema: dict[str, Any] = {"columns": kept}
        if self.schema.person is not None:
            schema["person"] = self.schema.person
        return {
            "columns": columns,
            "schema": Schema.from_tree(schema).to_tree(),
            "model": self._model(),
            "k": told.get("k"),
            "epsilon": told.get("epsilon"),
            "where": {told["where_column"]: told["where_value"]} if told.get("where_column") else {},
            "dates": dates,
            "message": told.get("message") or "",
        }

    def _model(self) -> dict[str, Any]:
        names = ("harm", "motivation", "controls", "acquaintances", "prevalence", "breach")
        told = {name: self.cleaned_data[name] for name in names}
        chosen = self.cleaned_data.get("control")
        return told | ({"control": list(chosen)} if chosen else {})


def _read_by(tree: dict[str, Any]) -> tuple[str, ...]:
    """The columns that the hierarchy of a column is read off."""
    return Hierarchy.told(tree["hierarchy"]).reads if tree.get("hierarchy") else ()


def _without_reason(tree: dict[str, Any]) -> dict[str, Any]:
    """A column's entries without why ``inspect`` proposed them: it may tell of the data."""
    return {
        name: value
        for name, value in tree.items()
        if name in ("type", "hierarchy", "bounds", "domain", "label", "labels")
    }
