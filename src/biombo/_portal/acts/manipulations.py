"""Processes 5 and 6: the editor of manipulations. A requester chooses levels of what the manager has declared."""

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, ClassVar

from django import forms

from biombo._data import Schema
from biombo._hierarchy import Hierarchy
from biombo._i18n import text
from biombo._negotiate import Accept, Act, AskForPlans, NegotiationRecord, Propose, Suggest
from biombo._plan import Generalise, Operation, SuppressColumn
from biombo._portal.acts.form import ActForm, Share
from biombo._portal.acts.levels import level_spoken_of

AS_IT_IS, LEFT_OUT = "0", "out"
_COLUMN = "column:"


def hierarchies(record: NegotiationRecord) -> dict[str, Hierarchy]:
    """By quasi column: how it can be generalised, as the manager has declared; all or nothing where nothing was."""
    preparation = record.state.preparation
    if preparation is None:
        return {}
    schema = preparation.declared
    found = {}
    for column in schema.quasi:
        told = schema[column].hierarchy
        found[column] = Hierarchy.all_or_nothing() if told is None else _loaded(json.dumps(told))
    return found


def with_declared(act: dict[str, Any], record: NegotiationRecord) -> dict[str, Any]:
    """An act as a program sends it, with the hierarchies that the manager has declared where it names a column and a
    level alone, or gives a hierarchy as requesters read it: by its kind.
    """
    preparation = record.state.preparation
    ((name, told),) = act.items()
    operations = told.get("manipulations") if isinstance(told, dict) else None
    if preparation is None or not isinstance(operations, list):
        return act
    return {name: {**told, "manipulations": [_declared(each, preparation.declared) for each in operations]}}


def _declared(operation: Any, schema: Schema) -> Any:
    told = operation.get("generalise") if isinstance(operation, dict) else None
    if not isinstance(told, dict) or not isinstance(told.get("column"), str):
        return operation
    given, column = told.get("hierarchy"), told["column"]
    declared = schema[column].hierarchy if column in schema.columns else None
    is_by_kind = given is None or (isinstance(given, dict) and given.keys() == {"kind"})
    return {"generalise": {**told, "hierarchy": declared}} if declared is not None and is_by_kind else operation


@lru_cache(maxsize=256)
def _loaded(told: str) -> Hierarchy:
    """Editors show the same ones on every page."""
    return Hierarchy.told(json.loads(told))


def labels(record: NegotiationRecord) -> dict[str, str]:
    """By column: what the request calls it."""
    preparation = record.state.preparation
    columns = {} if preparation is None else preparation.columns
    return {column: label for label, column in columns.items() if column is not None}


def choices(hierarchy: Hierarchy) -> list[tuple[str, str]]:
    """What can be done to a column, by the names of its levels."""
    last = hierarchy.height - hierarchy.has_top  # where all that is left is “*”, the column is left out
    levels = [(str(level), hierarchy.level_told(level)) for level in range(1, last + 1)]
    return [(AS_IT_IS, text("portal.editor.as-it-is")), *levels, (LEFT_OUT, text("portal.editor.left-out"))]


def chosen(column: str, hierarchy: Hierarchy, choice: str) -> Operation | None:
    """The manipulation that a choice stands for."""
    if choice in ("", AS_IT_IS):
        return None
    return SuppressColumn(column) if choice == LEFT_OUT else Generalise(column, hierarchy, int(choice))


def choice_of(operation: Operation) -> str:
    """The choice that a manipulation stands for, where it is one."""
    if isinstance(operation, Generalise):
        is_nothing_left = operation.hierarchy.has_top and operation.level == operation.hierarchy.height
        return LEFT_OUT if is_nothing_left else str(operation.level)
    return LEFT_OUT if isinstance(operation, SuppressColumn) else AS_IT_IS


def examples(hierarchy: Hierarchy, choice: str) -> list[tuple[str, str]]:
    """Made-up values, and what becomes of them."""
    if choice in ("", AS_IT_IS):
        return []
    if choice == LEFT_OUT:
        return [(value, "–") for value in hierarchy.examples]
    return [(value, hierarchy.generalised(value, int(choice))) for value in hierarchy.examples]


def agreed_examples(record: NegotiationRecord) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """What was agreed on, column by column: what it is called, what becomes of it, and made-up values."""
    trees, called = hierarchies(record), labels(record)
    agreed = {
        name: choice_of(each) for each in record.state.agreement.manipulations for name in each.columns if name in trees
    }
    return [
        (called.get(column, column), dict(choices(tree)).get(choice, choice), examples(tree, choice))
        for column, tree in trees.items()
        if (choice := agreed.get(column, AS_IT_IS)) is not None
    ]


class _Editor(ActForm):
    """One choice for each quasi column."""

    template: ClassVar[str] = "portal/acts/editor.html"

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """A field for each column, then those of the act."""
        now = {name: choice_of(each) for each in self._beforehand() for name in each.columns}
        called = labels(self.record)
        for column, hierarchy in hierarchies(self.record).items():
            yield (
                f"{_COLUMN}{column}",
                forms.ChoiceField(
                    choices=choices(hierarchy),
                    required=False,
                    label=called.get(column, column),
                    help_text="" if called.get(column, column) == column else column,
                    initial=now.get(column, AS_IT_IS),
                ),
            )
        yield from super().told_fields()

    def _beforehand(self) -> tuple[Operation, ...]:
        """What is chosen when the page is opened: what the manager suggested last, or what was accepted before."""
        return self.state.suggested or self.state.agreement.manipulations

    @property
    def column_fields(self) -> list[Any]:
        """The choices, as the template shows them."""
        return [self[name] for name in self.fields if name.startswith(_COLUMN)]

    @property
    def other_fields(self) -> list[Any]:
        """All others."""
        return [self[name] for name in self.fields if not name.startswith(_COLUMN)]

    def manipulations(self) -> tuple[Operation, ...]:
        """What was chosen."""
        found = (
            chosen(column, hierarchy, self.cleaned_data.get(f"{_COLUMN}{column}", ""))
            for column, hierarchy in hierarchies(self.record).items()
        )
        return tuple(each for each in found if each is not None)

    def entries(self) -> dict[str, Any]:
        """The manipulations, and the rest."""
        rest = {name: value for name, value in super().entries().items() if not name.startswith(_COLUMN)}
        return {**rest, "manipulations": self.manipulations()}


class AcceptForm(_Editor):
    """The requester names what it can live with; that is measured at once."""

    kind: ClassVar[type[Act]] = Accept

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """With the share that may be suppressed."""
        for name, field in super().told_fields():
            if name == "max_suppression":
                field.required, field.initial = False, "0"
            yield name, field

    @property
    def measurements_left(self) -> int:
        """What is left of the budget."""
        return self.record.budget.left


class SuggestForm(_Editor):
    """The manager suggests manipulations, and a TG with them."""

    kind: ClassVar[type[Act]] = Suggest

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """With the TG that the requester proposed."""
        for name, field in super().told_fields():
            if name == "k":
                field.initial = level_spoken_of(self.record, Propose)
            yield name, field

    def _beforehand(self) -> tuple[Operation, ...]:
        """What was accepted last, to be changed from there."""
        return self.state.agreement.manipulations or self.state.suggested


class AskForPlansForm(ActForm):
    """Which manipulations would do? Columns are weighed by how much it counts that they are kept."""

    kind: ClassVar[type[Act]] = AskForPlans
    template: ClassVar[str] = "portal/acts/plans.html"
    _WEIGHTS = (("1", "usual"), ("4", "much"), ("0.25", "little"))

    def told_fields(self) -> Iterator[tuple[str, forms.Field]]:
        """A weight for each column, and the share that may be suppressed."""
        said = [(weight, text(f"portal.weight.{name}")) for weight, name in self._WEIGHTS]
        called = labels(self.record)
        for column in hierarchies(self.record):
            label = called.get(column, column)
            yield f"{_COLUMN}{column}", forms.ChoiceField(choices=said, required=False, label=label)
        yield "max_suppression", Share(required=False, initial="0", label=text("portal.field.max_suppression"))

    @property
    def measurements_left(self) -> int:
        """What is left of the budget."""
        return self.record.budget.left

    def entries(self) -> dict[str, Any]:
        """Weights that are not as usual."""
        told = {
            name.removeprefix(_COLUMN): float(value)
            for name, value in self.cleaned_data.items()
            if name.startswith(_COLUMN) and value not in ("", "1")
        }
        return {"weights": told, "max_suppression": self.cleaned_data.get("max_suppression") or 0.0}
