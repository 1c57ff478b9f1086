"""Criteria read from the plain values of a plan."""

from dataclasses import MISSING, fields
from typing import Any

from biombo._criteria.criterion import Criterion
from biombo._criteria.k_anonymity import KAnonymity
from biombo._criteria.l_diversity import LDiversity
from biombo._criteria.leakage import Leakage
from biombo._criteria.t_closeness import TCloseness
from biombo._criteria.vulnerability import Vulnerability
from biombo._errors import UsageError, shortened
from biombo._hierarchy import Hierarchy

KINDS: dict[str, type[Criterion]] = {
    kind.name: kind for kind in (KAnonymity, LDiversity, TCloseness, Vulnerability, Leakage)
}


def criterion_of(tree: Any) -> Criterion:
    """See :meth:`Criterion.from_tree`."""
    if not isinstance(tree, dict) or len(tree) != 1 or not isinstance(entries := next(iter(tree.values())), dict):
        raise UsageError("criteria.shape", value=tree)
    name = next(iter(tree))
    if name not in KINDS:
        raise UsageError("criteria.unknown", name=name, names=", ".join(KINDS))
    kind = KINDS[name]
    _check_entries(kind, entries)
    if entries.get("hierarchy") is not None:
        entries = {**entries, "hierarchy": Hierarchy.load(entries["hierarchy"])}
    return kind(**entries)


def _check_entries(kind: type[Criterion], entries: dict[Any, Any]) -> None:
    known = {field.name: field.default is MISSING for field in fields(kind)}
    strangers = [entry for entry in entries if entry not in known]
    if strangers:
        raise UsageError("criteria.entries", criterion=kind.name, entries=shortened(strangers), known=", ".join(known))
    for entry, needed in known.items():
        if needed and entry not in entries:
            raise UsageError("criteria.entry-missing", criterion=kind.name, entry=entry)
