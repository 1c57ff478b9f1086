"""The R script of an sdcMicro session, as its graphical interface saves it, as schema and request."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from biombo._data import ColumnSchema, Role, Schema
from biombo._errors import InputError
from biombo._files import read_whole, text_in, without_folders
from biombo._i18n import text
from biombo._migration.r_script import Argument, Call, Unread, read_script
from biombo._migration.taken_over import Kind, TakenOver
from biombo._requests import SearchRequest

_LARGEST = 1 << 23
_CREATE = "createSdcObj"
_PARAMETERS = {
    _CREATE: (
        "dat",
        "keyVars",
        "numVars",
        "pramVars",
        "ghostVars",
        "weightVar",
        "hhId",
        "strataVar",
        "sensibleVar",
        "excludeVars",
        "options",
        "seed",
        "randomizeRecords",
        "alpha",
    ),
    "localSuppression": ("obj", "k", "importance", "combs"),
    "kAnon": ("obj", "k", "importance", "combs"),
    "ldiversity": ("obj", "ldiv_index", "l_recurs_c", "missing"),
}
_BY_PLACE = {_CREATE: 3, "localSuppression": 3, "kAnon": 3, "ldiversity": 2}
"""How many arguments are known by their place: of the others, versions of sdcMicro differ."""
_UNDO = "undolast"
_TECHNIQUES = {
    "globalRecode": "generalise",
    "groupAndRename": "generalise",
    "groupVars": "generalise",
    "topBotCoding": "top-bottom-code",
    "microaggregation": "microaggregate",
    "mafast": "microaggregate",
    "microaggrGower": "microaggregate",
    "addNoise": "add-noise",
    "pram": "pram",
    "rankSwap": "rank-swap",
    "shuffle": "swap",
    "localSupp": "mask-groups",
    "LocalRecProg": "generalise",
    "dataGen": "synthesise",
}
"""Steps that a search does not take: the technique that does the like here."""
_OF_NO_MATTER = {
    "library",
    "require",
    "set.seed",
    "rm",
    "setwd",
    "readMicrodata",
    "varToFactor",
    "varToNumeric",
    "get.sdcMicroObj",
    "set.sdcMicroObj",
    "extractManipData",
    "writeSafeFile",
    "report",
    "print",
    "show",
    "head",
    "summary",
    "calcRisks",
    "measure_risk",
    "freqCalc",
    "indivRisk",
    "dRisk",
    "dUtility",
    "suda2",
    "riskyCells",
    "modRisk",
}
"""Reading, measuring and writing: nothing of it is a setting."""

_ROLES: Mapping[str, Role] = {
    "keyVars": "quasi",
    "sensibleVar": "sensitive",
    "numVars": "undecided",
    "pramVars": "undecided",
    "weightVar": "undecided",
    "hhId": "undecided",
    "strataVar": "undecided",
    "excludeVars": "undecided",
}
_OTHERS = ("ghostVars", "options", "alpha")


def from_sdcmicro(path: str | Path) -> TakenOver:
    """What is taken over of the script at ``path``. Raises where no object is made in it, or not in words that can be
    read.
    """
    return _Reading(str(path)).taken_over()


@dataclass
class _Reading:
    path: str
    notes: list[tuple[Kind, str]] = field(default_factory=list)

    def taken_over(self) -> TakenOver:
        """Schema and request; there are no hierarchies in such a script."""
        made, steps = self._steps()
        given = self._given(made)
        columns = self._columns(made, given, steps)
        weight = next(iter(self._names(given, "weightVar", made)), None)
        schema = Schema(columns, weight=weight)
        request = SearchRequest(**self._asked(schema, steps))
        counts = {kind: sum(each == kind for each, _ in self.notes) for kind in ("taken", "other", "without")}
        headline = text("migration.sdcmicro.headline", file=without_folders(self.path), **counts)
        return TakenOver(headline, schema, request, {}, tuple(self.notes))

    def _note(self, kind: Kind, key: str, **words: Any) -> None:
        self.notes.append((kind, text(f"migration.sdcmicro.{key}", **words)))

    def _script(self) -> str:
        content = read_whole(self.path)
        if len(content) > _LARGEST or b"\0" in content:
            raise InputError("migration.r-file", path=self.path)
        return text_in(content)

    def _steps(self) -> tuple[Call, list[Call]]:
        """The call that makes the object, and what is done to it; what was undone is left out."""
        made: Call | None = None
        steps: list[Call] = []
        for each in read_script(self._script()):
            if not isinstance(each, Call):
                self._note("without", "statement", line=each.line, written=each.written)
            elif each.function == _CREATE:
                if made is not None:
                    raise InputError("migration.r-twice", path=self.path, line=each.line, first=made.line)
                made = each
            elif each.function == _UNDO:
                undone = steps.pop() if steps else None
                self._note("other", "undone", line=each.line, step="–" if undone is None else undone.written)
            elif each.function in _PARAMETERS or each.function in _TECHNIQUES:
                steps.append(each)
            elif each.function not in _OF_NO_MATTER:
                self._note("without", "statement", line=each.line, written=each.written)
        if made is None:
            raise InputError("migration.r-no-object", path=self.path)
        return made, steps

    def _given(self, call: Call) -> dict[str, Any]:
        """The arguments by their parameters, as R finds them: by name, by the beginning of one, by place."""
        parameters = _PARAMETERS[call.function]
        found: dict[str, Any] = {}
        left = list[Argument]()
        for each in call.arguments:
            if each.name is None:
                left.append(each)
                continue
            fitting = [name for name in parameters if name == each.name] or [
                name for name in parameters if name.startswith(each.name)
            ]
            if len(fitting) == 1 and fitting[0] not in found:
                found[fitting[0]] = each.value
            else:
                self._note("without", "argument", line=call.line, name=each.name, function=call.function)
        places = [name for name in parameters[: _BY_PLACE[call.function]] if name not in found]
        if len(left) > len(places):
            raise InputError("migration.r-places", path=self.path, line=call.line, function=call.function)
        return found | dict(zip(places, (each.value for each in left), strict=False))

    def _names(self, given: Mapping[str, Any], parameter: str, call: Call) -> list[str]:
        """The columns that an argument names. Raises where they are numbers, or come out of something else."""
        value = given.get(parameter)
        if value is None or isinstance(value, bool):
            return []
        names = value if isinstance(value, list) else [value]
        if not all(isinstance(each, str) for each in names):
            written = value.written if isinstance(value, Unread) else ", ".join(map(str, names))
            words = {"line": call.line, "parameter": parameter, "written": written}
            raise InputError("migration.r-names", path=self.path, **words)
        return list(dict.fromkeys(names))

    def _columns(self, made: Call, given: Mapping[str, Any], steps: Sequence[Call]) -> dict[str, ColumnSchema]:
        columns: dict[str, ColumnSchema] = {}
        for parameter, role in _ROLES.items():
            names = [name for name in self._names(given, parameter, made) if name not in columns]
            kind = "continuous" if parameter == "numVars" else "categorical"
            columns |= {name: ColumnSchema(role, kind) for name in names}  # type: ignore[arg-type]
            if names:
                taken: Kind = "taken" if role != "undecided" or parameter == "weightVar" else "without"
                self._note(taken, f"columns-{parameter}", columns=", ".join(names))
        for step in steps:
            if step.function == "ldiversity":
                for name in self._names(self._given(step), "ldiv_index", step):
                    columns.setdefault(name, ColumnSchema("sensitive"))
                    self._note("other", "ldiversity", line=step.line, column=name)
        if not any(each.role == "quasi" for each in columns.values()):
            raise InputError("migration.r-no-keys", path=self.path)
        for parameter in _OTHERS:
            if given.get(parameter) is not None:
                self._note("without", "parameter", parameter=parameter)
        return columns

    def _asked(self, schema: Schema, steps: Sequence[Call]) -> dict[str, Any]:
        """The largest k that was asked for, and how much columns count."""
        asked: dict[str, Any] = {}
        for step in steps:
            if step.function in ("localSuppression", "kAnon"):
                self._suppression(step, schema, asked)
            elif step.function in _TECHNIQUES:
                technique = _TECHNIQUES[step.function]
                self._note("without", "technique", line=step.line, written=step.written, technique=technique)
        if "k" in asked:
            self._note("other", "cells")
        else:
            self._note("without", "no-k")
        return asked

    def _suppression(self, step: Call, schema: Schema, asked: dict[str, Any]) -> None:
        given = self._given(step)
        k = given.get("k", 2)  # as sdcMicro has it where nothing is said
        sizes = k if isinstance(k, list) else [k]
        if given.get("combs") is not None:
            self._note("without", "combs", line=step.line)
        elif len(sizes) == 1 and isinstance(sizes[0], int) and not isinstance(sizes[0], bool) and sizes[0] >= 1:
            asked["k"] = max(asked.get("k", 1), sizes[0])
            self._note("taken", "k", line=step.line, k=sizes[0])
        else:
            self._note("without", "statement", line=step.line, written=step.written)
        self._importance(step, given.get("importance"), schema, asked)

    def _importance(self, step: Call, importance: Any, schema: Schema, asked: dict[str, Any]) -> None:
        if importance is None:
            return
        keys = schema.quasi
        ranks = importance if isinstance(importance, list) else [importance]
        if len(ranks) != len(keys) or not all(type(each) is int and 1 <= each <= len(keys) for each in ranks):
            self._note("without", "importance", line=step.line)
            return
        # the most important has 1 there, and counts most here
        asked["weights"] = {name: float(len(keys) + 1 - rank) for name, rank in zip(keys, ranks, strict=True)}
        told = ", ".join(f"{name}={len(keys) + 1 - rank}" for name, rank in zip(keys, ranks, strict=True))
        self._note("other", "weights", line=step.line, weights=told)
